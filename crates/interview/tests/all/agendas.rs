//! Whole conversations of stages with a plan of their own, by the scripted interviewer, each with another
//! player (K01–K04, L01–L08).

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use interview::{
    Effect, End, Event, Interview, Item, ItemStatus, Judgement, Note, Notice, Origin, Phase,
    ReplyId, Say, Settled, TopicState, Words,
    blueprint::{Blueprint, Context, Planned, Topic, Urgency},
    journal::{self, Entry},
    scripted::{self, Move},
    sim,
    time::SessionTime,
};

use crate::scenarios::files;

/// What somebody answers to a question, and for how many seconds.
pub(crate) type Player<'p> = &'p mut dyn FnMut(&str) -> (String, u64);

/// More questions than that no interview has.
const ROUNDS_MAX: usize = 80;

/// A conversation in virtual time.
pub(crate) struct Talk {
    interview: Interview,
    pub(crate) now: SessionTime,
    pub(crate) entries: Vec<Entry>,
    /// Replies that were ordered and not made yet.
    owed: Vec<(ReplyId, Say)>,
    segments: u32,
    /// What we said, reply by reply.
    pub(crate) said: Vec<String>,
    judge: Box<dyn FnMut(&scripted::Judging) -> String>,
}

/// What came of it.
pub(crate) struct Told {
    pub(crate) said: Vec<String>,
    notes: Vec<Note>,
    pub(crate) stages: Vec<String>,
    phases: Vec<Phase>,
    end: Option<End>,
    pub(crate) entries: Vec<Entry>,
}

impl Talk {
    pub(crate) fn new(blueprint: &str, context: &Context) -> Self {
        Self::of(&Blueprint::load(&files(blueprint)).unwrap(), context)
    }

    pub(crate) fn of(blueprint: &Blueprint, context: &Context) -> Self {
        Self {
            interview: Interview::new(blueprint, context),
            now: SessionTime::ZERO,
            entries: Vec::new(),
            owed: Vec::new(),
            segments: 0,
            said: Vec::new(),
            judge: Box::new(scripted::judge),
        }
    }

    pub(crate) fn happens(&mut self, after: Duration, event: Event) {
        self.now += after;
        let effects = self.interview.handle(self.now, self.now, event.clone());
        for effect in &effects {
            if let Effect::Speak { reply, say, .. } = effect {
                self.owed.push((*reply, say.clone()));
            }
            if let Effect::Hush { reply } = effect {
                self.owed.retain(|(owed, _)| owed != reply);
            }
        }
        let judged: Vec<_> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Judge { turn, attempt } => Some((*turn, *attempt)),
                _ => None,
            })
            .collect();
        let n = self.entries.len() as u64 + 1;
        self.entries.push(Entry { n, at: self.now, heard: self.now, event, effects });
        for (turn, attempt) in judged {
            let Some(case) = self.interview.case(turn) else { continue };
            let event = match Judgement::parse(&(self.judge)(&case.judging())) {
                Ok(judgement) => Event::Judged { turn, attempt, judgement },
                Err(why) => Event::JudgeFailed { turn, attempt, why },
            };
            self.happens(Duration::ZERO, event);
        }
    }

    /// Makes the replies that are owed, and says them to their end.
    pub(crate) fn speak(&mut self) {
        while let Some((reply, say)) = self.owed.pop() {
            let words =
                match &say {
                    Say::Text(words) => words.clone(),
                    Say::Model { .. } => {
                        let Some(brief) = self.interview.brief(reply, &say) else { continue };
                        let moves = scripted::interviewer(&brief.situation);
                        assert!(!moves.iter().any(|step| matches!(
                            step,
                            Move::Call { name: "transition_stage", .. }
                        )));
                        let said = moves.into_iter().filter_map(|step| match step {
                            Move::Say(words) => Some(words),
                            Move::Call { .. } => None,
                        });
                        said.collect::<Vec<_>>().join(" ")
                    }
                };
            let ms = Duration::from_millis;
            self.said.push(words.clone());
            self.happens(ms(100), Event::SegmentReady { reply, n: 0, text: words });
            self.happens(ms(10), Event::ReplyStarted { reply });
            self.happens(ms(3_000), Event::SegmentHeard { reply, n: 0 });
            self.happens(ms(10), Event::ReplyFinished { reply, heard: String::new() });
        }
    }

    pub(crate) fn answer(&mut self, text: &str, seconds: u64) {
        let from = self.now + Duration::from_millis(500);
        self.happens(Duration::from_millis(500), Event::SpeechStarted { at: from });
        let to = from + Duration::from_secs(seconds);
        self.segments += 1;
        let words = Words {
            segment: self.segments,
            from,
            to,
            text: text.to_owned(),
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        };
        self.happens(Duration::from_secs(seconds), Event::SpeechStopped { at: to });
        self.happens(Duration::from_millis(100), Event::FinalTranscript(words));
        for _ in 0..10 {
            if !self.owed.is_empty() {
                return;
            }
            self.happens(Duration::from_millis(500), Event::Tick);
        }
    }

    pub(crate) fn play(mut self, player: Player<'_>) -> Told {
        self.happens(Duration::ZERO, Event::CandidateJoined);
        for _ in 0..ROUNDS_MAX {
            self.speak();
            if self.interview.is_over() {
                break;
            }
            let asked = self.said.last().cloned().unwrap_or_default();
            if asked.contains("Goodbye") {
                self.happens(Duration::from_secs(30), Event::Tick);
                continue;
            }
            let (words, seconds) = player(&asked);
            self.answer(&words, seconds);
        }
        let effects = || self.entries.iter().flat_map(|entry| &entry.effects);
        let mut phases = Vec::new();
        for effect in effects() {
            if let Effect::Publish(Notice::Status(status)) = effect
                && let Some(phase) = status.phase
                && phases.last() != Some(&phase)
            {
                phases.push(phase);
            }
        }
        Told {
            notes: effects()
                .filter_map(
                    |effect| {
                        if let Effect::Note(note) = effect { Some(note.clone()) } else { None }
                    },
                )
                .collect(),
            stages: effects()
                .filter_map(|effect| {
                    if let Effect::Handoff { to, .. } = effect { Some(to.clone()) } else { None }
                })
                .collect(),
            end: effects().find_map(|effect| {
                if let Effect::Hangup { end } = effect { Some(*end) } else { None }
            }),
            phases,
            said: self.said,
            entries: self.entries,
        }
    }
}

