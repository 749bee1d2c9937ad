//! The table of reactions: what we wait for × what the candidate meant → what we do, in [`rule`].
//!
//! Several questions may be open at once: a value was read back, and before they confirm it the candidate
//! wants to stop. They form a stack; the uppermost one with a rule for the meaning decides.

use language::About;

use crate::interview::ids::TurnId;

/// What we wait for from the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaiting {
    /// Nothing yet: the question whether they want to end the interview is about to be asked (cases 19 and
    /// 40).
    StopQuestion,
    /// A yes or no to whether they want to end the interview.
    ConfirmStop,
    /// A yes to going on in our language, which we have just named (case 27).
    Language,
    /// A value is about to be read back, or was cut off before it was heard (case 28).
    Value,
    /// A yes or no to a value that was read back (case 28).
    ReadBack,
    /// A yes or no to whether to go on with what is open (K03).
    GoOn,
    /// A yes to our offer to skip the question (case 5).
    SkipOffer,
    /// A yes or no to whether the question is left out (T03).
    Leave,
    /// An answer to the last question.
    Answer,
}

/// The meaning of a turn, apart from its content as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    /// They want to end the interview.
    Stop,
    Distress,
    FirstInsult,
    Insult,
    /// They need time, and broke off in the middle: "so, let me think".
    BreaksOff,
    /// They need time.
    NeedsTime,
    /// They need time again.
    NeedsTimeAgain,
    /// They want to hear the question again.
    Repeat,
    /// They want the question in other words, or a second time again.
    Rephrase,
    Question(About),
    Yes,
    No,
    /// They say that they have finished, correct themselves, or tell something very personal.
    Remark,
    /// They skip the question, do not know, or will not say.
    LeavesOpen,
    /// Anything else.
    Statement {
        /// Whether these are a few words that may be no answer to a yes-or-no question: "my boss just walked
        /// in". Once.
        is_unclear: bool,
        /// Whether they are in another language, for the second time in a row, and we have not named ours
        /// yet.
        is_foreign: bool,
    },
}

/// The reaction to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reaction {
    /// End the interview, as they want.
    LetGo,
    /// Ask whether they want to end the interview.
    ConfirmStop,
    /// Ask the same with sympathy.
    ConfirmStopInDistress,
    /// Ask the same after insults.
    OfferEnd,
    /// Ask for respect, and ask the question again.
    Boundary,
    /// Go on with the question that was open before.
    GoOn,
    /// Ask for the value again: the one that was read back is wrong.
    ReopenField,
    /// Wait without a word.
    WaitSilently,
    /// Say that there is time.
    SayTakeYourTime,
    /// Ask the open question again.
    AskAgain,
    /// Ask the open question again, with an introduction.
    Repeat,
    /// Ask the question in other words.
    Rephrase,
    /// Answer their question, and ask ours again.
    AnswerQuestion(About),
    /// Say which language the interviewer speaks.
    SayLanguage,
    /// Go on with what is open.
    GoFurther,
    /// Leave open what is open.
    Close,
    /// Have the model reply.
    Follow,
}

