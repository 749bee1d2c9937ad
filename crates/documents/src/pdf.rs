//! PDFs: the text of their pages.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_cmap::BfString;
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
    InterpreterCache, InterpreterSettings, RenderContent, SoftMask,
    font::{Glyph, GlyphRun},
    interpret_page,
};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, object::Dict, page::Page};
use kurbo::{Affine, BezPath, Point, Rect};

use super::{
    CHARACTERS_MAX, form,
    layout::{Letter, lines},
    marks,
    passed_over::PassedOver,
    problem::Fault,
    text::{Text, Writer},
};

/// Fonts say in units of which a letter's height has so many.
const UNITS: f64 = 1000.0;

/// The text of all pages, in the order in which they draw it. Each of several pages begins with its number.
pub(crate) fn read(bytes: &[u8]) -> Result<Text, Fault> {
    // Much of what PDFs may contain is read by code that is not ours.
    let read = catch_unwind(AssertUnwindSafe(|| pages(bytes)));
    read.unwrap_or_else(|_| Err(Fault::Damaged("its pages cannot be read".to_owned())))
}

fn pages(bytes: &[u8]) -> Result<Text, Fault> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|why| match why {
        LoadPdfError::Decryption(
            DecryptionError::PasswordProtected | DecryptionError::UnsupportedAlgorithm,
        ) => Fault::Encrypted,
        LoadPdfError::Decryption(_) | LoadPdfError::Invalid => {
            Fault::Damaged("its structure cannot be read".to_owned())
        }
    })?;
    let (pages, cache) = (pdf.pages(), InterpreterCache::new());
    if pages.is_empty() {
        return Err(Fault::Damaged("it has no pages".to_owned()));
    }
    let mut writer = Writer::default();
    let (mut letters, mut unknown, mut pictures, mut filled) = (0, 0, 0, 0);
    for (n, page) in pages.iter().enumerate() {
        let drawn = |content: RenderContent| drawn(&pdf, page, &cache, content);
        let (own, added) = (drawn(RenderContent::PAGE), drawn(RenderContent::ANNOTATIONS));
        unknown += own.unknown + added.unknown;
        let fields = form::fields(page);
        filled += fields.iter().filter(|field| field.is_filled()).count();
        let all = form::filled_in(own.letters, added.letters, &fields);
        letters += all.len();
        let text = lines(&marks::joined(all));
        if text.trim().is_empty() {
            pictures += usize::from(own.images > 0);
            continue;
        }
        if pages.len() > 1 {
            writer.push(&format!("\n\n[page {}]\n", n + 1));
        }
        writer.push(&text);
        if writer.is_full() {
            break;
        }
    }
    if unknown > letters {
        return Err(Fault::UnknownLetters);
    }
    let passed_over = [
        (unknown > 0).then_some(PassedOver::UnknownLetters(unknown)),
        (pictures > 0).then_some(PassedOver::Pictures(pictures)),
        (filled == 0 && has_other_form(&pdf)).then_some(PassedOver::Form),
    ];
    passed_over.into_iter().flatten().for_each(|what| writer.pass_over(what));
    writer.finish().ok_or(Fault::NoLetters)
}

/// What a part of a page draws.
fn drawn<'a>(
    pdf: &'a Pdf,
    page: &Page<'a>,
    cache: &InterpreterCache<'a>,
    render_content: RenderContent,
) -> Drawn {
    let settings = InterpreterSettings { render_content, ..InterpreterSettings::default() };
    let bounds = Rect::new(0.0, 0.0, 1.0, 1.0);
    let mut context = Context::new(Affine::IDENTITY, bounds, cache, pdf.xref(), settings);
    let mut drawn = Drawn::default();
    interpret_page(page, &mut context, &mut drawn);
    drawn
}

/// Whether there is a form in XFA, which is another file within the file.
fn has_other_form(pdf: &Pdf) -> bool {
    let catalogue = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let form = catalogue.and_then(|catalogue| catalogue.get::<Dict<'_>>(b"AcroForm"));
    form.is_some_and(|form| form.contains_key(b"XFA"))
}

/// What is drawn on a page, as far as it is letters.
#[derive(Default)]
struct Drawn {
    letters: Vec<Letter>,
    /// Glyphs whose letters nobody knows.
    unknown: usize,
    /// Where the last run of letters begins.
    last_run: usize,
    images: usize,
}

impl Drawn {
    /// Takes back the last run if it is the one before once more: thick letters are drawn twice by some.
    fn drop_repeated(&mut self, before: usize) {
        let (earlier, run) = self.letters[before..].split_at(self.last_run - before);
        if !run.is_empty()
            && earlier.len() == run.len()
            && earlier.iter().zip(run).all(|(a, b)| a.is_at(b))
        {
            self.letters.truncate(self.last_run);
            self.last_run = before;
        }
    }
}

impl Device<'_> for Drawn {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, _: &DrawMode) {
        let before = std::mem::replace(&mut self.last_run, self.letters.len());
        for glyph in run.glyphs() {
            if self.letters.len() > CHARACTERS_MAX {
                return;
            }
            let width = match &**glyph {
                Glyph::Outline(outline) => outline.advance_width(),
                Glyph::Type3(drawing) => drawing.advance_width(),
            };
            let letter = match glyph.as_unicode() {
                Some(BfString::Char(c)) => c.to_string(),
                Some(BfString::String(letters)) => letters,
                None => String::new(),
            };
            if letter.chars().all(char::is_control) {
                self.unknown += 1;
                continue;
            }
            let place = props.transform * glyph.transform();
            let [origin, right, up] =
                [(0.0, 0.0), (UNITS, 0.0), (0.0, UNITS)].map(|(x, y)| place * Point::new(x, y));
            let width = f64::from(width.unwrap_or_default()) / UNITS;
            self.letters.push(Letter::new(letter, origin, right - origin, up - origin, width));
        }
        self.drop_repeated(before);
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {
        self.images += 1;
    }
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
