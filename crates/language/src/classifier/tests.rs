//! The classifier against a plain one, which keeps a row of weights for every place, used or not.

use std::{collections::BTreeMap, fs, path::Path};

use super::*;
use crate::{
    Example, Intent,
    text::{normal, split},
};

/// The runs of a text's letters and words, each found and numbered on its own.
fn plain_features(text: &str) -> Features {
    let text = normal(text);
    let words = split(&text);
    assert!(words.len() < 60, "long texts are cut: {text}");
    let mut plain = Features::default();
    let number = |kind: u8, run: &[u8]| {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        [kind].iter().chain(run).fold(0xcbf2_9ce4_8422_2325, step)
    };
    let bounded = [&["^"], &words[..], &["$"]].concat();
    for long in (1..=3).filter(|_| !words.is_empty()) {
        let runs = bounded.windows(long).map(|run| run.join(" ") + " ");
        plain.words.extend(runs.map(|run| number(1, run.as_bytes())));
    }
    let skips = words.windows(3).map(|run| format!("{} {} ", run[0], run[2]));
    plain.words.extend(skips.map(|run| number(2, run.as_bytes())));
    for word in words {
        let letters: Vec<char> = format!("_{word}_").chars().collect();
        for long in 2..=5 {
            for run in letters.windows(long) {
                let run: Vec<u8> = run.iter().flat_map(|c| (*c as u32).to_le_bytes()).collect();
                plain.letters.push(number(7, &run));
            }
        }
    }
    plain
}

/// A classifier as it is written down: each place has a rarity and weights of its own.
struct Plain {
    rarity: Vec<f32>,
    weights: Vec<[i8; CLASSES_MAX]>,
    unit: f32,
    bias: Row,
}

impl Plain {
    fn train(examples: &[(usize, &str)], classes: usize) -> Self {
        let mut counts = vec![0_u32; PLACES];
        for (_, text) in examples {
            let features = Features::of(text);
            let all = features.words.iter().chain(&features.letters);
            let places: std::collections::BTreeSet<u32> = all.map(|it| place(*it)).collect();
            places.iter().for_each(|place| counts[*place as usize] += 1);
        }
        let all = examples.len() as f32;
        let rarity = counts.iter().map(|count| match count {
            0 => 0.0,
            count => ((1.0 + all) / (1.0 + *count as f32)).ln() + 1.0,
        });
        let rarity: Vec<f32> = rarity.collect();
        let mut descent = Descent::new(classes, PLACES);
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut random = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..PASSES {
            shuffle(&mut order, &mut random);
            for n in &order {
                descent.learn(&weighed(&rarity, examples[*n].1), examples[*n].0);
            }
        }
        let most = descent.weights.iter().flatten().fold(0.0, |most: f32, it| most.max(it.abs()));
        let unit = most / WEIGHT_MAX;
        let weights = descent.weights.iter().map(|row| row.map(|it| whole(it, unit))).collect();
        Self { rarity, weights, unit, bias: descent.bias }
    }

    fn scores(&self, text: &str) -> Row {
        let mut scores = self.bias;
        for (place, value) in weighed(&self.rarity, text) {
            let value = value * self.unit;
            for (sum, weight) in scores.iter_mut().zip(&self.weights[place as usize]) {
                *sum += f32::from(*weight) * value;
            }
        }
        scores
    }
}

fn weighed(rarity: &[f32], text: &str) -> Vec<(u32, f32)> {
    let features = Features::of(text);
    let mut all = Vec::new();
    for group in [&features.words, &features.letters] {
        let mut counts = BTreeMap::<u32, usize>::new();
        group.iter().for_each(|feature| *counts.entry(place(*feature)).or_default() += 1);
        let values = counts.into_iter().filter_map(|(place, count)| {
            let rarity = rarity[place as usize];
            (rarity > 0.0).then(|| (place, (1.0 + (count as f32).ln()) * rarity))
        });
        let mut values: Vec<_> = values.collect();
        let long = values.iter().map(|(_, value)| value * value).sum::<f32>().sqrt();
        values.iter_mut().for_each(|(_, value)| *value /= long);
        all.extend(values);
    }
    all
}

fn examples(language: &str) -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents/lang");
    let file = fs::read_to_string(folder.join(format!("{language}.tsv"))).unwrap();
    Example::read(&file).unwrap()
}

/// All runs of a text are features, each as often as it occurs.
#[test]
fn every_run_is_a_feature() {
    let counted = |features: &[u64]| {
        let mut counts = BTreeMap::<u64, usize>::new();
        features.iter().for_each(|feature| *counts.entry(*feature).or_default() += 1);
        counts
    };
    for Example { text, .. } in examples("de").iter().step_by(40) {
        let (found, plain) = (Features::of(text), plain_features(text));
        assert_eq!(counted(&found.letters), counted(&plain.letters), "{text}");
        let words = counted(&found.words);
        for (run, count) in counted(&plain.words) {
            assert!(words.get(&run).is_some_and(|found| *found >= count), "{text}");
        }
    }
}

/// What is kept of examples scores every text as all that was learnt would, to the last bit: those of the
/// examples, and those of which most features were never seen.
#[test]
fn what_is_kept_scores_as_all_that_was_learnt() {
    let learnt = examples("it");
    let class = |intent| Intent::ALL.iter().position(|other| *other == intent).unwrap();
    let pairs: Vec<_> = learnt.iter().map(|it| (class(it.intent), it.text.as_str())).collect();
    let kept = Classifier::train(&pairs);
    let plain = Plain::train(&pairs, kept.classes);
    let unknown = examples("en");
    for example in learnt.iter().step_by(3).chain(unknown.iter().step_by(9)) {
        let text = &example.text;
        let bits = |scores: &[f32]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&kept.scores(text)), bits(&plain.scores(text)[..kept.classes]), "{text}");
    }
    let bytes = size_of_val(&*kept.weights) + size_of_val(&*kept.rarity.values);
    let rows = kept.rarity.values.len();
    assert!(rows < PLACES, "every place has a row");
    assert_eq!(bytes, rows * (kept.classes + size_of::<f32>()));
}
