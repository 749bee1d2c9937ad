//! When to begin a reply ahead: at the first silence of a sentence that may be the last, before anybody knows
//! that it is; and while one of ours sounds that is cut short.

use std::time::Duration;

use crate::{
    interview::{Interview, ReplyId},
    listen,
    speak::{Speaker, Words},
};

/// So short a silence is worth a try: it is open for much longer whether a turn has ended.
const QUIET_MIN: Duration = Duration::from_millis(60);
/// Replies that may be begun ahead for one turn on words that may change, on words that do not, and in one
/// interview. What they cost is counted as all else is.
const PARTIAL_MAX: u32 = 3;
const FINAL_MAX: u32 = 6;
const INTERVIEW_MAX: u32 = 300;

/// What was tried so far.
pub(super) struct Speculation {
    is_wanted: bool,
    news: News,
    voiced: bool,
    partials: u32,
    finals: u32,
    of_interview: u32,
    /// The reply behind which was looked.
    past: Option<ReplyId>,
}

/// What was heard since the last try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum News {
    Nothing,
    /// Voice, silence, or words that may change.
    Something,
    /// Words that stay.
    Final,
}

impl Speculation {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self {
            is_wanted,
            news: News::Nothing,
            voiced: false,
            partials: 0,
            finals: 0,
            of_interview: 0,
            past: None,
        }
    }

    /// Something was heard of the candidate. Whoever speaks again has not finished.
    pub(super) fn hear(&mut self, heard: &listen::Heard, speaker: &mut Speaker) {
        let news = match heard {
            listen::Heard::Transcript(words) if words.is_final => News::Final,
            listen::Heard::Transcript(_)
            | listen::Heard::SpeechStarted { .. }
            | listen::Heard::SpeechStopped { .. } => News::Something,
        };
        self.news = self.news.max(news);
        match heard {
            listen::Heard::SpeechStarted { .. } => {
                self.voiced = true;
                speaker.forget();
            }
            listen::Heard::SpeechStopped { .. } => self.voiced = false,
            listen::Heard::Transcript(_) => {}
        }
    }

    /// A reply was ordered: what was begun ahead is used, or was in vain.
    pub(super) fn ordered(&mut self) {
        (self.partials, self.finals) = (0, 0);
    }

    /// Begins a reply if they may have finished, `quiet` after their last voice as far as it is known.
    pub(super) fn look(&mut self, interview: &Interview, quiet: Duration, speaker: &mut Speaker) {
        let may_have_finished = !self.voiced || quiet >= QUIET_MIN;
        let may_try = match self.news {
            News::Nothing => false,
            News::Something => self.partials < PARTIAL_MAX,
            // It is the best try of all: those before must not use it up.
            News::Final => self.finals < FINAL_MAX,
        };
        if !self.is_wanted || !may_try || !may_have_finished || self.of_interview >= INTERVIEW_MAX {
            return;
        }
        let news = std::mem::replace(&mut self.news, News::Nothing);
        let foreseen = interview.foresee();
        if let Some(words) = foreseen.and_then(|(say, brief)| Words::new(say, brief))
            && speaker.prepare(words)
        {
            self.partials += u32::from(news == News::Something);
            self.finals += u32::from(news == News::Final);
            self.of_interview += 1;
        }
    }

    /// Begins what follows a reply that is cut short, so that there is no hole between them.
    pub(super) fn look_past(&mut self, interview: &Interview, speaker: &mut Speaker) {
        let sealed = interview.sealed();
        let is_new = sealed.is_some() && std::mem::replace(&mut self.past, sealed) != sealed;
        if !self.is_wanted || !is_new || self.of_interview >= INTERVIEW_MAX {
            return;
        }
        let foreseen = interview.foresee_next();
        if let Some(words) = foreseen.and_then(|(say, brief)| Words::new(say, brief)) {
            self.of_interview += u32::from(speaker.prepare(words));
        }
    }
}

