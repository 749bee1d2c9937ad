//! All settings as a file: what `vivavoce settings` prints, and `config/default.toml` shows.

use std::fmt::Write as _;

use super::{KINDS, PROVIDERS, SECTIONS, fields_of};
use crate::settings::{Field, Kind};

const HEAD: &str = "\
# Every setting there is, with its default. `vivavoce settings` prints this file: it is made from \
where the settings are declared.
# A file named by --config changes what it names, and the environment changes both: \
VIVAVOCE_<SECTION>__<KEY>, such as
# VIVAVOCE_WORKER__SLOTS=8 or VIVAVOCE_PROVIDERS__DEEPGRAM__API_KEY=… Durations are written \
as \"45s\", \"10m\", \"1h 30m\".
";

const OF_PROVIDERS: &str = "
# Providers: any number of each kind, under names of your own, beside those that are there under \
the kind's name:
#
#     [providers.my-eu-deepgram]
#     kind = \"deepgram\"
#     base_url = \"wss://api.eu.deepgram.com\"
#
# `speech.stt = \"my-eu-deepgram\"` chooses it, for all interviews or in one blueprint. The \
variables that everybody knows, such as
# DEEPGRAM_API_KEY, belong to the provider with the kind's name: another has a key of its own.
";

/// Where the comments begin.
const COMMENT_COLUMN: usize = 30;

/// Every setting with its default and what it is, as a file that can be read.
pub fn documented() -> String {
    let mut text = HEAD.to_owned();
    for (name, doc, fields) in SECTIONS {
        section(&mut text, name, doc, &[], fields);
    }
    text += OF_PROVIDERS;
    for kind in KINDS {
        let name = format!("{PROVIDERS}{}", kind.name);
        let kind_line = format!("kind = \"{}\"", kind.name);
        let fields: Vec<Field> = fields_of(kind).into_iter().copied().collect();
        section(&mut text, &name, &format!(" {}", kind.doc), &[kind_line], &fields);
    }
    text
}

fn section(text: &mut String, name: &str, doc: &str, lines: &[String], fields: &[Field]) {
    *text += "\n";
    line(text, &format!("[{name}]"), doc);
    for line in lines {
        *text += line;
        *text += "\n";
    }
    for field in fields {
        line(text, &format!("{} = {}", field.key, field.default), &comment(field));
    }
}

fn line(text: &mut String, code: &str, comment: &str) {
    let width = COMMENT_COLUMN - 1;
    writeln!(text, "{code:width$} #{comment}").expect("writing into a text cannot fail");
}

fn comment(field: &Field) -> String {
    let mut comment = field.doc.to_owned();
    let choices = field.expected.strip_prefix("one of ").filter(|_| field.kind == Kind::Text);
    if let Some(choices) = choices {
        comment += &format!(" One of {choices}.");
    }
    if let [first, ..] = field.variables {
        comment += &format!(" Also {first}.");
    }
    comment
}
