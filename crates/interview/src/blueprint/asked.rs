//! What an interview asks, part by part, for whoever makes one to read before.

use super::{Agent, Blueprint, OWN_QUESTIONS};

/// A part of an interview and its questions, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPart {
    /// Its title, as the candidate sees it.
    pub title: String,
    /// Its questions. A model may ask them in other words, and leaves out what was told already.
    pub questions: Vec<String>,
    /// How many are asked at most, follow-ups among them.
    pub questions_max: u32,
    /// Whether they are the recruiter's own.
    pub is_own: bool,
}

impl Blueprint {
    /// What an interview of this blueprint asks, with all parts that it has: [`Blueprint::for_candidate`]
    /// leaves out those that a candidate's papers do not call for, and fills in names.
    pub fn asked(&self) -> Vec<AskedPart> {
        self.agents.iter().map(part).filter(|part| !part.questions.is_empty()).collect()
    }
}

fn part(agent: &Agent) -> AskedPart {
    let planned = agent.kind.topics().iter().flat_map(|topic| &topic.sub_goals);
    let fields = agent.rubric.iter().map(|field| &field.question);
    let all = agent.questions.iter().chain(planned).chain(fields);
    let mut questions: Vec<String> = Vec::new();
    for question in all.filter(|question| !question.trim().is_empty()) {
        if !questions.contains(question) {
            questions.push(question.clone());
        }
    }
    AskedPart {
        title: agent.title.clone(),
        questions,
        questions_max: agent.questions_max,
        is_own: agent.name == OWN_QUESTIONS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::{Context, OwnQuestion, Tailoring, tailored};

    fn files() -> Vec<(String, String)> {
        let agent = |more: &str| {
            format!(
                "+++\ntitle = \"A\"\nstage_limit = \"5m\"\nsilence_limit = \"30s\"\n\
                 bridge = \"So.\"\nnudges = [\"Now.\", \"Well?\"]\n{more}+++\n\nAsk.\n"
            )
        };
        let head =
            "title = \"T\"\ninterviewer = \"Alba\"\nstages = [\"hello\", \"fit\", \"bye\"]\n"
                .to_owned();
        let hello =
            "kind = \"scripted\"\nquestions = [\"Hello {{ candidate.name }}, shall we?\"]\n";
        let fit =
            "requires = \"job_description\"\nquestions_max = 3\nquestions = [\"Why?\", \"How?\"]\n";
        let bye = "kind = \"closing\"\nquestions = [\"Anything else?\"]\n";
        let files = [
            ("blueprint.toml", head),
            ("hello.md", agent(hello)),
            ("fit.md", agent(fit)),
            ("bye.md", agent(bye)),
        ];
        files.map(|(name, text)| (name.to_owned(), text)).to_vec()
    }

    /// #41: all that is asked is told, the blueprint's questions and one's own, each in its place; a part
    /// that needs a paper is told where there is one.
    #[test]
    fn all_that_is_asked_is_told() {
        let own = OwnQuestion { text: "When can you begin?".into(), verbatim: true, follow_ups: 0 };
        let tailoring = Tailoring { questions: vec![own], limit: None };
        let blueprint = Blueprint::load(&tailored(&files(), &tailoring).unwrap()).unwrap();
        let asked = |job_description: &str| {
            let context = Context {
                candidate_name: "Ada".into(),
                job_description: job_description.into(),
                ..Context::default()
            };
            let parts = blueprint.for_candidate(&context).asked();
            parts.into_iter().flat_map(|part| part.questions).collect::<Vec<_>>()
        };
        let (hello, own, bye) = ("Hello Ada, shall we?", "When can you begin?", "Anything else?");
        assert_eq!(asked("A job."), [hello, "Why?", "How?", own, bye]);
        assert_eq!(asked(""), [hello, own, bye]);
        let parts = blueprint.asked();
        let marks: Vec<_> = parts.iter().map(|part| (part.is_own, part.questions_max)).collect();
        assert_eq!(marks, [(false, 1), (false, 3), (true, parts[2].questions_max), (false, 1)]);
    }
}
