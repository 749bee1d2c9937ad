//! What a session finds that goes on with a journal: where the one before was when it died, and what it had
//! ordered that a new line and a new ear know nothing of.

use std::{collections::BTreeSet, time::Duration};

use crate::{
    clock::Clock,
    interview::{Effect, Event, Interview, Notice, ReplyId, Status},
    journal::Entry,
    listen,
    time::SessionTime,
};

/// How much longer than a hiccup the clock says that a death lasts.
const MARGIN: Duration = Duration::from_millis(1);

/// Returns the clock of a session that goes on with these entries. It goes on where it was, and the death
/// takes so long on it that it is no hiccup: what was being said is lost with whoever said it, so the
/// question is asked again.
pub fn clock_after(before: &[Entry]) -> Clock {
    match before.last() {
        Some(last) => Clock::going_on(last.at + Interview::hiccup() + MARGIN),
        None => Clock::start(),
    }
}

/// What the session before has left.
#[derive(Clone, Debug, Default)]
pub(super) struct TakenUp {
    /// When it died.
    at: SessionTime,
    /// How far sound had been processed.
    heard: SessionTime,
    is_line_up: bool,
    is_candidate_here: bool,
    /// The begin of a voice whose end was not told.
    voice: Option<SessionTime>,
    /// The last segment of speech: a new recogniser counts from the first.
    segment: u32,
    /// Replies that had begun to sound, and whose end was not told.
    sounding: BTreeSet<ReplyId>,
    /// Those of them that were hushed: their end was still to be told.
    hushed: BTreeSet<ReplyId>,
    status: Option<Status>,
    keyterms: Option<Vec<String>>,
}

impl TakenUp {
    /// What is left after these entries, of a journal that goes on; nothing at its beginning.
    pub(super) fn after(entries: &[Entry]) -> Self {
        let mut left = Self { is_line_up: true, ..Self::default() };
        for entry in entries {
            (left.at, left.heard) = (entry.at, entry.heard);
            left.see(&entry.event);
            entry.effects.iter().for_each(|effect| left.see_effect(effect));
        }
        left
    }

    fn see(&mut self, event: &Event) {
        match event {
            Event::CandidateJoined => self.is_candidate_here = true,
            Event::CandidateLeft => self.is_candidate_here = false,
            Event::LineCut => self.is_line_up = false,
            Event::LineBack => self.is_line_up = true,
            Event::SpeechStarted { at } => self.voice = self.voice.or(Some(*at)),
            Event::SpeechStopped { .. } => self.voice = None,
            Event::PartialTranscript(words) | Event::FinalTranscript(words) => {
                self.segment = self.segment.max(words.segment);
            }
            Event::ReplyStarted { reply } => {
                self.sounding.insert(*reply);
            }
            Event::ReplyFinished { reply, .. } => {
                self.sounding.remove(reply);
                self.hushed.remove(reply);
            }
            Event::Tick
            | Event::CandidateNamed { .. }
            | Event::PauseWeighed { .. }
            | Event::Typed { .. }
            | Event::Filled { .. }
            | Event::Suggested { .. }
            | Event::Muted
            | Event::Unmuted
            | Event::SegmentReady { .. }
            | Event::SegmentHeard { .. }
            | Event::ReplyFailed { .. }
            | Event::Proposed { .. }
            | Event::Judged { .. }
            | Event::JudgeFailed { .. }
            | Event::Understood { .. }
            | Event::Control { .. } => {}
        }
    }

    fn see_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Publish(Notice::Status(status)) => self.status = Some(status.clone()),
            Effect::Listen { keyterms } => self.keyterms = Some(keyterms.clone()),
            Effect::Hush { reply } => {
                if self.sounding.remove(reply) {
                    self.hushed.insert(*reply);
                }
            }
            Effect::Publish(Notice::Turn { .. })
            | Effect::Speak { .. }
            | Effect::Fill { .. }
            | Effect::Play { .. }
            | Effect::Pause { .. }
            | Effect::Resume { .. }
            | Effect::Seal { .. }
            | Effect::Judge { .. }
            | Effect::Understand { .. }
            | Effect::Answer { .. }
            | Effect::Acknowledge { .. }
            | Effect::Handoff { .. }
            | Effect::Note(_)
            | Effect::Hangup { .. } => {}
        }
    }

    /// What has happened since, when our own line is up: the one before lost its line when it died, heard
    /// nobody any more, and whoever was there has to come to us.
    pub(super) fn facts(&self, now: SessionTime) -> Vec<(SessionTime, Event)> {
        let cut = self.is_line_up.then_some(Event::LineCut);
        let stopped = self.voice.map(|began| Event::SpeechStopped { at: self.heard.max(began) });
        let left = self.is_candidate_here.then_some(Event::CandidateLeft);
        let ended = self.hushed.iter().map(|reply| ended(*reply));
        let then = [cut, stopped, left].into_iter().flatten().chain(ended);
        then.map(|event| (self.at, event)).chain([(now, Event::LineBack)]).collect()
    }

    /// The status that was shown last.
    pub(super) fn status(&self) -> Option<&Status> {
        self.status.as_ref()
    }

    /// What the recogniser listens for, if it was told.
    pub(super) fn keyterms(&self) -> Option<&[String]> {
        self.keyterms.as_deref()
    }

    /// The same fact with a segment that the journal does not know yet.
    pub(super) fn renumbered(&self, mut fact: listen::Heard) -> listen::Heard {
        if let listen::Heard::Transcript(transcript) = &mut fact {
            transcript.segment = transcript.segment.saturating_add(self.segment);
        }
        fact
    }

    /// The end of a reply that is hushed now and was made by the session before, once.
    pub(super) fn finished(&mut self, reply: ReplyId) -> Option<Event> {
        self.sounding.remove(&reply).then(|| ended(reply))
    }
}