impl Told {
    /// The items as they were left.
    fn items(&self) -> BTreeMap<String, Item> {
        let items = self.notes.iter().filter_map(|note| match note {
            Note::Item(item) => Some((item.id.clone(), item.clone())),
            _ => None,
        });
        items.collect()
    }

    fn topics(&self) -> BTreeMap<String, TopicState> {
        let topics = self.notes.iter().filter_map(|note| match note {
            Note::Topic(topic) => Some((topic.topic.clone(), topic.clone())),
            _ => None,
        });
        topics.collect()
    }

    pub(crate) fn field(&self, wanted: &str) -> Option<Settled> {
        self.notes.iter().rev().find_map(|note| match note {
            Note::Field { key, settled } if key == wanted => Some(settled.clone()),
            _ => None,
        })
    }

    fn has(&self, note: &Note) -> bool {
        self.notes.contains(note)
    }

    pub(crate) fn asked(&self) -> usize {
        self.notes.iter().filter(|note| matches!(note, Note::Asked { .. })).count()
    }
}

pub(crate) const RICH: &str = "In 2019 Marta Keller and I set that value after the crisis in Lyon, because \
    the problem was that every segment above it lost money for three quarters in a row, and it was a really \
    important decision that I am proud of. We checked it against 240 loans and found that the impact was \
    large.";
pub(crate) const PLAIN: &str = "We look at the numbers of the week together on Monday and then decide in the \
    team what has to be done first, and who does it.";

pub(crate) fn plan() -> Context {
    let planned = [
        ("threshold", Urgency::P0, "Where does the loss threshold of 0.3 come from?"),
        ("lyon", Urgency::P0, "What do you do with the bookings of the branch in Lyon?"),
        ("cap", Urgency::P1, "Why is the rate of the segment agri capped?"),
        ("colour", Urgency::P2, "Why are the charts of the report green?"),
    ];
    let plan = planned.map(|(id, priority, text)| Planned {
        id: id.to_owned(),
        text: text.to_owned(),
        priority,
    });
    Context { plan: plan.into(), ..sim::context() }
}

