//! A report and its transcript as files to take along (U07). No file name names a person.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;

use super::Shared;
use super::costs::{CostView, cost};
use super::integrity::NotedView;
use super::latency::{LatencySheet, sheet};
use super::problem::Problem;
use super::report::{CorrectedLine, corrections, report, subject};
use super::who::Who;
use crate::assess::{Assessed, Cue, Evidence, Report, ReportState};
use crate::assessor::Assessor;
use crate::blueprint::Context;
use crate::database::Act;
use crate::journal::{self, Inputs, Speaker};

/// Characters with which a spreadsheet begins a formula, full-width ones too.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
/// With it a spreadsheet reads the file as UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// What was typed, or never answered, is shown for so long at least.
const CUE_MS_MIN: u64 = 1_500;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    Csv,
    Markdown,
    Subtitles,
}

/// The report as JSON (`docs/report.schema.json`), as CSV with a row for each criterion, or as Markdown; or
/// the transcript as WebVTT subtitles of the recording.
#[utoipa::path(
    get, path = "/api/interviews/{id}/export/{format}", operation_id = "exportReport",
    params(
        ("id" = String, Path),
        ("format" = String, Path, description = "json, csv, md or vtt"),
    ),
    responses(
        (status = 200, content_type = "application/octet-stream", description = "The file"),
        (status = 404, body = Problem, description = "There is no such interview or format"),
        (status = 409, body = Problem, description = "It is not over, or its report is being made"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_export(
    State(shared): State<Arc<Shared>>,
    Extension(assessor): Extension<Arc<Assessor>>,
    who: Who,
    Path((id, format)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let of = shared.find(&id).await?;
    let format = Format::of(&format).ok_or_else(|| {
        let what = "A report is exported as json, csv, md or vtt. Take one of these.";
        Problem::new(StatusCode::NOT_FOUND, what)
    })?;
    let report = report(&shared, &assessor, &of, false).await?;
    let conflict = |what: &str| Err(Problem::new(StatusCode::CONFLICT, what));
    match report.state {
        ReportState::None => return conflict("The interview is not over: it has no report yet."),
        ReportState::Making if format != Format::Subtitles => {
            return conflict("The report is being made. Try again in a minute.");
        }
        ReportState::Making | ReportState::Ready | ReportState::Failed => {}
    }
    let inputs = shared.store.inputs(of.id).await?;
    let is_simulated = inputs.simulated.is_some();
    let corrections = corrections(&shared, of.id).await?;
    let cues = match corrections.is_empty() && format != Format::Subtitles {
        true => Vec::new(),
        false => subject(&shared, of.id).await?.material.cues().to_vec(),
    };
    let corrected = corrected_lines(&cues, &corrections);
    let text = match format {
        Format::Json => {
            let noted = shared.noted(of.id).await?;
            let cost = cost(&shared, of.id).await?;
            let latency_sheet = sheet(&report.basis.timeline.latency);
            let exported = Exported {
                report: &report,
                corrected: &corrected,
                noted: &noted,
                cost: &cost,
                latency_sheet,
            };
            serde_json::to_string_pretty(&exported).expect("plain data serializes") + "\n"
        }
        Format::Csv => csv(&report, &marked(inputs), &corrected),
        Format::Markdown => {
            let noted = shared.noted(of.id).await?;
            markdown(&report, &noted, &corrected) + &costs(&cost(&shared, of.id).await?)
        }
        Format::Subtitles => subtitles(&cues, is_simulated, &corrections),
    };
    let (kind, what, end) = format.file();
    shared.audit(&who, Act::Exported, &id, end).await?;
    let disposition = format!("attachment; filename=\"vivavoce-{what}-{}.{end}\"", of.id);
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, &disposition)], text)
        .into_response())
}

impl Format {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "csv" => Self::Csv,
            "md" => Self::Markdown,
            "vtt" => Self::Subtitles,
            _ => return None,
        })
    }

    /// Its media type, what it holds, and how its name ends.
    fn file(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Json => ("application/json", "report", "json"),
            Self::Csv => ("text/csv; charset=utf-8", "report", "csv"),
            Self::Markdown => ("text/markdown; charset=utf-8", "report", "md"),
            Self::Subtitles => ("text/vtt; charset=utf-8", "transcript", "vtt"),
        }
    }
}