/// The end of a reply of the session before: nobody knows how far its last segment was heard.
fn ended(reply: ReplyId) -> Event {
    Event::ReplyFinished { reply, heard: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        interview::{AgentState, Words},
        providers::Transcript,
    };

    fn entry(ms: u64, event: Event, effects: Vec<Effect>) -> Entry {
        let at = SessionTime::from_millis(ms);
        Entry { n: 0, at, heard: SessionTime::from_millis(ms - 1), event, effects }
    }

    fn words(segment: u32) -> Event {
        Event::PartialTranscript(Words { segment, ..Words::default() })
    }

    fn transcript(segment: u32) -> listen::Heard {
        let (from, to) = (SessionTime::ZERO, SessionTime::ZERO);
        listen::Heard::Transcript(Transcript {
            segment,
            is_final: true,
            from,
            to,
            text: String::new(),
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        })
    }

    /// W08: words of a new recogniser, which counts from the first segment, replace none of those before.
    #[test]
    fn segments_are_counted_on() {
        let left =
            TakenUp::after(&[entry(1, words(7), Vec::new()), entry(2, words(6), Vec::new())]);
        assert_eq!(left.renumbered(transcript(1)), transcript(8));
        assert_eq!(TakenUp::default().renumbered(transcript(1)), transcript(1));
        let speech = listen::Heard::SpeechStarted { at: SessionTime::ZERO };
        assert_eq!(left.renumbered(speech.clone()), speech);
    }

    /// W08: what was under way when the session before died has ended with it, and what was over is not told
    /// again; a reply that it made ends when it is hushed, once.
    #[test]
    fn what_was_under_way_has_ended() {
        let (one, two) = (ReplyId(1), ReplyId(2));
        let keyterms = vec!["Kafka".to_owned()];
        let status = Status {
            state: AgentState::Speaking,
            stage: "intro".to_owned(),
            asked: 1,
            asks: 2,
            phase: None,
            paused: false,
            question: None,
            has_other_words: false,
            thinking_s: None,
        };
        let shown = Effect::Publish(Notice::Status(status.clone()));
        let at = SessionTime::from_millis;
        let mut entries = vec![
            entry(1, Event::CandidateJoined, vec![shown]),
            entry(2, Event::ReplyStarted { reply: one }, Vec::new()),
            entry(3, Event::SpeechStarted { at: at(3) }, vec![Effect::Hush { reply: one }]),
            entry(4, Event::ReplyStarted { reply: two }, vec![Effect::Listen { keyterms }]),
        ];
        let mut left = TakenUp::after(&entries);
        let stopped = Event::SpeechStopped { at: at(3) };
        let expected = [
            (at(4), Event::LineCut),
            (at(4), stopped.clone()),
            (at(4), Event::CandidateLeft),
            (at(4), ended(one)),
            (at(9), Event::LineBack),
        ];
        assert_eq!(left.facts(at(9)), expected);
        assert_eq!((left.status(), left.keyterms().map(<[String]>::len)), (Some(&status), Some(1)));
        assert_eq!((left.finished(two), left.finished(two)), (Some(ended(two)), None));
        assert_eq!(left.finished(one), None, "it was told");
        entries.extend([
            entry(5, stopped, Vec::new()),
            entry(6, ended(one), Vec::new()),
            entry(7, Event::CandidateLeft, Vec::new()),
            entry(8, Event::LineCut, Vec::new()),
        ]);
        assert_eq!(TakenUp::after(&entries).facts(at(9)), [(at(9), Event::LineBack)]);
    }
}
