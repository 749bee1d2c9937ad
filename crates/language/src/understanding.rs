//! Understanding: the intent of a text in one language.

use crate::{Example, Intent, classifier::Classifier};

/// How much likelier than an answer another intent must be, as a logarithm. To take an answer for a request
/// does more harm than to take a request for an answer.
const ANSWER_LEAD: f32 = 2.0;
/// The same for an answer that is not finished: it must be a good deal likelier than one that is, because
/// everybody waits for the rest of it.
const UNFINISHED_LEAD: f32 = 1.0;
/// By how much less that is of a wish to stop and of distress: nobody does anything about these without
/// asking first, and they must not be missed.
const GRAVE_LEAD: f32 = 1.5;

/// What is understood of one language, learnt from examples.
#[derive(Clone, Debug)]
pub struct Understanding {
    classifier: Classifier,
}

impl Understanding {
    /// Learns from examples: half a second for ten thousand.
    pub fn learn(examples: &[Example]) -> Self {
        let class = |intent| Intent::ALL.iter().position(|other| *other == intent);
        let classes = examples.iter().filter_map(|it| Some((class(it.intent)?, it.text.as_str())));
        Self { classifier: Classifier::train(&classes.collect::<Vec<_>>()) }
    }

    /// The intent of a text. What is like no example is an answer.
    pub fn intent(&self, text: &str) -> Intent {
        let scores = self.classifier.scores(text);
        let all = Intent::ALL
            .into_iter()
            .zip(scores)
            .map(|(intent, score)| (intent, score + lead(intent)));
        let best = all.reduce(|best, other| if other.1 > best.1 { other } else { best });
        best.map_or(Intent::ANSWER, |(intent, _)| intent)
    }
}

fn lead(intent: Intent) -> f32 {
    match intent {
        Intent::Answer(_) | Intent::Sensitive => ANSWER_LEAD,
        Intent::Unfinished => UNFINISHED_LEAD,
        Intent::Stop | Intent::Distress => GRAVE_LEAD,
        Intent::Repeat
        | Intent::Clarify
        | Intent::Hold
        | Intent::Skip
        | Intent::SkipPart
        | Intent::Decline
        | Intent::DontKnow
        | Intent::Done
        | Intent::Ask(_)
        | Intent::Sound
        | Intent::Abusive
        | Intent::Correct
        | Intent::Yes
        | Intent::No => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::About;

    fn learnt() -> Understanding {
        let file = "repeat\tcould you say that again please\nrepeat\tsay it again\nrepeat\tonce again please
hold\tgive me a moment\nhold\tone moment please\nhold\tI need a moment to think
ask_human\tare you a human\nask_human\tam I talking to a real person\nask_human\tare you real
answer\tI worked as a nurse for three years\nanswer\twe moved the ledger to another database
answer\tI was a cook in Leeds\nanswer\tin Berlin\nanswer\tI led a team of five people";
        Understanding::learn(&Example::read(file).unwrap())
    }

    /// A text is understood by what it shares with examples; a foreign one is an answer.
    #[test]
    fn alike_texts_mean_the_same() {
        let learnt = learnt();
        for (text, want) in [
            ("Say that again?", Intent::Repeat),
            ("just a moment", Intent::Hold),
            ("Are you a real human?", Intent::Ask(About::Human)),
            ("I worked in Berlin as a cook", Intent::ANSWER),
            ("Qwx zzk", Intent::ANSWER),
            ("", Intent::ANSWER),
        ] {
            assert_eq!(learnt.intent(text), want, "{text}");
        }
        assert_eq!(Understanding::learn(&[]).intent("Say that again?"), Intent::ANSWER);
    }

    static TWICE: LazyLock<[Understanding; 2]> = LazyLock::new(|| [learnt(), learnt()]);

    proptest! {
        /// Any Unicode has an intent, the same by whatever learnt the same.
        #[test]
        fn any_text_has_one_intent(text in "\\PC{0,60}|(say|are|you| |a|moment|[?.]){0,80}") {
            let [one, other] = &*TWICE;
            prop_assert_eq!(one.intent(&text), other.intent(&text));
            let spaced = format!("  {text}\n");
            prop_assert_eq!(one.intent(&spaced), one.intent(&text));
        }
    }
}