/// A report as JSON, with what was noted while the interview went on.
#[derive(Serialize)]
struct Exported<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// What the candidate has put right afterwards; left out where nothing was.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    corrected: &'a [CorrectedLine],
    /// Left out where nothing was.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    noted: &'a [NotedView],
    /// What the interview has used of its providers, and what that costs.
    cost: &'a CostView,
    /// How long replies took, in parts.
    latency_sheet: LatencySheet,
}

fn corrected_lines(cues: &[Cue], corrections: &BTreeMap<usize, String>) -> Vec<CorrectedLine> {
    let corrected = cues.iter().filter_map(|cue| {
        let text = corrections.get(&cue.line)?.clone();
        Some(CorrectedLine { line: cue.line, at_ms: cue.from_ms, old: cue.text.clone(), text })
    });
    corrected.collect()
}

/// What stands in the column of verdicts of a row that has a correction of the candidate's.
const CORRECTED: &str = "corrected_by_candidate";

/// The columns of a CSV file.
const COLUMNS: [&str; 16] = [
    "interview",
    "candidate",
    "role",
    "started_at",
    "end",
    "criterion",
    "priority",
    "weight",
    "level",
    "verdict",
    "reason",
    "quotes",
    "quoted_at",
    "made_by",
    "model",
    "corrected",
];

/// Who was interviewed for what; of a simulated candidate the name says so.
fn marked(inputs: Inputs) -> Context {
    let simulated = inputs.simulated.map_or("", |_| " (simulated)");
    let candidate_name = inputs.context.candidate_name.clone() + simulated;
    Context { candidate_name, ..inputs.context }
}

/// A row for each criterion, and one for each correction.
fn csv(report: &Report, context: &Context, corrected: &[CorrectedLine]) -> String {
    let rows = report.criteria.iter().map(|criterion| row(report, context, criterion).to_vec());
    let corrections = corrected.iter().map(|line| correction_row(report, context, line).to_vec());
    table(std::iter::once(COLUMNS.map(str::to_owned).to_vec()).chain(rows).chain(corrections))
}

/// Rows of equal length as CSV, the first of them the names of the columns; spreadsheets read it as it is.
pub(super) fn table(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let safe = row.iter().map(|cell| safe(cell));
        writer.write_record(safe).expect("memory takes rows of equal length");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    BYTE_ORDER_MARK.to_owned() + &String::from_utf8(bytes).expect("it was text")
}

fn correction_row(report: &Report, context: &Context, line: &CorrectedLine) -> [String; 16] {
    let header = &report.basis.header;
    let mut row: [String; 16] = std::array::from_fn(|_| String::new());
    row[0].clone_from(&header.interview);
    row[1].clone_from(&context.candidate_name);
    row[2].clone_from(&context.role);
    row[3] = day(header.started_at);
    row[9] = CORRECTED.to_owned();
    row[11].clone_from(&line.old);
    row[12] = clock(line.at_ms);
    row[15].clone_from(&line.text);
    row
}

fn row(report: &Report, context: &Context, criterion: &Assessed) -> [String; 16] {
    let (header, made) = (&report.basis.header, report.made.as_ref());
    let quotes = criterion.evidence.iter().map(|evidence| evidence.quote.as_str());
    let times = criterion.evidence.iter().map(|evidence| clock(evidence.start_ms));
    let corrected = criterion.evidence.iter().filter_map(|evidence| evidence.corrected.as_deref());
    [
        header.interview.clone(),
        context.candidate_name.clone(),
        context.role.clone(),
        day(header.started_at),
        header.outcome.map(|outcome| named(&outcome)).unwrap_or_default(),
        criterion.name.clone(),
        named(&criterion.priority),
        criterion.weight.to_string(),
        criterion.level.map(|level| level.to_string()).unwrap_or_default(),
        named(&criterion.verdict),
        criterion.reason.clone(),
        quotes.collect::<Vec<_>>().join(" | "),
        times.collect::<Vec<_>>().join(" | "),
        made.map(|made| named(&made.by)).unwrap_or_default(),
        made.and_then(|made| made.model.clone()).unwrap_or_default(),
        corrected.collect::<Vec<_>>().join(" | "),
    ]
}

