//! What candidates ask for about a question, and what they are asked about the course: other words (case 5),
//! time to think (T03), and whether to go on (K03). The scripted interviewer speaks.

use std::time::Duration;

use interview::{
    Effect, Event, Notice, Request, Status,
    blueprint::{Blueprint, Context, Kind, Phrase, Planned, Urgency, asked_again},
    sim,
    understanding::duplicate::is_duplicate,
};

use crate::{
    agendas::{PLAIN, Talk},
    scenarios::{files, shipped},
};

impl Talk {
    /// An interview whose first words were said.
    fn opened(blueprint: &Blueprint, context: &Context) -> Self {
        let mut talk = Self::of(blueprint, context);
        talk.happens(Duration::ZERO, Event::CandidateJoined);
        talk.speak();
        talk
    }

    /// A button is pressed, and what follows is said. Returns whether it was accepted.
    fn press(&mut self, request: Request) -> bool {
        let id = format!("press-{}", self.entries.len());
        self.happens(Duration::from_millis(500), Event::Control { id, request, stage: None });
        let effects = &self.entries.last().unwrap().effects;
        let is_accepted = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Acknowledge { accepted: true, .. }));
        self.speak();
        is_accepted
    }

    /// So many seconds pass without a word of theirs. Returns what was said at their end, if anything.
    fn silent(&mut self, seconds: u64) -> Option<String> {
        let before = self.said.len();
        self.happens(Duration::from_secs(seconds), Event::Tick);
        self.speak();
        self.said.get(before).cloned()
    }

    fn status(&self) -> Status {
        let effects = self.entries.iter().flat_map(|entry| &entry.effects);
        let mut shown = effects.rev().filter_map(|effect| match effect {
            Effect::Publish(Notice::Status(status)) => Some(status.clone()),
            _ => None,
        });
        shown.next().unwrap()
    }

    fn last_said(&self) -> &str {
        self.said.last().unwrap()
    }

    fn thanks(&self) -> Option<&String> {
        let words = ["thank", "noted", "all right", "have that down"];
        self.said.iter().find(|said| words.iter().any(|it| said.to_lowercase().contains(it)))
    }
}

fn blueprint(name: &str) -> Blueprint {
    Blueprint::load(&files(name)).unwrap()
}

