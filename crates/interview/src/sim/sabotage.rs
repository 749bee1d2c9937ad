//! Rules of the core broken on purpose, so that a test can see that a check notices.

use crate::interview::{
    Effect, Epoch, Event, Note, Notice, Reason, Refusal, ReplyId, Say, Settled, TurnId, Verdict,
    Words,
};

/// Words of a shipped prompt.
const READ_OUT: &str =
    "Get one coherent story: the situation, what they did themselves, the result.";

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// No reply is ever hushed.
    NoHush,
    /// Each handoff happens twice.
    TwoHandoffs,
    /// A handoff happens as soon as the candidate speaks.
    HandoffOverVoice,
    /// A bridge says nothing of what was said.
    EmptyBridge,
    /// Sound is let out after the end.
    PlayAfterEnd,
    /// Each reply is ordered twice.
    TwoReplies,
    /// Sound of a reply that was never ordered is let out.
    PlayStranger,
    /// Buttons are not answered.
    NoAcknowledge,
    /// Tool calls are not answered.
    NoAnswer,
    /// The end is never told.
    NoEnd,
    /// The end is told twice.
    TwoEnds,
    /// The end comes an hour late.
    LateEnd,
    /// What a deadline leads to is forgotten.
    DeafToDeadlines,
    /// Who is woken decides something else than who is not.
    Awake,
    /// Templates make no sound.
    NoTemplates,
    /// Turns of the candidate are not committed.
    NoTurns,
    /// More is said to be heard than was pulled.
    HeardTooMuch,
    /// One event leads to a thousand effects.
    Flood,
    /// Two questions in one reply.
    AskTwice,
    /// A question counts twice.
    CountTwice,
    /// A field has a quote that nobody said.
    MadeUp,
    /// The model's way out holds at once.
    LeaveAtOnce,
    /// The prompt is read out.
    ReadOut,
    /// A handoff happens with each first sound of ours.
    HandoffAtSound,
    /// At the end of a turn something else is said.
    OtherWords,
    /// After a reply that was cut off something else is said.
    OtherNext,
    /// No voice stops our sound.
    NoPause,
    /// A recogniser is sure of its words in a number that is none.
    NotANumber,
    /// Calls of a stage or reply that is over are accepted.
    AcceptStale,
    /// What nobody said is taken for an answer.
    TakeAll,
    /// Each silence is filled twice.
    FillTwice,
    /// Holes in answers are not marked.
    NoHoles,
    /// Who was not understood is asked twice to say it again.
    AskAgainTwice,
    /// Whoever falls silent is asked to say it again, whatever was understood.
    AskAgainAfterWords,
    /// Whoever begins to speak is asked to say again what they said before.
    AskAgainOverVoice,
}

impl Sabotage {
    /// Breaks what is really said.
    pub(super) fn spoken(self, event: &mut Event) {
        let Event::SegmentReady { text, .. } = event else { return };
        match self {
            Self::AskTwice => text.push_str(" Or is it? And more."),
            Self::ReadOut => READ_OUT.clone_into(text),
            Self::NoHush
            | Self::TwoHandoffs
            | Self::HandoffOverVoice
            | Self::EmptyBridge
            | Self::PlayAfterEnd
            | Self::TwoReplies
            | Self::PlayStranger
            | Self::NoAcknowledge
            | Self::NoAnswer
            | Self::NoEnd
            | Self::TwoEnds
            | Self::LateEnd
            | Self::DeafToDeadlines
            | Self::Awake
            | Self::NoTemplates
            | Self::NoTurns
            | Self::HeardTooMuch
            | Self::Flood
            | Self::CountTwice
            | Self::MadeUp
            | Self::LeaveAtOnce
            | Self::HandoffAtSound
            | Self::NoPause
            | Self::OtherWords
            | Self::OtherNext
            | Self::NotANumber
            | Self::AcceptStale
            | Self::TakeAll
            | Self::FillTwice
            | Self::NoHoles
            | Self::AskAgainTwice
            | Self::AskAgainAfterWords
            | Self::AskAgainOverVoice => {}
        }
    }

    /// Breaks what happens.
    pub(super) fn event(self, event: &mut Event) {
        if let (Self::EmptyBridge, Event::SegmentReady { text, .. }) = (self, &mut *event) {
            *text = "Next.".to_owned();
        }
        if let (Self::HeardTooMuch, Event::ReplyFinished { heard, .. }) = (self, &mut *event) {
            *heard += " and more";
        }
        if let (Self::NotANumber, Event::PartialTranscript(words)) = (self, event) {
            words.confidence = Some(f32::NAN);
        }
    }

