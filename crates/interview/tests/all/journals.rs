//! Journals that were written in real rooms: they replay to the same effects for as long as their engine
//! lasts.

use std::{fs, path::PathBuf};

use interview::{
    ENGINE, End, Event, Words,
    journal::{self, Entry, Inputs, Speaker},
    time::SessionTime,
};

fn folders() -> Vec<PathBuf> {
    fs::read_dir("tests/journals").unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn read(folder: &std::path::Path) -> (Inputs, String) {
    let inputs = fs::read_to_string(folder.join("inputs.json")).unwrap();
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    (serde_json::from_str(&inputs).unwrap(), journal)
}

/// The journal of a real room as this engine would have written it: what happened is the same, what is
/// ordered may be new.
fn written_anew(inputs: &Inputs, text: &str) -> String {
    let (header, entries) = journal::parse(text).unwrap();
    let mut interview = inputs.interview().unwrap();
    let header = journal::Header { engine: ENGINE, inputs: inputs.hash(), ..header };
    let mut anew = journal::line(&header);
    for entry in entries {
        let effects = interview.handle(entry.at, entry.heard, entry.event.clone());
        anew += &journal::line(&Entry { effects, ..entry });
    }
    anew
}

/// Invariants 2 and 3, B03: what happened in a real room gives the same effects again, in the same order,
/// also if nobody ever wakes the interview for its deadlines. `BLESS=1` writes what is ordered anew, for a
/// new engine.
#[test]
fn recorded_journals_replay() {
    assert!(!folders().is_empty(), "there are no journals");
    for folder in folders() {
        let (inputs, mut text) = read(&folder);
        if std::env::var_os("BLESS").is_some() {
            text = written_anew(&inputs, &text);
            fs::write(folder.join("journal.jsonl"), &text).unwrap();
        }
        let (header, entries) = journal::parse(&text).unwrap();
        assert_eq!(header.inputs, inputs.hash(), "{}", folder.display());
        assert_eq!(header.engine, ENGINE, "{}: record it anew with this engine", folder.display());
        if let Err(difference) = journal::replay(inputs.interview().unwrap(), &entries) {
            panic!("{}: {difference:?}", folder.display());
        }
        let written: Vec<_> = entries.iter().flat_map(|entry| entry.effects.clone()).collect();
        let mut sleepy = inputs.interview().unwrap();
        let facts = entries.iter().filter(|entry| entry.event != Event::Tick);
        let mut slept: Vec<_> =
            facts.flat_map(|e| sleepy.handle(e.at, e.heard, e.event.clone())).collect();
        let end = entries.last().map_or(SessionTime::ZERO, |entry| entry.at);
        slept.extend(sleepy.handle(end, end, Event::Tick));
        assert!(slept == written, "{}: never woken, it did something else", folder.display());
    }
}

/// Case 37: whoever takes over after any entry, from what is on disk, goes on as if nothing had been: the
/// journal is read back from its text, cut off after that entry, and folded.
#[test]
fn any_prefix_restores() {
    for folder in folders() {
        let (inputs, text) = read(&folder);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (_, entries) = journal::parse(&text).unwrap();
        for kept in 0..entries.len() {
            // The next line is torn, as by a crash in the middle of its write.
            let torn = &lines[kept + 1][..lines[kept + 1].len() / 2];
            let cut = lines[..=kept].concat() + torn;
            let (_, known) = journal::parse(&cut).unwrap();
            assert_eq!(known.len(), kept);
            let restored = journal::replay(inputs.interview().unwrap(), &known).unwrap();
            if let Err(difference) = journal::replay(restored, &entries[kept..]) {
                panic!("{}: taken over after entry {kept}: {difference:?}", folder.display());
            }
        }
    }
}

/// A change of any entry's effects is seen by the replay.
#[test]
fn a_changed_effect_is_seen() {
    let (inputs, text) = read(&folders()[0]);
    let (_, mut entries) = journal::parse(&text).unwrap();
    let changed = entries.iter_mut().rev().find(|entry| !entry.effects.is_empty()).unwrap();
    let n = changed.n;
    changed.effects.clear();
    let difference = journal::replay(inputs.interview().unwrap(), &entries).unwrap_err();
    assert_eq!(difference.n, n);
}

/// The transcript is a projection: who said what, in order, and how it ended.
#[test]
fn transcripts_are_projections() {
    let (_, text) = read(&PathBuf::from("tests/journals/room-two-stage"));
    let (header, entries) = journal::parse(&text).unwrap();
    let transcript = journal::transcript(&header, &entries);
    assert_eq!(transcript.end, Some(End::Completed));
    let speakers: Vec<Speaker> = transcript.lines.iter().map(|line| line.speaker).collect();
    assert_eq!(speakers.len(), 17, "8 answers, 8 questions and a goodbye");
    assert!(speakers.iter().step_by(2).all(|speaker| *speaker == Speaker::Interviewer));
    assert!(speakers.iter().skip(1).step_by(2).all(|speaker| *speaker == Speaker::Candidate));
    // After any crash: every prefix has a transcript that begins like the whole one's.
    for cut in 0..entries.len() {
        let prefix = journal::transcript(&header, &entries[..cut]);
        assert_eq!(prefix.end, None, "cut at {cut}");
        // Its last line may grow.
        let whole = prefix.lines.len().saturating_sub(1);
        assert_eq!(prefix.lines[..whole], transcript.lines[..whole], "cut at {cut}");
    }
}

/// Case 45: words that were spoken before a handoff and come after it stand once, in the turn that they
/// amend, and the next answer keeps its own time.
#[test]
fn words_that_come_late_at_a_handoff_stand_once() {
    let (inputs, text) = read(&PathBuf::from("tests/journals/room-two-stage"));
    let (header, entries) = journal::parse(&text).unwrap();
    let transcript = |entries: &[Entry]| journal::transcript(&header, entries).lines;
    let mut expected = transcript(&entries);
    expected[1].text += " in rust mostly";
    // The first sound of the bridge has just been made.
    let (before, after) = entries.split_at(59);
    let mut interview = journal::replay(inputs.interview().unwrap(), before).unwrap();
    let mut entries = before.to_vec();
    let mut add = |entry: &Entry, event: Event| {
        let effects = interview.handle(entry.at, entry.heard, event.clone());
        entries.push(Entry { n: entries.len() as u64 + 1, event, effects, ..entry.clone() });
    };
    let (from, to) = (SessionTime::from_millis(13_300), SessionTime::from_millis(13_900));
    let text = "in rust mostly".to_owned();
    let late =
        Words { segment: 2, from, to, text, confidence: None, ends_turn: None, spans: Vec::new() };
    add(&before[58], Event::PartialTranscript(Words { text: "in".into(), ..late.clone() }));
    add(&before[58], Event::FinalTranscript(late));
    for entry in after {
        let mut event = entry.event.clone();
        if let Event::PartialTranscript(words) | Event::FinalTranscript(words) = &mut event {
            words.segment += 1;
        }
        add(entry, event);
    }
    assert_eq!(transcript(&entries[..61])[1..], expected[1..2], "nothing is open");
    assert_eq!(transcript(&entries), expected);
}
