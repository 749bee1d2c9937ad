//! Words and lines, from where letters stand on a page.

use kurbo::{Point, Vec2};

use super::bidi::{logical, runs_right};

/// Gaps and heights are shares of the letters' size. From this gap on there is a space…
const SPACE: f64 = 0.1;
/// … and from this one the letters stand in different columns of a table.
const COLUMN: f64 = 2.0;
/// So far letters of one line may stand above each other, as in powers.
const RAISED_MAX: f64 = 0.5;
/// So far letters of one line may stand before the end of the last.
const BACK_MAX: f64 = 1.0;
/// Lines that are farther apart are different paragraphs.
const PARAGRAPH: f64 = 1.7;
/// An accent's middle stands within its letter, or this far outside.
const BESIDE: f64 = 0.05;
/// A line says by so many gaps how far apart its letters are set.
const GAPS_MIN: usize = 6;

/// A letter, or several that are drawn as one, and where it stands.
pub(crate) struct Letter {
    text: String,
    origin: Point,
    end: Point,
    /// The direction of writing, of length 1.
    along: Vec2,
    /// Upwards, as long as the letter's size.
    up: Vec2,
}

impl Letter {
    /// `right` and `up` are as long as the letter's size, `width` is a share of it.
    pub(crate) fn new(text: String, origin: Point, right: Vec2, up: Vec2, width: f64) -> Self {
        // Where a font stands in for another its letters are squeezed, but not their places.
        let size = right.hypot().max(up.hypot());
        let along = if right.hypot() > 0.0 { right / right.hypot() } else { Vec2::new(1.0, 0.0) };
        Self { text: joined(text), origin, end: origin + along * (size * width), along, up }
    }

    /// Whether it is the same letter at the same place.
    pub(crate) fn is_at(&self, other: &Self) -> bool {
        self.text == other.text && (self.origin - other.origin).hypot() < self.size() * SPACE
    }

    /// The text that it is.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Makes it another text.
    pub(crate) fn set_text(&mut self, text: String) {
        self.text = text;
    }

    /// Where it begins, on the line that letters stand on.
    pub(crate) fn origin(&self) -> Point {
        self.origin
    }

    /// Where it ends on that line.
    pub(crate) fn end(&self) -> Point {
        self.end
    }

    /// Its size.
    pub(crate) fn size(&self) -> f64 {
        self.up.hypot()
    }

    /// Whether its middle is over `base`, or under it.
    pub(crate) fn stands_over(&self, base: &Self) -> bool {
        let middle = self.origin.midpoint(self.end);
        let along = (middle - base.origin).dot(base.along);
        let width = (base.end - base.origin).dot(base.along);
        let beside = base.size() * BESIDE;
        base.rise(self).abs() <= RAISED_MAX && (-beside..=width + beside).contains(&along)
    }

    /// How far along the line it stands, from a place that all letters of the line share.
    fn place(&self, line: &Self) -> f64 {
        self.origin.to_vec2().dot(line.along)
    }

    fn is_space(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }

    /// How far `next` stands behind its end, as a share of their size.
    fn gap(&self, next: &Self) -> f64 {
        (next.origin - self.end).dot(self.along)
            / self.size().max(next.size()).max(f64::MIN_POSITIVE)
    }

    /// How far `next` stands above it.
    fn rise(&self, next: &Self) -> f64 {
        let size = self.size().max(next.size()).max(f64::MIN_POSITIVE);
        (next.origin - self.origin).dot(self.up) / (self.size().max(f64::MIN_POSITIVE) * size)
    }

    /// Whether `next` goes on in its line.
    fn is_continued_by(&self, next: &Self) -> bool {
        self.rise(next).abs() <= RAISED_MAX && self.gap(next) >= -BACK_MAX
    }
}

/// The letters of a page as lines, with spaces where they are apart.
pub(crate) fn lines(letters: &[Letter]) -> String {
    let mut lines: Vec<Vec<&Letter>> = Vec::new();
    for run in letters.chunk_by(Letter::is_continued_by) {
        match lines.last_mut() {
            Some(line) if goes_left(line, run) => line.extend(run),
            Some(_) | None => lines.push(run.iter().collect()),
        }
    }
    let mut text = String::new();
    let mut before: Option<&Letter> = None;
    for line in lines {
        let (Some(first), Some(last)) = (line.first(), line.last()) else { continue };
        if let Some(before) = before {
            let is_next_line = (-PARAGRAPH..=RAISED_MAX).contains(&before.rise(first));
            text.push_str(if is_next_line { "\n" } else { "\n\n" });
        }
        before = Some(last);
        text.push_str(&line_text(line));
    }
    text
}

