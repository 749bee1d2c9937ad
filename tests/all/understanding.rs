//! What candidates mean, by examples: the command that measures it, and an interview in which it counts.

use std::{collections::BTreeMap, fs, path::Path, process::Output, sync::Arc};

use language::{Example, Intent, Understanding, measure::Measured};
use vivavoce::{
    blueprint::{Context, Phrase},
    codec::fixture::Fixture,
    config::Config,
    interview::{Effect, Event, Say},
    journal::{self, Entry, Header, Inputs},
    providers::{registry::Registry, speech::Speech, stt_scripted::ScriptedStt},
    session::{Latencies, Lockstep, Player},
};

use crate::{
    cli::{text, vivavoce},
    house::files,
    languages::Taught,
};

const LANGUAGES: [&str; 3] = ["en", "de", "it"];

/// A few examples, in a folder of blueprints beside a blueprint.
fn folder(examples: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in examples {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let blueprint = folder.path().join("mine");
    fs::create_dir(&blueprint).unwrap();
    for (name, text) in files("two-stage") {
        fs::write(blueprint.join(name), text).unwrap();
    }
    folder
}

fn understand(file: &Path, agents: &Path, more: &[&str]) -> Output {
    let arguments = [&["understand", file.to_str().unwrap()], more].concat();
    vivavoce(&arguments, &[("VIVAVOCE_AGENTS__DIR", agents.to_str().unwrap())])
}

/// The shipped examples are read without a problem, each language has every label, and none is said twice
/// with two meanings.
#[test]
fn shipped_examples_are_sound() {
    for language in LANGUAGES {
        let path = format!("agents/lang/{language}.tsv");
        let examples = Example::read(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut labels: BTreeMap<Intent, usize> = BTreeMap::new();
        let mut texts: BTreeMap<String, Intent> = BTreeMap::new();
        for example in examples {
            *labels.entry(example.intent).or_default() += 1;
            let words = language::text::normal(&example.text);
            assert!(!words.is_empty(), "{path}: {}", example.text);
            let other = texts.insert(words, example.intent);
            assert_eq!(other, None, "{path}: {} is there twice", example.text);
        }
        for intent in Intent::ALL {
            let count = labels.get(&intent).copied().unwrap_or(0);
            assert!(count >= 25, "{path}: {count} examples of {}", intent.label());
        }
    }
}

/// The English examples teach what is in others of the same authors, idioms and hints among them: every
/// fifth is measured by what the rest teaches. Distress and a wish to stop are found more often than other
/// hints, and finished answers are not waited for.
#[test]
fn examples_teach_what_is_in_others() {
    let all = Example::read(&fs::read_to_string("agents/lang/en.tsv").unwrap()).unwrap();
    let is_fifth = |(n, _): &(usize, &Example)| n % 5 == 0;
    let (fifth, rest): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(is_fifth);
    let [fifth, rest] = [fifth, rest].map(|of| of.into_iter().map(|it| it.1.clone()).collect());
    let (fifth, rest): (Vec<Example>, Vec<Example>) = (fifth, rest);
    let learnt = Understanding::learn(&rest);
    let (measured, _) = Measured::of(&fifth, |text| learnt.intent(text));
    let table = measured.to_string();
    // A row is the label, the count of lines and the share that is right; the last line has the sums.
    let number = |line: &str, word: usize| -> f32 {
        let line = table.lines().find(|row| row.starts_with(line)).unwrap();
        line.split_whitespace().nth(word).unwrap().parse().unwrap()
    };
    let (intents, alarms) = (number("intents", 1), number("intents", 5));
    assert!(intents > 70.0 && alarms < 3.0, "{table}");
    assert!(number("stop", 2) > 77.0 && number("distress", 2) > 79.0, "{table}");
    assert!(number("answer", 2) > 97.4, "{table}");
}

/// Whoever changes examples sees what is understood, and which texts are not.
#[test]
fn understand_measures_a_file() {
    let folder = folder(&[
        (
            "lang/xx.tsv",
            "repeat\tsay that again\nhold\tone moment\nanswer\tI was a cook in Leeds\n",
        ),
        (
            "texts-xx.tsv",
            "repeat\tsay that again please\nanswer\ta cook in Leeds\nanswer\tone moment\n",
        ),
    ]);
    let texts = folder.path().join("texts-xx.tsv");
    let output = understand(&texts, folder.path(), &["--mistakes"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(said.starts_with("answer taken for hold: one moment\n"), "{said}");
    let last = said.lines().last().unwrap();
    assert_eq!(last, "intents 100.0 %, false alarms 50.0 %, 3 lines");

    // The name need not say the language, and examples of ours are there beside theirs.
    let other = folder.path().join("texts.tsv");
    fs::write(&other, "repeat\tCould you say that again, please?\n").unwrap();
    let output = understand(&other, folder.path(), &["--language", "en"]);
    let said = text(&output.stdout);
    assert!(said.ends_with("intents 100.0 %, false alarms - %, 1 lines\n"), "{said}");
}

/// What cannot be measured is refused in a sentence that says what to do.
#[test]
fn understand_refuses_what_it_cannot_read() {
    let folder = folder(&[
        ("lang/xx.tsv", "repeet\tagain\nhold one moment\n"),
        ("xx.tsv", "hold\tone moment\n"),
        ("bad-en.tsv", "hold\tone moment\nwait\tone moment\n"),
        ("texts.tsv", "hold\tone moment\n"),
        ("empty-en.tsv", "\n"),
    ]);
    let refused = |file: &str, more: &[&str], why: &str| {
        let output = understand(&folder.path().join(file), folder.path(), more);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{file}: {said}");
        assert!(said.contains(why), "{file}: {said}");
    };
    refused("xx.tsv", &[], "xx.tsv:1: `repeet` is no label");
    refused("xx.tsv", &[], "xx.tsv:2: there is no tab");
    refused("bad-en.tsv", &[], "bad-en.tsv:2: `wait` is no label");
    refused(
        "texts.tsv",
        &[],
        "does not say its language: give it with --language, one of de, en, it",
    );
    refused("texts.tsv", &["--language", "fr"], "no examples for the language \"fr\"");
    refused("empty-en.tsv", &[], "the file has no examples");
    refused("nowhere-en.tsv", &[], "cannot read");
    // `check` tells of bad examples, too.
    let output = vivavoce(&["check", folder.path().to_str().unwrap()], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("xx.tsv:2: there is no tab"), "{}", text(&output.stderr));
}

/// A candidate who says it as no phrase does is understood by examples: the question is asked again. What
/// was understood is in the journal, and a replay needs no examples.
#[test]
fn an_interview_understands_by_examples() {
    let examples = "repeat\tthat went right past me\nrepeat\tthat flew past me\nanswer\ti am a cook
answer\ti am a backend engineer\nanswer\tlast year i led a team";
    let learnt = Understanding::learn(&Example::read(examples).unwrap());
    let entries = interviewed("that went right over past me", Some(learnt));
    let understood = entries.iter().find_map(|entry| match &entry.event {
        Event::Understood { intent: Intent::Repeat, turn, .. } => Some(*turn),
        _ => None,
    });
    assert_eq!(understood.map(|turn| turn.0), Some(1));
    assert!(asks_again(&entries));
    // Who understands nothing takes it for an answer.
    let entries = interviewed("that went right over past me", None);
    assert!(!asks_again(&entries));
    assert!(entries.iter().all(|entry| !matches!(entry.event, Event::Understood { .. })));
}

/// Whether the first question is asked again.
fn asks_again(entries: &[Entry]) -> bool {
    let inputs = Inputs::new("two-stage", files("two-stage"), Context::default());
    let blueprint = vivavoce::blueprint::Blueprint::load(&inputs.files).unwrap();
    let repeat = blueprint.phrases.say(Phrase::Repeat);
    let effects = entries.iter().flat_map(|entry| &entry.effects);
    let mut said = effects.filter_map(|effect| match effect {
        Effect::Speak { say: Say::Text(words), .. } => Some(words),
        _ => None,
    });
    said.any(|words| words.starts_with(repeat))
}

/// The journal of an interview with somebody whose first words are these; read back and replayed.
fn interviewed(first: &str, understanding: Option<Understanding>) -> Vec<Entry> {
    let config = Config::read(None, []).unwrap();
    let speech = Speech { stt: "scripted".into(), tts: "scripted".into(), ..config.speech };
    let stt = ScriptedStt::new([first.to_owned(), "i am a backend engineer in a bank".to_owned()]);
    let mut providers = Registry::build(&speech, &config.providers, 1).unwrap();
    providers = providers.with_stt(Arc::new(stt));
    if let Some(understanding) = understanding {
        providers = providers.with_understanding(Taught::with(understanding));
    }
    let fixture = Fixture::load(Path::new("audio-fixtures"), "two-stage-plain").unwrap();
    let inputs = Inputs::new("two-stage", files("two-stage"), Context::default());
    let latencies = Latencies {
        llm: config.lockstep.llm,
        tts: config.lockstep.tts,
        judge: config.lockstep.judge,
    };
    let interview = inputs.interview().unwrap();
    let player = Player::fixture(&fixture);
    let replayed = Lockstep::new(interview, player, &providers, latencies).unwrap().run(|_| {});
    let mut text = journal::line(&Header::new("understood", 0, &inputs));
    text.extend(replayed.entries.iter().map(journal::line));
    let (_, entries) = journal::parse(&text).unwrap();
    assert!(journal::replay(inputs.interview().unwrap(), &entries).is_ok());
    entries
}
