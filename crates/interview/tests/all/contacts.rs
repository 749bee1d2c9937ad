//! Whole conversations of a form: what people say is read whole, waited for or asked again (L06).

use std::time::Duration;

use interview::{Event, Settled, Words, blueprint::Blueprint, sim, time::SessionTime};

use crate::agendas::{Talk, Told};

fn guests() -> Blueprint {
    let files = [
        ("blueprint.toml", include_str!("../guests/blueprint.toml")),
        ("contact.md", include_str!("../guests/contact.md")),
        ("goodbye.md", include_str!("../guests/goodbye.md")),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    Blueprint::load(&files).unwrap()
}

/// A conversation in which the questions for name, address and number get these answers.
fn told(name: &str, email: &str, phone: &str) -> Told {
    Talk::of(&guests(), &sim::context()).play(&mut |asked| {
        let words = match asked {
            _ if asked.contains("May we contact you") => "yes of course",
            _ if asked.contains("Let me make sure") => "Yes, that is right.",
            _ if asked.contains("full name") => name,
            _ if asked.contains("e-mail address") => email,
            _ if asked.contains("telephone number") => phone,
            _ => "No, that was all.",
        };
        (words.to_owned(), 5)
    })
}

fn value(told: &Told, key: &str) -> Option<String> {
    match told.field(key) {
        Some(Settled::Captured { value, .. }) => Some(value),
        Some(Settled::Unknown | Settled::Declined) | None => None,
    }
}

/// L06: no part of what was said is kept as the value.
#[test]
fn values_are_kept_whole() {
    for (said, wanted) in [
        (
            [
                "My name is Ada Quillfeather.",
                "You can reach me at ada@example.com",
                "0 7 7 double 9 1 2 3 4 5 6",
            ],
            ["Ada Quillfeather", "ada@example.com", "07799123456"],
        ),
        (
            ["It's Ada, A D A, Quillfeather", "A-D-A at gmail.com", "+49 (0) 172 3456789"],
            ["Ada Quillfeather", "ada@gmail.com", "+491723456789"],
        ),
        (
            [
                "Ada Quillfeather",
                "ada four two at gmail dot com",
                "O one seven two three four five six seven eight",
            ],
            ["Ada Quillfeather", "ada42@gmail.com", "0172345678"],
        ),
        (
            [
                "Ada Quillfeather",
                "ada dot lovelace 42 at gmail dot com",
                "555 123 4567 extension 12",
            ],
            ["Ada Quillfeather", "ada.lovelace42@gmail.com", "5551234567 ext. 12"],
        ),
        (
            [
                "Mary O'Brien",
                "mary.o'brien@example.ie",
                "one eight hundred five five five zero one nine nine",
            ],
            ["Mary O'Brien", "mary.o'brien@example.ie", "18005550199"],
        ),
        (
            ["Ada", "ada at, no wait, bo at example dot com", "oh one, no wait, 0172 345 6789"],
            ["Ada", "bo@example.com", "01723456789"],
        ),
    ] {
        let told = told(said[0], said[1], said[2]);
        let found = ["name", "email", "phone"].map(|key| value(&told, key).unwrap_or_default());
        assert_eq!(found, wanted, "{said:?}: {:#?}", told.said);
    }
}

/// L06: what has a word without a place in it is asked for again, and given up in the end.
#[test]
fn a_garbled_value_is_asked_again() {
    let told =
        told("Ada", "ada at example dot com ponents", "sero one seven two three four five six");
    assert_eq!(value(&told, "name").as_deref(), Some("Ada"));
    for (key, question) in [("email", "e-mail address?"), ("phone", "telephone number?")] {
        assert_eq!(told.field(key), Some(Settled::Unknown), "{key}");
        let asked = told.said.iter().filter(|said| said.contains(question)).count();
        assert_eq!(asked, 3, "{key}: {:#?}", told.said);
    }
}

/// L06: what can be read in two ways is read back, though the author has not asked for it.
#[test]
fn an_unsure_value_is_read_back() {
    let told = told("Ada", "ada lovelace at example dot com", "0172 345 6789");
    assert_eq!(value(&told, "email").as_deref(), Some("adalovelace@example.com"));
    let read_back: Vec<_> = told.said.iter().filter(|said| said.contains("make sure")).collect();
    assert_eq!(read_back.len(), 1, "{read_back:?}");
    assert!(read_back[0].ends_with("adalovelace@example.com?"), "{read_back:?}");
}

/// Says words in groups, with a pause before each but the first; the pause after the last is waited for.
fn in_groups(talk: &mut Talk, groups: &[&str], pause: Duration, segments: &mut u32) {
    let ms = Duration::from_millis;
    for group in groups {
        let from = talk.now + pause;
        let mut waited = Duration::ZERO;
        while waited < pause {
            talk.happens(ms(100), Event::Tick);
            waited += ms(100);
        }
        talk.happens(Duration::ZERO, Event::SpeechStarted { at: from });
        let to: SessionTime = talk.now + ms(1_000);
        *segments += 1;
        let words =
            Words { segment: *segments, from, to, text: (*group).to_owned(), ..Words::default() };
        talk.happens(ms(1_000), Event::SpeechStopped { at: to });
        talk.happens(ms(100), Event::FinalTranscript(words));
    }
}

/// Asks up to the question for the address, in an interview whose pauses are as long as the words want.
fn asked_for_address() -> Talk {
    let mut talk = Talk::of(&guests(), &sim::context());
    talk.happens(Duration::ZERO, Event::CandidateJoined);
    talk.speak();
    talk.answer("yes of course", 2);
    talk.speak();
    talk.answer("Ada Smith", 2);
    talk.speak();
    assert!(talk.said.last().unwrap().contains("e-mail address"), "{:?}", talk.said);
    talk
}

/// L06, T04: nobody cuts into an address or a number that is said in groups, with pauses of 0.8 s.
#[test]
fn groups_are_waited_for() {
    let mut talk = asked_for_address();
    let mut segments = 100;
    let pause = Duration::from_millis(800);
    let before = talk.said.len();
    in_groups(&mut talk, &["it is anna dot smith", "at example dot com"], pause, &mut segments);
    talk.speak();
    assert_eq!(talk.said.len(), before, "nothing is said within the address: {:?}", talk.said);
    for _ in 0..30 {
        talk.happens(Duration::from_millis(100), Event::Tick);
    }
    talk.speak();
    assert!(talk.said.last().unwrap().contains("telephone number"), "{:?}", talk.said);
    let groups = ["my number is zero one seven two", "three four five", "six seven eight"];
    let before = talk.said.len();
    in_groups(&mut talk, &groups, pause, &mut segments);
    talk.speak();
    assert_eq!(talk.said.len(), before, "nothing is said within the number: {:?}", talk.said);
    for _ in 0..30 {
        talk.happens(Duration::from_millis(100), Event::Tick);
    }
    talk.speak();
    assert!(talk.said.last().unwrap().contains("anything else"), "{:?}", talk.said);
}

/// L06: who stops in the middle of an address is told once, after 3 s, to go on; the rest belongs to it.
#[test]
fn half_an_address_is_prompted_once() {
    let mut talk = asked_for_address();
    let mut segments = 100;
    in_groups(&mut talk, &["it is anna dot smith"], Duration::from_millis(800), &mut segments);
    for _ in 0..28 {
        talk.happens(Duration::from_millis(100), Event::Tick);
    }
    let before = talk.said.len();
    talk.speak();
    assert_eq!(talk.said.len(), before, "{:?}", talk.said);
    for _ in 0..3 {
        talk.happens(Duration::from_millis(100), Event::Tick);
    }
    talk.speak();
    assert_eq!(talk.said.last().unwrap(), "Go on, I am listening.");
    in_groups(&mut talk, &["at example dot com"], Duration::from_millis(1_500), &mut segments);
    for _ in 0..30 {
        talk.happens(Duration::from_millis(100), Event::Tick);
    }
    talk.speak();
    assert!(talk.said.last().unwrap().contains("telephone number"), "{:?}", talk.said);
    let prompts = talk.said.iter().filter(|said| said.contains("I am listening")).count();
    assert_eq!(prompts, 1);
}

/// Says half of an address, is told to go on, and says more words; then 3 s pass.
fn after_the_prompt(half: &str, more: &str) -> Talk {
    let mut talk = asked_for_address();
    let (mut segments, ms) = (100, Duration::from_millis);
    in_groups(&mut talk, &[half], ms(800), &mut segments);
    for _ in 0..31 {
        talk.happens(ms(100), Event::Tick);
    }
    talk.speak();
    assert_eq!(talk.said.last().unwrap(), "Go on, I am listening.");
    in_groups(&mut talk, &[more], ms(1_500), &mut segments);
    for _ in 0..30 {
        talk.happens(ms(100), Event::Tick);
    }
    talk.speak();
    talk
}

/// L06: words after "go on" that do not make the value whole end the turn as any other: no silence follows.
#[test]
fn who_goes_on_with_no_value_is_asked_again() {
    for more in ["by mail", "anna dot smith at example", "at", "at example dot", "anna dot smith"] {
        let talk = after_the_prompt("it is anna dot smith", more);
        assert!(talk.said.last().unwrap().contains("e-mail address"), "{more}: {:?}", talk.said);
    }
}

/// L06: who begins anew after "go on" has said one address, not two.
#[test]
fn who_begins_anew_has_said_it_once() {
    for (half, more) in [
        ("anna dot smith", "anna dot smith at example dot com"),
        ("anna dot smith at example", "anna dot smith at example dot com"),
        ("anna dot smith at exam", "anna dot smith at example dot com"),
    ] {
        let talk = after_the_prompt(half, more);
        let last = talk.said.last().unwrap();
        assert!(last.ends_with(" anna.smith@example.com?"), "{half}, {more}: {:?}", talk.said);
    }
}

/// L06: what is no value at all is not waited for: a question is answered as everywhere.
#[test]
fn a_question_is_no_half_value() {
    let mut talk = asked_for_address();
    let mut segments = 100;
    in_groups(&mut talk, &["why do you need that?"], Duration::from_millis(800), &mut segments);
    let before = talk.said.len();
    for _ in 0..26 {
        talk.happens(Duration::from_millis(100), Event::Tick);
    }
    talk.speak();
    assert_eq!(talk.said.len(), before + 1, "{:?}", talk.said);
    assert!(!talk.said.last().unwrap().contains("I am listening"), "{:?}", talk.said);
}
