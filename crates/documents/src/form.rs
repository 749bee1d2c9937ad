//! What is filled into a page's form, beside the words that it belongs to. Where a program has saved values
//! without drawing them, whoever opens the file sees them nevertheless.

use hayro_syntax::{
    object::{Array, Dict, Name, Object, Rect, String as PdfString},
    page::Page,
};
use kurbo::{Point, Vec2};

use super::layout::Letter;

/// So many fields of a page are looked at.
const FIELDS_MAX: usize = 2_000;
/// A field is a part of others up to this depth.
const PARENTS_MAX: usize = 8;
/// The size of letters of values, in points, and how wide they are as a share of it.
const SIZE_MAX: f64 = 12.0;
const SIZE_MIN: f64 = 4.0;
const WIDTH: f64 = 0.5;
/// A letter stands in a field if it is no farther outside, in points.
const MARGIN: f64 = 2.0;
/// Annotations that nobody sees, by their flags.
const UNSEEN: u32 = (1 << 1) | (1 << 5);
/// Fields of text for passwords, and buttons that only do something.
const PASSWORD: u32 = 1 << 13;
const PUSH_BUTTON: u32 = 1 << 16;
/// What stands for a box that is ticked.
const TICKED: &str = "[x]";

/// A field of a form, or a note that is written onto a page.
pub(crate) struct Field {
    area: Rect,
    /// What is in it; may be empty.
    value: String,
}

/// The fields of a page that are seen.
pub(crate) fn fields(page: &Page<'_>) -> Vec<Field> {
    let Some(all) = page.raw().get::<Array<'_>>(b"Annots") else { return Vec::new() };
    all.iter::<Dict<'_>>().take(FIELDS_MAX).filter_map(|field| Field::of(&field)).collect()
}

/// The letters of a page with those of its fields behind the words that they belong to. `drawn` are those
/// that the fields draw themselves.
pub(crate) fn filled_in(page: Vec<Letter>, drawn: Vec<Letter>, fields: &[Field]) -> Vec<Letter> {
    let mut drawn: Vec<Option<Letter>> = drawn.into_iter().map(Some).collect();
    let mut inserted: Vec<(usize, Vec<Letter>)> = Vec::new();
    for field in fields {
        let is_own = |letter: &&mut Option<Letter>| letter.as_ref().is_some_and(|it| field.has(it));
        let own = drawn.iter_mut().filter(is_own).filter_map(Option::take);
        let mut letters: Vec<Letter> = own.collect();
        let place = field.place(&page);
        let is_seen = letters.iter().any(|letter| !letter.text().trim().is_empty())
            || page.iter().any(|letter| field.has(letter) && is_word(letter.text()));
        if !is_seen {
            letters.extend(field.written(place.and_then(|at| page.get(at - 1))));
        }
        if !letters.is_empty() {
            inserted.push((place.unwrap_or(page.len()), letters));
        }
    }
    inserted.sort_by_key(|(place, _)| *place);
    let mut inserted = inserted.into_iter().peekable();
    let mut all = Vec::with_capacity(page.len());
    for (n, letter) in page.into_iter().enumerate() {
        while let Some((_, letters)) = inserted.next_if(|(place, _)| *place <= n) {
            all.extend(letters);
        }
        all.push(letter);
    }
    all.extend(inserted.flat_map(|(_, letters)| letters));
    all.extend(drawn.into_iter().flatten());
    all
}

impl Field {
    /// Whether there is something in it.
    pub(crate) fn is_filled(&self) -> bool {
        !self.value.trim().is_empty()
    }

    fn of(annotation: &Dict<'_>) -> Option<Self> {
        let kind = annotation.get::<Name<'_>>(b"Subtype")?;
        let area = annotation.get::<Rect>(b"Rect")?;
        if annotation.get::<u32>(b"F").unwrap_or(0) & UNSEEN != 0 {
            return None;
        }
        let value = match kind.as_str() {
            "Widget" => value(annotation),
            "FreeText" => annotation.get::<Object<'_>>(b"Contents").map(|it| text(&it)),
            _ => return None,
        };
        Some(Self { area, value: value.unwrap_or_default() })
    }

    fn has(&self, letter: &Letter) -> bool {
        let Point { x, y } = letter.origin();
        let Rect { x0, y0, x1, y1 } = self.area;
        (x0 - MARGIN..=x1 + MARGIN).contains(&x) && (y0 - MARGIN..=y1 + MARGIN).contains(&y)
    }

