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

/// A trained classifier. It takes 4 MB.
#[derive(Clone, Debug)]
pub(crate) struct Classifier {
    /// The number of classes.
    classes: usize,
    rarity: Rarity,
    /// The weights of each place, in units of `unit`.
    weights: Vec<[i8; CLASSES_MAX]>,
    unit: f32,
    bias: Row,
}

impl Classifier {
    /// Trains a classifier. Each example is a class, from 0 on and below [`CLASSES_MAX`], and its text.
    pub(crate) fn train(examples: &[(usize, &str)]) -> Self {
        let classes = examples.iter().map(|(class, _)| class + 1).max().unwrap_or(0);
        assert!(classes <= CLASSES_MAX, "{classes} classes, {CLASSES_MAX} at most");
        // The features are found twice: to keep them all takes more memory than anything else here.
        let features = || examples.iter().map(|(_, text)| Features::of(text));
        let rarity = Rarity::of(features());
        let texts: Vec<_> = features().map(|features| rarity.weighed(&features)).collect();
        let mut descent = Descent::new(classes);
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut random = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..PASSES {
            shuffle(&mut order, &mut random);
            for n in &order {
                descent.learn(&texts[*n], examples[*n].0);
            }
        }
        let all = descent.weights.iter().flatten();
        let unit = all.fold(0.0, |most: f32, weight| most.max(weight.abs())) / WEIGHT_MAX;
        let weights = descent.weights.iter().map(|row| whole(row, unit)).collect();
        Self { classes, rarity, weights, unit, bias: descent.bias }
    }

    /// The score of each class for a text: the logarithm of its probability, up to a constant.
    pub(crate) fn scores(&self, text: &str) -> Vec<f32> {
        let mut scores = self.bias;
        for (place, value) in self.rarity.weighed(&Features::of(text)) {
            let weights = &self.weights[place as usize];
            let value = value * self.unit;
            scores
                .iter_mut()
                .zip(weights)
                .for_each(|(sum, weight)| *sum += f32::from(*weight) * value);
        }
        scores[..self.classes].to_vec()
    }
}

/// Weights as whole numbers of a unit.
fn whole(row: &Row, unit: f32) -> [i8; CLASSES_MAX] {
    let mut all = [0; CLASSES_MAX];
    for (whole, weight) in all.iter_mut().zip(row) {
        *whole = if unit > 0.0 { (weight / unit).round() as i8 } else { 0 };
    }
    all
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
    fn new(classes: usize) -> Self {
        let (zero, small) = ([0.0; CLASSES_MAX], [1e-6; CLASSES_MAX]);
        let (weights, squares) = (vec![zero; PLACES], vec![small; PLACES]);
        Self { classes, weights, bias: zero, squares, bias_squares: small }
    }

    /// Learns that a text is of a class.
    fn learn(&mut self, text: &[(u32, f32)], class: usize) {
        let mut error = self.probabilities(text);
        error[class] -= 1.0;
        for (place, value) in text {
            let place = *place as usize;
            descend(&mut self.weights[place], &mut self.squares[place], &error, *value);
        }
        descend(&mut self.bias, &mut self.bias_squares, &error, 1.0);
    }

    fn probabilities(&self, text: &[(u32, f32)]) -> Row {
        let mut row = self.bias;
        for (place, value) in text {
            let weights = &self.weights[*place as usize];
            row.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * value);
        }
        row[self.classes..].fill(f32::MIN);
        let most = row.iter().copied().fold(f32::MIN, f32::max);
        row.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f32 = row.iter().sum();
        row.iter_mut().for_each(|probability| *probability /= sum);
        row
    }
}

/// One step of the gradient descent for the weights of one place.
fn descend(weights: &mut Row, squares: &mut Row, error: &Row, value: f32) {
    for ((weight, square), error) in weights.iter_mut().zip(squares).zip(error) {
        let gradient = error * value;
        *square += gradient * gradient;
        *weight -= STEP * gradient / square.sqrt();
    }
}

/// How rare the features of each place are in the examples: inverse document frequency, 0 where no example
/// has one.
#[derive(Clone, Debug)]
struct Rarity(Vec<f32>);

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
        let rarity = |count: u32| match count {
            0 => 0.0,
            count => ((1.0 + all) / (1.0 + count as f32)).ln() + 1.0,
        };
        Self(counts.into_iter().map(rarity).collect())
    }

    /// The places and values of features: rare ones weigh more, and each group has the length 1.
    fn weighed(&self, features: &Features) -> Vec<(u32, f32)> {
        let mut all = Vec::with_capacity(features.words.len() + features.letters.len());
        for group in [&features.words, &features.letters] {
            let from = all.len();
            let mut places: Vec<u32> = group.iter().map(|feature| place(*feature)).collect();
            places.sort_unstable();
            for same in places.chunk_by(|one, other| one == other) {
                let rarity = self.0[same[0] as usize];
                if rarity > 0.0 {
                    all.push((same[0], (1.0 + (same.len() as f32).ln()) * rarity));
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