/// Case 5: every question that the scripted interviewer asks out of a shipped blueprint has a second wording,
/// which is another question as far as the guards can tell.
#[test]
fn every_shipped_question_has_other_words() {
    let mut count = 0;
    for name in shipped() {
        let blueprint = blueprint(&name);
        for agent in &blueprint.agents {
            let follow_ups = match &agent.kind {
                Kind::Backlog { follow_ups, .. } => follow_ups.as_slice(),
                _ => &[],
            };
            let topics = agent.kind.topics().iter().flat_map(|topic| topic.asked());
            let asked = agent.questions.iter().chain(follow_ups).map(String::as_str).chain(topics);
            for question in asked {
                let other = blueprint.wordings.of(question);
                let other = other.unwrap_or_else(|| panic!("{name}: no other words: {question}"));
                assert!(!is_duplicate(other, [question]), "{name}: {question} {other}");
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count} questions");
}

/// Case 5: who asks for other words hears other words, in every shipped blueprint and language, once; then
/// that there are no more. The room is told whether there are some.
#[test]
fn other_words_are_other_words() {
    for name in shipped() {
        let blueprint = blueprint(&name).for_candidate(&sim::context());
        let mut talk = Talk::opened(&blueprint, &sim::context());
        let first = talk.last_said().to_owned();
        let mut pairs = blueprint.wordings.pairs();
        let (_, other) = pairs.find(|(question, _)| first.ends_with(question)).unwrap();
        assert!(talk.status().has_other_words, "{name}");
        assert!(talk.press(Request::Rephrase));
        assert!(talk.last_said().ends_with(other), "{name}: {}", talk.last_said());
        assert!(!talk.status().has_other_words, "{name}: they were said");
        assert!(talk.press(Request::Rephrase));
        let none = blueprint.phrases.say(Phrase::NoOtherWords);
        assert!(talk.last_said().starts_with(none), "{name}: {}", talk.last_said());
    }
}

/// Case 5: a question without a second wording is repeated, with the word that there are no others; the room
/// is told to offer none. Who did not hear it well twice is not told that.
#[test]
fn where_there_are_no_other_words_that_is_said() {
    let own = asked_again(&files("mock-interview"), "Why do you want to work with us?").unwrap();
    let own = Blueprint::load(&own).unwrap();
    let again = "I have no other words for it. Why do you want to work with us?";
    let mut talk = Talk::opened(&own, &sim::context());
    assert!(!talk.status().has_other_words);
    talk.answer("Can you say that in other words?", 2);
    talk.speak();
    assert_eq!(talk.last_said(), again);
    let mut talk = Talk::opened(&own, &sim::context());
    assert!(talk.press(Request::Rephrase));
    assert_eq!(talk.last_said(), again);
    let mut talk = Talk::opened(&own, &sim::context());
    for _ in 0..2 {
        talk.answer("Can you repeat the question?", 2);
        talk.speak();
        assert_eq!(talk.last_said(), "Of course. Why do you want to work with us?");
    }
}

/// C03: a question of a blueprint that is practised alone keeps its other words.
#[test]
fn a_practised_question_keeps_its_other_words() {
    let again = asked_again(&files("mock-interview"), "What was the result?").unwrap();
    let mut talk = Talk::opened(&Blueprint::load(&again).unwrap(), &sim::context());
    assert!(talk.press(Request::Rephrase));
    assert!(talk.last_said().ends_with("How did it turn out in the end?"), "{:?}", talk.said);
}

/// B01: what is wrong with a second wording is a problem of its file.
#[test]
fn second_wordings_are_checked() {
    let with = |question: &str| {
        let mut files = files("two-stage");
        let (_, file) = files.iter_mut().find(|(name, _)| name == "self-intro.md").unwrap();
        let known = "[\"What are you especially good at?\", \
            \"Which things do you do better than most people?\"]";
        assert!(file.contains(known), "{file}");
        *file = file.replace(known, question);
        let problems = Blueprint::load(&files).err().unwrap_or_default();
        problems.iter().map(|problem| problem.what.clone()).collect::<Vec<_>>()
    };
    assert_eq!(with("\"Who?\""), [""; 0]);
    assert_eq!(with("[\"Who?\"]"), [""; 0]);
    for (question, wrong) in [
        ("[\"Who?\", \"Who.\"]", "a question must end in a question mark: Who."),
        ("[\"Who?\", \"who? \"]", "the second wording is the first one again: Who?"),
        ("[\"Who?\", \"Which?\", \"When?\"]", "a question has two wordings at most: Who?"),
        ("[\"Who?\", \"Is {{ she }} it?\"]", "`she` is no variable"),
        ("[\"Who?\", 7]", "`questions` must be a list of texts"),
        ("[]", "`questions` must be a list of texts"),
    ] {
        let found = with(question);
        assert!(matches!(&found[..], [one] if one.starts_with(wrong)), "{question}: {found:?}");
    }
}

/// T03: time to think is two minutes without a nudge, whoever asks for it and how; then one question whether
/// to leave the question, and silence leaves it. Nobody is thanked for silence.
#[test]
fn who_asks_for_time_has_it() {
    for by_voice in [false, true] {
        let mut talk = Talk::opened(&blueprint("two-stage"), &sim::context());
        if by_voice {
            talk.answer("Give me a minute.", 2);
            talk.speak();
        } else {
            assert!(talk.press(Request::MoreTime));
        }
        assert_eq!(talk.last_said(), "Sure, take your time.");
        assert_eq!(talk.status().thinking_s, Some(120));
        assert_eq!(talk.silent(119), None);
        assert_eq!(talk.silent(2).as_deref(), Some("Shall we leave this question out?"));
        assert_eq!(talk.status().thinking_s, None);
        assert_eq!(talk.silent(14), None, "it waits for an answer");
        let left = talk.silent(2);
        assert_eq!(
            left.as_deref(),
            Some("Let us leave that one. What are you especially good at?")
        );
        assert_eq!(talk.thanks(), None, "{:?}", talk.said);
    }
}

/// T03: a no to the question whether to leave gives the time again, and a yes leaves it.
#[test]
fn whether_to_leave_is_answered() {
    let mut slow = blueprint("two-stage");
    slow.agents[0].stage_limit = Duration::from_secs(900);
    let asked = || {
        let mut talk = Talk::opened(&slow, &sim::context());
        talk.press(Request::MoreTime);
        assert!(talk.silent(121).is_some());
        talk
    };
    let mut talk = asked();
    talk.answer("No.", 1);
    talk.speak();
    assert_eq!(talk.last_said(), "Sure, take your time.");
    assert_eq!(talk.silent(119), None);
    assert!(talk.silent(2).is_some());
    let mut talk = asked();
    talk.answer("Yes.", 1);
    talk.speak();
    assert!(talk.last_said().ends_with("What are you especially good at?"), "{:?}", talk.said);
    // The question itself may be answered all the same.
    let mut talk = asked();
    talk.answer(PLAIN, 6);
    talk.speak();
    assert!(talk.last_said().ends_with("What are you especially good at?"), "{:?}", talk.said);
}

/// T03: asking again starts the two minutes again, and the stage's limit ends them.
#[test]
fn time_is_given_again_within_the_stage() {
    let mut slow = blueprint("two-stage");
    slow.agents[0].stage_limit = Duration::from_secs(900);
    let mut talk = Talk::opened(&slow, &sim::context());
    assert!(talk.press(Request::MoreTime));
    assert_eq!(talk.silent(100), None);
    assert!(talk.press(Request::MoreTime), "it is given again");
    assert_eq!(talk.silent(119), None);
    assert_eq!(talk.silent(2).as_deref(), Some("Shall we leave this question out?"));

    let mut talk = Talk::opened(&blueprint("two-stage"), &sim::context());
    talk.press(Request::MoreTime);
    assert_eq!(talk.silent(100), None);
    assert!(talk.press(Request::MoreTime));
    let given = talk.status().thinking_s.unwrap();
    assert!((60..80).contains(&given), "as long as the stage lasts, not {given} s");
    let moved = talk.silent(given + 2).unwrap();
    assert!(moved.starts_with("Let us move on to your past experience."), "{moved}");
    assert_eq!(talk.thanks(), None, "{:?}", talk.said);
}

/// T03: what they said before they wanted time is their answer when it is over.
#[test]
fn half_an_answer_is_taken_after_the_time() {
    let mut talk = Talk::opened(&blueprint("two-stage"), &sim::context());
    talk.answer("I lead the billing team at Siemens and we write invoices, let me think", 4);
    talk.speak();
    assert_eq!(talk.last_said(), "Sure, take your time.");
    assert_eq!(talk.silent(119), None);
    let next = talk.silent(2).unwrap();
    assert!(next.ends_with("What are you especially good at?"), "{next}");
}

/// H06, T02: nobody is thanked for silence, in any shipped blueprint: the candidate answers the first
/// question, and says nothing from then on.
#[test]
fn silence_is_not_thanked_for() {
    for name in ["mock-interview", "two-stage", "knowledge-transfer", "discovery", "rubric-screen"]
    {
        let mut talk = Talk::opened(&blueprint(name), &sim::context());
        talk.answer(PLAIN, 6);
        talk.speak();
        let answered = talk.said.len();
        // In steps that are shorter than a voice may take to begin.
        for _ in 0..1_800 {
            if talk.last_said().contains("Goodbye") {
                break;
            }
            talk.silent(1);
        }
        talk.said.drain(..answered);
        talk.said.retain(|said| !said.contains("Goodbye"));
        assert!(!talk.said.is_empty(), "{name}");
        assert_eq!(talk.thanks(), None, "{name}: {:?}", talk.said);
    }
}

/// A plan of more questions than rounds.
fn long_plan() -> Context {
    let texts = [
        "Where does the loss threshold of 0.3 come from?",
        "Which bookings of Lyon are typed in by hand?",
        "Why is agri capped?",
        "Whose approval does a new segment need?",
        "How long may an import run before somebody looks?",
        "What breaks when the ledger is late?",
        "Who has the password of the mail server?",
        "Does anybody read the nightly summary?",
        "In which month is the audit?",
        "Could the warehouse be switched off?",
        "What was tried with provisions and given up?",
        "Are there customers with rules of their own?",
        "Under which desk is the old printer?",
    ];
    let planned = texts.into_iter().enumerate().map(|(n, text)| Planned {
        id: format!("plan-{n}"),
        text: text.to_owned(),
        priority: Urgency::P1,
    });
    Context { plan: planned.collect(), ..sim::context() }
}

const GO_ON: &str = "Shall we go on?";

/// K03: with questions open and time left the rounds of a backlog end with a question: a yes gives as many
/// again, anything else closes.
#[test]
fn whoever_wants_goes_on_after_ten_rounds() {
    let play = |reply: &'static str| {
        Talk::new("knowledge-transfer", &long_plan()).play(&mut |asked| {
            let words = match asked {
                _ if asked.contains(GO_ON) => reply,
                _ if asked.contains("anything else") => "No, that was all.",
                _ => PLAIN,
            };
            (words.to_owned(), 6)
        })
    };
    for yes in ["Yes.", "Yes, let us go on.", "Sure, I have time."] {
        let told = play(yes);
        assert!(told.asked() > 13, "{yes}: {:?}", told.said);
        assert_eq!(told.stages, ["closing"], "{yes}");
        let next = told.said.iter().position(|said| said.contains(GO_ON)).unwrap() + 1;
        assert!(told.said[next].starts_with("All right, then let us go on."), "{:?}", told.said);
    }
    for no in ["No.", "No, let us stop here.", "I have to stop now.", "The weather is quite good."]
    {
        let told = play(no);
        assert_eq!(told.asked(), 11, "{no}: {:?}", told.said);
        assert_eq!(told.stages, ["closing"], "{no}");
        assert_eq!(told.said.iter().filter(|said| said.contains(GO_ON)).count(), 1, "{no}");
    }
}

/// K03: silence closes, without thanks; and with less than a minute left, or nothing open, nobody is asked.
#[test]
fn nobody_is_asked_on_in_vain() {
    let rounds = |blueprint: &Blueprint, context: &Context, count: u32| {
        let mut talk = Talk::opened(blueprint, context);
        for _ in 0..count {
            talk.answer(PLAIN, 6);
            talk.speak();
        }
        talk
    };
    let whole = blueprint("knowledge-transfer");
    let mut talk = rounds(&whole, &long_plan(), 10);
    assert!(talk.last_said().contains(GO_ON), "{:?}", talk.said);
    let before = talk.said.len();
    assert_eq!(talk.silent(14), None);
    let closing = talk.silent(2).unwrap();
    assert!(closing.contains("Is there anything else"), "{closing}");
    talk.said.drain(..before);
    assert_eq!(talk.thanks(), None, "{:?}", talk.said);

    let mut short = whole.clone();
    short.agents[0].stage_limit = Duration::from_secs(160);
    let talk = rounds(&short, &long_plan(), 10);
    assert!(!talk.said.iter().any(|said| said.contains(GO_ON)), "{:?}", talk.said);
    let talk = rounds(&whole, &sim::context(), 3);
    assert!(talk.last_said().contains("Is there anything else"), "{:?}", talk.said);
    assert!(!talk.said.iter().any(|said| said.contains(GO_ON)), "{:?}", talk.said);
}
