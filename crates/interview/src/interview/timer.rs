//! Timers: the reasons for a deadline of an interview.

/// The reason for a deadline, so that a log line or a test can name it. In the order in which
/// deadlines of the same instant fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// When nobody has said at once what words mean.
    Reading,
    /// When a pause has lasted long enough to end the candidate's turn.
    Endpointing,
    /// When somebody in the middle of a sentence is told to take their time.
    SoftPrompt,
    /// When a candidate who does not stop is interrupted.
    TurnLimit,
    /// When a candidate who has not spoken is nudged, helped or passed over.
    Silence,
    /// When a candidate has been muted for so long that their silence counts.
    Muted,
    /// When our sound goes on after a false interruption.
    Resume,
    /// When a filler is said before a reply that takes long (case 31).
    Filler,
    /// When a reply that has made no sound is replaced by a template.
    ReplyStall,
    /// When a reply that has started does not go on.
    PlayoutStall,
    /// When a part of a stage's time is over.
    Milestone,
    /// When the time limit of a stage passes.
    StageLimit,
    /// When the time limit of the interview passes.
    InterviewLimit,
    /// When the interviewer interrupts in a gap, long after a limit.
    CutInGap,
    /// When the interviewer interrupts without a gap, or says goodbye whatever is going on.
    CutIn,
    /// When a goodbye is given up.
    Goodbye,
    /// When an absent candidate, or a cut line, is given up.
    Away,
    /// When a candidate who never came is given up.
    NoShow,
}

impl Timer {
    /// Whether the timer depends on the candidate's sound: it fires when the sound has been processed up to
    /// it, or 200 ms later at the latest.
    pub fn depends_on_sound(self) -> bool {
        match self {
            Self::Endpointing
            | Self::SoftPrompt
            | Self::TurnLimit
            | Self::Silence
            | Self::Resume
            | Self::Filler
            | Self::StageLimit
            | Self::InterviewLimit
            | Self::CutInGap
            | Self::CutIn => true,
            Self::Reading
            | Self::ReplyStall
            | Self::PlayoutStall
            | Self::Milestone
            | Self::Muted
            | Self::Goodbye
            | Self::Away
            | Self::NoShow => false,
        }
    }
}
