//! Which paragraphs of a Word document are headings and which are items of lists.

use std::collections::BTreeMap;

use super::{
    problem::Fault,
    xml::{Element, Flow, Node, walk},
};

/// A style rests on another at most so often.
const STYLES_MAX_DEPTH: usize = 16;
/// A list has at most so many levels.
const LEVELS: usize = 9;

/// What styles and lists there are.
#[derive(Default)]
pub(crate) struct Formats {
    styles: BTreeMap<String, Style>,
    /// The list behind each number that paragraphs name.
    lists: BTreeMap<String, String>,
    /// How the items of a list are marked, by level.
    levels: BTreeMap<(String, usize), Level>,
}

#[derive(Default)]
struct Style {
    heading: Option<usize>,
    item: Item,
    rests_on: Option<String>,
}

/// What a paragraph or its style says about lists.
#[derive(Clone, Default)]
pub(crate) struct Item {
    /// The list's number; `0` is none.
    pub(crate) list: Option<String>,
    /// The level in it, from 0.
    pub(crate) level: Option<usize>,
}

#[derive(Clone, Copy)]
enum Level {
    Bullet,
    Number { first: u64 },
}

/// The numbers of the items so far, by list.
#[derive(Default)]
pub(crate) struct Counters(BTreeMap<String, [Option<u64>; LEVELS]>);

impl Formats {
    /// Reads `styles.xml`.
    pub(crate) fn add_styles(&mut self, xml: &str) -> Result<(), Fault> {
        let (mut id, mut style) = (None, Style::default());
        walk("word/styles.xml", xml, |node| {
            match node {
                Node::Start(element) if element.name() == "style" => {
                    id = element.attribute("styleId");
                    style = Style::default();
                }
                Node::Start(element) if id.is_some() => style.add(&element),
                Node::End("style") => {
                    if let Some(id) = id.take() {
                        self.styles.insert(id, std::mem::take(&mut style));
                    }
                }
                Node::Start(_) | Node::End(_) | Node::Text(_) => {}
            }
            Flow::On
        })
    }

    /// Reads `numbering.xml`.
    pub(crate) fn add_lists(&mut self, xml: &str) -> Result<(), Fault> {
        let (mut list, mut level, mut number) = (None, None, None);
        walk("word/numbering.xml", xml, |node| {
            let Node::Start(element) = node else { return Flow::On };
            match element.name() {
                "abstractNum" => list = element.attribute("abstractNumId"),
                "lvl" => level = element.attribute("ilvl").and_then(|level| level.parse().ok()),
                "num" => (list, number) = (None, element.attribute("numId")),
                "abstractNumId" => {
                    if let (Some(number), Some(list)) = (number.take(), value(&element)) {
                        self.lists.insert(number, list);
                    }
                }
                name @ ("start" | "numFmt") => {
                    let key = list.clone().zip(level);
                    if let (Some(key), Some(value)) = (key, value(&element)) {
                        let level = self.levels.entry(key).or_insert(Level::Number { first: 1 });
                        *level = level.with(name, &value);
                    }
                }
                _ => {}
            }
            Flow::On
        })
    }

    /// Which level a style's headings are of, from 1.
    pub(crate) fn heading(&self, style: &str) -> Option<usize> {
        self.chain(style).find_map(|style| style.heading)
    }

    /// What goes before an item: spaces by its level, then a dash or its number. Nothing if it is none.
    pub(crate) fn mark(
        &self,
        counters: &mut Counters,
        style: Option<&str>,
        own: &Item,
    ) -> Option<String> {
        let of_style = |pick: fn(&Style) -> Option<String>| self.chain(style?).find_map(pick);
        let list = own.list.clone().or_else(|| of_style(|style| style.item.list.clone()))?;
        if list == "0" {
            return None;
        }
        let level = own.level.or_else(|| self.chain(style?).find_map(|style| style.item.level));
        let level = level.unwrap_or(0).min(LEVELS - 1);
        let indent = "  ".repeat(level);
        let known = self.lists.get(&list).and_then(|list| self.levels.get(&(list.clone(), level)));
        match known {
            Some(Level::Number { first }) => {
                Some(format!("{indent}{}. ", counters.next(list, level, *first)))
            }
            Some(Level::Bullet) | None => Some(format!("{indent}- ")),
        }
    }

    /// A style and those that it rests on.
    fn chain<'a>(&'a self, style: &str) -> impl Iterator<Item = &'a Style> {
        let first = self.styles.get(style);
        let next = |style: &&'a Style| self.styles.get(style.rests_on.as_ref()?);
        std::iter::successors(first, next).take(STYLES_MAX_DEPTH)
    }
}

impl Style {
    fn add(&mut self, element: &Element) {
        match element.name() {
            "name" => self.heading = value(element).as_deref().and_then(heading_named),
            "basedOn" => self.rests_on = value(element),
            "outlineLvl" => self.heading = self.heading.or(outline(element)),
            _ => self.item.add(element),
        }
    }
}

impl Item {
    /// Takes what `numId` and `ilvl` say.
    pub(crate) fn add(&mut self, element: &Element) {
        match element.name() {
            "numId" => self.list = value(element),
            "ilvl" => self.level = value(element).and_then(|level| level.parse().ok()),
            _ => {}
        }
    }
}

impl Level {
    fn with(self, what: &str, value: &str) -> Self {
        match (self, what) {
            (_, "numFmt") if matches!(value, "bullet" | "none") => Self::Bullet,
            (Self::Number { .. }, "start") => Self::Number { first: value.parse().unwrap_or(1) },
            (level, _) => level,
        }
    }
}

impl Counters {
    /// The number of the next item. The levels below it begin anew.
    fn next(&mut self, list: String, level: usize, first: u64) -> u64 {
        let counters = self.0.entry(list).or_default();
        let number = counters[level].map_or(first, |before| before.saturating_add(1));
        counters[level] = Some(number);
        counters[level + 1..].fill(None);
        number
    }
}

/// The attribute `val`, in which most elements say what they say.
pub(crate) fn value(element: &Element) -> Option<String> {
    element.attribute("val")
}

/// The level of a heading by `outlineLvl`, where 9 is none.
pub(crate) fn outline(element: &Element) -> Option<usize> {
    let level: usize = value(element)?.parse().ok()?;
    (level < LEVELS).then_some(level + 1)
}

/// Built-in styles have the same names in every language.
fn heading_named(name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    if name == "title" {
        return Some(1);
    }
    let level: usize = name.strip_prefix("heading ")?.parse().ok()?;
    (1..=LEVELS).contains(&level).then_some(level)
}