/// Whether a run goes on in a line to the left of it, as words do that run from right to left.
fn goes_left(line: &[&Letter], run: &[Letter]) -> bool {
    let (Some(first), Some(last), Some(next)) = (line.first(), line.last(), run.first()) else {
        return false;
    };
    let is_turned = line.iter().any(|letter| runs_right(&letter.text))
        || run.iter().any(|letter| runs_right(&letter.text));
    if !is_turned || last.rise(next).abs() > RAISED_MAX {
        return false;
    }
    let start = line.iter().map(|letter| letter.place(first)).fold(f64::INFINITY, f64::min);
    let ends = run.iter().map(|letter| letter.end.to_vec2().dot(first.along));
    ends.fold(f64::NEG_INFINITY, f64::max) <= start + first.size() * SPACE
}

fn line_text(mut line: Vec<&Letter>) -> String {
    let is_turned = line.iter().any(|letter| runs_right(&letter.text));
    if let (true, Some(first)) = (is_turned, line.first().copied()) {
        line.sort_by(|a, b| a.place(first).total_cmp(&b.place(first)));
    }
    let signs = signs(&line);
    if is_turned { logical(&signs) } else { signs.concat() }
}

/// The letters of a line with what stands between them.
fn signs(line: &[&Letter]) -> Vec<String> {
    let space = SPACE + tracking(line);
    let mut signs = Vec::with_capacity(line.len());
    let mut before: Option<&Letter> = None;
    for letter in line {
        if let Some(before) = before {
            let gap = before.gap(letter);
            if gap > COLUMN {
                signs.push("\t".to_owned());
            } else if gap > space && !before.is_space() && !letter.is_space() {
                signs.push(" ".to_owned());
            }
        }
        signs.push(letter.text.clone());
        before = Some(letter);
    }
    signs
}

/// How far apart the letters of a line are set on purpose, as in some headings: the median of their gaps.
fn tracking(line: &[&Letter]) -> f64 {
    let pairs = line.windows(2).filter(|pair| pair.iter().all(|letter| !letter.is_space()));
    let mut gaps: Vec<f64> = pairs.map(|pair| pair[0].gap(pair[1])).collect();
    if gaps.len() < GAPS_MIN {
        return 0.0;
    }
    gaps.sort_by(f64::total_cmp);
    gaps[gaps.len() / 2].clamp(0.0, COLUMN)
}

/// Several letters that are one sign, as fonts have them for `fi`, as what they are.
fn joined(text: String) -> String {
    if !text.contains(|c| ('\u{fb00}'..='\u{fb06}').contains(&c)) {
        return text;
    }
    const SIGNS: [&str; 7] = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"];
    let mut letters = String::new();
    for c in text.chars() {
        let sign = u32::from(c).checked_sub(0xfb00).and_then(|n| SIGNS.get(n as usize));
        match sign {
            Some(sign) => letters.push_str(sign),
            None => letters.push(c),
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters of size 10, half as wide, from a place on: `_` leaves as much free without a letter.
    fn written(text: &str, x: f64, y: f64, apart: f64) -> Vec<Letter> {
        let places = text.chars().enumerate().filter(|(_, c)| *c != '_');
        let size = 10.0;
        let letter = |(n, c): (usize, char)| {
            let origin = Point::new(x + n as f64 * size * (0.5 + apart), y);
            Letter::new(c.to_string(), origin, Vec2::new(size, 0.0), Vec2::new(0.0, size), 0.5)
        };
        places.map(letter).collect()
    }

    /// K05: a gap is a space, a wide one a column; lines that are far apart are paragraphs.
    #[test]
    fn places_become_words_and_lines() {
        let mut page = written("two_words", 0.0, 100.0, 0.0);
        page.extend(written("right", 80.0, 100.0, 0.0));
        page.extend(written("next", 0.0, 88.0, 0.0));
        page.extend(written("ﬁnd", 0.0, 60.0, 0.0));
        page.extend(written("top", 200.0, 100.0, 0.0));
        assert_eq!(lines(&page), "two words\tright\nnext\n\nfind\n\ntop");
    }

    /// K05: letters that are set apart are words still, and turned ones, too.
    #[test]
    fn letters_apart_are_words() {
        assert_eq!(lines(&written("ADA_LOVELACE", 0.0, 0.0, 0.3)), "ADA LOVELACE");
        let turned = written("up_and_up", 0.0, 0.0, 0.0).into_iter().map(|letter| {
            let turn = |v: Vec2| Vec2::new(-v.y, v.x);
            let point = |p: Point| turn(p.to_vec2()).to_point();
            let Letter { text, origin, end, along, up } = letter;
            Letter {
                text,
                origin: point(origin),
                end: point(end),
                along: turn(along),
                up: turn(up),
            }
        });
        assert_eq!(lines(&turned.collect::<Vec<_>>()), "up and up");
    }
}