    /// The place among a page's letters behind those that name it: on the same height to the left of it, or
    /// above it.
    fn place(&self, page: &[Letter]) -> Option<usize> {
        let Rect { x0, y0, x1, y1 } = self.area;
        let words = || page.iter().enumerate().filter(|(_, letter)| is_word(letter.text()));
        let beside = words().filter(|(_, letter)| {
            let (y, end) = (letter.origin().y, letter.end().x);
            y >= y0 - letter.size() * 0.3 && y <= y1 && end <= x0 + MARGIN
        });
        let nearest = beside.max_by(|(_, a), (_, b)| a.end().x.total_cmp(&b.end().x));
        let above = || {
            words().filter(|(_, letter)| {
                let Point { x, y } = letter.origin();
                y >= y1 && y <= y1 + letter.size() * 1.5 && x >= x0 - MARGIN && x <= x1
            })
        };
        nearest.or_else(|| above().next_back()).map(|(at, _)| at + 1)
    }

    /// Its value where it would be drawn: on the line of the word that it stands beside.
    fn written(&self, beside: Option<&Letter>) -> Option<Letter> {
        if !self.is_filled() {
            return None;
        }
        let Rect { x0, y0, y1, .. } = self.area;
        let size = ((y1 - y0) * 0.6).clamp(SIZE_MIN, SIZE_MAX);
        let beside = beside.map(|letter| letter.origin().y).filter(|y| (y0 - size..y1).contains(y));
        let origin = Point::new(x0 + MARGIN, beside.unwrap_or(y1 - size));
        let width = WIDTH * self.value.lines().next().unwrap_or_default().chars().count() as f64;
        let (right, up) = (Vec2::new(size, 0.0), Vec2::new(0.0, size));
        Some(Letter::new(self.value.clone(), origin, right, up, width))
    }
}

fn is_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// What is filled into a field; nothing if it is none to fill in.
fn value(field: &Dict<'_>) -> Option<String> {
    let flags = inherited(field, |dict| dict.get::<u32>(b"Ff")).unwrap_or(0);
    let value = || inherited(field, |dict| dict.get::<Object<'_>>(b"V"));
    match inherited(field, |dict| dict.get::<Name<'_>>(b"FT"))?.as_str() {
        "Tx" if flags & PASSWORD == 0 => value().map(|it| text(&it)),
        "Ch" => {
            let options = inherited(field, |dict| dict.get::<Array<'_>>(b"Opt"));
            value().map(|it| shown(&it, options.as_ref()))
        }
        "Btn" if flags & PUSH_BUTTON == 0 => {
            let state = field.get::<Name<'_>>(b"AS");
            let state = state.or_else(|| inherited(field, |dict| dict.get::<Name<'_>>(b"V")))?;
            (state.as_str() != "Off").then(|| TICKED.to_owned())
        }
        _ => None,
    }
}

/// What a field says, or the field that it is a part of.
fn inherited<'a, T>(field: &Dict<'a>, get: impl Fn(&Dict<'a>) -> Option<T>) -> Option<T> {
    let mut dict = field.clone();
    for _ in 0..PARENTS_MAX {
        if let Some(found) = get(&dict) {
            return Some(found);
        }
        dict = dict.get::<Dict<'a>>(b"Parent")?;
    }
    None
}

/// What is chosen in a list, in the words that the list shows.
fn shown(value: &Object<'_>, options: Option<&Array<'_>>) -> String {
    let chosen: Vec<String> = match value {
        Object::Array(all) => all.iter::<Object<'_>>().map(|one| text(&one)).collect(),
        one => vec![text(one)],
    };
    let word = |chosen: String| {
        let pairs = options.into_iter().flat_map(|all| all.iter::<Array<'_>>());
        let mut words = pairs.filter_map(|pair| {
            let mut pair = pair.iter::<PdfString<'_>>();
            Some((letters(pair.next()?.as_bytes()), letters(pair.next()?.as_bytes())))
        });
        words.find(|(name, _)| *name == chosen).map_or(chosen, |(_, word)| word)
    };
    chosen.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

fn text(value: &Object<'_>) -> String {
    match value {
        Object::String(string) => letters(string.as_bytes()),
        Object::Name(name) => name.as_str().to_owned(),
        Object::Stream(stream) => stream.decoded().map(|bytes| letters(&bytes)).unwrap_or_default(),
        Object::Null(_)
        | Object::Boolean(_)
        | Object::Number(_)
        | Object::Dict(_)
        | Object::Array(_) => String::new(),
    }
}

/// A text string of a PDF: with a byte order mark, or in the encoding of PDFs, which is much like Latin-1.
fn letters(bytes: &[u8]) -> String {
    if let Some((encoding, length)) = encoding_rs::Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0.into_owned();
    }
    const OTHERS: [char; 32] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚',
        '™', 'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}',
    ];
    let letter = |byte: &u8| match byte {
        0x80..=0x9f => OTHERS[usize::from(*byte - 0x80)],
        0xa0 => '€',
        byte => char::from(*byte),
    };
    bytes.iter().map(letter).collect()
}
