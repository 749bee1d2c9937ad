//! The table of word vectors of Moonshine's decoder, and the scores of all tokens.
//!
//! The network's own last step holds the table as 32-bit numbers, twice: 75 MB. Here it stays in 8 bits, as
//! in the file.

/// A vector for each token, in 8 bits.
pub(super) struct Embedding {
    rows: Vec<u8>,
    width: usize,
    scale: f32,
    /// The value that means 0.
    zero: u8,
}

/// The number of steps to which a hidden vector is rounded in each direction. With rows of [`WIDTH_MAX`] the
/// sums fit into 32 bits.
const STEPS: f32 = 16_000.0;
/// The most numbers in a vector.
const WIDTH_MAX: usize = 512;

impl Embedding {
    /// Returns the table of `rows.len() / width` tokens.
    pub(super) fn new(rows: Vec<u8>, width: usize, scale: f32, zero: u8) -> Result<Self, String> {
        if width == 0 || width > WIDTH_MAX || rows.is_empty() || !rows.len().is_multiple_of(width) {
            return Err(format!("a table of {} numbers has no rows of {width}", rows.len()));
        }
        Ok(Self { rows, width, scale, zero })
    }

    /// Returns the number of tokens.
    pub(super) fn tokens(&self) -> usize {
        self.rows.len() / self.width
    }

    /// Returns the length of a vector.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the score of each token after a hidden vector of [`Self::width`] numbers. The higher the
    /// score, the likelier the token comes next.
    pub(super) fn scores(&self, hidden: &[f32]) -> Vec<f32> {
        assert_eq!(hidden.len(), self.width, "a vector of another network");
        let largest = hidden.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
        let step = largest / STEPS;
        let rounded: Vec<i16> = hidden.iter().map(|x| (x / step).round() as i16).collect();
        let offset = i32::from(self.zero) * rounded.iter().map(|x| i32::from(*x)).sum::<i32>();
        let scale = self.scale * step;
        let score = |row: &[u8]| {
            let products =
                row.iter().zip(&rounded).map(|(w, x)| i32::from(i16::from(*w)) * i32::from(*x));
            (products.sum::<i32>() - offset) as f32 * scale
        };
        self.rows.chunks_exact(self.width).map(score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P01: the scores are those of the table in full precision, up to rounding; the largest sums fit.
    #[test]
    fn scores_are_products() {
        let width = 288;
        let rows: Vec<u8> = (0..width * 4).map(|n| (n * n % 251) as u8).collect();
        let table = Embedding::new(rows.clone(), width, 0.01, 120).unwrap();
        assert_eq!((table.tokens(), table.width()), (4, width));
        let hidden: Vec<f32> = (0..width).map(|n| ((n * 7 % 13) as f32 - 6.0) / 3.0).collect();
        for (row, score) in rows.chunks(width).zip(table.scores(&hidden)) {
            let exact: f32 =
                row.iter().zip(&hidden).map(|(w, x)| (f32::from(*w) - 120.0) * 0.01 * x).sum();
            assert!((score - exact).abs() < 0.01 + exact.abs() * 0.001, "{score} {exact}");
        }
        let most = Embedding::new(vec![255; WIDTH_MAX], WIDTH_MAX, 1.0, 0).unwrap();
        let score = most.scores(&[1.0; WIDTH_MAX])[0];
        assert!((score - 255.0 * WIDTH_MAX as f32).abs() < 10.0, "{score}");
        assert_eq!(most.scores(&[0.0; WIDTH_MAX]), [0.0]);
    }

    /// P07: a table of another shape is refused.
    #[test]
    fn other_shapes_are_refused() {
        for (numbers, width) in [(10, 3), (0, 3), (10, 0), (1_000, 1_000)] {
            assert!(Embedding::new(vec![0; numbers], width, 1.0, 0).is_err(), "{numbers} {width}");
        }
    }
}
