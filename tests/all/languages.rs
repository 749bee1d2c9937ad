//! Interviews in German and Italian, from start to end on virtual time: heard by Deepgram and voiced by an
//! OpenAI voice over real sockets, understood by the examples of the language, answered in its phrases.

use std::{
    fs,
    sync::{Arc, OnceLock},
};

use language::{About, Example, Intent, Understanding};
use vivavoce::{
    blueprint::{Blueprint, Language, Phrase},
    interview::{Effect, End, Event, Note, Say},
    providers::registry::Understands,
};

use crate::{
    chat_server::{Asked, ChatServer},
    deepgram_server::DeepgramServer,
    far_end::{Act, Meeting, Met, Person, When, ms, spoken},
    house::files,
    tts_openai,
};

/// Somebody who understands one language.
pub(crate) struct Taught(pub(crate) Arc<OnceLock<Understanding>>);

impl Taught {
    pub(crate) fn with(understanding: Understanding) -> Arc<Self> {
        Arc::new(Self(Arc::new(OnceLock::from(understanding))))
    }

    /// By the examples that ship with the program.
    fn shipped(language: Language) -> Arc<Self> {
        let path = format!("agents/lang/{}.tsv", language.code());
        let examples = Example::read(&fs::read_to_string(path).unwrap()).unwrap();
        Self::with(Understanding::learn(&examples))
    }
}

impl Understands for Taught {
    fn in_language(&self, _: Language) -> Arc<OnceLock<Understanding>> {
        self.0.clone()
    }
}

/// An interview that was held, and the files that it was held by.
struct Held {
    met: Met,
    house: Blueprint,
    language: Language,
    /// What the recogniser and the voice were asked, by the servers that played them.
    listened: String,
    voiced: Vec<String>,
}

/// Holds `mock-interview` in a language, all five stages, with somebody who says this, turn by turn, and has
/// no more to say then than the last of it.
fn held(language: Language, says: &[&str]) -> Held {
    let rest = std::iter::repeat_n(says.last().unwrap(), 8);
    let tells =
        |words: &&str| (When::Asked(ms(500)), Act::Tell(spoken(words), (*words).to_owned()));
    let person = Person::new(says.iter().chain(rest).map(tells));
    let said = person.said();
    let ear = DeepgramServer::start(move |mind, heard| {
        mind.listen_to(&said);
        mind.well(heard)
    });
    let voice = ChatServer::start(|asked| {
        let letters = asked.body["input"].as_str().unwrap().chars().count();
        tts_openai::spoken(&tts_openai::tone(24_000, letters * 1_200), 9_600)
    });
    let name = format!("mock-interview-{}", language.code());
    let mut meeting = Meeting::set(
        &name,
        &[
            ("SPEECH__STT", "deepgram"),
            ("PROVIDERS__DEEPGRAM__BASE_URL", &ear.base_url()),
            ("PROVIDERS__DEEPGRAM__LANGUAGE", language.code()),
            // A busy machine must not look like a slow server.
            ("PROVIDERS__DEEPGRAM__FINAL_LIMIT", "60s"),
            ("SPEECH__TTS", "openai-speech"),
            ("PROVIDERS__OPENAI_SPEECH__BASE_URL", &voice.base_url()),
            ("PROVIDERS__OPENAI_SPEECH__FIRST_BYTE_LIMIT", "60s"),
            ("PROVIDERS__OPENAI_SPEECH__STALL_LIMIT", "60s"),
        ],
    );
    meeting.context.job_description = "Zahlungen, pagamenti".to_owned();
    meeting.providers = meeting.providers.with_understanding(Taught::shipped(language));
    // The voice's sockets are driven by threads of their own; this one plays the interview.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _entered = runtime.enter();
    let met = meeting.with(person);
    let input = |asked: Asked| asked.body["input"].as_str().unwrap().to_owned();
    Held {
        met,
        house: Blueprint::load(&files(&name)).unwrap(),
        language,
        listened: format!("{:?}", ear.heard().first()),
        voiced: voice.asked().into_iter().map(input).collect(),
    }
}

/// Words of a file as they are said.
fn filled(words: &str) -> String {
    words.replace("{{ candidate.name }}", "Ada").replace("{{ interviewer.name }}", "Alba")
}

impl Held {
    /// The words of a phrase.
    fn phrase(&self, phrase: Phrase) -> String {
        filled(self.house.phrases.say(phrase))
    }

    /// What we said to these words of the candidate, and what was noted of them.
    fn reply_to(&self, said: &str) -> (String, Vec<Note>) {
        let heard = |event: &Event| match event {
            Event::FinalTranscript(told) if !told.text.is_empty() => Some(told.text.clone()),
            _ => None,
        };
        let is_end = |event: &Event| heard(event).is_some_and(|text| said.ends_with(&text));
        let entries = self.met.entries.iter().skip_while(|entry| !is_end(&entry.event));
        let entries: Vec<_> = entries.collect();
        assert!(!entries.is_empty(), "{said:?} was not heard\n{}", self.met.story());
        let (mut reply, mut notes) = (String::new(), Vec::new());
        for entry in entries.iter().skip(1).take_while(|entry| heard(&entry.event).is_none()) {
            if let Event::SegmentReady { text, .. } = &entry.event {
                reply = format!("{reply} {text}");
            }
            notes.extend(entry.effects.iter().filter_map(|effect| match effect {
                Effect::Note(note) => Some(note.clone()),
                _ => None,
            }));
        }
        (reply.trim().to_owned(), notes)
    }

