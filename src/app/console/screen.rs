//! What the candidate sees in the terminal: captions that stand, the one that grows, who does what, and how
//! loud they are. Where nobody looks (a pipe, a file) only what stands is printed.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::captions::{Captions, Line, Speaker};
use crate::{
    app::out::{FAINT, PLAIN, STRONG, say},
    interview::{AgentState, Status},
    session::{Caption, Screen},
};

/// Drawn so often a second.
const DRAWN_HZ: u8 = 15;
/// The quietest level that moves the meter, in dBov, and how long it is.
const QUIETEST_DBOV: i8 = -60;
const METER_CELLS: u64 = 24;
/// A peak goes down by so many dB every 20 ms.
const FALL_DB: i8 = 1;

/// A terminal, or what stands in for it.
pub(super) struct Terminal {
    captions: Captions,
    /// How the interviewer is called.
    interviewer: String,
    stage: String,
    peak: i8,
    /// How a name is written.
    strong: anstyle::Style,
    faint: anstyle::Style,
    drawing: Option<Drawing>,
}

/// The lines at the bottom that change in place.
struct Drawing {
    all: MultiProgress,
    words: ProgressBar,
    meter: ProgressBar,
}

impl Terminal {
    pub(super) fn new(interviewer: &str) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stdout_with_hz(DRAWN_HZ));
        // What is drawn passes by the stream that drops colours where nobody wants them.
        let has_colours = anstream::stdout().current_choice() != anstream::ColorChoice::Never;
        let drawing = (!all.is_hidden()).then(|| Drawing::new(all));
        Self {
            captions: Captions::default(),
            interviewer: interviewer.to_owned(),
            stage: String::new(),
            peak: QUIETEST_DBOV,
            strong: if has_colours { STRONG } else { PLAIN },
            faint: if has_colours { FAINT } else { PLAIN },
            drawing,
        }
    }

    /// A line of its own among the captions.
    pub(super) fn note(&self, text: &str) {
        self.stand(self.faint, text);
    }

    /// Nothing is drawn any more, and what was said stands.
    pub(super) fn close(&mut self) {
        let rest = self.captions.finish();
        self.said(rest);
        if let Some(Drawing { all, .. }) = self.drawing.take() {
            // What cannot be cleared stays: it is drawing only.
            let _ = all.clear();
        }
    }

    fn said(&self, lines: Vec<Line>) {
        for line in lines {
            self.stand(PLAIN, &self.text(&line));
        }
    }

    fn text(&self, Line { speaker, text }: &Line) -> String {
        let name = match speaker {
            Speaker::Interviewer => &self.interviewer,
            Speaker::Candidate => "You",
        };
        let strong = self.strong;
        format!("{strong}{name}{strong:#}  {}", text.trim())
    }

    fn stand(&self, style: anstyle::Style, text: &str) {
        match &self.drawing {
            Some(drawing) => {
                let _ = drawing.all.println(format!("{style}{text}{style:#}"));
            }
            None => say(style, text),
        }
    }
}

impl Screen for Terminal {
    fn caption(&mut self, caption: Caption) {
        let lines = self.captions.take(caption);
        self.said(lines);
        if let Some(drawing) = &self.drawing {
            let words = self.captions.changing().map(|line| self.text(line)).unwrap_or_default();
            drawing.words.set_message(words);
        }
    }

    fn show(&mut self, status: &Status) {
        if self.stage != status.stage {
            self.stage.clone_from(&status.stage);
            self.note(&format!("== {}", status.stage));
        }
        if let Some(drawing) = &self.drawing {
            drawing.meter.set_message(standing(status));
        }
    }

    fn level(&mut self, dbov: i8) {
        self.peak = dbov.max(self.peak.saturating_sub(FALL_DB)).max(QUIETEST_DBOV);
        if let Some(drawing) = &self.drawing {
            drawing.meter.set_position(cells(self.peak));
        }
    }
}

impl Drawing {
    fn new(all: MultiProgress) -> Self {
        let plain = |template| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        let words = all.add(ProgressBar::new(1).with_style(plain("{wide_msg}")));
        let meter = ProgressBar::new(METER_CELLS).with_style(plain("mic [{bar:24}] {msg}"));
        let meter = all.add(meter);
        meter.tick();
        Self { all, words, meter }
    }
}

/// Who does what, where in the interview.
fn standing(status: &Status) -> String {
    let state = match status.state {
        AgentState::Initializing => "one moment",
        AgentState::Listening => "listening",
        AgentState::Thinking => "thinking",
        AgentState::Speaking => "speaking",
    };
    format!("{state} · {} · question {} of {}", status.stage, status.asked, status.asks)
}

/// How many cells of the meter a level fills.
fn cells(dbov: i8) -> u64 {
    let range = u64::from(QUIETEST_DBOV.unsigned_abs());
    let above = (i16::from(dbov) - i16::from(QUIETEST_DBOV)).clamp(0, range as i16);
    METER_CELLS * above as u64 / range
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meter is empty at silence and full at full scale.
    #[test]
    fn the_meter_has_a_scale() {
        assert_eq!([-127, -60, -30, -6, 0].map(cells), [0, 0, 12, 21, 24]);
    }

    /// What stands is named, and a stage is told once.
    #[test]
    fn lines_name_who_speaks() {
        let mut terminal = Terminal::new("Alba");
        let line = Line { speaker: Speaker::Candidate, text: " yes ".into() };
        assert!(terminal.text(&line).ends_with("  yes"));
        let status = Status {
            state: AgentState::Listening,
            stage: "intro".into(),
            asked: 1,
            asks: 3,
            phase: None,
            paused: false,
            question: None,
            has_other_words: false,
            thinking_s: None,
        };
        terminal.show(&status);
        assert_eq!(terminal.stage, "intro");
        assert_eq!(standing(&status), "listening · intro · question 1 of 3");
        terminal.level(-6);
        terminal.level(-127);
        assert_eq!(terminal.peak, -7, "a peak falls slowly");
    }
}
