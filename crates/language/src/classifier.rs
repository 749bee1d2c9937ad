//! The classifier: a linear model of the features of a text, trained from labelled examples.
//!
//! It is a softmax regression, trained by stochastic gradient descent (AdaGrad) in a fixed order, so that
//! equal examples give the equal classifier.

use crate::features::Features;

/// The number of passes over the examples.
const PASSES: usize = 3;
/// The step of the gradient descent at its beginning.
const STEP: f32 = 0.5;
/// The number of places for weights. Two features may share a place; among so many that does no harm.
const PLACES: usize = 1 << 17;
/// The most classes. The weights of a place stand in a row of this length.
pub(crate) const CLASSES_MAX: usize = 24;
/// The largest of the whole numbers that weights are kept as.
const WEIGHT_MAX: f32 = i8::MAX as f32;

/// One number for each class.
type Row = [f32; CLASSES_MAX];

/// A trained classifier. Of its examples it keeps nothing but the weights, which take 3 MB.
#[derive(Clone, Debug)]
pub(crate) struct Classifier {
    /// The number of classes.
    classes: usize,
    rarity: Rarity,
    /// The weights of each row of `rarity`, one for each class, in units of `unit`.
    weights: Box<[i8]>,
    unit: f32,
    bias: Row,
}

impl Classifier {
    /// Trains a classifier. Each example is a class, from 0 on and below [`CLASSES_MAX`], and its text.
    pub(crate) fn train(examples: &[(usize, &str)]) -> Self {
        let classes = examples.iter().map(|(class, _)| class + 1).max().unwrap_or(0);
        assert!(classes <= CLASSES_MAX, "{classes} classes, {CLASSES_MAX} at most");
        // Features are found anew in each pass: to keep them all takes as much memory as all else here.
        let rarity = Rarity::of(examples.iter().map(|(_, text)| Features::of(text)));
        let mut descent = Descent::new(classes, rarity.values.len());
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut random = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..PASSES {
            shuffle(&mut order, &mut random);
            for n in &order {
                let (class, text) = examples[*n];
                descent.learn(&rarity.weighed(&Features::of(text)), class);
            }
        }
        let all = descent.weights.iter().flatten();
        let unit = all.fold(0.0, |most: f32, weight| most.max(weight.abs())) / WEIGHT_MAX;
        let weights = descent.weights.iter().flat_map(|row| &row[..classes]);
        let weights = weights.map(|weight| whole(*weight, unit)).collect();
        Self { classes, rarity, weights, unit, bias: descent.bias }
    }

    /// The score of each class for a text: the logarithm of its probability, up to a constant.
    pub(crate) fn scores(&self, text: &str) -> Vec<f32> {
        let mut scores = self.bias[..self.classes].to_vec();
        for (row, value) in self.rarity.weighed(&Features::of(text)) {
            let weights = &self.weights[row as usize * self.classes..][..self.classes];
            let value = value * self.unit;
            scores
                .iter_mut()
                .zip(weights)
                .for_each(|(sum, weight)| *sum += f32::from(*weight) * value);
        }
        scores
    }
}

/// A weight as a whole number of a unit.
fn whole(weight: f32, unit: f32) -> i8 {
    if unit > 0.0 { (weight / unit).round() as i8 } else { 0 }
}

/// The state of the gradient descent.
struct Descent {
    classes: usize,
    weights: Vec<Row>,
    bias: Row,
    /// The sums of the squares of all gradients so far.
    squares: Vec<Row>,
    bias_squares: Row,
}

impl Descent {
    fn new(classes: usize, rows: usize) -> Self {
        let (zero, small) = ([0.0; CLASSES_MAX], [1e-6; CLASSES_MAX]);
        let (weights, squares) = (vec![zero; rows], vec![small; rows]);
        Self { classes, weights, bias: zero, squares, bias_squares: small }
    }