/// A cell that no spreadsheet takes for a formula.
fn safe(cell: &str) -> String {
    let apostrophe = if cell.starts_with(FORMULA) { "'" } else { "" };
    format!("{apostrophe}{cell}")
}

/// The report to read.
fn markdown(report: &Report, noted: &[NotedView], put_right: &[CorrectedLine]) -> String {
    let header = &report.basis.header;
    let mut text = format!("# {}\n\n", escaped(&header.title));
    let _ = writeln!(text, "Interview {}, {}", header.interview, day(header.started_at));
    if let Some(outcome) = header.outcome {
        let _ = writeln!(text, "End: {}", outcome.words());
    }
    if let Some(made) = &report.made {
        let model = made.model.as_deref().map(|model| format!(", {}", escaped(model)));
        let _ = writeln!(text, "Made by: {}{}", named(&made.by), model.unwrap_or_default());
    }
    let notes = report.trouble.iter().chain(&header.quality);
    list(&mut text, "Before you read", notes.map(|note| escaped(note)));
    text += "\n## Criteria\n\n";
    let _ = writeln!(text, "{} {}", report.overall.words, report.overall.judged_by);
    for criterion in &report.criteria {
        assessed(&mut text, criterion);
    }
    let figures = report.basis.figures.questions;
    let _ = write!(text, "\n## Questions\n\n{} of {} were answered", figures.answered, figures.of);
    text += &match figures.partly {
        0 => ".\n".to_owned(),
        partly => format!(", {partly} in part.\n"),
    };
    for question in &report.basis.questions {
        let what = if question.asked { named(&question.answered) } else { "not asked".to_owned() };
        let _ = writeln!(text, "\n**{}** ({what})\n", escaped(&question.text));
        quotes(&mut text, &question.quotes);
    }
    let facts = &report.basis.facts;
    // Typed answers take no time.
    let longest = (facts.longest_answer_ms > 0)
        .then(|| format!("longest answer {}", clock(facts.longest_answer_ms)));
    let counts = [
        format!("{} words in {} answers", facts.words, facts.answers),
        format!("{} fillers", facts.fillers),
    ];
    list(&mut text, "Counts, which are no scores", counts.into_iter().chain(longest));
    let noted = noted.iter().map(|fact| {
        let at = clock(fact.at.saturating_sub(header.started_at));
        format!("{at}: the candidate {}", fact.in_words())
    });
    list(&mut text, "Noted, and no part of any level", noted);
    let todos = report.basis.todos.iter();
    let latency = sheet(&report.basis.timeline.latency).lines();
    list(&mut text, "Response times: half of the replies, nine of ten", latency.into_iter());
    list(&mut text, "To find out", todos.map(|todo| escaped(&todo.text)));
    let asked = report.basis.candidate_questions.iter();
    list(&mut text, "What the candidate asked", asked.map(|asked| escaped(&asked.text)));
    let corrected = report.basis.corrections.iter();
    let corrected =
        corrected.map(|it| format!("{} instead of {}", escaped(&it.text), escaped(&it.old)));
    list(&mut text, "What the candidate corrected", corrected);
    let put_right = put_right.iter().map(|line| {
        let (at, new, old) = (clock(line.at_ms), escaped(&line.text), escaped(&line.old));
        format!("{at}: {new} instead of {old}")
    });
    list(&mut text, "What the candidate put right afterwards", put_right);
    text
}

/// What the interview cost, to read.
fn costs(cost: &CostView) -> String {
    let mut text = String::new();
    let lines = cost.lines();
    if !lines.is_empty() {
        let lines = lines.iter().map(|line| escaped(line));
        list(&mut text, "What it cost", lines.chain([format!("Sum: {}", escaped(&cost.sum()))]));
    }
    text
}