/// The table: the reaction to `meant` where this is awaited; `None` where the question below decides.
fn rule(awaiting: Awaiting, meant: Meant) -> Option<Reaction> {
    use Meant::{
        BreaksOff, Distress, FirstInsult, Insult, LeavesOpen, NeedsTime, NeedsTimeAgain, No,
        Question, Remark, Repeat, Rephrase, Statement, Stop, Yes,
    };
    let reaction = match (awaiting, meant) {
        (Awaiting::StopQuestion | Awaiting::ConfirmStop, Stop) => Reaction::LetGo,
        (Awaiting::ConfirmStop, Yes) => Reaction::LetGo,
        (Awaiting::StopQuestion | Awaiting::ConfirmStop, No) => Reaction::GoOn,
        (Awaiting::StopQuestion | Awaiting::ConfirmStop, BreaksOff | NeedsTime) => {
            Reaction::SayTakeYourTime
        }
        (Awaiting::StopQuestion | Awaiting::ConfirmStop, NeedsTimeAgain) => Reaction::AskAgain,
        (Awaiting::StopQuestion, Yes | Remark | Statement { .. }) => Reaction::AskAgain,
        (Awaiting::ConfirmStop, Statement { is_unclear: true, .. }) => Reaction::AskAgain,
        // Their words before were no answer yet.
        (Awaiting::Language, Yes) => Reaction::AskAgain,
        // Nobody confirms what they have not heard.
        (Awaiting::Value, Yes) => Reaction::AskAgain,
        (Awaiting::Value | Awaiting::ReadBack, No) => Reaction::ReopenField,
        (Awaiting::GoOn, Yes) => Reaction::GoFurther,
        (Awaiting::GoOn, No) => Reaction::Close,
        // They want to answer it: they have their time again.
        (Awaiting::Leave, No) => Reaction::SayTakeYourTime,
        (
            Awaiting::StopQuestion
            | Awaiting::ConfirmStop
            | Awaiting::Language
            | Awaiting::Value
            | Awaiting::ReadBack
            | Awaiting::GoOn
            | Awaiting::SkipOffer
            | Awaiting::Leave,
            _,
        ) => return None,
        (Awaiting::Answer, Stop) => Reaction::ConfirmStop,
        (Awaiting::Answer, Distress) => Reaction::ConfirmStopInDistress,
        (Awaiting::Answer, FirstInsult) => Reaction::Boundary,
        (Awaiting::Answer, Insult) => Reaction::OfferEnd,
        (Awaiting::Answer, BreaksOff) => Reaction::WaitSilently,
        (Awaiting::Answer, NeedsTime | NeedsTimeAgain) => Reaction::SayTakeYourTime,
        (Awaiting::Answer, Repeat) => Reaction::Repeat,
        (Awaiting::Answer, Rephrase) => Reaction::Rephrase,
        (Awaiting::Answer, Question(about)) => Reaction::AnswerQuestion(about),
        (Awaiting::Answer, Statement { is_foreign: true, .. }) => Reaction::SayLanguage,
        (Awaiting::Answer, Yes | No | Remark | LeavesOpen | Statement { .. }) => Reaction::Follow,
    };
    Some(reaction)
}

/// The progress of the question whether they want to end the interview.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum StopQuestion {
    #[default]
    Absent,
    /// The words before it sound, or it was cut off: a yes does not answer it yet.
    Begun,
    /// It sounds or was heard, and waits for a yes or no.
    Asked,
}

/// A value that is read back (case 28).
#[derive(Clone, Debug)]
struct ReadBack {
    /// The field of the rubric whose value it is.
    field: String,
    /// Whether the candidate has heard the value.
    is_heard: bool,
}

/// Whether we offered to leave the question out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Leaving {
    #[default]
    Absent,
    /// "We can also leave this one out": a bare yes may answer the question itself.
    Offered,
    /// They were asked whether to, with yes or no.
    Asked,
}

/// The open questions for the candidate's next words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Awaited {
    stop: StopQuestion,
    /// The value that is read back.
    read_back: Option<ReadBack>,
    /// The turn that we answered by saying which language we speak.
    language: Option<TurnId>,
    leaving: Leaving,
    /// Whether they are asked if we go on with what is open.
    goes_on: bool,
}

impl Awaited {
    /// What follows from what was meant by `turn`.
    pub(crate) fn reaction(&self, turn: Option<TurnId>, meant: Meant) -> Reaction {
        let found = self.top_down(turn).find_map(|awaiting| rule(awaiting, meant));
        found.expect("the table has a row for everything where an answer is awaited")
    }

    /// What is awaited of `turn`, the uppermost first.
    fn top_down(&self, turn: Option<TurnId>) -> impl Iterator<Item = Awaiting> {
        let stop = match self.stop {
            StopQuestion::Absent => None,
            StopQuestion::Begun => Some(Awaiting::StopQuestion),
            StopQuestion::Asked => Some(Awaiting::ConfirmStop),
        };
        let language = self.is_language_of(turn).then_some(Awaiting::Language);
        let read_back = self.read_back.as_ref().map(|value| match value.is_heard {
            true => Awaiting::ReadBack,
            false => Awaiting::Value,
        });
        let goes_on = self.goes_on.then_some(Awaiting::GoOn);
        let leaving = match self.leaving {
            Leaving::Absent => None,
            Leaving::Offered => Some(Awaiting::SkipOffer),
            Leaving::Asked => Some(Awaiting::Leave),
        };
        let all = [stop, language, read_back, goes_on, leaving, Some(Awaiting::Answer)];
        all.into_iter().flatten()
    }

    /// What is awaited uppermost, of a turn that is not the next one after we said which language we speak.
    pub(crate) fn uppermost(&self) -> Awaiting {
        self.top_down(None).next().expect("an answer is always awaited")
    }

    /// Whether they are being asked if they want to end the interview, or are about to be.
    pub(crate) fn settles_stop(&self) -> bool {
        self.stop != StopQuestion::Absent
    }

