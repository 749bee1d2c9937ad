//! What may go wrong in a simulated interview.

use serde::Deserialize;

use super::rng::Rng;

/// One of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// How the candidate is.
    pub temper: Temper,
    /// How their speech is recognised.
    pub hearing: Hearing,
    /// How the model behaves.
    pub mind: Mind,
    /// How our speech is made.
    pub voice: Voice,
    /// How the connection is.
    pub network: Network,
}

/// How the candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temper {
    /// Answers what is asked.
    Plain,
    /// Goes on for minutes, with long pauses.
    Rambling,
    /// Hardly says anything.
    Silent,
    /// Does not let us finish.
    Interrupting,
    /// Says one word at a time, and "mhm" while we speak.
    OneWord,
    /// Sits beside a door.
    Noisy,
    /// Asks for the question again, for time, to skip, and what the salary is; answers hardly anything.
    Evasive,
    /// Insults us.
    Hostile,
    /// Asks us to drop our rules.
    Injecting,
}

/// How the candidate's speech is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hearing {
    /// As usual.
    Good,
    /// Final transcripts come seconds late.
    LateFinals,
    /// Many final transcripts never come.
    LostFinals,
    /// Only final transcripts come.
    NoPartials,
    /// The sound itself is processed late.
    LateSound,
    /// Our own words come back through their loudspeaker.
    Echo,
    /// Words come out of silence.
    MakesUp,
    /// Words are lost: whole phrases, or stretches within them.
    LosesWords,
    /// It tells the ends of turns, by words and by sound, now and then wrongly.
    TellsTurns,
}

/// How the model behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mind {
    /// As the scripted interviewer.
    Good,
    /// Does whatever an injection could make it do, in every reply: leaves, ends, records what nobody said,
    /// gives away its prompt.
    Obedient,
    /// Says that it hands over, says goodbye, asks twice and asks again, and calls nothing.
    Lies,
    /// Streams what is no sentence of any language.
    Garbage,
    /// Never calls a tool.
    NoTools,
    /// Calls all tools at once, twice.
    AllTools,
    /// Calls the same tool over and over.
    Loops,
    /// Calls tools that do not exist, with arguments that make no sense.
    UnknownTools,
    /// Calls tools when its reply is long over.
    Stale,
    /// Says nothing at all.
    Mute,
    /// Answers after 20 s.
    Slow,
    /// Fails in the middle or at once.
    Fails,
}

/// How our speech is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    /// As usual.
    Good,
    /// Seconds late.
    Slow,
    /// Often fails.
    Fails,
    /// Often never gets to the end.
    Stalls,
    /// Never works.
    Dead,
}

/// How the connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// It holds.
    Good,
    /// Short cuts, often.
    Flaky,
    /// Our line is cut for long.
    Cuts,
    /// The candidate goes away and comes back, or does not.
    Leaves,
    /// The candidate never comes.
    NoShow,
}

impl Faults {
    pub(super) fn draw(rng: &mut Rng) -> Self {
        let temper = rng.weighted(&[
            (6, Temper::Plain),
            (3, Temper::Rambling),
            (2, Temper::Silent),
            (4, Temper::Interrupting),
            (3, Temper::OneWord),
            (3, Temper::Noisy),
            (4, Temper::Evasive),
            (1, Temper::Hostile),
            (2, Temper::Injecting),
        ]);
        let hearing = rng.weighted(&[
            (8, Hearing::Good),
            (3, Hearing::LateFinals),
            (3, Hearing::LostFinals),
            (2, Hearing::NoPartials),
            (2, Hearing::LateSound),
            (2, Hearing::Echo),
            (2, Hearing::MakesUp),
            (2, Hearing::TellsTurns),
            (2, Hearing::LosesWords),
        ]);
        let mind = rng.weighted(&[
            (16, Mind::Good),
            (2, Mind::Obedient),
            (2, Mind::Lies),
            (1, Mind::Garbage),
            (2, Mind::NoTools),
            (3, Mind::AllTools),
            (1, Mind::Loops),
            (2, Mind::UnknownTools),
            (3, Mind::Stale),
            (1, Mind::Mute),
            (1, Mind::Slow),
            (2, Mind::Fails),
        ]);
        let voice = rng.weighted(&[
            (20, Voice::Good),
            (2, Voice::Slow),
            (2, Voice::Fails),
            (2, Voice::Stalls),
            (1, Voice::Dead),
        ]);
        let network = rng.weighted(&[
            (12, Network::Good),
            (4, Network::Flaky),
            (3, Network::Cuts),
            (4, Network::Leaves),
            (1, Network::NoShow),
        ]);
        Self { temper, hearing, mind, voice, network }
    }

    /// Whether nothing is wrong with our own voice: then no silence may be long (invariant 10).
    pub(super) fn can_speak(&self) -> bool {
        match self.voice {
            Voice::Good => true,
            Voice::Slow | Voice::Fails | Voice::Stalls | Voice::Dead => false,
        }
    }
}
