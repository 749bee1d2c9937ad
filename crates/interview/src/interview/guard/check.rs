//! What must not be said: checked on every segment of a model's words before it is spoken (L09, case 33).

use serde::{Deserialize, Serialize};

pub use super::phrases::Announcement;
use super::phrases::tables;
use crate::interview::understanding::{
    duplicate::is_duplicate,
    sentence::last_question,
    words::{normal, plain, sentences, split},
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
    /// What nobody may hear in the whole interview.
    pub secrets: &'a Secrets,
    /// What the model was told for this reply and nobody may hear.
    pub told: &'a Secrets,
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
        Self { runs: all_runs(secret) }.without(public)
    }

    /// The same but for the runs of public texts.
    pub(crate) fn without<'a>(mut self, public: impl IntoIterator<Item = &'a str>) -> Self {
        let public = all_runs(public);
        self.runs.retain(|run| public.binary_search(run).is_err());
        self
    }

    /// Whether a run of them begins in `before` or in `segment`, and ends in `segment`.
    pub(crate) fn are_in(&self, before: &str, segment: &str) -> bool {
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
            tables().iter().any(|table| table.betrays(&words))
        })
        || [scene.secrets, scene.told].iter().any(|told| told.are_in(scene.before, segment))
}

/// What the words do, in any of the languages: a model may fall into another one.
fn intents(segment: &str) -> Vec<Announcement> {
    let mut intents = Vec::new();
    for sentence in sentences(segment) {
        let text = plain(sentence);
        let words = split(&text);
        for table in tables() {
            if table.is_farewell(&words) && !asks(sentence) {
                intents.push(Announcement::Leave);
            }
            intents.extend(table.announced(&words));
        }
    }
    intents
}

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
        let told = const { &Secrets { runs: Vec::new() } };
        Scene { asked, before: "", may_repeat: false, has_question: false, may: &[], secrets, told }
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

    /// L09: a goodbye is known in German and Italian, whatever the language of the interview.
    #[test]
    fn goodbyes_in_other_languages() {
        check_all(
            Some(Fault::Closing),
            "Auf Wiedersehen!
            Also gut, tschüss.
            Vielen Dank für Ihre Zeit, Frau Weber.
            Danke, dass Sie sich heute die Zeit genommen haben.
            Damit sind wir am Ende.
            Das war alles von meiner Seite.
            Damit ist unser Gespräch beendet.
            Das war meine letzte Frage.
            Wir melden uns bald bei Ihnen.
            Ich wünsche Ihnen noch einen schönen Tag.
            Es hat mich sehr gefreut, Sie kennenzulernen.
            Viel Erfolg bei Ihrer Suche!
            Arrivederci!
            Bene, grazie mille e arrivederci.
            Grazie mille per il suo tempo.
            La ringrazio molto per il suo tempo.
            Con questo si conclude il nostro colloquio.
            Siamo arrivati alla fine del colloquio.
            È tutto da parte mia.
            Questa era la mia ultima domanda.
            Le auguro una buona giornata.
            La contatteremo nei prossimi giorni.
            È stato un piacere conoscerla.",
        );
    }

    /// L09: a handoff that does not happen is known in German and Italian.
    #[test]
    fn handoffs_in_other_languages() {
        check_all(
            Some(Fault::FalseHandoff),
            "Kommen wir nun zum nächsten Teil.
            Lassen Sie uns jetzt zum letzten Abschnitt kommen.
            Damit ist dieser Teil abgeschlossen.
            Ich übergebe Sie jetzt an meine Kollegin.
            Ich verbinde Sie mit Herrn Maier.
            Meine Kollegin übernimmt ab hier.
            Passiamo alla prossima parte.
            Passiamo ora al prossimo argomento.
            Con questo concludiamo questa parte.
            Ora la passo al mio collega.
            Le passo una collega.
            Il mio collega continuerà da qui.",
        );
    }

    /// Q17: words about the instructions, and the rules themselves, are known in German and Italian.
    #[test]
    fn leaks_in_other_languages() {
        check_all(
            Some(Fault::Leak),
            "Meine Anweisungen sind, Sie nach Ihrer Rolle zu fragen.
            Mein Systemprompt lautet wie folgt.
            Ich wurde angewiesen, nur eine Frage zu stellen.
            Laut meinen Vorgaben frage ich nun nach Zahlen.
            Le mie istruzioni sono di farle una domanda alla volta.
            Il mio prompt dice di chiedere del suo ruolo.
            Sono stata programmata per fare domande.",
        );
    }

    /// L09: what only sounds alike is said.
    #[test]
    fn no_announcements_in_other_languages() {
        check_all(
            None,
            "Was haben Sie gemacht, als Sie sich von dem System verabschiedet haben?
            Wie lange hat es bis zum nächsten Teil der Umstellung gedauert?
            Wer hat das Projekt danach übernommen?
            Danke, das hilft mir weiter.
            Haben Ihre Kunden gesagt, wir melden uns bald?
            Das war alles sehr klar, danke.
            Welche Anweisungen hatten Sie damals?
            Ich kann Ihnen nicht sagen, was meine Anweisungen sind.
            Wie ist das Gespräch ausgegangen?
            Per quanto tempo è durato il progetto?
            Che cosa è successo nella prossima fase?
            Grazie, è molto chiaro.
            Chi ha preso il suo posto nel progetto?
            Quali istruzioni avevate?
            Non posso dirle quali sono le mie istruzioni.
            Quando ha detto arrivederci al vecchio sistema?",
        );
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
