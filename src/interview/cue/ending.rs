//! Whether somebody who was asked if they want to end the interview does.

use std::sync::LazyLock;

use super::{
    super::words::{Phrases, holds, normal, plain, split},
    Cue, whole,
};

/// A yes or no has so many words at most.
const WORDS_MAX: usize = 12;
/// In so many words "stop" is about the interview, whatever leads to it.
const FEW_WORDS: usize = 6;

static GOING_ON: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "continue|continuing|proceed|proceeding
        go|going|carry|carrying|keep|keeping on|going|talking";
    Phrases::new([((), phrases)])
});

/// Who is well again, or says so, goes on.
static WELL: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "i am okay|ok|fine|good|alright|better|ready
        i feel okay|ok|fine|good|alright|better
        i will be okay|ok|fine|alright
        it is okay|ok|fine|alright|nothing";
    Phrases::new([((), phrases)])
});

static ENOUGH: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "afraid so\ni am done|finished\nwould be best|better\nhad enough\ni give up";
    Phrases::new([((), phrases)])
});

static UNWELL: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases =
        "i am not okay|ok|fine|good|well|alright\ni do not feel okay|ok|fine|good|well|alright";
    Phrases::new([((), phrases)])
});

/// What a turn says to the question whether the interview should end; nothing if it says something else. No is said sooner
/// than yes: after a yes nobody can take it back.
pub fn to_ending(text: &str) -> Option<Cue> {
    let words = plain(text);
    let words = split(&words);
    if words.is_empty() {
        return holds(" please ", &normal(text)).then_some(Cue::Yes);
    }
    if words.len() > WORDS_MAX {
        return None;
    }
    let own = words.iter().position(|word| !holds(OPENERS, word)).unwrap_or(words.len());
    let first = words.get(own).copied().unwrap_or_default();
    let agrees = holds(" yes yeah yep yup yea ", first);
    let refuses = holds(" no nope nah ", first) && !words[own..].starts_with(&["no", "problem"]);
    if matches!(words[own..], ["i", "would", "rather" | "prefer", "not"]) {
        return Some(Cue::No);
    }
    let goes_on = GOING_ON.find(&words).find(|(_, from, to)| {
        let happens =
            from.checked_sub(1).is_some_and(|at| holds(" lot much is things what ", words[at]));
        !happens || words[*from..*to] != ["going", "on"]
    });
    if let Some((_, from, to)) = goes_on {
        let (lead, tail) = (&words[..from], &words[to..]);
        let is_worn = lead.windows(2).any(|pair| {
            (pair[0] == "no" && holds(" energy strength power time ", pair[1]))
                || (pair[1] == "too" && holds(" am is feel ", pair[0]))
        });
        let is_later = !refuses
            && match *tail {
                ["but", "i", next, ..] => holds(" have need must can ", next),
                [next, ..] if holds(" later tomorrow ", next) => true,
                ["another", next, ..] => holds(" time day ", next),
                _ => false,
            };
        // "I don't mind going on".
        let cannot = (is_denied(lead) && !lead.contains(&"mind")) || is_worn || is_later;
        return Some(if cannot { Cue::Yes } else { Cue::No });
    }
    if let Some(at) = words.iter().position(|word| holds(ENDS, word)) {
        let (lead, tail) = (&words[..at], &words[at + 1..]);
        let of_us = tail.iter().any(|word| holds(" here now interview call ", word));
        let finishes = words[at] == "finish"
            && !of_us
            && (refuses || first == "not" || lead.ends_with(&["let", "me"]));
        // "I can't stop crying".
        let other =
            lead.ends_with(&["not"]) && tail.first().is_some_and(|next| next.ends_with("ing"));
        let goes_on = is_denied(lead) || ends_a_sentence(tail) || finishes;
        let is_wish = words.len() <= FEW_WORDS || lead.iter().any(|word| holds(WISHES, word));
        if !other && (goes_on || is_wish) {
            return Some(if goes_on { Cue::No } else { Cue::Yes });
        }
    }
    if let Some((_, from, to)) = WELL.find(&words).next()
        && !(agrees && words[from] == "it")
        && !words.get(to).is_some_and(|next| holds(" with to for that ", next))
    {
        // "I don't think I'm okay".
        let lead = &words[..from];
        let doubts = lead.last().is_some_and(|word| holds(" think believe feel sure that ", word));
        return Some(if doubts && is_denied(lead) { Cue::Yes } else { Cue::No });
    }
    let is_unwell = UNWELL.find(&words).any(|(_, _, to)| to == words.len());
    if refuses {
        return Some(if is_unwell { Cue::Yes } else { Cue::No });
    }
    // "No problem", "why not" are a yes, too.
    let says_yes = agrees
        || is_unwell
        || ENOUGH.find(&words).next().is_some()
        || whole(&words, false) == Some(Cue::Yes);
    if says_yes {
        return Some(Cue::Yes);
    }
    holds(" not never ", first).then_some(Cue::No)
}

