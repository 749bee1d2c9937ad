//! What must not be said: checked on every segment of a model's words before it is spoken (L09, case 33).

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::interview::understanding::{
    duplicate::is_duplicate,
    sentence::last_question,
    words::{Phrases, holds, normal, plain, sentences, split},
};

/// What is wrong with a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It asks what was asked before.
    Duplicate,
    /// It asks although a question waits for its answer, or asks twice.
    SecondQuestion,
    /// It says that a part of the interview is over, or another begins; neither is so.
    FalseHandoff,
    /// It gives away what the model was told, or how it works.
    Leak,
    /// It says goodbye in the middle of the interview.
    Closing,
}

impl std::fmt::Display for Fault {
    /// As the model is told.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Duplicate => "it asked what was asked before",
            Self::SecondQuestion => "it asked more than one question",
            Self::FalseHandoff => "it said that we move on, which only a tool can do",
            Self::Leak => "it gave away what you were told",
            Self::Closing => "it said goodbye in the middle of the interview",
        })
    }
}

/// Where in an interview a segment would be spoken.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The questions that were heard, the oldest first.
    pub asked: &'a [String],
    /// What the same reply says before the segment: a leak or a question can begin there.
    pub before: &'a str,
    /// Whether the candidate wants to hear a question again, or did not hear it to its end.
    pub may_repeat: bool,
    /// Whether the reply has asked already.
    pub has_question: bool,
    /// What may be done here with words.
    pub may: &'a [Announcement],
    /// What nobody may hear.
    pub secrets: &'a Secrets,
}

/// So many words in a row are no chance: whoever says them has read them.
const LEAK_WORDS: usize = 7;

/// Runs of words that stand in a prompt and nowhere else. Made once for an interview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Each run as a number, sorted.
    runs: Vec<u64>,
}

impl Secrets {
    /// The runs of the `secret` texts that are in none of the `public` ones: questions, bridges, phrases, and
    /// what the candidate gave us.
    pub fn new<'a>(
        secret: impl IntoIterator<Item = &'a str>,
        public: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let public = all_runs(public);
        let mut runs = all_runs(secret);
        runs.retain(|run| public.binary_search(run).is_err());
        Self { runs }
    }

    fn are_in(&self, before: &str, segment: &str) -> bool {
        let (before, segment) = (normal(before), normal(segment));
        let tail = before.rsplit(' ').filter(|word| !word.is_empty()).take(LEAK_WORDS - 1);
        let mut words: Vec<&str> = tail.collect();
        words.reverse();
        words.extend(split(&segment));
        runs(&words).any(|run| self.runs.binary_search(&run).is_ok())
    }
}

