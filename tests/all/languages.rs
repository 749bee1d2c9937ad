//! Interviews in German and Italian, from start to end on virtual time: understood by the examples of the
//! language, answered in its phrases.

use std::{
    fs,
    sync::{Arc, OnceLock},
};

use language::{About, Example, Intent, Understanding};
use vivavoce::{
    blueprint::{Blueprint, Language, Phrase},
    interview::{Effect, End, Event, Say},
    providers::registry::Understands,
};

use crate::{
    far_end::{Act, Meeting, Met, Person, When, ms, spoken},
    house::files,
    recognisers::Knows,
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

/// Holds `mock-interview` in a language with somebody who says this, turn by turn, and has no more to say
/// then than the last of it.
fn held(language: Language, says: &[&str]) -> Met {
    let rest = std::iter::repeat_n(says.last().unwrap(), 8);
    let tells =
        |words: &&str| (When::Asked(ms(500)), Act::Tell(spoken(words), (*words).to_owned()));
    let person = Person::new(says.iter().chain(rest).map(tells));
    let said = person.said();
    let mut meeting = Meeting::of(&format!("mock-interview-{}", language.code()));
    meeting.providers = meeting.providers.with_understanding(Taught::shipped(language));
    meeting.hearing(|_| Arc::new(Knows(said))).with(person)
}

/// All that we were to say in words of the files.
fn ours(met: &Met) -> Vec<String> {
    let words = met.ordered(|effect| match effect {
        Effect::Speak { say: Say::Text(words), .. } => Some(words.clone()),
        _ => None,
    });
    let written = met.happened(|event| match event {
        Event::SegmentReady { text, .. } => Some(text.clone()),
        _ => None,
    });
    words.into_iter().chain(written).map(|(_, words)| words).collect()
}

/// Checks that an interview was completed in three stages, that these intents were understood, and that we
/// answered in these phrases and in no English.
fn check(met: &Met, language: Language, intents: &[Intent], phrases: &[Phrase]) {
    let story = met.story();
    let understood: Vec<Intent> = met
        .happened(|event| match event {
            Event::Understood { intent, .. } => Some(*intent),
            _ => None,
        })
        .into_iter()
        .map(|(_, intent)| intent)
        .collect();
    for intent in intents {
        assert!(understood.contains(intent), "{intent:?} is not among {understood:?}\n{story}");
    }
    let ours = ours(met);
    let house = Blueprint::load(&files(&format!("mock-interview-{}", language.code()))).unwrap();
    for phrase in phrases {
        let words = house.phrases.say(*phrase);
        assert!(ours.iter().any(|said| said.contains(words)), "nobody said {words:?}\n{story}");
    }
    let english = Blueprint::load(&files("mock-interview")).unwrap();
    let questions = english.agents.iter().flat_map(|agent| &agent.questions).map(String::as_str);
    for words in english.phrases.all().chain(questions) {
        assert!(!ours.iter().any(|said| said.contains(words)), "{words:?} is English\n{story}");
    }
    let handoffs = met.ordered(|effect| match effect {
        Effect::Handoff { to, .. } => Some(to.clone()),
        _ => None,
    });
    let stages: Vec<&str> = handoffs.iter().map(|(_, to)| to.as_str()).collect();
    assert_eq!(stages, ["self-intro", "past-experience", "closing"], "{story}");
    let ends = met.ordered(|effect| match effect {
        Effect::Hangup { end } => Some(*end),
        _ => None,
    });
    assert!(matches!(ends[..], [(_, End::Completed)]), "{ends:?}\n{story}");
}

const INTENTS: [Intent; 4] =
    [Intent::Repeat, Intent::Hold, Intent::Ask(About::Human), Intent::DontKnow];
const PHRASES: [Phrase; 4] = [Phrase::Repeat, Phrase::Hold, Phrase::AboutMe, Phrase::Unknown];

/// Cases 1, 4, 6, 10, 15 and 48 in German: questions again, time to think, whom they speak with, what they do
/// not know, and the end.
#[test]
fn an_interview_in_german() {
    let met = held(
        Language::German,
        &[
            "Ja, ich bin bereit.",
            "Entschuldigung, können Sie die Frage noch einmal wiederholen?",
            "Ich arbeite als Entwicklerin bei einer Bank in Leipzig und betreue seit drei Jahren \
                die Zahlungen.",
            "Sind Sie eigentlich ein Mensch oder ein Computer?",
            "Ich bin gut darin, langsame Programme zu finden und sie schneller zu machen.",
            "Einen Moment bitte, da muss ich kurz nachdenken.",
            "Wir haben voriges Jahr das alte Hauptbuch abgelöst, und ich habe den Umzug der Daten \
                geleitet.",
            "Das weiß ich leider nicht.",
            "Nein, das war alles von meiner Seite.",
        ],
    );
    check(&met, Language::German, &INTENTS, &PHRASES);
}

/// The same in Italian.
#[test]
fn an_interview_in_italian() {
    let met = held(
        Language::Italian,
        &[
            "Sì, possiamo iniziare.",
            "Scusi, può ripetere la domanda per favore?",
            "Lavoro come sviluppatrice in una banca di Torino e da tre anni mi occupo dei pagamenti.",
            "Ma lei è una persona vera o un computer?",
            "Mi riesce bene trovare i programmi lenti e renderli più veloci.",
            "Un attimo per favore, ci devo pensare.",
            "L'anno scorso abbiamo sostituito il vecchio libro mastro e io ho guidato la migrazione \
                dei dati.",
            "Non lo so, mi dispiace.",
            "No, è tutto, non ho altro da aggiungere.",
        ],
    );
    check(&met, Language::Italian, &INTENTS, &PHRASES);
}