/// K01–K03: an expert who knows half: every P0 is asked, a thin answer is followed up once, what they do not
/// know stays unknown, and a P2 is left when nothing else is open.
#[test]
fn an_expert_knows_half() {
    let told = Talk::new("knowledge-transfer", &plan()).play(&mut |asked| {
        let words = match asked {
            _ if asked.contains("anything else") => "No, that was all.",
            _ if asked.contains("threshold") => RICH,
            _ if asked.contains("Lyon") => "I type them in.",
            _ if asked.contains("agri") => "I don't know.",
            _ => PLAIN,
        };
        (words.to_owned(), 6)
    });
    assert_eq!(
        (told.end, told.stages.as_slice()),
        (Some(End::Completed), &["closing".to_owned()][..])
    );
    let items = told.items();
    let status = |id: &str| items[id].status;
    assert_eq!(status("threshold"), ItemStatus::Answered);
    assert_eq!(status("lyon"), ItemStatus::AnsweredPartial);
    assert_eq!(status("cap"), ItemStatus::Unknown);
    assert!(!items.contains_key("colour"), "a P2 is not worth a round of its own");
    let follow_up = &items["followup-1"];
    assert_eq!(follow_up.parent.as_deref(), Some("lyon"));
    assert_eq!(items.values().filter(|item| item.origin == Origin::FollowUp).count(), 1);
    // The follow-up comes right after its parent.
    let place = |words: &str| told.said.iter().position(|said| said.contains(words)).unwrap();
    assert_eq!(place(&follow_up.text), place("bookings of the branch") + 1);
    assert!(
        items["threshold"].facts.iter().all(|fact| RICH.contains(fact.as_str())),
        "no invention"
    );
    assert!(!items["threshold"].facts.is_empty());
}

/// K02, K03: an answer brings up questions; they are asked within the rounds, and every P0 of the plan is.
#[test]
fn an_answer_brings_up_questions() {
    let mut talk = Talk::new("knowledge-transfer", &plan());
    talk.judge = Box::new(|judging| {
        let last = judging.answer.split(' ').next_back().unwrap();
        let text = format!("Who is in charge of {}?", scripted::keyword(&judging.answer).unwrap());
        serde_json::json!({
            "depth": 2, "answer_kind": "answer:vague",
            "follow_ups": [format!("What exactly happened with {last}?")],
            "discovered": [{ "text": text, "priority": "P0" }],
        })
        .to_string()
    });
    let mut n = 0;
    let told = talk.play(&mut |asked| {
        n += 1;
        let word =
            ["ledger", "mainframe", "warehouse", "settlement", "invoices", "accruals", "provision"]
                [n % 7];
        let closes = asked.contains("anything else");
        (
            if closes {
                "No.".to_owned()
            } else {
                format!("That is about the {word}{word} number{n}")
            },
            5,
        )
    });
    let items = told.items();
    assert!(told.asked() <= 11, "ten rounds and the closing question, not {}", told.asked());
    let discovered = items.values().filter(|item| item.origin == Origin::Discovered).count();
    assert!(discovered > 0, "{items:?}");
    let asked_follow_ups = items
        .values()
        .filter(|item| item.origin == Origin::FollowUp && item.status != ItemStatus::Open)
        .count();
    assert!(asked_follow_ups <= 4, "at most 40 % of ten rounds, not {asked_follow_ups}");
    for id in ["threshold", "lyon"] {
        assert_ne!(items[id].status, ItemStatus::Open, "every P0 has its round");
    }
    let follow_ups = items.values().filter(|item| item.origin == Origin::FollowUp);
    let parents: Vec<_> = follow_ups.map(|item| &item.parent).collect();
    let roots: BTreeSet<_> = parents.iter().collect();
    assert_eq!(roots.len(), parents.len(), "one follow-up for each root: {parents:?}");
}

/// K02: a judge who fails loses no answer: it is looked at once more, with its own question, when the
/// next one is there.
#[test]
fn an_answer_that_was_not_judged_is_judged_later() {
    let mut talk = Talk::new("knowledge-transfer", &plan());
    let mut is_first = true;
    let (told_tx, judged) = std::sync::mpsc::channel();
    talk.judge = Box::new(move |judging| {
        told_tx.send((judging.question.clone(), judging.answer.clone())).unwrap();
        if std::mem::take(&mut is_first) { String::new() } else { scripted::judge(judging) }
    });
    let told = talk.play(&mut |asked| {
        let closes = asked.contains("anything else");
        let words = if closes {
            "No."
        } else if asked.contains("threshold") {
            RICH
        } else {
            PLAIN
        };
        (words.to_owned(), 6)
    });
    let of_first: Vec<_> = judged.iter().filter(|(_, answer)| answer == RICH).collect();
    assert_eq!(of_first.len(), 2, "{of_first:?}");
    assert!(of_first.iter().all(|(question, _)| question.contains("threshold")), "{of_first:?}");
    assert!(!told.items()["threshold"].facts.is_empty());
}

