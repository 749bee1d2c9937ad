//! What a recogniser makes of the candidate's sound, of ours in it, and of nothing.

use std::{ops::Range, time::Duration};

use super::{Act, Item, World, echo::Echo};
use crate::{
    interview::{Event, Words},
    sim::{candidate::Phrase, faults::Hearing},
    time::SessionTime,
};

/// An echo is looked at so often.
const STEP: Duration = Duration::from_millis(100);
/// What comes out of silence.
const MADE_UP: [&str; 5] = [
    "Thank you for watching.",
    "subscribe",
    "Subtitles by the community",
    "goodbye everybody and see you soon",
    "applause",
];
/// Nobody spoke so long before words that come out of silence.
const SILENCE: Duration = Duration::from_secs(2);

impl World<'_> {
    /// Numbers what is heard of a phrase in the order in which it is.
    pub(super) fn number(&mut self, event: &mut Event) {
        let are_between = matches!(self.setting.faults.hearing, Hearing::Echo | Hearing::MakesUp);
        if let Event::PartialTranscript(words) | Event::FinalTranscript(words) = event
            && are_between
        {
            words.segment = self.recogniser.number_of(words.segment);
        }
    }

    pub(super) fn recognise(&mut self, phrase: &Phrase) {
        let (from, to) = (phrase.from, phrase.to);
        let sound = |of: SessionTime, event| Item::Sound { of, event };
        self.at(from + self.recogniser.lag(), sound(from, Event::SpeechStarted { at: from }));
        self.at(to + self.recogniser.lag(), sound(to, Event::SpeechStopped { at: to }));
        if self.setting.faults.hearing == Hearing::TellsTurns && self.rng.percent(60) {
            let ended_percent = self.rng.below(101) as u8;
            // Now and then of another end of voice, or when the pause is over.
            let stopped = if self.rng.percent(90) { to } else { from };
            let told = to + self.recogniser.lag() + self.rng.ms(0, 900);
            self.at(told, sound(to, Event::PauseWeighed { stopped, ended_percent }));
        }
        let lost = self.lose(phrase);
        let words = |to: SessionTime| Words {
            segment: phrase.segment,
            from,
            to,
            text: phrase.text_at(to, &lost),
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        };
        let mut told = from;
        let mut every = 1 + self.rng.below(3) as usize;
        if self.setting.faults.hearing != Hearing::NoPartials {
            while let Some((_, end)) = phrase.words.get(every - 1) {
                told = told.max(*end + self.recogniser.lag() + self.rng.ms(60, 350));
                if !words(*end).text.is_empty() {
                    self.at(told, sound(*end, Event::PartialTranscript(words(*end))));
                }
                every += 2 + self.rng.below(4) as usize;
            }
        }
        let late = match self.setting.faults.hearing {
            Hearing::LateFinals => self.rng.ms(900, 6_000),
            Hearing::LostFinals if self.rng.percent(50) => return,
            Hearing::Good
            | Hearing::LostFinals
            | Hearing::NoPartials
            | Hearing::LateSound
            | Hearing::Echo
            | Hearing::MakesUp
            | Hearing::TellsTurns
            | Hearing::LosesWords => self.rng.ms(60, 500),
        };
        if phrase.words.is_empty() && self.rng.percent(50) {
            return;
        }
        let told = told.max(to + self.recogniser.lag() + late);
        let mut said = words(to);
        if !lost.is_empty() && !said.text.is_empty() {
            said.spans = phrase.spans_without(&lost);
        }
        if self.setting.faults.hearing == Hearing::TellsTurns {
            said.ends_turn = Some(self.rng.percent(60));
            if said.ends_turn == Some(false) && self.rng.percent(70) {
                let ends = Words { ends_turn: Some(true), ..said.clone() };
                let later = told + self.rng.ms(50, 3_000);
                self.at(later, sound(to, Event::FinalTranscript(ends)));
            }
        }
        self.at(told, sound(to, Event::FinalTranscript(said)));
    }

    /// The words of a phrase that the recogniser does not get.
    fn lose(&mut self, phrase: &Phrase) -> Range<usize> {
        let count = phrase.words.len();
        if self.setting.faults.hearing != Hearing::LosesWords || count == 0 || self.rng.percent(30)
        {
            return 0..0;
        }
        if self.rng.percent(40) {
            return 0..count;
        }
        let from = self.rng.below(count as u64) as usize;
        let lost = from..(from + 1 + self.rng.below(12) as usize).min(count);
        self.journal.checks.lost(phrase.segment, phrase.span_of(&lost));
        lost
    }

    /// What has just begun to sound may come back.
    pub(super) fn may_echo(&mut self, token: u64) {
        if self.setting.faults.hearing != Hearing::Echo || self.rng.percent(20) {
            return;
        }
        let Some(words) = self.mouth.to_sound() else { return };
        let (since, delay) = (self.now, self.rng.ms(120, 350));
        let echo = Echo { token, segment: 0, since, delay, words, told: 0 };
        self.after(delay + self.recogniser.lag() + STEP, Item::Do(Act::Echoes(Box::new(echo))));
    }

    /// It goes on coming back until it has ended.
    pub(super) fn echoes(&mut self, mut echo: Echo) {
        if !self.room.is_connected() {
            return self.quiet_echo(&echo);
        }
        let ended = self.mouth.ended(echo.token, echo.since);
        let back = self.now.since(echo.since + echo.delay + self.recogniser.lag());
        let sounded = ended.map_or(back, |ended| back.min(ended.since(echo.since)));
        let words = (sounded.as_millis() / 280) as usize;
        if echo.segment == 0 {
            echo.segment = self.recogniser.next_number();
            self.journal.checks.nobodys(echo.segment);
            self.step(Event::SpeechStarted { at: echo.since + echo.delay });
        }
        let is_over = ended.is_some_and(|ended| back > ended.since(echo.since) + STEP);
        if is_over {
            let said = self.echoed(&echo, words, sounded);
            self.quiet_echo(&echo);
            return self.step(Event::FinalTranscript(said));
        }
        if words > echo.told && self.rng.percent(30) {
            echo.told = words;
            let said = self.echoed(&echo, words, sounded);
            self.step(Event::PartialTranscript(said));
        }
        self.after(STEP, Item::Do(Act::Echoes(Box::new(echo))));
    }

    fn quiet_echo(&mut self, echo: &Echo) {
        if echo.segment > 0 && self.room.is_connected() {
            let at = self.mouth.ended(echo.token, echo.since).unwrap_or(self.now) + echo.delay;
            self.step(Event::SpeechStopped { at: at.min(self.now) });
        }
    }

    fn echoed(&self, echo: &Echo, words: usize, sounded: Duration) -> Words {
        let words = &echo.words[..words.min(echo.words.len())];
        let from = echo.since + echo.delay;
        let (segment, to, text) = (echo.segment, from + sounded, words.join(" "));
        Words { segment, from, to, text, confidence: None, ends_turn: None, spans: Vec::new() }
    }

    /// Words come out of silence, if there is any.
    pub(super) fn makes_up(&mut self) {
        let next = self.rng.ms(2_000, 20_000);
        self.after(next, Item::Do(Act::MakesUp));
        let is_silent = !self.recogniser.has_heard(self.now, SILENCE);
        if !self.room.is_connected() || self.recogniser.is_voice_told() || !is_silent {
            return;
        }
        let segment = self.recogniser.next_number();
        self.journal.checks.made_up(segment);
        let text = (*self.rng.pick(&MADE_UP)).to_owned();
        let from = SessionTime::ZERO + self.now.since(SessionTime::from_millis(1_200));
        let to = from + Duration::from_millis(500);
        let words =
            Words { segment, from, to, text, confidence: None, ends_turn: None, spans: Vec::new() };
        self.after(self.recogniser.lag(), Item::Fact(Event::FinalTranscript(words)));
    }
}