fn assessed(text: &mut String, criterion: &Assessed) {
    let level = criterion.level.map_or(String::new(), |level| format!(", level {level} of 5"));
    let verdict = named(&criterion.verdict).replace('_', " ");
    let (name, priority) = (escaped(&criterion.name), named(&criterion.priority));
    let weight = criterion.weight;
    let by = criterion.given_by.as_ref().map(|by| format!(", given by {}", escaped(by)));
    let level = level + &by.unwrap_or_default();
    let _ = writeln!(text, "\n### {name}\n\n{verdict}{level} ({priority}, weight {weight})\n");
    let _ = writeln!(text, "{}\n", escaped(&criterion.reason));
    quotes(text, &criterion.evidence);
}

fn quotes(text: &mut String, quotes: &[Evidence]) {
    for Evidence { quote, start_ms, corrected, .. } in quotes {
        let _ = writeln!(text, "> {} ({})\n", escaped(quote), clock(*start_ms));
        if let Some(corrected) = corrected {
            let _ = writeln!(text, "Corrected by the candidate: {}\n", escaped(corrected));
        }
    }
}

fn list(text: &mut String, heading: &str, points: impl Iterator<Item = String>) {
    let points: Vec<String> = points.collect();
    if !points.is_empty() {
        let _ = writeln!(text, "\n## {heading}\n");
        points.iter().for_each(|point| {
            let _ = writeln!(text, "- {point}");
        });
    }
}

