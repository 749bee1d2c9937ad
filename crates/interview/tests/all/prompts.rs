//! What the model is told, as long as it really is.

use std::fs;

use interview::{
    Brief, Effect, Event, Intent, Interview, Speaker,
    blueprint::{Blueprint, Context, Kind, LEVELS, Roles},
    sim::scenario::{Played, play},
    time::SessionTime,
};
use tiktoken_rs::o200k_base_singleton;

use crate::scenarios::{self, files};

/// A prompt has so many tokens at most, on average.
const TOKENS_MEAN_MAX: usize = 2_500;

/// A05: all that the model reads, conversation and tools included, has 2,500 tokens at most on average, over
/// all replies of all scenarios and over the openings of all blueprints with the longest papers.
#[test]
fn prompts_are_short() {
    let replies = [told_in_scenarios(), told_at_openings()];
    for told in replies {
        let total: usize = told.iter().map(|brief| brief.length().total()).sum();
        assert!(told.len() > 10 && total / told.len() <= TOKENS_MEAN_MAX, "{total} {}", told.len());
    }
}

/// U04: what a recruiter suggests is told for the next question, as information; after that question it
/// is not.
#[test]
fn a_suggestion_is_told_for_the_next_question() {
    let told = |reply| brief("recruiter-suggests", reply).prompt.text();
    assert!(
        told(2).contains("<suggestion>Ask about Kafka, and  why .</suggestion>"),
        "{}",
        told(2)
    );
    assert!(told(3).contains("<suggestion>"), "its question may still be on its way: {}", told(3));
    assert!(!told(4).contains("<suggestion>"), "{}", told(4));
}

/// A05: four characters are one token, give or take a fifth, as a tokenizer of today counts.
#[test]
fn tokens_are_measured_well_enough() {
    let tokenizer = o200k_base_singleton();
    for told in [told_in_scenarios(), told_at_openings()] {
        let real: usize =
            told.iter().map(|brief| tokenizer.encode_ordinary(&brief.prompt.text()).len()).sum();
        let ours: usize = told.iter().map(|brief| brief.prompt.tokens()).sum();
        let share = ours as f64 / real as f64;
        assert!((0.8..=1.2).contains(&share), "{ours} for {real}: {share}");
    }
}

/// B04: a prompt holds the papers that its agent sees, cut to size, and no others.
#[test]
fn an_agent_sees_its_papers_only() {
    let both = |interview: &str, resume: bool, job_description: bool| {
        let text = opening(interview, "senior").prompt.text();
        assert_eq!(text.contains("<resume>"), resume, "{interview}: {text}");
        assert_eq!(text.contains("<job_description>"), job_description, "{interview}: {text}");
    };
    both("two-stage", true, false);
    both("mock-interview", false, false);
    both("rubric-screen", false, false);
}

/// B04, case 11: a paper is cut to size, and what is the same for longest comes first in each message.
#[test]
fn papers_have_an_end_and_a_place() {
    let prompt = opening("two-stage", "senior").prompt;
    let known = prompt.known();
    let resume = known.split("<resume>").nth(1).unwrap().split("</resume>").next().unwrap();
    assert!(resume.chars().count() <= 2_002, "{resume}");
    assert!(known.find("# Papers") < known.find("# Memory"), "{known}");
    let ours = prompt.instructions();
    assert!(ours.find("# Focus") < ours.find("# Context"), "{ours}");
    assert!(!ours.contains("<resume>") && !known.contains("# Identity"), "{ours}\n{known}");
}