/// Begins what is said first, which is known before the candidate is there.
pub(super) fn prepare_opening(interview: &Interview, speaker: &mut Speaker) {
    let opening = interview.foresee_opening();
    if let Some(words) = opening.and_then(|(say, brief)| Words::new(say, brief)) {
        speaker.prepare(words);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::{
        blueprint::Context,
        clock::Clock,
        config::Config,
        interview::{Effect, Event},
        journal::Inputs,
        providers::{Transcript, registry::Registry},
        session::ear::spoken,
        speak::Mouth,
        time::SessionTime,
    };

    const REPLY: ReplyId = ReplyId(1);

    /// An interview, and what is begun ahead in it.
    struct Trial {
        interview: Interview,
        speculation: Speculation,
        speaker: Speaker,
        at: SessionTime,
    }

    impl Trial {
        fn new() -> Self {
            let file = |entry: std::io::Result<std::fs::DirEntry>| {
                let entry = entry.unwrap();
                let text = std::fs::read_to_string(entry.path()).unwrap();
                (entry.file_name().into_string().unwrap(), text)
            };
            let files = std::fs::read_dir("agents/two-stage").unwrap().map(file).collect();
            let inputs = Inputs::new("two-stage", files, Context::default());
            Self {
                interview: inputs.interview().unwrap(),
                speculation: Speculation::new(true),
                speaker: speaker(),
                at: SessionTime::ZERO,
            }
        }

        fn tell(&mut self, event: Event) -> Vec<Effect> {
            self.at += Duration::from_millis(100);
            self.interview.handle(self.at, self.at, event)
        }

        /// The first reply says this, as far as it sounds.
        fn says(&mut self, n: u16, text: &str) {
            self.tell(Event::SegmentReady { reply: REPLY, n, text: text.into() });
        }

        fn hear(&mut self, heard: listen::Heard) {
            self.speculation.hear(&heard, &mut self.speaker);
            self.tell(spoken(heard));
        }

        fn hear_words(&mut self, is_final: bool, text: &str) {
            let (segment, from, to) = (1, self.at, self.at);
            let (text, confidence, ends_turn) = (text.into(), None, None);
            let words = Transcript {
                segment,
                is_final,
                from,
                to,
                text,
                confidence,
                ends_turn,
                spans: Vec::new(),
            };
            self.hear(listen::Heard::Transcript(words));
        }

        /// How many replies were begun so far.
        fn look(&mut self, quiet_ms: u64) -> u32 {
            let quiet = Duration::from_millis(quiet_ms);
            self.speculation.look(&self.interview, quiet, &mut self.speaker);
            self.speculation.of_interview
        }

        fn look_past(&mut self) -> u32 {
            self.speculation.look_past(&self.interview, &mut self.speaker);
            self.speculation.of_interview
        }
    }

    fn speaker() -> Speaker {
        let mut config = Config::read(None, []).unwrap();
        (config.speech.stt, config.speech.tts) = ("scripted".into(), "scripted".into());
        let made = Registry::build(&config.speech, &config.providers, 1).unwrap();
        let out = mpsc::channel(16).0;
        Speaker::new(made.llm(), made.tts(), Mouth::new().0, out, Clock::start())
    }

    /// Q02: a reply is begun at a short silence, and not in a voice; not twice without news; a few times on
    /// words that may change, and then on those that stay.
    #[tokio::test]
    async fn a_reply_is_begun_at_the_first_silence() {
        let mut trial = Trial::new();
        trial.tell(Event::CandidateJoined);
        trial.says(0, "Hello, I am an AI. What do you do?");
        trial.tell(Event::ReplyStarted { reply: REPLY });
        trial.tell(Event::SegmentHeard { reply: REPLY, n: 0 });
        trial.tell(Event::ReplyFinished { reply: REPLY, heard: String::new() });
        trial.hear(listen::Heard::SpeechStarted { at: trial.at });
        trial.hear_words(false, "I bake bread.");
        assert_eq!(trial.look(0), 0, "they speak");
        assert_eq!(trial.look(60), 1);
        assert_eq!(trial.look(80), 1, "begun again without news");
        let more = ["I bake cakes.", "I bake rolls.", "I bake pies.", "I bake buns."];
        let begun = more.map(|words| {
            trial.hear_words(false, words);
            trial.look(100)
        });
        assert_eq!(begun, [2, 3, 3, 3]);
        trial.hear(listen::Heard::SpeechStopped { at: trial.at });
        trial.hear_words(true, "I bake buns and pies.");
        assert_eq!(trial.look(0), 4, "the best try of all was not made");
        trial.speculation.ordered();
        trial.hear_words(false, "I bake.");
        assert_eq!(trial.look(0), 5, "the next turn has tries of its own");
        trial.speculation = Speculation::new(false);
        trial.hear_words(true, "I bake buns.");
        assert_eq!(trial.look(100), 0, "begun where nothing is to be begun ahead");
    }

    /// Q07: what follows a reply whose rest was cut off is begun while it sounds, once; nothing behind one
    /// that asked.
    #[tokio::test]
    async fn what_follows_a_cut_is_begun_while_it_sounds() {
        for (first, follows) in
            [("Hello, I am Alba, an AI.", true), ("Hello, I am an AI. What do you do?", false)]
        {
            let mut trial = Trial::new();
            trial.tell(Event::CandidateJoined);
            trial.says(0, first);
            trial.tell(Event::ReplyStarted { reply: REPLY });
            assert_eq!(trial.look_past(), 0, "begun behind a reply that may go on");
            trial.says(1, "Goodbye.");
            let mut unwanted = Speculation::new(false);
            unwanted.look_past(&trial.interview, &mut trial.speaker);
            assert_eq!(unwanted.of_interview, 0, "begun where nothing is to be begun ahead");
            assert_eq!(trial.look_past(), u32::from(follows), "{first}");
            let begun = std::mem::replace(&mut trial.speaker, speaker());
            assert_eq!(trial.look_past(), u32::from(follows), "looked twice: {first}");
            trial.speaker = begun;
            trial.tell(Event::SegmentHeard { reply: REPLY, n: 0 });
            let end = Event::ReplyFinished { reply: REPLY, heard: String::new() };
            let ordered = trial.tell(end).into_iter().find_map(|effect| {
                let Effect::Speak { reply, say, .. } = effect else { return None };
                let brief = trial.interview.brief(reply, &say);
                Words::new(say, brief)
            });
            assert_eq!(ordered.is_some(), follows, "{first}");
            let is_begun = ordered.is_some_and(|words| !trial.speaker.prepare(words));
            assert_eq!(is_begun, follows, "something else was begun: {first}");
        }
    }
}
