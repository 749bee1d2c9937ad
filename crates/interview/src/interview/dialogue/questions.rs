//! The questions of an interview: those that were asked, the one that was cut off, and those that were
//! skipped.

use crate::interview::{ids::QuestionId, stage::Outlook};

/// A question that was heard and counts.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) id: QuestionId,
    /// The question alone.
    pub(crate) text: String,
    /// The words of the reply up to its end.
    pub(crate) whole: String,
    /// Whether it has a committed answer.
    pub(crate) is_answered: bool,
}

/// The questions of one interview.
#[derive(Clone, Debug, Default)]
pub(crate) struct Questions {
    /// The questions that were heard, in order.
    asked: Vec<Asked>,
    /// A question of this stage that was cut off before it was heard.
    unheard: Option<String>,
    /// Questions that were skipped before they were asked.
    skipped_unasked: Vec<String>,
    /// What stages with a plan of their own have asked and heard.
    pub(crate) agenda: Outlook,
}

impl Questions {
    /// None was asked yet.
    pub(crate) fn planned(agenda: Outlook) -> Self {
        Self { agenda, ..Self::default() }
    }

    /// The last question that was heard.
    pub(crate) fn last(&self) -> Option<&Asked> {
        self.asked.last()
    }

    /// A question that was heard.
    pub(crate) fn get(&self, id: QuestionId) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.id == id)
    }

    /// The id of the last question that was heard.
    pub(crate) fn last_id(&self) -> Option<QuestionId> {
        self.last().map(|asked| asked.id)
    }

    /// Whether no question was heard yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// A question of this stage that was cut off before it was heard.
    pub(crate) fn unheard(&self) -> Option<&str> {
        self.unheard.as_deref()
    }

    /// Adds a question that was heard and returns its id; `whole` is the reply up to the end of the question.
    pub(crate) fn ask(&mut self, text: String, whole: String) -> QuestionId {
        let id = QuestionId(self.asked.len() as u32 + 1);
        self.asked.push(Asked { id, text, whole, is_answered: false });
        self.unheard = None;
        id
    }

    /// Sets whether the last question is answered.
    pub(crate) fn set_answered(&mut self, is_answered: bool) {
        if let Some(asked) = self.asked.last_mut() {
            asked.is_answered = is_answered;
        }
    }

    /// Keeps a question that was cut off before it was heard.
    pub(crate) fn cut_off(&mut self, text: String) {
        self.unheard = Some(text);
    }

    /// Drops the question that was cut off.
    pub(crate) fn forget_unheard(&mut self) {
        self.unheard = None;
    }

    /// Skips the question that was cut off before it was heard. Returns whether there was one.
    pub(crate) fn skip_unheard(&mut self) -> bool {
        let cut_off = self.unheard.take();
        let was_unheard = cut_off.is_some();
        self.skipped_unasked.extend(cut_off);
        was_unheard
    }

    /// The questions that were asked, and those that were skipped unasked.
    pub(crate) fn past(&self) -> impl DoubleEndedIterator<Item = &str> {
        let skipped = self.skipped_unasked.iter().map(String::as_str);
        self.asked.iter().map(|asked| asked.text.as_str()).chain(skipped)
    }

    /// Whether a question of the blueprint was asked, or skipped unasked.
    pub(crate) fn was_asked(&self, question: &str) -> bool {
        self.asked.iter().any(|asked| asked.whole.contains(question))
            || self.skipped_unasked.iter().any(|cut_off| question.ends_with(cut_off.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H09: questions are counted as they are heard, and one that was cut off is none until then.
    #[test]
    fn questions_are_counted_when_they_are_heard() {
        let mut questions = Questions::default();
        questions.cut_off("What do you do?".to_owned());
        assert_eq!((questions.unheard(), questions.last_id()), (Some("What do you do?"), None));
        let id = questions.ask("What do you do?".to_owned(), "Hello. What do you do?".to_owned());
        assert_eq!((id, questions.unheard()), (QuestionId(1), None));
        questions.set_answered(true);
        assert!(questions.last().is_some_and(|asked| asked.is_answered));
    }

    /// Case 21: a question that was skipped before it was heard is not asked later.
    #[test]
    fn a_skipped_question_is_not_asked_again() {
        let mut questions = Questions::default();
        assert!(!questions.skip_unheard());
        questions.cut_off("what do you do?".to_owned());
        assert!(questions.skip_unheard());
        assert_eq!(questions.unheard(), None);
        assert!(questions.was_asked("So, what do you do?"));
        assert!(!questions.was_asked("Where do you live?"));
        assert_eq!(questions.past().collect::<Vec<_>>(), ["what do you do?"]);
    }
}