    /// Breaks what follows from it.
    pub(super) fn effects(self, event: &Event, effects: &mut Vec<Effect>) {
        match self {
            Self::NoHush => without(effects, |effect| matches!(effect, Effect::Hush { .. })),
            Self::OtherWords | Self::OtherNext => self.say_else(event, effects),
            Self::NoPause => without(effects, |effect| matches!(effect, Effect::Pause { .. })),
            Self::NoAcknowledge => {
                without(effects, |effect| matches!(effect, Effect::Acknowledge { .. }));
            }
            Self::NoAnswer => without(effects, |effect| matches!(effect, Effect::Answer { .. })),
            Self::NoEnd | Self::LateEnd => {
                without(effects, |effect| matches!(effect, Effect::Hangup { .. }));
            }
            Self::NoTurns => {
                without(effects, |effect| matches!(effect, Effect::Publish(Notice::Turn { .. })));
            }
            Self::NoTemplates => {
                without(effects, |effect| {
                    matches!(effect, Effect::Speak { say: Say::Text(_), .. })
                });
            }
            Self::TwoHandoffs => twice(effects, |effect| matches!(effect, Effect::Handoff { .. })),
            Self::FillTwice => twice(effects, |effect| matches!(effect, Effect::Fill { .. })),
            Self::NoHoles | Self::AskAgainTwice => self.lose(effects),
            Self::AskAgainAfterWords | Self::AskAgainOverVoice => self.ask_again(event, effects),
            Self::TwoReplies => twice(effects, |effect| matches!(effect, Effect::Speak { .. })),
            Self::TwoEnds => twice(effects, |effect| matches!(effect, Effect::Hangup { .. })),
            Self::PlayAfterEnd => {
                if effects.iter().any(|effect| matches!(effect, Effect::Hangup { .. })) {
                    effects.push(Effect::Play { reply: ReplyId(1), n: 0 });
                }
            }
            Self::PlayStranger => {
                if let Event::SpeechStarted { .. } = event {
                    effects.push(Effect::Play { reply: ReplyId(9_999), n: 0 });
                }
            }
            Self::HandoffOverVoice | Self::HandoffAtSound => self.hand_off(event, effects),
            Self::DeafToDeadlines => {
                if *event == Event::Tick {
                    effects.clear();
                }
            }
            Self::Awake => {
                if *event == Event::Tick {
                    effects.push(Effect::Hush { reply: ReplyId(0) });
                }
            }
            Self::Flood => flood(effects),
            Self::CountTwice => {
                twice(effects, |effect| matches!(effect, Effect::Note(Note::Asked { .. })));
            }
            Self::MadeUp => effects.iter_mut().for_each(made_up),
            Self::AcceptStale => effects.iter_mut().for_each(accepted),
            Self::TakeAll => take_all(event, effects),
            Self::LeaveAtOnce => {
                without(effects, |effect| matches!(effect, Effect::Note(Note::Answered { .. })));
            }
            Self::EmptyBridge
            | Self::HeardTooMuch
            | Self::AskTwice
            | Self::ReadOut
            | Self::NotANumber => {}
        }
    }

    /// Breaks what is made of words that are lost.
    fn lose(self, effects: &mut Vec<Effect>) {
        if self == Self::NoHoles {
            without(effects, |effect| matches!(effect, Effect::Note(Note::Coverage { .. })));
        } else {
            twice(effects, |effect| matches!(effect, Effect::Note(Note::NotCaught)));
        }
    }

    /// Asks for words that are not lost.
    fn ask_again(self, event: &Event, effects: &mut Vec<Effect>) {
        let begins = matches!(event, Event::SpeechStarted { .. });
        let ends = matches!(event, Event::SpeechStopped { .. });
        if begins && self == Self::AskAgainOverVoice || ends && self == Self::AskAgainAfterWords {
            effects.push(Effect::Note(Note::NotCaught));
        }
    }

    fn hand_off(self, event: &Event, effects: &mut Vec<Effect>) {
        let speaks = matches!(event, Event::SpeechStarted { .. });
        let sounds = matches!(event, Event::ReplyStarted { .. });
        if speaks && self == Self::HandoffOverVoice || sounds && self == Self::HandoffAtSound {
            effects.push(strange_handoff());
        }
    }

    fn say_else(self, event: &Event, effects: &mut [Effect]) {
        let is_behind_ours = matches!(event, Event::ReplyFinished { .. });
        if *event == Event::Tick && self == Self::OtherWords
            || is_behind_ours && self == Self::OtherNext
        {
            effects.iter_mut().for_each(other_words);
        }
    }
}

fn without(effects: &mut Vec<Effect>, is_dropped: fn(&Effect) -> bool) {
    effects.retain(|effect| !is_dropped(effect));
}

fn flood(effects: &mut Vec<Effect>) {
    let first = effects.first().cloned();
    effects.extend(first.into_iter().cycle().take(1_000));
}

fn strange_handoff() -> Effect {
    let (from, to) = (String::new(), String::new());
    Effect::Handoff { from, to, epoch: Epoch(1), why: Reason::Tool }
}

fn accepted(effect: &mut Effect) {
    if let Effect::Answer { verdict: verdict @ Verdict::Refused(Refusal::Stale), .. } = effect {
        *verdict = Verdict::Accepted;
    }
}

fn take_all(event: &Event, effects: &mut Vec<Effect>) {
    let is_passed_over = |effect: &Effect| matches!(effect, Effect::Note(Note::PassedOver { .. }));
    if let Event::FinalTranscript(Words { text, .. }) = event
        && effects.iter().any(is_passed_over)
    {
        let (turn, stage, text) = (TurnId(9_999), String::new(), text.clone());
        effects.push(Effect::Publish(Notice::Turn { turn, stage, text }));
    }
}

fn other_words(effect: &mut Effect) {
    if let Effect::Speak { say, .. } = effect {
        *say = Say::Text("Something else?".to_owned());
    }
}

fn made_up(effect: &mut Effect) {
    if let Effect::Note(Note::Field { settled: Settled::Captured { quote, .. }, .. }) = effect {
        quote.push_str(" zanzibar");
    }
}

fn twice(effects: &mut Vec<Effect>, which: impl Fn(&Effect) -> bool) {
    let again: Vec<Effect> = effects.iter().filter(|effect| which(effect)).cloned().collect();
    effects.extend(again);
}
