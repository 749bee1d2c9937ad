//! What a reader has to know before they rely on a report: a sentence each.

use crate::{
    interview::{Effect, Note},
    journal::{Conversation, Entry, Happened, Happening, Inputs, Record},
};

/// The sentences about an interview.
pub(crate) fn quality(
    inputs: &Inputs,
    entries: &[Entry],
    told: &Conversation,
    record: &Record,
) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut tell = |is_so: bool, sentence: String| sentences.extend(is_so.then_some(sentence));
    tell(
        inputs.simulated.is_some(),
        "The candidate was simulated: nothing here is about a person.".to_owned(),
    );
    let distress = notes(entries).find(|(_, note)| matches!(note, Note::Distress { .. }));
    let at = distress.map_or(0, |(at_ms, _)| at_ms / 1_000);
    tell(
        distress.is_some(),
        format!(
            "The candidate was in distress at {:02}:{:02}: a person should read that part first.",
            at / 60,
            at % 60
        ),
    );
    tell(
        record.end.is_none(),
        "The interview was interrupted: it has no end of its own.".to_owned(),
    );
    tell(told.turns.is_empty(), "The candidate said nothing.".to_owned());
    let holes = told.lines.iter().filter(|line| !line.holes.is_empty());
    let (answers, lost_ms) = holes.fold((0, 0), |(answers, lost_ms), line| {
        (answers + 1, lost_ms + line.holes.iter().map(|hole| hole.voiced_ms).sum::<u64>())
    });
    tell(
        answers > 0,
        format!(
            "In {} a part was not understood, {} s in all: what was said there is unknown, and speaks \
                against nobody.",
            number(answers, "answer"),
            lost_ms.div_ceil(1_000)
        ),
    );
    let missed = notes(entries).filter(|(_, note)| matches!(note, Note::NotCaught)).count();
    tell(missed > 0, format!("Not a word was understood {}.", number(missed, "time")));
    let private = told.private.len();
    let are = if private == 1 { "is" } else { "are" };
    let answers = number(private, "answer");
    tell(private > 0, format!("{answers} with something personal {are} left out."));
    let count = |is: &dyn Fn(&Happening) -> bool| {
        record.events.iter().filter(|Happened { what, .. }| is(what)).count()
    };
    let cuts = count(&|what| matches!(what, Happening::Presence { what } if what == "line_cut"));
    tell(cuts > 0, format!("Our line was cut {}.", number(cuts, "time")));
    let failed = record.metrics.replies_failed as usize;
    tell(failed > 0, format!("The interviewer failed to make {}.", number(failed, "reply")));
    let forced = record.metrics.handoffs.forced_handoffs as usize;
    tell(forced > 0, format!("A limit or a silence ended {}.", number(forced, "part")));
    sentences
}

fn notes(entries: &[Entry]) -> impl Iterator<Item = (u64, &Note)> {
    entries.iter().flat_map(|entry| {
        entry.effects.iter().filter_map(|effect| {
            if let Effect::Note(note) = effect { Some((entry.at.as_millis(), note)) } else { None }
        })
    })
}

/// `1 answer`, `2 answers`, `2 replies`.
fn number(n: usize, what: &str) -> String {
    let (stem, end) = what.strip_suffix('y').map_or((what, "s"), |stem| (stem, "ies"));
    if n == 1 { format!("1 {what}") } else { format!("{n} {stem}{end}") }
}