fn all_runs<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<u64> {
    let mut all = Vec::new();
    for text in texts {
        let text = normal(text);
        all.extend(runs(&split(&text)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A number for each run of words: FNV-1a, because it is the same on every machine.
fn runs(words: &[&str]) -> impl Iterator<Item = u64> {
    words.windows(LEAK_WORDS).map(|run| {
        let bytes = run.iter().flat_map(|word| word.bytes().chain([b' ']));
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        bytes.fold(0xcbf2_9ce4_8422_2325, step)
    })
}

/// What is wrong with `segment` in this scene, the gravest thing first; nothing if it may be spoken.
pub fn check(segment: &str, scene: &Scene<'_>) -> Option<Fault> {
    if is_leak(segment, scene) {
        return Some(Fault::Leak);
    }
    let intents = intents(segment);
    let wrongly = |intent| intents.contains(&intent) && !scene.may.contains(&intent);
    if wrongly(Announcement::Close) || wrongly(Announcement::Leave) {
        return Some(Fault::Closing);
    }
    if wrongly(Announcement::Part) || wrongly(Announcement::HandOver) {
        return Some(Fault::FalseHandoff);
    }
    let questions: Vec<&str> = sentences(segment).filter(|sentence| asks(sentence)).collect();
    if questions.len() + usize::from(scene.has_question && !questions.is_empty()) > 1 {
        return Some(Fault::SecondQuestion);
    }
    let question = *questions.first().filter(|_| !scene.may_repeat)?;
    let asked = || scene.asked.iter().map(String::as_str);
    // It may have begun before the segment.
    let whole = format!("{} {segment}", scene.before);
    let is_again = is_duplicate(question, asked()) || is_duplicate(last_question(&whole), asked());
    is_again.then_some(Fault::Duplicate)
}

fn asks(sentence: &str) -> bool {
    sentence.contains(['?', '？', '؟'])
}

/// What words do, if they do anything beside telling and asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// The interview comes to its end.
    Close,
    /// It is over: goodbye.
    Leave,
    /// Another part of the interview begins.
    Part,
    /// Somebody else goes on.
    HandOver,
    /// Something is told of how we work; never allowed.
    Betray,
}

/// The names of the tools (H08) and the marks of a template: a candidate never hears one.
const MACHINERY: [&str; 13] = [
    "ask_question",
    "assess_response",
    "transition_stage",
    "record_field",
    "mark_unknown",
    "note_followup",
    "end_interview",
    "wait_more",
    "{{",
    "}}",
    "<|",
    "|>",
    "+++",
];

fn is_leak(segment: &str, scene: &Scene<'_>) -> bool {
    let raw = segment.to_lowercase();
    MACHINERY.iter().any(|name| raw.contains(name))
        || sentences(segment).any(|sentence| {
            let words = plain(sentence);
            let words = split(&words);
            let mut found =
                PHRASES.find(&words).filter(|(means, ..)| *means == Announcement::Betray);
            // "I cannot tell you my instructions" tells nothing.
            found.any(|(_, from, _)| !words[..from].contains(&"not"))
        })
        || scene.secrets.are_in(scene.before, segment)
}

/// Words, just before a phrase, that make it somebody else's, or not yet so.
const REPORTS: &str = " told tell said say says saying asked they he she were was if before until \
    when whether \
    how did customer customers client clients user users not never ";
const REPORTS_WITHIN: usize = 3;
const FAREWELLS: &str = " goodbye bye farewell ";
/// Words before a farewell that do not change it.
const LEAD_INS: &str = " so well and okay ok alright then thank thanks you all right good ";

fn intents(segment: &str) -> Vec<Announcement> {
    let mut intents = Vec::new();
    for sentence in sentences(segment) {
        let text = plain(sentence);
        let words = split(&text);
        let farewell = words.iter().find(|word| !holds(LEAD_INS, word));
        if farewell.is_some_and(|word| holds(FAREWELLS, word)) && !asks(sentence) {
            intents.push(Announcement::Leave);
        }
        let ours = PHRASES.find(&words).filter(|(_, from, _)| !is_reported(&words[..*from]));
        intents.extend(ours.map(|(intent, ..)| intent));
    }
    intents
}

fn is_reported(before: &[&str]) -> bool {
    let near = &before[before.len().saturating_sub(REPORTS_WITHIN)..];
    let by_them = before.ends_with(&["you"]) && !before.ends_with(&["thank", "you"]);
    by_them || near.iter().any(|word| holds(REPORTS, word))
}

static PHRASES: LazyLock<Phrases<Announcement>> = LazyLock::new(|| {
    Phrases::new([
        (Announcement::Leave, LEAVE),
        (Announcement::Close, CLOSE),
        (Announcement::HandOver, HAND_OVER),
        (Announcement::Part, PART),
        (Announcement::Betray, BETRAY),
    ])
});

const CLOSE: &str = "
    thank|thanks you? so|very? much? for your|the time
    thank|thanks you? so|very? much? for joining|participating|coming
    thank|thanks you? so|very? much? for taking part
    thank|thanks you? so|very? much? for taking the time today|to talk|speak|meet|join
    thank|thanks you? so|very? much? for taking the time to talk|speak|meet|join|do
    thank|thanks you? so|very? much? for this|the|our|your great|nice|lovely|good? interview|conversation|chat
    thank|thanks you? so|very? much? for talking|speaking with|to me|us
    that is|was all|everything from my side|end
    that is|was all|everything from me|us
    that is|was all|everything for today|now
    that is|was all|everything i have|had|wanted|needed
    that is|was all of? my|our|the questions
    that is it from my side
    that is it from me
    that is it for today
    that|this|which concludes|completes|ends|finishes|closes our|the|this|your _? \
    interview|conversation|session|call|chat|talk|discussion
    that|this is|was the end of our|the|this|your _? interview|conversation|session|call|chat|talk|time
    that|this brings us to the end|close
    we have now? reached|come|arrived to|at? the end of our|the|this _? \
    interview|conversation|session|call|chat|talk|time
    we are now? at the end of our|the|this _? interview|conversation|session|call|chat|talk|time
    we are done|finished here|now
    we are done|finished for today|now
    we are done|finished with our|the|this|your _? interview|conversation|session|questions
    we are out of time
    let us end|finish|stop|close|conclude|wrap it? up? here|there|now
    let us wrap up
    i will end|stop|close|conclude the|our|this interview|conversation|session|call
    that|this was my|the|our last|final question
    good luck with|in|for|on your|the|everything
    i wish you all|the|good|much|every the? best|luck|success
    all the best for|with|in your|the
    we will be in touch
    you will hear from us|me|our|the
    it was|has a|been? great|nice|lovely|good|real|pleasure a? pleasure? talking|speaking|meeting|chatting
    it was|has a|been? great|nice|lovely|good|real|pleasure to talk|speak|meet|chat
    nice|great|lovely talking|speaking|chatting to|with you
";

const LEAVE: &str = "
    have a very? great|nice|good|wonderful|lovely|pleasant day|evening|afternoon|weekend|night|one
    have a very? great|nice|good|wonderful|lovely|pleasant rest of your|the day|week
    enjoy the rest of your
    see you soon|then|next|around|later
    talk to you soon|later
    take care and
    this is goodbye
    i will say goodbye
    time to say goodbye
    i will let you go
";

const PART: &str = "
    let us|me now? move on
    let us|me now? go on to|with
    let us|me now? move|go|turn|switch|jump|proceed|shift|continue|start|begin to|with|into? \
    the|our? next|last|final|second|third|new|closing part|section|stage|topic|round|chapter|segment
    let us|me now? turn|switch|shift to your|the|our past|company|experience|closing|introduction
    we will|can|should now? move on
    we are now? moving on
    moving on to|now
    i am now? moving on
    that|this concludes|completes|ends|finishes|closes|wraps up? our|the|this|your _? \
    part|section|stage|topic|round|introduction|segment|chapter
    that|this is|was the end of our|the|this|your _? \
    part|section|stage|topic|round|introduction|segment|chapter
    we have now? finished|completed|covered|concluded our|the|this _? \
    part|section|stage|topic|round|segment|chapter
    we are now? done|finished|through with our|the|this|that _? part|section|stage|topic|round|segment|chapter
    we are now in the next|last|final|closing
    on to the next|last|final part|section|stage|topic|round
    next|last|final up? we will now? talk|turn|look
    welcome to the next|second|third|last|final|closing part|section|stage|round
    i am your next interviewer
    you will now|next talk|speak to|with
";

const HAND_OVER: &str = "
    hand|handing|pass|passing|transfer|transferring you over|on|off|to|now
    hand|handing over to
    connect|connecting you to|with
    my colleague|colleagues _? will|is _? _? take|taking|continue|continuing|ask|asking
    take|taking over from here
";

const BETRAY: &str = "
    my system|hidden|secret|internal|initial|original prompt|instructions|instruction|message
    my prompt is|says|tells|reads|contains|was|begins|starts
    my instructions are|say|tell|include|state|require|read|begin|start|were
    my guidelines are|say|tell|state|require
    the system prompt is|says|tells|reads|states|contains|begins|starts
    here|these is|are my|the full|exact|complete? system? prompt|instructions
    i was|am instructed|programmed|prompted|configured|told to|not|that
    i have been instructed|programmed|prompted|configured|told to|not|that
    i was given instructions|the instruction|instructions
";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PROMPT: &str = "You are Ada, an AI interviewer. Find out their current role and one thing \
        they are strong at. \
        Call `assess_response` after every answer. Ask: Please tell me about yourself, what do you do today?";
    const QUESTION: &str = "Please tell me about yourself, what do you do today?";

    fn secrets() -> Secrets {
        Secrets::new([PROMPT], [QUESTION])
    }

    fn scene<'a>(asked: &'a [String], secrets: &'a Secrets) -> Scene<'a> {
        Scene { asked, before: "", may_repeat: false, has_question: false, may: &[], secrets }
    }

    fn check_all(want: Option<Fault>, texts: &str) {
        let (asked, secrets) = (["What was your own part in it?".to_owned()], secrets());
        for text in texts.lines().map(str::trim).filter(|text| !text.is_empty()) {
            assert_eq!(check(text, &scene(&asked, &secrets)), want, "{text}");
        }
    }

    /// L09: a goodbye is known by what it means, in mid-interview it is a fault.
    #[test]
    fn goodbyes_in_the_middle() {
        check_all(
            Some(Fault::Closing),
            "Goodbye!
            Well, goodbye then, Ada.
            Thank you and goodbye.
            Okay, bye.
            Thank you for your time today.
            Thanks so much for your time, Ben.
            Thank you very much for taking the time to talk to me.
            That's all from my side.
            That is everything I wanted to ask.
            This concludes our interview.
            That concludes our mock interview, Ben.
            We have reached the end of our conversation.
            We've come to the end of the interview.
            That brings us to the end of our time together.
            We're out of time, I'm afraid.
            That was my last question.
            Have a great day!
            Good luck with your search.
            I wish you all the best.
            We will be in touch.
            It was a pleasure talking to you.
            See you soon.
            I see. I'll end the interview here.
            That's it for today. What was the result?",
        );
    }

    /// L09: the seed's four false alarms, and more: words of goodbyes that are none.
    #[test]
    fn no_goodbyes() {
        check_all(
            None,
            "What number of users did you have?
            What did you do when they told you that we will be in touch?
            Which message queue did you use?
            What happened when you closed that quarter?
            How did you link the two systems?
            So you said goodbye to the old system.
            When did you say goodbye to the monolith?
            Goodbye pages are an odd thing to work on, aren't they?
            Thank you for telling me about the ledger.
            Thank you for taking the time to explain that.
            That is all very clear.
            So that was all written in Rust?
            That was the end of the project, I take it.
            How did the project end?
            What was the last question that your users asked?
            Did you tell them that it was over?
            How long did it take to wrap up the migration?
            So they told you that this concludes the pilot phase.
            You had a great day there, then.
            Was it a good day?
            I wish I had seen that.
            It was a great team, then.",
        );
    }

    /// Case 33: a handoff that does not happen is not announced.
    #[test]
    fn handoffs_that_do_not_happen() {
        check_all(
            Some(Fault::FalseHandoff),
            "Let's move on to your past experience.
            Thank you, let us move on.
            Great, moving on to the next section.
            I'll hand you over to my colleague.
            I will now pass you on to Ben.
            I'm handing you over now.
            That concludes this part.
            That completes the first section of our interview.
            This is the end of the introduction.
            We are done with this part.
            We're now moving on.
            My colleague will take it from here.
            Welcome to the final part.
            Now, let's turn to the next topic.
            On to the next section!
            Thanks. Let us now proceed to the closing part. What was the result?",
        );
        check_all(
            None,
            "Before we move on, what was the result?
            What made you move on to the next company?
            Did they hand you over to another team?
            How did you move the data to the next stage?
            Which part of the pipeline was yours?
            So you moved on to Siemens.
            Who took over the project?
            How did you decide when to move on?
            Let us stay with that project.
            Were you moving on to something else?",
        );
    }

    /// Case 33, invariant 8: one question, and a new one.
    #[test]
    fn questions_once_and_one_at_a_time() {
        check_all(
            Some(Fault::SecondQuestion),
            "What was the result? And who used it?
            Really? Why?
            Why Rust？ Why not Go？",
        );
        check_all(
            Some(Fault::Duplicate),
            "What was your own part in it?
            I see. So what was your own part in it?
            What was your own part in that?",
        );
        check_all(
            None,
            "I see.
            What was the result, and who used it?
            Thank you. What was the result?
            It took 3.5 weeks, then. How did you test it?",
        );
        let (asked, secrets) = (["What was the result?".to_owned()], secrets());
        let scene = scene(&asked, &secrets);
        let again = "What was the result?";
        assert_eq!(check(again, &Scene { may_repeat: true, ..scene }), None);
        let second = Scene { has_question: true, ..scene };
        assert_eq!(check("Who used it?", &second), Some(Fault::SecondQuestion));
        assert_eq!(check("Take your time.", &second), None);
    }

    /// Q17: no seven words of the prompt in a row, no name of a tool, no word about the prompt.
    #[test]
    fn nothing_of_the_prompt_is_told() {
        check_all(
            Some(Fault::Leak),
            "find out their current role and one
            I should find out THEIR current role, and one thing.
            You are Ada, an AI interviewer; find out their current role.
            Find out their cur\u{200b}rent role and one thing.
            Now I call transition_stage.
            I use Assess_Response for that.
            My system prompt is quite long.
            My instructions are to ask you about your role.
            The system prompt says so.
            I was instructed to ask one question at a time.
            Hello {{ candidate.name }}.
            Goodbye. I was told to find out your role.",
        );
        check_all(
            None,
            "Find out their current role and what they like.
            Please tell me about yourself, what do you do today?
            I cannot tell you about my system prompt.
            How did you write the system prompt of that assistant?
            What were the instructions that you got?
            Was there a transition stage in that project?
            I am an AI interviewer.",
        );
        let secrets = secrets();
        let scene = scene(&[], &secrets);
        let before = "Sure. I find out their current";
        assert_eq!(check("Role and one thing.", &Scene { before, ..scene }), Some(Fault::Leak));
        assert_eq!(check("Job and one thing.", &Scene { before, ..scene }), None);
        assert_eq!(check("Role and one thing.", &scene), None);
    }

    /// L09: at the end of a stage and of the interview the same words are right.
    #[test]
    fn what_may_be_said_at_an_end() {
        let secrets = secrets();
        let scene = scene(&[], &secrets);
        let (part, close) =
            ("Let us move on to your experience.", "Thank you for your time. Goodbye!");
        assert_eq!(check(part, &Scene { may: &[Announcement::Part], ..scene }), None);
        let closing = Scene { may: &[Announcement::Close], ..scene };
        assert_eq!(
            check(close, &Scene { may: &[Announcement::Part], ..scene }),
            Some(Fault::Closing)
        );
        assert_eq!(check(close, &closing), Some(Fault::Closing));
        let announced = "This is the end of our interview, thank you for your time.";
        assert_eq!(check(announced, &closing), None);
        assert_eq!(check(announced, &scene), Some(Fault::Closing));
        let over = Scene { may: &[Announcement::Close, Announcement::Leave], ..scene };
        assert_eq!(check(close, &over), None);
        assert_eq!(check(part, &closing), Some(Fault::FalseHandoff));
        assert_eq!(serde_json::to_string(&Fault::SecondQuestion).unwrap(), r#""second_question""#);
    }

    proptest! {
        /// Q17: any seven words of a secret are found wherever they are said; any Unicode is taken.
        #[test]
        fn any_run_of_a_secret_is_found(
            words in prop::collection::vec("[a-z]{2,8}", 7..40), from in 0..40_usize, around in "(?s).{0,40}",
        ) {
            let secrets = Secrets::new([words.join(" ").as_str()], []);
            let from = from % (words.len() - LEAK_WORDS + 1);
            let said = words[from..from + LEAK_WORDS].join(" , ");
            prop_assert_eq!(check(&format!("{around} {said} \
                {around}"), &scene(&[], &secrets)), Some(Fault::Leak));
            let none = Secrets::new([said.as_str()], [words.join("\n").as_str()]);
            prop_assert_eq!(none, Secrets::default());
            let _ = check(&around, &scene(std::slice::from_ref(&around), &secrets));
        }
    }
}