/// L01–L04, L06, L08: a whole discovery in its time: rich answers get more turns, leftovers are gone back
/// to, and an e-mail address is read back.
#[test]
fn a_discovery_ends_with_data() {
    let told = Talk::new("discovery", &sim::context()).play(&mut |asked| {
        let words = match asked {
            _ if asked.contains("May we contact you") => "Yes, sure.",
            _ if asked.contains("full name") => "Ada Lovelace",
            _ if asked.contains("Let me make sure") => "Yes.",
            _ if asked.contains("e-mail") => "It is ada at lovelace dot org",
            _ if asked.contains("anything else") => "No, that was all.",
            _ if asked.contains("task reach") => "By mail.",
            _ if asked.contains("work with every day") => RICH,
            _ => PLAIN,
        };
        (words.to_owned(), 8)
    });
    assert_eq!(told.end, Some(End::Completed));
    assert_eq!(told.stages, ["deepen", "contact", "closing"], "no offer: there was time");
    let topics = told.topics();
    assert_eq!(topics.len(), 3);
    assert!(topics["tools"].insight.as_ref().is_some_and(|words| words.starts_with("In 2019")));
    assert!(topics["planning"].covered >= 2, "its rest was gone back to: {:?}", topics["planning"]);
    assert!(told.has(&Note::Consent { given: true }));
    let Some(Settled::Captured { value, .. }) = told.field("email") else { panic!("no address") };
    assert_eq!(value, "ada@lovelace.org");
    for phase in
        [Phase::Exploring, Phase::Deepening, Phase::DataCollectionConsent, Phase::FinalGoodbye]
    {
        assert!(told.phases.contains(&phase), "{phase:?} of {:?}", told.phases);
    }
}

/// L07: topics that were planned for this interview take the place of the blueprint's own, and the
/// recruiter's guide that of their cues.
#[test]
fn a_plan_of_topics_counts() {
    let topic = Topic {
        key: "pets".to_owned(),
        title: "Pets".to_owned(),
        sub_goals: vec!["Which animal do you like best?".to_owned()],
        cues: vec!["cats are a secret sign".to_owned()],
        ..Topic::default()
    };
    let guide = "Laugh about every joke".to_owned();
    let context = Context { topics: vec![topic], guide, ..sim::context() };
    let mut talk = Talk::new("discovery", &context);
    talk.happens(Duration::ZERO, Event::CandidateJoined);
    let (reply, say) = talk.owed[0].clone();
    let prompt = talk.interview.brief(reply, &say).unwrap().prompt.text();
    assert!(prompt.contains("Laugh about every joke"), "{prompt}");
    assert!(!prompt.contains("secret sign"), "{prompt}");
    talk.speak();
    assert!(talk.said[0].ends_with("Which animal do you like best?"), "{:?}", talk.said);
}

/// L05, case 43: time is over with something left: who refuses more is asked for their data, who agrees
/// goes on, and who says neither twice has refused.
#[test]
fn more_time_is_offered_and_respected() {
    let play = |reply: &'static str| {
        let mut blueprint = Blueprint::load(&files("discovery")).unwrap();
        blueprint.agents[0].stage_limit = Duration::from_secs(20);
        Talk::of(&blueprint, &sim::context()).play(&mut |asked| {
            let words = match asked {
                _ if asked.contains("up to five minutes") => reply,
                _ if asked.contains("May we contact you") => "No, thank you.",
                _ if asked.contains("anything else") => "No, that was all.",
                _ => PLAIN,
            };
            (words.to_owned(), 8)
        })
    };
    let refused = play("No, sorry.");
    assert_eq!(
        refused.stages,
        ["offer", "contact", "closing"],
        "{:#?} {:?}",
        refused.said,
        refused.end
    );
    assert!(refused.has(&Note::Extension { accepted: false }));
    assert!(refused.has(&Note::Consent { given: false }));
    assert!(refused.phases.contains(&Phase::CompleteWithoutData), "{:?}", refused.phases);
    let accepted = play("Yes, sure.");
    assert_eq!(accepted.stages, ["offer", "deepen", "contact", "closing"]);
    assert!(accepted.has(&Note::Extension { accepted: true }));
    let neutral = play("The weather is quite good in this part of the country today");
    assert_eq!(neutral.stages, ["offer", "contact", "closing"]);
    let offers = neutral.said.iter().filter(|said| said.contains("up to five minutes")).count();
    assert_eq!(offers, 2);
}