/// A04, A05, A06, B05, H07, H08, H11, L09, T06: what is known, asked, refused and called for stands in the
/// prompt, and what is settled or over does not.
#[test]
fn the_model_is_told_what_it_needs() {
    let told = "what-the-model-is-told";
    for (scenario, reply, wanted) in [
        (told, 2, "- current_role: What they do today, and where\n"),
        (told, 2, "What matters for this role: technical architecture, "),
        (told, 2, "At this level: "),
        (told, 3, "A tool call of yours was refused: find out first: current_role, years"),
        (told, 3, "A tool call of yours was refused: there is no tool `hire`"),
        (
            told,
            3,
            "could not be spoken: it said goodbye in the middle of the interview.\nKeep it short",
        ),
        (told, 4, "it asked what was asked before.\nWrite one new question and nothing else."),
        (told, 5, "Known, do not ask again:\n<facts>\n- b\n"),
        (told, 5, "- They lead twelve people.\n"),
        (told, 5, "They corrected themselves:\n<corrections>\n- 2021, not 2019\n"),
        (told, 5, "- What they do today, and where: lead of billing\n"),
        (told, 5, "Perhaps worth following: what is marked as `thread`."),
        (told, 5, "<thread>what made it hard</thread>"),
        (told, 5, "# Guards\nThey speak another language: answer in English."),
        (told, 5, "Asked already:\n<asked>\n- What is your current role?\n- How many years"),
        (told, 8, "They speak like this: brief.\nThey seem tired: be brief."),
        ("calls-out-of-place", 6, "Greeting: They said: \"yes I am ready\"."),
        ("calls-out-of-place", 6, "That is plenty: ask one short clarifying question"),
        ("calls-out-of-place", 6, "Call `assess_response` first. If this part has what it needs"),
        ("milestones", 3, "90 % of the time of this part is over"),
    ] {
        let text = brief(scenario, reply).prompt.text();
        assert!(text.contains(wanted), "{scenario} #{reply} lacks {wanted:?}:\n{text}");
    }
    let text = brief(told, 5).prompt.text();
    for gone in ["They like tea", "current_role", "was refused"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
    assert_eq!(text.matches("What is your current role?").count(), 1, "{text}");
    assert_eq!(brief(told, 3).prompt.text().matches("was refused").count(), 4, "the latest");
}

/// H08, X03: a reply has the tools that make sense in it.
#[test]
fn a_reply_has_its_tools() {
    let tools = |scenario, reply| brief(scenario, reply).tools;
    assert_eq!(
        tools("rubric", 7),
        ["ask_question", "transition_stage", "record_field", "mark_unknown",]
    );
    assert!(tools("rubric", 2).contains(&"record_field"));
    assert!(tools("two-stage", 2).contains(&"assess_response"));
    assert!(!tools("two-stage", 2).contains(&"record_field"), "there is no rubric");
    for (scenario, reply) in [("rubric", 1), ("rubric", 8), ("what-the-model-is-told", 4)] {
        assert_eq!(tools(scenario, reply), [""; 0], "{scenario} #{reply}");
    }
}

/// Q02: what the model is told a second later is the same, so that a reply that was begun ahead can be used.
#[test]
fn a_second_changes_no_prompt() {
    let told = |answered: u32| {
        let text = format!(
            "with two-stage\n00:00.200 > joined\n00:00.600 > #1 speaks (3s): What do you do?\n\
             00:0{}.{:03} > answers (1s): I keep ledgers.\n00:12.000 > tick\n",
            answered / 1_000,
            answered % 1_000
        );
        let briefs = play(&text, |name| Some(files(name))).unwrap().briefs;
        briefs.last().unwrap().2.prompt.text()
    };
    assert!(told(5_000).contains("Time: 0:00 of 10:00 of the interview"), "{}", told(5_000));
    for later in [5_250, 5_500, 5_750, 6_000] {
        assert_eq!(told(later), told(5_000));
    }
}

/// A05: of a long conversation the model is told the end.
#[test]
fn of_a_long_conversation_the_end_is_told() {
    let mut text =
        "with two-stage\n00:00.200 > joined\n00:00.600 > #1 speaks (3s): What?\n".to_owned();
    for (n, asks) in (1..=3).zip(["What broke?", "Who helped you?", "How long did it last?"]) {
        let words = "we moved the ledger ".repeat(100);
        text += &format!("00:{n}0.000 > answers (2s): {words} {n}\n");
        text += &format!("00:{n}4.000 > #{} speaks (1s): I see. {asks}\n", n + 1);
    }
    let last = play(&text, |name| Some(files(name))).unwrap().briefs.pop().unwrap().2;
    assert!((500..=900).contains(&last.length().lines), "{:?}", last.length());
    let (who, said) = last.lines.last().unwrap();
    assert!(*who == Speaker::Candidate && said.ends_with(" 3"), "{said}");
}

/// A01, X02: the judge is told of the fields that have no value yet.
#[test]
fn the_judge_looks_for_what_is_open() {
    let Played { facts, fresh: mut interview, .. } = played("what-the-model-is-told");
    let mut asked_for = Vec::new();
    for (at, heard, event) in facts {
        for effect in interview.handle(at, heard, event) {
            let Effect::Judge { turn, .. } = effect else { continue };
            let fields = interview.case(turn).unwrap().fields;
            asked_for.push(fields.into_iter().map(|(key, _)| key).collect::<Vec<_>>());
        }
    }
    let open = ["years", "strength", "motivation", "start", "team_size"];
    assert_eq!(asked_for[0][1..], open);
    assert_eq!(asked_for[1], open);
}

fn played(scenario: &str) -> Played {
    let text = fs::read_to_string(format!("tests/scenarios/{scenario}.txt")).unwrap();
    scenarios::played(scenario, &text)
}

/// What the model is told for a reply of a scenario.
fn brief(scenario: &str, reply: u32) -> Brief {
    let mut briefs = played(scenario).briefs.into_iter();
    let found = briefs.find(|(_, id, _)| id.0 == reply);
    found.unwrap_or_else(|| panic!("{scenario} asks the model for no #{reply}")).2
}

/// R06: a question that was cut off is asked next, by a model and by the scripted interviewer.
#[test]
fn a_question_that_was_cut_off_is_asked_next() {
    let question = "And what was your own part in that, and why did you choose it?";
    let before = brief("question-cut-by-the-rest-of-an-answer", 2);
    assert!(!before.prompt.text().contains("They have not heard your question"));
    let after = brief("question-cut-by-the-rest-of-an-answer", 3);
    let told = after.prompt.text();
    assert!(
        told.contains("They have not heard your question that is marked as `not_heard`"),
        "{told}"
    );
    assert!(told.contains(&format!("<not_heard>{question}</not_heard>")), "{told}");
    assert_eq!(after.situation.questions[0], question);
}

/// A01: a model tags what an answer means where the words leave it open, and nowhere else.
#[test]
fn tags_are_asked_for_where_words_leave_it_open() {
    let asks = |scenario, reply| {
        let brief = brief(scenario, reply);
        let is_told = brief.prompt.instructions().contains("<vague>");
        assert_eq!(is_told, brief.answers.is_some(), "{scenario} #{reply}");
        is_told
    };
    assert!(asks("tagged-repeat", 2), "an answer, as far as the words tell");
    assert!(!asks("tagged-though-words-are-clear", 2), "they do not know");
    assert!(!asks("question-cut-by-the-rest-of-an-answer", 1), "nobody has answered yet");
}

/// A01, Q02: each tag that a model is asked for is read, and delays a reply by few tokens: three where
/// somebody has answered.
#[test]
fn tags_are_short() {
    let tokenizer = o200k_base_singleton();
    let prompt = brief("tagged-repeat", 2).prompt.instructions();
    let tags = prompt.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
    let tags: Vec<&str> = tags.map(|(name, _)| name).collect();
    assert!(tags.len() >= 18, "{tags:?}");
    for name in tags {
        assert!(Intent::try_from(name.to_owned()).is_ok(), "<{name}>");
        let tokens = tokenizer.encode_ordinary(&format!("<{name}>")).len();
        let tokens_max = if ["full", "partial", "vague"].contains(&name) { 3 } else { 5 };
        assert!(tokens <= tokens_max, "<{name}> is {tokens} tokens");
    }
}

/// A04: the questions of the part that were not asked yet are there to draw on.
#[test]
fn open_questions_are_there_to_draw_on() {
    let open = brief("tagged-repeat", 2).prompt.text();
    let told = "Questions to draw on:\n<questions>\n- Please tell me about yourself";
    assert!(open.contains(told), "{open}");
}

/// A01: a vague answer is followed up once, then the model is told to ask about something else.
#[test]
fn a_vague_answer_is_followed_up_once() {
    let moves_on = |reply| {
        let prompt = brief("followed-up-once", reply).prompt.text();
        prompt.contains("You have followed up on this once")
    };
    assert_eq!([2, 3, 4].map(moves_on), [false, true, false]);
}

fn told_in_scenarios() -> Vec<Brief> {
    let all = scenarios::all().into_iter();
    let told = all.flat_map(|(path, text)| scenarios::played(&path, &text).briefs);
    told.map(|(_, _, brief)| brief).collect()
}

fn told_at_openings() -> Vec<Brief> {
    scenarios::shipped().iter().flat_map(|name| LEVELS.map(|level| opening(name, level))).collect()
}

/// The first prompt of an interview with a résumé and a job description as long as the form takes them.
fn opening(name: &str, level: &str) -> Brief {
    let context = Context {
        candidate_name: "Ada".into(),
        role: "Data engineer".into(),
        level: level.into(),
        resume: "Worked on pipelines for five years, in a team of six. ".repeat(370),
        job_description: "You build the pipelines that our analysts rely on. ".repeat(390),
        focus: Roles::default().focus("Data engineer", level),
        ..Context::default()
    };
    let mut blueprint = Blueprint::load(&files(name)).unwrap();
    // A scripted agent opens without a model; what one is told there has the same parts.
    blueprint.agents[0].kind = Kind::Questions;
    let mut interview = Interview::new(&blueprint, &context);
    let now = SessionTime::ZERO;
    let effects = interview.handle(now, now, Event::CandidateJoined);
    let briefs = effects.iter().filter_map(|effect| match effect {
        Effect::Speak { reply, say, .. } => interview.brief(*reply, say),
        _ => None,
    });
    let mut briefs: Vec<_> = briefs.collect();
    briefs.pop().unwrap_or_else(|| panic!("{name} opens without the model"))
}