/// Words of others on one line, without a meaning of their own in Markdown.
fn escaped(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The conversation as WebVTT, on the recording's clock; a correction is a note before its line.
fn subtitles(cues: &[Cue], is_simulated: bool, corrections: &BTreeMap<usize, String>) -> String {
    let mut text = "WEBVTT\n".to_owned();
    if is_simulated {
        text += "\nNOTE The candidate is simulated.\n";
    }
    for (n, cue) in cues.iter().enumerate() {
        let to_ms = cue.to_ms.max(cue.from_ms + CUE_MS_MIN);
        let speaker = match cue.speaker {
            Speaker::Interviewer => "Interviewer",
            Speaker::Candidate => "Candidate",
        };
        let words = unmarked(&cue.text);
        if let Some(corrected) = corrections.get(&cue.line) {
            let _ = writeln!(text, "\nNOTE Corrected by the candidate: {}", unmarked(corrected));
        }
        let (from, to) = (stamp(cue.from_ms), stamp(to_ms));
        let _ = writeln!(text, "\n{}\n{from} --> {to}\n<v {speaker}>{words}</v>", n + 1);
    }
    text
}

/// Words on one line, without a meaning of their own in WebVTT.
fn unmarked(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// `hh:mm:ss.mmm`
fn stamp(ms: u64) -> String {
    let seconds = ms / 1_000;
    format!("{:02}:{:02}:{:02}.{:03}", seconds / 3_600, seconds / 60 % 60, seconds % 60, ms % 1_000)
}

/// `mm:ss`
fn clock(ms: u64) -> String {
    format!("{:02}:{:02}", ms / 60_000, ms / 1_000 % 60)
}

/// A time in words that programs and people read.
fn day(unix_ms: u64) -> String {
    let at = i64::try_from(unix_ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    at.map(|at| at.to_string()).unwrap_or_default()
}

fn named(value: &impl Serialize) -> String {
    journal::name(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::Verdict;
    use crate::blueprint::Need;

    fn report(reason: &str, quote: &str) -> Report {
        let evidence = Evidence {
            quote: quote.into(),
            turn: 1,
            start_ms: 61_000,
            end_ms: 62_000,
            confidence: 1.0,
            corrected: None,
        };
        let criterion = Assessed {
            name: "Owns it".into(),
            about: String::new(),
            priority: Need::Must,
            weight: 3,
            level: Some(4),
            given_by: None,
            verdict: Verdict::Met,
            reason: reason.into(),
            evidence: vec![evidence],
        };
        Report { criteria: vec![criterion], state: ReportState::Ready, ..Report::none("i1") }
    }

    /// U07: no cell of a CSV file begins a formula, whatever a candidate says or is called; commas, quotes
    /// and line breaks stay in their cell.
    #[test]
    fn no_cell_is_a_formula() {
        for evil in
            ["=HYPERLINK(\"http://x\")", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"]
        {
            let context = Context { candidate_name: evil.into(), ..Context::default() };
            let text = csv(&report(evil, evil), &context, &[]);
            let bare = text.strip_prefix(BYTE_ORDER_MARK).expect("Excel reads UTF-8 by its mark");
            let mut reader = csv::Reader::from_reader(bare.as_bytes());
            let row = reader.records().next().unwrap().unwrap();
            for cell in [1, 10, 11] {
                assert_eq!(row[cell], format!("'{evil}"), "{text}");
            }
            assert!(row.iter().all(|cell| !cell.starts_with(FORMULA)), "{text}");
        }
        let text = csv(&report("a, \"b\"\nc", "x"), &Context::default(), &[]);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        assert_eq!((&row[8], &row[9], &row[10], &row[12]), ("4", "met", "a, \"b\"\nc", "01:01"));
    }

    /// U07: what a candidate says is text in Markdown and in subtitles, and no mark-up.
    #[test]
    fn words_are_no_markup() {
        let evil = "<script>x</script>\n\n# [a](http://b) --> *c* & d";
        let text = markdown(&report(evil, evil), &[], &[]);
        assert!(!text.contains("<script>"), "{text}");
        assert!(text.contains("\\# \\[a\\](http://b) --\\> \\*c\\* \\& d"), "{text}");
        let cue = |from_ms, to_ms, text: &str| Cue {
            from_ms,
            to_ms,
            speaker: Speaker::Candidate,
            text: text.into(),
            line: 0,
        };
        let text = subtitles(
            &[cue(0, 0, evil), cue(3_661_001, 3_670_000, "yes")],
            false,
            &BTreeMap::new(),
        );
        let expected = "WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.500\n<v Candidate>&lt;script&gt;x\
            &lt;/script&gt; # [a](http://b) --&gt; *c* &amp; d</v>\n\n2\n01:01:01.001 --> 01:01:10.000\n\
            <v Candidate>yes</v>\n";
        assert_eq!(text, expected);
    }

    /// U05: what a candidate has put right stands beside the quote in every file, also where no criterion
    /// quotes it, and is neither a formula nor mark-up.
    #[test]
    fn corrections_are_in_every_file() {
        let corrections: BTreeMap<_, _> = [(3, "=I led <three> people".to_owned())].into();
        let cue = Cue {
            from_ms: 61_000,
            to_ms: 62_000,
            speaker: Speaker::Candidate,
            text: "I let three people".into(),
            line: 3,
        };
        let lines = corrected_lines(std::slice::from_ref(&cue), &corrections);
        let by_turn: BTreeMap<_, _> = [(1, corrections[&3].clone())].into();
        let report = report("Why", "I let three people").with_corrections(&by_turn);
        let text = csv(&report, &Context::default(), &lines);
        let mut reader =
            csv::Reader::from_reader(text.trim_start_matches(BYTE_ORDER_MARK).as_bytes());
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2, "{text}");
        for (row, verdict) in rows.iter().zip(["met", CORRECTED]) {
            let seen = (&row[9], &row[11], &row[12], &row[15]);
            assert_eq!(seen, (verdict, "I let three people", "01:01", "'=I led <three> people"));
        }
        let text = markdown(&report, &[], &lines);
        assert_eq!(text.matches("=I led \\<three\\> people").count(), 2, "{text}");
        let text = subtitles(&[cue], false, &corrections);
        let note =
            "NOTE Corrected by the candidate: =I led &lt;three&gt; people\n\n1\n00:01:01.000";
        assert!(text.contains(note), "{text}");
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["criteria"][0]["evidence"][0]["corrected"], "=I led <three> people");
        assert_eq!(serde_json::to_value(&lines).unwrap()[0]["old"], "I let three people");
    }
}
