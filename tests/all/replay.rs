//! Recorded candidates on virtual time, through the real ear, recogniser and voice.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use vivavoce::{
    blueprint::Context,
    codec::fixture::Fixture,
    config::Config,
    interview::{Effect, End, Event, Notice, Say},
    journal::{self, Header, Inputs},
    providers::registry::Registry,
    session::{Latencies, Lockstep, Player, Replayed},
};

/// Plays a fixture through `two-stage` with the embedded speech.
fn replayed(fixture: &str) -> (Inputs, Replayed) {
    let config = Config::read(None, std::iter::empty()).unwrap();
    let providers = Registry::build(&config.speech, &config.providers, 1).unwrap();
    let fixture = Fixture::load(Path::new("audio-fixtures"), fixture).unwrap();
    let files: BTreeMap<String, String> = fs::read_dir("agents/two-stage")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                fs::read_to_string(path).unwrap(),
            )
        })
        .collect();
    let context = Context { candidate_name: "Ada".into(), ..Context::default() };
    let inputs = Inputs::new("two-stage", files.into_iter().collect(), context);
    let latencies = Latencies {
        llm: config.lockstep.llm,
        tts: config.lockstep.tts,
        judge: config.lockstep.judge,
    };
    let player = Player::fixture(&fixture);
    let interview = inputs.interview().unwrap();
    let lockstep = Lockstep::new(interview, player, &providers, latencies).unwrap();
    (inputs, lockstep.run(|_| {}))
}

fn written(inputs: &Inputs, replayed: &Replayed) -> String {
    let mut text = journal::line(&Header::new("replay", 0, inputs));
    text.extend(replayed.entries.iter().map(journal::line));
    text
}

fn effects(replayed: &Replayed) -> impl Iterator<Item = &Effect> {
    replayed.entries.iter().flat_map(|entry| &entry.effects)
}

/// What the candidate said, as it was committed.
fn turns(replayed: &Replayed) -> Vec<&str> {
    effects(replayed)
        .filter_map(|effect| match effect {
            Effect::Publish(Notice::Turn { text, .. }) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// The same recording gives the same journal, byte for byte; and that journal replays to the
/// same effects (invariant 2).
#[test]
fn the_same_recording_gives_the_same_journal() {
    let (inputs, first) = replayed("two-stage-plain");
    let (_, second) = replayed("two-stage-plain");
    assert_eq!(written(&inputs, &first), written(&inputs, &second));
    let (_, entries) = journal::parse(&written(&inputs, &first)).unwrap();
    assert!(journal::replay(inputs.interview().unwrap(), &entries).is_ok());
    let handoffs =
        effects(&first).filter(|effect| matches!(effect, Effect::Handoff { .. })).count();
    assert_eq!(handoffs, 1, "an interview of two stages has one handoff");
    assert!(matches!(effects(&first).last(), Some(Effect::Hangup { end: End::Completed })));
    assert!(turns(&first)[0].contains("software engineer"), "{:?}", turns(&first));
    assert!(first.sound.0.iter().any(|sample| sample.unsigned_abs() > 3_000), "nobody heard us");
}

/// Case 22: words over us hush us, what is told of us begins the segment that was cut, and the words are a
/// turn.
#[test]
fn a_barge_in_hushes_us() {
    let (_, replayed) = replayed("barge-in");
    let hushed = replayed.entries.iter().position(|entry| {
        entry.effects.iter().any(|effect| matches!(effect, Effect::Hush { .. }))
            && matches!(entry.event, Event::PartialTranscript(_) | Event::FinalTranscript(_))
    });
    let hushed = hushed.expect("words over us hush us");
    let cut = replayed.entries[hushed..].iter().find_map(|entry| match &entry.event {
        Event::ReplyFinished { heard, .. } if !heard.is_empty() => Some(heard.clone()),
        _ => None,
    });
    let cut = cut.expect("a reply that was cut in a segment tells what was heard of it");
    let begun = replayed.entries[..hushed].iter().any(
        |entry| matches!(&entry.event, Event::SegmentReady { text, .. } if text.starts_with(&cut)),
    );
    assert!(begun, "{cut:?} begins no segment of ours");
    assert!(turns(&replayed).iter().any(|turn| turn.contains("team of four people")));
}

/// T02, H13: a silent candidate is nudged, helped and passed over in each stage, and told goodbye in words of
/// its own.
#[test]
fn a_silent_candidate_is_let_go() {
    let (_, replayed) = replayed("silent");
    assert!(matches!(
        effects(&replayed).last(),
        Some(Effect::Hangup { end: End::CandidateSilent })
    ));
    assert_eq!(turns(&replayed), Vec::<&str>::new(), "nobody said anything");
    let rungs: Vec<_> = replayed
        .entries
        .iter()
        .filter(|entry| entry.event == Event::Tick)
        .filter(|entry| matches!(entry.effects.first(), Some(Effect::Speak { .. })))
        .collect();
    assert_eq!(rungs.len(), 6, "three rungs in each of two stages: {rungs:?}");
    let said = effects(&replayed).filter_map(|effect| match effect {
        Effect::Speak { say: Say::Text(words), .. } => Some(words.as_str()),
        _ => None,
    });
    let said: Vec<_> = said.collect();
    let nudges = ["Take your time. I am listening.", "There is no hurry. Any project will do."];
    assert!(nudges.iter().all(|nudge| said.contains(nudge)), "{said:?}");
    assert!(said.last().unwrap().starts_with("I cannot hear you"), "{said:?}");
}

/// Bad input: a disk that is full under the journal ends the interview as technical, with one sentence and
/// exit code 1; what was written before is whole.
#[test]
fn a_full_disk_ends_the_interview() {
    let disk = tempfile::tempdir().unwrap();
    // A file system of 16 KiB, seen by this process alone.
    let script = r#"
        mount -t tmpfs -o size=16k tmpfs "$DISK" || exit 99
        "$VIVAVOCE" replay two-stage-plain --blueprint two-stage --realtime --out "$DISK" > /dev/null
        code=$?
        cat "$DISK"/journal.jsonl
        exit $code
    "#;
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .env("DISK", disk.path())
        .env("VIVAVOCE", env!("CARGO_BIN_EXE_vivavoce"))
        .output()
        .unwrap();
    let (journal, said) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.contains("journal.jsonl") && last.contains("No space left"), "{said}");
    let (_, entries) = journal::parse(&journal).unwrap();
    assert!(entries.len() > 3, "the interview had begun: {journal}");
}