    /// Whether that question was cut off before it began.
    pub(crate) fn is_stop_unasked(&self) -> bool {
        self.stop == StopQuestion::Begun
    }

    /// Whether that question was asked.
    pub(crate) fn is_stop_asked(&self) -> bool {
        self.stop == StopQuestion::Asked
    }

    /// They will be asked whether they want to end the interview, once the words before that are said.
    pub(crate) fn begin_stop(&mut self) {
        self.stop = StopQuestion::Begun;
    }

    /// They are asked whether they want to end the interview.
    pub(crate) fn ask_stop(&mut self) {
        self.stop = StopQuestion::Asked;
    }

    /// Nobody asks any more whether they want to end the interview.
    pub(crate) fn drop_stop(&mut self) {
        self.stop = StopQuestion::Absent;
    }

    /// The field whose value was read back.
    pub(crate) fn read_back(&self) -> Option<&str> {
        self.read_back.as_ref().map(|value| value.field.as_str())
    }

    /// Whether a value is read back that was not heard yet.
    pub(crate) fn is_value_unheard(&self) -> bool {
        self.read_back.as_ref().is_some_and(|value| !value.is_heard)
    }

    /// The candidate has heard the value that is read back.
    pub(crate) fn hear_value(&mut self) {
        self.read_back.iter_mut().for_each(|value| value.is_heard = true);
    }

    /// The value of a field is read back.
    pub(crate) fn begin_read_back(&mut self, field: String) {
        self.read_back = Some(ReadBack { field, is_heard: false });
    }

    /// A value that was read back is not confirmed any more. Gives its field.
    pub(crate) fn end_read_back(&mut self) -> Option<String> {
        self.read_back.take().map(|value| value.field)
    }

    /// Whether we said which language we speak.
    pub(crate) fn was_language_said(&self) -> bool {
        self.language.is_some()
    }

    /// Whether we said it just before `turn`.
    pub(crate) fn is_language_of(&self, turn: Option<TurnId>) -> bool {
        let before = turn.and_then(|id| id.0.checked_sub(1)).map(TurnId);
        before.is_some() && before == self.language
    }

    /// We answer `turn` by saying which language we speak.
    pub(crate) fn say_language(&mut self, turn: TurnId) {
        self.language = Some(turn);
    }

    /// We offer to skip the question.
    pub(crate) fn offer_skip(&mut self) {
        self.leaving = Leaving::Offered;
    }

    /// They are asked whether the question is left out.
    pub(crate) fn ask_to_leave(&mut self) {
        self.leaving = Leaving::Asked;
    }

    /// Whether they are asked that.
    pub(crate) fn asks_to_leave(&self) -> bool {
        self.leaving == Leaving::Asked
    }

    /// Whether we offered to leave the question out, in whatever words.
    pub(crate) fn is_leaving_offered(&self) -> bool {
        self.leaving != Leaving::Absent
    }

    /// Whether the question is left out is not asked any more: they go on with it.
    pub(crate) fn stay(&mut self) {
        if self.leaving == Leaving::Asked {
            self.leaving = Leaving::Absent;
        }
    }

    /// They are asked whether to go on with what is open.
    pub(crate) fn ask_to_go_on(&mut self) {
        self.goes_on = true;
    }

    /// Whether they are asked that.
    pub(crate) fn asks_to_go_on(&self) -> bool {
        self.goes_on
    }

    /// They have answered that.
    pub(crate) fn settle_going_on(&mut self) {
        self.goes_on = false;
    }