    /// Learns that a text is of a class.
    fn learn(&mut self, text: &[(u32, f32)], class: usize) {
        let mut error = self.probabilities(text);
        error[class] -= 1.0;
        for (row, value) in text {
            let row = *row as usize;
            descend(&mut self.weights[row], &mut self.squares[row], &error, *value);
        }
        descend(&mut self.bias, &mut self.bias_squares, &error, 1.0);
    }

    fn probabilities(&self, text: &[(u32, f32)]) -> Row {
        let mut scores = self.bias;
        for (row, value) in text {
            let weights = &self.weights[*row as usize];
            scores.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * value);
        }
        scores[self.classes..].fill(f32::MIN);
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        scores.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f32 = scores.iter().sum();
        scores.iter_mut().for_each(|probability| *probability /= sum);
        scores
    }
}

/// One step of the gradient descent for the weights of one row.
fn descend(weights: &mut Row, squares: &mut Row, error: &Row, value: f32) {
    for ((weight, square), error) in weights.iter_mut().zip(squares).zip(error) {
        let gradient = error * value;
        *square += gradient * gradient;
        *weight -= STEP * gradient / square.sqrt();
    }
}

/// How rare the features of each place are in the examples: inverse document frequency. Places of which an
/// example has a feature have a row each, in their order; features of other places are passed over.
#[derive(Clone, Debug)]
struct Rarity {
    /// Whether a place has a row, a bit each, beside the number of rows before these bits.
    rows: Box<[(u64, u32)]>,
    /// By row.
    values: Box<[f32]>,
}

impl Rarity {
    fn of(texts: impl ExactSizeIterator<Item = Features>) -> Self {
        let mut counts = vec![0_u32; PLACES];
        let all = texts.len() as f32;
        for features in texts {
            let all = features.words.iter().chain(&features.letters);
            let mut places: Vec<u32> = all.map(|feature| place(*feature)).collect();
            places.sort_unstable();
            places.dedup();
            places.iter().for_each(|place| counts[*place as usize] += 1);
        }
        let mut before = 0;
        let rows = counts.chunks(64).map(|counts| {
            let bits = counts.iter().rev().fold(0, |bits, count| bits << 1 | u64::from(*count > 0));
            let row = (bits, before);
            before += bits.count_ones();
            row
        });
        let rows = rows.collect();
        let rarity = |count: &u32| ((1.0 + all) / (1.0 + *count as f32)).ln() + 1.0;
        let values = counts.iter().filter(|count| **count > 0).map(rarity).collect();
        Self { rows, values }
    }

    /// The row of a place.
    fn row(&self, place: u32) -> Option<u32> {
        let (bits, before) = self.rows[place as usize / 64];
        let bit = 1 << (place % 64);
        (bits & bit != 0).then(|| before + (bits & (bit - 1)).count_ones())
    }

    /// The rows and values of features: rare ones weigh more, and each group has the length 1.
    fn weighed(&self, features: &Features) -> Vec<(u32, f32)> {
        let mut all = Vec::with_capacity(features.words.len() + features.letters.len());
        for group in [&features.words, &features.letters] {
            let from = all.len();
            let mut places: Vec<u32> = group.iter().map(|feature| place(*feature)).collect();
            places.sort_unstable();
            for same in places.chunk_by(|one, other| one == other) {
                if let Some(row) = self.row(same[0]) {
                    let often = if same.len() == 1 { 1.0 } else { 1.0 + (same.len() as f32).ln() };
                    all.push((row, often * self.values[row as usize]));
                }
            }
            let long = all[from..].iter().map(|(_, value)| value * value).sum::<f32>().sqrt();
            all[from..].iter_mut().for_each(|(_, value)| *value /= long);
        }
        all
    }
}

fn place(feature: u64) -> u32 {
    ((feature ^ feature >> 32) as usize % PLACES) as u32
}

/// Mixes an order, the same way each time: xorshift.
fn shuffle(order: &mut [usize], random: &mut u64) {
    for n in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        order.swap(n, (*random % (n as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests;
