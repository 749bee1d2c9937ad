//! What both sides say, as lines of text: those that stand, and the one that may still change.

use std::collections::VecDeque;

use crate::session::Caption;

/// Segments that are remembered as ended, so that a late word for them is known as such.
const ENDED_MAX: usize = 32;

/// Both sides' words in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Captions {
    open: VecDeque<Segment>,
    ended: VecDeque<String>,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    Interviewer,
    Candidate,
}

/// What somebody said in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) speaker: Speaker,
    pub(super) text: String,
}

#[derive(Debug)]
struct Segment {
    id: String,
    line: Line,
    has_ended: bool,
}

impl Captions {
    /// Takes more words; gives the lines that stand from now on.
    pub(super) fn take(&mut self, caption: Caption) -> Vec<Line> {
        match caption {
            Caption::Ours { segment, delta } => {
                if let Some(segment) = self.segment(segment, Speaker::Interviewer) {
                    segment.line.text += &delta;
                }
            }
            Caption::OursEnded { segment } => self.end(&segment),
            Caption::Theirs { segment: id, text, is_final } => {
                if !self.ended.contains(&id) {
                    self.give_up_before(&id);
                }
                if let Some(segment) = self.segment(id.clone(), Speaker::Candidate) {
                    segment.line.text = text;
                }
                if is_final {
                    self.end(&id);
                }
            }
        }
        self.standing()
    }

    /// The words that may still change, if there are any.
    pub(super) fn changing(&self) -> Option<&Line> {
        self.open.iter().map(|segment| &segment.line).rfind(|line| !line.text.trim().is_empty())
    }

    /// Nobody says any more: what is left stands.
    pub(super) fn finish(&mut self) -> Vec<Line> {
        self.open.iter_mut().for_each(|segment| segment.has_ended = true);
        self.standing()
    }

    /// The segment, unless it has ended.
    fn segment(&mut self, id: String, speaker: Speaker) -> Option<&mut Segment> {
        if self.ended.contains(&id) {
            return None;
        }
        let known = self.open.iter().position(|segment| segment.id == id);
        let index = known.unwrap_or_else(|| {
            let line = Line { speaker, text: String::new() };
            self.open.push_back(Segment { id, line, has_ended: false });
            self.open.len() - 1
        });
        self.open.get_mut(index)
    }

    fn end(&mut self, id: &str) {
        if let Some(segment) = self.open.iter_mut().find(|segment| segment.id == id) {
            segment.has_ended = true;
        }
    }

    /// A recogniser that has begun the next segment tells no better words of the last one.
    fn give_up_before(&mut self, id: &str) {
        let theirs = |segment: &&mut Segment| segment.line.speaker == Speaker::Candidate;
        for segment in self.open.iter_mut().filter(theirs) {
            segment.has_ended |= segment.id != id;
        }
    }

    /// Takes what has ended from the front: nothing overtakes what may still change.
    fn standing(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some(segment) = self.open.pop_front_if(|segment| segment.has_ended) {
            self.ended.push_back(segment.id);
            if self.ended.len() > ENDED_MAX {
                self.ended.pop_front();
            }
            let Line { speaker, text } = segment.line;
            let text = text.trim().to_owned();
            if !text.is_empty() {
                lines.push(Line { speaker, text });
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(segment: &str, delta: &str) -> Caption {
        Caption::Ours { segment: segment.into(), delta: delta.into() }
    }

    fn ours_ended(segment: &str) -> Caption {
        Caption::OursEnded { segment: segment.into() }
    }

    fn theirs(segment: &str, text: &str, is_final: bool) -> Caption {
        Caption::Theirs { segment: segment.into(), text: text.into(), is_final }
    }

    fn check(captions: &[Caption], lines: &[(Speaker, &str)], changing: Option<&str>) {
        let mut all = Captions::default();
        let said: Vec<_> = captions.iter().flat_map(|caption| all.take(caption.clone())).collect();
        let said: Vec<_> = said.iter().map(|line| (line.speaker, line.text.as_str())).collect();
        assert_eq!(said, lines);
        assert_eq!(all.changing().map(|line| line.text.trim()), changing);
    }

    /// R03: our words stand when they were heard, theirs when they are final, each once and in the order of
    /// their beginnings.
    #[test]
    fn what_stands_is_in_order() {
        use Speaker::{Candidate, Interviewer};
        check(&[ours("r1-0", "Hello"), ours("r1-0", " Ada.")], &[], Some("Hello Ada."));
        check(
            &[ours("r1-0", "Hello"), ours_ended("r1-0"), ours("r1-1", "How are")],
            &[(Interviewer, "Hello")],
            Some("How are"),
        );
        check(
            &[
                theirs("c1", "i", false),
                theirs("c1", "i am well", false),
                theirs("c1", "I am well.", true),
            ],
            &[(Candidate, "I am well.")],
            None,
        );
        // They speak over us: our line ends first, though it was cut later.
        check(
            &[ours("r1-0", "How are"), theirs("c1", "well", true), ours_ended("r1-0")],
            &[(Interviewer, "How are"), (Candidate, "well")],
            None,
        );
    }

    /// A segment without a final stands when the next one begins; a late word for one that stands changes
    /// nothing, and one without words is no line.
    #[test]
    fn nothing_is_said_twice() {
        use Speaker::Candidate;
        check(
            &[theirs("c1", "well", false), theirs("c2", "you", false), theirs("c1", "Well.", true)],
            &[(Candidate, "well")],
            Some("you"),
        );
        check(
            &[theirs("c1", " ", true), ours_ended("r9-0"), theirs("c1", "late", true)],
            &[],
            None,
        );
        let mut captions = Captions::default();
        captions.take(theirs("c1", "and so", false));
        assert_eq!(captions.finish().len(), 1);
        assert_eq!(captions.changing(), None);
    }
}