    /// Another question is asked: nothing is open that belongs to the one before it.
    pub(crate) fn begin_question(&mut self) {
        (self.leaving, self.goes_on) = (Leaving::Absent, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATEMENT: Meant = Meant::Statement { is_unclear: false, is_foreign: false };
    const UNCLEAR: Meant = Meant::Statement { is_unclear: true, is_foreign: false };
    const FOREIGN: Meant = Meant::Statement { is_unclear: true, is_foreign: true };

    /// A01, cases 5, 12, 19, 27, 28 and 40: what a yes, a no, a wish and anything else lead to, by what waits
    /// for it.
    #[test]
    fn what_is_meant_depends_on_what_is_awaited() {
        let answer = Awaited::default();
        let mut begun = answer.clone();
        begun.begin_stop();
        let mut asked = answer.clone();
        asked.ask_stop();
        let mut read_back = answer.clone();
        let mut unheard = answer.clone();
        unheard.begin_read_back("start".to_owned());
        assert_eq!(unheard.reaction(None, Meant::Yes), Reaction::AskAgain);
        assert_eq!(unheard.reaction(None, Meant::No), Reaction::ReopenField);
        assert_eq!(unheard.reaction(None, STATEMENT), Reaction::Follow);
        read_back.begin_read_back("start".to_owned());
        read_back.hear_value();
        let mut language = answer.clone();
        language.say_language(TurnId(1));
        let all = [&answer, &begun, &asked, &read_back, &language];
        use Reaction::*;
        let patient = [WaitSilently, SayTakeYourTime, SayTakeYourTime, WaitSilently, WaitSilently];
        // Whoever asks again has the time again (T03).
        let patient_again = [SayTakeYourTime, AskAgain, AskAgain, SayTakeYourTime, SayTakeYourTime];
        for (meant, wanted) in [
            (Meant::Stop, [ConfirmStop, LetGo, LetGo, ConfirmStop, ConfirmStop]),
            (Meant::Yes, [Follow, AskAgain, LetGo, Follow, AskAgain]),
            (Meant::No, [Follow, GoOn, GoOn, ReopenField, Follow]),
            (Meant::Distress, [ConfirmStopInDistress; 5]),
            (Meant::FirstInsult, [Boundary; 5]),
            (Meant::Insult, [OfferEnd; 5]),
            (Meant::BreaksOff, patient),
            (Meant::NeedsTime, [SayTakeYourTime; 5]),
            (Meant::NeedsTimeAgain, patient_again),
            (Meant::Repeat, [Repeat; 5]),
            (Meant::Rephrase, [Rephrase; 5]),
            (Meant::Question(About::Human), [AnswerQuestion(About::Human); 5]),
            (Meant::Remark, [Follow, AskAgain, Follow, Follow, Follow]),
            (Meant::LeavesOpen, [Follow; 5]),
            (STATEMENT, [Follow, AskAgain, Follow, Follow, Follow]),
            (UNCLEAR, [Follow, AskAgain, AskAgain, Follow, Follow]),
            (FOREIGN, [SayLanguage, AskAgain, AskAgain, SayLanguage, SayLanguage]),
        ] {
            let found = all.map(|awaited| awaited.reaction(Some(TurnId(2)), meant));
            assert_eq!(found, wanted, "{meant:?}");
        }
    }

    /// T03, K03: a yes or no to a question about the course is one; all else is what it is to any question.
    #[test]
    fn the_course_is_settled_by_yes_and_no() {
        let (mut leave, mut go_on) = (Awaited::default(), Awaited::default());
        leave.ask_to_leave();
        go_on.ask_to_go_on();
        let reactions = |meant| [&leave, &go_on].map(|awaited| awaited.reaction(None, meant));
        assert_eq!(reactions(Meant::Yes), [Reaction::Follow, Reaction::GoFurther]);
        assert_eq!(reactions(Meant::No), [Reaction::SayTakeYourTime, Reaction::Close]);
        for meant in [Meant::Stop, Meant::BreaksOff, Meant::NeedsTimeAgain, STATEMENT, FOREIGN] {
            let usual = Awaited::default().reaction(None, meant);
            assert_eq!(reactions(meant), [usual; 2], "{meant:?}");
        }
    }

    /// Cases 19, 27 and 28: what was asked last lies uppermost, and what lies below it waits on.
    #[test]
    fn what_waits_lies_above_one_another() {
        let mut awaited = Awaited::default();
        awaited.begin_read_back("start".to_owned());
        awaited.hear_value();
        awaited.say_language(TurnId(4));
        awaited.offer_skip();
        awaited.ask_stop();
        let turn = Some(TurnId(5));
        assert_eq!(awaited.reaction(turn, Meant::No), Reaction::GoOn);
        assert_eq!(awaited.uppermost(), Awaiting::ConfirmStop);
        awaited.drop_stop();
        assert_eq!(awaited.reaction(turn, Meant::Yes), Reaction::AskAgain);
        assert_eq!(awaited.reaction(turn, Meant::No), Reaction::ReopenField);
        // A turn later the language is no matter.
        assert_eq!(awaited.reaction(Some(TurnId(6)), Meant::Yes), Reaction::Follow);
        assert_eq!(awaited.uppermost(), Awaiting::ReadBack);
        assert_eq!(awaited.end_read_back().as_deref(), Some("start"));
        assert_eq!(awaited.uppermost(), Awaiting::SkipOffer);
        awaited.begin_question();
        assert_eq!(awaited.uppermost(), Awaiting::Answer);
    }
}