    /// Each question that counted, with its stage.
    fn asked(&self) -> Vec<(String, String)> {
        let asked = self.met.ordered(|effect| match effect {
            Effect::Note(Note::Asked { stage, text, .. }) => Some((stage.clone(), text.clone())),
            _ => None,
        });
        asked.into_iter().map(|(_, asked)| asked).collect()
    }

    fn ends(&self) -> Vec<End> {
        let ends = self.met.ordered(|effect| match effect {
            Effect::Hangup { end } => Some(*end),
            _ => None,
        });
        ends.into_iter().map(|(_, end)| end).collect()
    }

    /// All that we were to say in words of the files.
    fn ours(&self) -> Vec<String> {
        let words = self.met.ordered(|effect| match effect {
            Effect::Speak { say: Say::Text(words), .. } => Some(words.clone()),
            _ => None,
        });
        let written = self.met.happened(|event| match event {
            Event::SegmentReady { text, .. } => Some(text.clone()),
            _ => None,
        });
        words.into_iter().chain(written).map(|(_, words)| words).collect()
    }

    /// Checks that recogniser and voice were used in the interview's language, and that nothing of ours was
    /// English.
    fn check_language(&self) {
        let story = self.met.story();
        let query = format!("language={}", self.language.code());
        assert!(self.listened.contains(&query), "{}", self.listened);
        let ours = self.ours();
        let was_voiced = |words: &str| self.voiced.iter().any(|voiced| voiced.contains(words));
        let farewell = ours.last().unwrap();
        assert!(was_voiced(farewell), "nobody voiced {farewell:?}: {:?}\n{story}", self.voiced);
        let english = Blueprint::load(&files("mock-interview")).unwrap();
        let questions = english.agents.iter().flat_map(|agent| &agent.questions);
        for words in english.phrases.all().chain(questions.map(String::as_str)) {
            assert!(!ours.iter().any(|said| said.contains(words)), "{words:?} is English\n{story}");
        }
    }

    /// Checks that each stage was entered by its bridge and asked its own questions, and that the interview
    /// ended with the goodbye.
    fn check_stages(&self) {
        let story = self.met.story();
        let handoffs = self.met.ordered(|effect| match effect {
            Effect::Handoff { to, .. } => Some(to.clone()),
            _ => None,
        });
        let stages: Vec<&str> = handoffs.iter().map(|(_, to)| to.as_str()).collect();
        assert_eq!(stages, ["self-intro", "past-experience", "company-fit", "closing"], "{story}");
        let (asked, ours) = (self.asked(), self.ours());
        for agent in &self.house.agents {
            let bridge = &agent.bridge;
            assert!(ours.iter().any(|said| said.contains(bridge)), "no {bridge:?}\n{story}");
            let of_stage = asked.iter().filter(|(stage, _)| *stage == agent.name);
            let of_stage: Vec<&String> = of_stage.map(|(_, text)| text).collect();
            assert!(!of_stage.is_empty(), "{} asked nothing\n{story}", agent.name);
            for text in of_stage {
                let is_own = agent.questions.iter().any(|own| filled(own).ends_with(text));
                assert!(is_own, "{text:?} is no question of {}\n{story}", agent.name);
            }
        }
        let said = ours.join(" ");
        assert!(said.ends_with(&self.phrase(Phrase::Farewell)), "{story}");
        assert_eq!(self.ends(), [End::Completed], "{story}");
    }
}

/// What somebody says who is interviewed from greeting to goodbye.
struct Says {
    ready: &'static str,
    again: &'static str,
    job: &'static str,
    human: &'static str,
    strength: &'static str,
    moment: &'static str,
    project: &'static str,
    unknown: &'static str,
    done: &'static str,
}

/// Holds a whole interview and checks what the requests in it lead to: the question again, word by word; who
/// we are, and the question; time, and nothing else; another question.
fn check_whole(language: Language, says: &Says) {
    let Says { ready, again, job, human, strength, moment, project, unknown, done } = *says;
    let held =
        held(language, &[ready, again, job, human, strength, moment, project, unknown, done]);
    held.check_language();
    held.check_stages();
    let story = held.met.story();
    let kinds = |notes: &[Note]| -> Vec<Option<Intent>> {
        let kind = |note: &Note| match note {
            Note::Answered { kind, .. } => Some(*kind),
            _ => None,
        };
        notes.iter().filter_map(kind).collect()
    };
    let asked = held.asked();
    let question = |nth: usize| asked[nth].1.as_str();
    for (request, intent, phrase, then) in [
        (again, Intent::Repeat, Phrase::Repeat, question(1)),
        (human, Intent::Ask(About::Human), Phrase::AboutMe, question(2)),
        (moment, Intent::Hold, Phrase::Hold, ""),
    ] {
        let (reply, notes) = held.reply_to(request);
        let expected = format!("{} {then}", held.phrase(phrase));
        assert_eq!(reply, expected.trim(), "to {request:?}\n{story}");
        assert_eq!(kinds(&notes), [Some(intent)], "{request:?}\n{story}");
        let is_question = |note: &Note| matches!(note, Note::Asked { .. });
        assert!(!notes.iter().any(is_question), "{request:?}: {notes:?}\n{story}");
    }
    assert!(held.reply_to(moment).1.contains(&Note::Held), "{story}");
    let (reply, notes) = held.reply_to(unknown);
    assert!(reply.starts_with(&held.phrase(Phrase::Unknown)), "{reply:?}\n{story}");
    assert_eq!(kinds(&notes), [Some(Intent::DontKnow)], "{story}");
    let answers = [job, strength, project];
    let turns = held.met.turns();
    assert!(answers.iter().all(|said| turns.iter().any(|turn| turn == said)), "{turns:?}\n{story}");
}

