//! When to begin a reply ahead: at the first silence of a sentence that may be the last, before anybody knows that it is;
//! and while one of ours sounds that is cut short.

use std::time::Duration;

use crate::{
    interview::{Interview, ReplyId},
    listen,
    speak::{Speaker, Words},
};

/// So short a silence is worth a try: it is open for much longer whether a turn has ended.
const QUIET_MIN: Duration = Duration::from_millis(60);
/// Replies that may be begun ahead for one turn on words that may change, on words that do not, and in one interview.
/// What they cost is counted as all else is.
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

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::{
        blueprint::Context,
        clock::Clock,
        config::{self, Config},
        interview::{Effect, Event},
        journal::Inputs,
        providers::registry::Registry,
        speak::Mouth,
        time::SessionTime,
    };

    /// Q07: what follows a reply whose rest was cut off is begun while it sounds, once; nothing behind one that asked.
    #[tokio::test]
    async fn what_follows_a_cut_is_begun_while_it_sounds() {
        for (segments, follows) in [
            (["Hello, I am Alba, an AI.", "Goodbye."], true),
            (["Hello, I am an AI. What do you do?", "Goodbye."], false),
        ] {
            let file = |entry: std::io::Result<std::fs::DirEntry>| {
                let entry = entry.unwrap();
                let text = std::fs::read_to_string(entry.path()).unwrap();
                (entry.file_name().into_string().unwrap(), text)
            };
            let files = std::fs::read_dir("agents/two-stage").unwrap().map(file).collect();
            let inputs = Inputs::new("two-stage", files, Context::default());
            let mut interview = inputs.interview().unwrap();
            let mut config = Config::read(None, []).unwrap();
            (config.speech.stt, config.speech.tts) = (config::Stt::Scripted, config::Tts::Scripted);
            let made = Registry::build(&config.speech, &config.llm, 1).unwrap();
            let (out, _facts) = mpsc::channel(16);
            let mouth = Mouth::new().0;
            let mut speaker = Speaker::new(made.llm(), made.tts(), mouth, out.clone(), Clock::start());
            let mut speculation = Speculation::new(true);
            let reply = ReplyId(1);
            let ready = |n| Event::SegmentReady { reply, n, text: segments[usize::from(n)].into() };
            let mut at = SessionTime::ZERO;
            let mut tell = |interview: &mut Interview, event| {
                at = at + Duration::from_millis(100);
                interview.handle(at, at, event)
            };
            for event in [Event::CandidateJoined, ready(0), Event::ReplyStarted { reply }] {
                tell(&mut interview, event);
                speculation.look_past(&interview, &mut speaker);
                assert_eq!(speculation.of_interview, 0, "begun behind a reply that may go on");
            }
            tell(&mut interview, ready(1));
            let mut unwanted = Speculation::new(false);
            unwanted.look_past(&interview, &mut speaker);
            assert_eq!(unwanted.of_interview, 0, "begun where nothing is begun ahead");
            speculation.look_past(&interview, &mut speaker);
            assert_eq!(speculation.of_interview, u32::from(follows), "{segments:?}");
            let mut other = Speaker::new(made.llm(), made.tts(), Mouth::new().0, out, Clock::start());
            speculation.look_past(&interview, &mut other);
            assert_eq!(speculation.of_interview, u32::from(follows), "looked twice: {segments:?}");
            tell(&mut interview, Event::SegmentHeard { reply, n: 0 });
            let end = Event::ReplyFinished { reply, heard: String::new() };
            let ordered = tell(&mut interview, end).into_iter().find_map(|effect| {
                let Effect::Speak { reply, say, .. } = effect else { return None };
                let brief = interview.brief(reply, &say);
                Words::new(say, brief)
            });
            assert_eq!(ordered.is_some(), follows, "{segments:?}");
            let is_begun = ordered.is_some_and(|words| !speaker.prepare(words));
            assert_eq!(is_begun, follows, "something else was begun: {segments:?}");
        }
    }
}