/// L06: a malformed e-mail address is asked for three times and then given up; the rest counts.
#[test]
fn a_malformed_address_is_given_up() {
    let told = Talk::new("discovery", &sim::context()).play(&mut |asked| {
        let words = match asked {
            _ if asked.contains("May we contact you") => "Yes.",
            _ if asked.contains("full name") => "Ada Lovelace",
            _ if asked.contains("e-mail address") => "It is ada at lovelace",
            _ if asked.contains("anything else") => "No, that was all.",
            _ => "By mail.",
        };
        (words.to_owned(), 5)
    });
    let asked =
        told.said.iter().filter(|said| said.contains("What is your e-mail address?")).count();
    assert_eq!(asked, 3, "{:#?}", told.said);
    assert_eq!(told.field("email"), Some(Settled::Unknown));
    assert!(matches!(told.field("name"), Some(Settled::Captured { .. })));
    assert_eq!(told.end, Some(End::Completed));
}

/// L06: who fills in the form on their screen is not asked by voice; what is no address is asked for.
#[test]
fn the_form_on_the_screen_counts() {
    let mut talk = Talk::new("discovery", &sim::context());
    talk.happens(Duration::ZERO, Event::CandidateJoined);
    while !talk.said.last().is_some_and(|said| said.contains("May we contact you")) {
        talk.speak();
        talk.answer("By mail.", 4);
        talk.speak();
    }
    let fill = |email: &str| {
        let values = [("name", "Ada Lovelace"), ("email", email)];
        let values = values.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        Event::Filled { id: format!("form-{email}"), values }
    };
    talk.happens(Duration::from_secs(1), fill("ada@lovelace"));
    talk.speak();
    assert!(talk.said.last().unwrap().contains("e-mail address"), "{:?}", talk.said.last());
    talk.happens(Duration::from_secs(1), fill("ada@lovelace.org"));
    talk.speak();
    assert!(talk.said.last().unwrap().contains("anything else"), "{:?}", talk.said.last());
    let effects: Vec<&Effect> = talk.entries.iter().flat_map(|entry| &entry.effects).collect();
    let is_email = |effect: &&&Effect| {
        matches!(effect, Effect::Note(Note::Field { key, settled: Settled::Captured { value, .. } })
            if key == "email" && value == "ada@lovelace.org")
    };
    assert_eq!(effects.iter().filter(is_email).count(), 1);
}

/// L01: who closes early is asked for their data, and who wants to stop there as well may go.
#[test]
fn who_closes_early_is_let_go() {
    for closes_at in 1..4 {
        let mut n = 0;
        let told = Talk::new("discovery", &sim::context()).play(&mut |asked| {
            n += 1;
            let words = match asked {
                _ if asked.contains("May we contact you") => "No.",
                _ if asked.contains("anything else") => "No, that was all.",
                _ if n == closes_at => "I have to stop now.",
                _ => PLAIN,
            };
            (words.to_owned(), 5)
        });
        assert_eq!(told.stages, ["contact", "closing"], "closed at {closes_at}");
        assert!(told.has(&Note::Consent { given: false }));
    }
    let told = Talk::new("discovery", &sim::context()).play(&mut |asked| {
        let words = match asked {
            _ if asked.contains("May we contact you") => "I want to stop here.",
            _ if asked.contains("end the interview") => "Yes.",
            _ => "I have to stop now.",
        };
        (words.to_owned(), 5)
    });
    assert_eq!(told.end, Some(End::CandidateEnded));
}

/// K04: after a crash between any two entries, the interview goes on with the very question: every prefix
/// folds to the same interview, which does the same from there.
#[test]
fn any_prefix_goes_on_with_the_question() {
    let mut tried = 0;
    for (blueprint, context) in [("knowledge-transfer", plan()), ("discovery", sim::context())] {
        for words in [PLAIN, RICH, "By mail.", "I don't know.", "Yes."] {
            let told = Talk::new(blueprint, &context).play(&mut |_| (words.to_owned(), 9));
            let fresh = || Interview::new(&Blueprint::load(&files(blueprint)).unwrap(), &context);
            for kept in 0..told.entries.len() {
                let restored = journal::replay(fresh(), &told.entries[..kept]).unwrap();
                if let Err(difference) = journal::replay(restored, &told.entries[kept..]) {
                    panic!("{blueprint}, {words}: taken over after entry {kept}: {difference:?}");
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 600, "{tried}");
}