/// Holds an interview with somebody who has to stop: asked once whether they want to, they say no, and later
/// yes.
fn check_stop(language: Language, [ready, job, stop, no, strength, leave, yes]: [&str; 7]) {
    let held = held(language, &[ready, job, stop, no, strength, leave, yes]);
    held.check_language();
    let story = held.met.story();
    for request in [stop, leave] {
        let (reply, notes) = held.reply_to(request);
        assert_eq!(reply, held.phrase(Phrase::ConfirmStop), "to {request:?}\n{story}");
        assert!(notes.contains(&Note::WantsToStop), "{request:?}: {notes:?}\n{story}");
    }
    let (reply, _) = held.reply_to(no);
    assert!(reply.starts_with(&held.phrase(Phrase::GoOn)), "{reply:?}\n{story}");
    assert!(reply.ends_with(&held.asked()[2].1), "the question is open still: {reply:?}\n{story}");
    assert_eq!(held.reply_to(yes).0, held.phrase(Phrase::FarewellEarly), "{story}");
    assert_eq!(held.ends(), [End::CandidateEnded], "{story}");
}

/// Cases 1, 2, 4, 6, 10, 15 and 48, P05 and P06 in German: questions again, time to think, whom they speak
/// with, what they do not know, and the end.
#[test]
fn an_interview_in_german() {
    check_whole(
        Language::German,
        &Says {
            ready: "Ja, ich bin bereit.",
            again: "Entschuldigung, können Sie die Frage noch einmal wiederholen?",
            job: "Ich arbeite als Entwicklerin bei einer Bank in Leipzig und betreue seit drei \
                Jahren die Zahlungen.",
            human: "Sind Sie eigentlich ein Mensch oder ein Computer?",
            strength: "Ich bin gut darin, langsame Programme zu finden und sie schneller zu machen.",
            moment: "Einen Moment bitte, da muss ich kurz nachdenken.",
            project: "Wir haben voriges Jahr das alte Hauptbuch abgelöst, und ich habe den Umzug \
                der Daten geleitet.",
            unknown: "Das weiß ich leider nicht.",
            done: "Nein, das war alles von meiner Seite.",
        },
    );
}

/// The same in Italian.
#[test]
fn an_interview_in_italian() {
    check_whole(
        Language::Italian,
        &Says {
            ready: "Sì, possiamo iniziare.",
            again: "Scusi, può ripetere la domanda per favore?",
            job: "Lavoro come sviluppatrice in una banca di Torino e da tre anni mi occupo dei \
                pagamenti.",
            human: "Ma lei è una persona vera o un computer?",
            strength: "Mi riesce bene trovare i programmi lenti e renderli più veloci.",
            moment: "Un attimo per favore, ci devo pensare.",
            project: "L'anno scorso abbiamo sostituito il vecchio libro mastro e io ho guidato la \
                migrazione dei dati.",
            unknown: "Non lo so, mi dispiace.",
            done: "No, è tutto, non ho altro da aggiungere.",
        },
    );
}

/// Case 19 in German: a wish to stop is asked about, a no goes on with the open question, a yes ends the
/// interview.
#[test]
fn a_wish_to_stop_in_german() {
    check_stop(
        Language::German,
        [
            "Ja, ich bin bereit.",
            "Ich arbeite als Entwicklerin bei einer Bank in Leipzig.",
            "Ich muss jetzt leider aufhören.",
            "Nein, wir können weitermachen.",
            "Ich bin gut darin, langsame Programme schneller zu machen.",
            "Können wir das Gespräch bitte beenden?",
            "Ja, bitte.",
        ],
    );
}

/// The same in Italian.
#[test]
fn a_wish_to_stop_in_italian() {
    check_stop(
        Language::Italian,
        [
            "Sì, possiamo iniziare.",
            "Lavoro come sviluppatrice in una banca di Torino.",
            "Mi dispiace, adesso devo smettere.",
            "No, possiamo continuare.",
            "Mi riesce bene trovare i programmi lenti e renderli più veloci.",
            "Possiamo terminare qui il colloquio?",
            "Sì, grazie.",
        ],
    );
}
