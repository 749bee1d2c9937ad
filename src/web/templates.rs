//! Openings to begin from.

use serde::Serialize;
use utoipa::ToSchema;

use super::opening_form::OpeningForm;

/// A form to begin from.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Template {
    name: String,
    title: String,
    /// What it is for.
    about: String,
    pub(super) form: OpeningForm,
}

/// All there are.
pub(super) fn all() -> Vec<Template> {
    vec![
        Template::new(
            "screening",
            "Screening",
            "A short first conversation: what they do, what they are good at, when they can start.",
            OpeningForm::template(
                "rubric-screen",
                &[],
                &[
                    ("Fits the role", "What they do today is close to the role."),
                    ("Motivation", "They say why they want this work."),
                    ("Can start in time", "They name a date or a notice period."),
                ],
            ),
        ),
        Template::new(
            "behavioural",
            "Behavioural",
            "One experience in depth: situation, task, their own part, result.",
            OpeningForm::template(
                "mock-interview",
                &[
                    ("When did you last disagree with somebody at work, and what did you do?", 2),
                    ("What is a mistake that you made, and what did you change after it?", 1),
                ],
                &[
                    ("Owns what they do", "They tell their own part apart from the team's."),
                    ("Works with others", "They listen, explain, and find a way on."),
                    ("Learns", "They say what they would do differently."),
                ],
            ),
        ),
        Template::new(
            "technical",
            "Technical",
            "How they think about systems that they have built or know.",
            OpeningForm::template(
                "two-stage",
                &[
                    ("Which system that you built would you design differently today, and why?", 2),
                    ("How do you find out why something is slow?", 2),
                    ("How do you decide what to test?", 1),
                ],
                &[
                    ("Explains how it works", "They name parts and what each is for."),
                    ("Weighs alternatives", "They name another way and why they did not take it."),
                    ("Finds causes", "They measure before they change."),
                ],
            ),
        ),
        Template::new(
            "language-check",
            "Language check",
            "A few everyday questions, to hear whether they can work in this language.",
            OpeningForm::template(
                "two-stage",
                &[
                    ("What does a usual working day look like for you?", 1),
                    ("How would you explain your work to somebody who has never heard of it?", 1),
                ],
                &[
                    ("Understands questions", "Their answers are about what was asked."),
                    (
                        "Makes themselves understood",
                        "What they say can be followed without asking again.",
                    ),
                ],
            ),
        ),
    ]
}

impl Template {
    fn new(name: &str, title: &str, about: &str, form: OpeningForm) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), about: about.to_owned(), form }
    }
}
