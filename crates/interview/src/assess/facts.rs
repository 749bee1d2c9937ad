//! Counts of an interview. They are facts about the conversation, and no scores.

use super::{
    report::{Facts, Stretch},
    turns::Turn,
};
use crate::{
    blueprint::Language,
    interview::understanding::words::{holds, normal},
    journal::Speaker,
};

/// Less speech has no pace.
const PACED_MS_MIN: u64 = 10_000;

/// Counts of turns, some of which answer a question, and of all speech.
pub(crate) fn facts(
    turns: &[Turn],
    is_answer: impl Fn(&Turn) -> bool,
    speech: &[Stretch],
    language: Language,
) -> Facts {
    let said = |speaker: Speaker| {
        let theirs = speech.iter().filter(move |stretch| stretch.speaker == speaker);
        theirs.map(|stretch| stretch.to_ms - stretch.from_ms).sum::<u64>()
    };
    let (ours_ms, theirs_ms) = (said(Speaker::Interviewer), said(Speaker::Candidate));
    let all_ms = ours_ms + theirs_ms;
    let words = |count: fn(&Turn) -> usize| count_of(turns.iter().map(count).sum());
    let spoken_ms: u64 = turns.iter().map(|turn| turn.ended_ms() - turn.began_ms()).sum();
    let spoken = turns.iter().map(Turn::spoken_words).sum::<usize>() as u64;
    let pace = (spoken_ms >= PACED_MS_MIN).then(|| spoken * 60_000 / spoken_ms);
    let answers: Vec<&Turn> = turns.iter().filter(|turn| is_answer(turn)).collect();
    let lengths = answers.iter().map(|turn| turn.ended_ms() - turn.began_ms());
    Facts {
        words: words(|turn| turn.words.len()),
        talk_ratio: (all_ms > 0)
            .then(|| (theirs_ms as f32 / all_ms as f32 * 100.0).round() / 100.0),
        fillers: count_of(turns.iter().map(|turn| fillers(turn, language)).sum()),
        words_per_minute: pace.map(|pace| u32::try_from(pace).unwrap_or(u32::MAX)),
        longest_answer_ms: lengths.max().unwrap_or_default(),
        answers: count_of(answers.len()),
        median_answer_delay_ms: median(answers.iter().filter_map(|turn| delay(turn, speech))),
    }
}

fn count_of(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Sounds that mean nothing, as recognisers write them.
pub(crate) fn fillers(turn: &Turn, language: Language) -> usize {
    let sounds = match language {
        Language::English => " um umm uh uhh uhm er erm hm hmm mm ",
        Language::German => " äh ähm öh hm hmm ähem ",
        Language::Italian => " ehm eh uhm mmm hm hmm ",
    };
    turn.words.iter().filter(|word| holds(sounds, &normal(word))).count()
}

/// From the end of our words to the beginning of a turn; nothing for one that was typed or begun over us.
fn delay(turn: &Turn, speech: &[Stretch]) -> Option<u64> {
    let (from, is_spoken) = (turn.began_ms(), turn.spoken_words() > 0);
    let mut ours = speech.iter().filter(|stretch| stretch.speaker == Speaker::Interviewer);
    let last = ours.rfind(|stretch| stretch.from_ms <= from).filter(|_| is_spoken)?;
    from.checked_sub(last.to_ms)
}

fn median(of: impl Iterator<Item = u64>) -> Option<u64> {
    let mut of: Vec<u64> = of.collect();
    of.sort_unstable();
    of.get(of.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U06: fillers, words and shares are counted as they are; nobody's pace is known from a few words.
    #[test]
    fn counts_are_counts() {
        let turn = Turn::plain(1, "Um, well, er, I led it for hm nine years");
        let stretch = |speaker, from_ms, to_ms| Stretch { speaker, from_ms, to_ms };
        let speech = [
            stretch(Speaker::Interviewer, 0, 400),
            stretch(Speaker::Candidate, 1_000, 11_000),
            stretch(Speaker::Interviewer, 12_000, 12_100),
        ];
        let of =
            |turns: &[Turn], speech: &[Stretch]| facts(turns, |_| true, speech, Language::English);
        let counted = of(std::slice::from_ref(&turn), &speech);
        let expected = Facts {
            words: 10,
            talk_ratio: Some(0.95),
            fillers: 3,
            words_per_minute: Some(60),
            longest_answer_ms: 10_000,
            answers: 1,
            median_answer_delay_ms: Some(600),
        };
        assert_eq!(counted, expected);
        let german = facts(&[turn], |_| false, &speech, Language::German);
        assert_eq!((german.fillers, german.answers), (1, 0), "\"er\" is a word there");
        let short = of(&[Turn::plain(1, "Yes, nine of them")], &speech[1..2]);
        assert_eq!((short.words_per_minute, short.median_answer_delay_ms), (None, None));
        assert_eq!(of(&[], &[]), Facts::default());
    }
}