const ENDS: &str = " end ending stop stopping finish quit leave ";
/// Before "stop" in more words than a few, one of these says that they want it now.
const WISHES: &str =
    " want like love prefer us let have need must would rather better can could should yes ";
const OPENERS: &str = " okay ok alright well so sorry then now and but ";

/// Whether what follows `lead` is denied in the same clause: "I can't", "I don't think I can".
fn is_denied(lead: &[&str]) -> bool {
    let begins = |at: &usize| {
        let is_thought = at
            .checked_sub(1)
            .is_some_and(|before| holds(" think believe feel sure ", lead[before]));
        holds(" i we let but and so then ", lead[*at]) && !is_thought
    };
    let clause = &lead[(0..lead.len()).rev().find(begins).unwrap_or(0)..];
    let is_why = clause.starts_with(&["why", "not"]);
    !is_why && clause.iter().any(|word| holds(" not never ", word))
}

/// "I want to finish my answer first": what they want to end is not the interview.
fn ends_a_sentence(tail: &[&str]) -> bool {
    let mut tail = tail.iter().skip_while(|word| holds(" the this that my with ", word));
    let is_theirs =
        |word: &&str| holds(" answer sentence thought question point story first ", word);
    tail.next().is_some_and(is_theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases 4, 19 and 40: people say it in their own words; who wants to go on is not sent away, nor the other way round.
    #[test]
    fn they_say_it_in_their_own_words() {
        let check = |want: Option<Cue>, texts: &str| {
            let texts = texts.split(['|', '\n']).map(str::trim).filter(|text| !text.is_empty());
            let wrong: Vec<_> =
                texts.map(|text| (text, to_ending(text))).filter(|(_, got)| *got != want).collect();
            assert!(wrong.is_empty(), "not {want:?}: {wrong:#?}");
        };
        check(
            Some(Cue::Yes),
            "yes | Yes, I want to end it | please end it | Please. | Yes please. | I'm afraid so. | I'm done.
            Yes, I'm not feeling well. | Yes, I don't have time. | yes I can't continue | I'd rather not continue.
            I don't think I can go on. | no I want to stop | No, please end it. | why not | no problem | okay let us stop
            no, I don't want to continue | I can't go on | yes I'm okay with that | I think that would be best
            sure, end it | so yes | I'm too tired to go on | I have no energy to continue | yes, there's a lot going on at home
            I'd love to continue but I have to go | Yes, let's continue another time | I don't think I'm okay | I'm not okay
            Yes, it's fine. | yes it's okay | Yes, my father died. | I don't feel well",
        );
        check(
            Some(Cue::No),
            "no | no, let us go on | No, I want to continue | yes let us keep going | not yet | don't stop
            I'm okay | I'm okay. | It's okay, thank you. | I'll be okay | let me finish my answer first | no I don't want to stop
            No, no, let's continue. | Yeah, no, I want to continue. | Sure, no problem, let's go on. | I don't mind continuing.
            I want to continue, but I'm nervous. | No, let's continue with another question. | I'm fine too, let's continue.
            Don't worry, I'm okay. | No, not at all, I'm fine. | Not really, I'm okay. | No, I'm not in pain, I'm okay.
            No, that's okay. | No, that's fine, thanks. | No, okay. | No, go ahead. | no I'm here | I'd rather not.
            No, let me finish. | No, I'll finish. | Let me finish what I was saying. | Not yet, I want to finish. | Can we continue?
            No, not at all, I want to continue. | not now, let us continue | I can go on | I'm better now | not really",
        );
        check(
            None,
            "the ledger was slow | I can't stop crying | what happens to my answers if I stop now and come back later
            okay so I lead the billing team | we had to rewrite it to stop the batch jobs at night
            I lead the team that builds the ledger for the whole company and its customers today",
        );
    }
}
