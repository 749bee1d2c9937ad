//! Whether somebody who was asked if they want to end the interview does.

use std::sync::LazyLock;

use super::{
    super::words::{Phrases, ends_in, holds, normal, plain, split},
    About, Intent, whole,
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
        i am feeling okay|ok|fine|good|alright|better
        i will be okay|ok|fine|alright
        i am|feel all right
        it|everything is all right
        it|everything is okay|ok|fine|alright|nothing
        it is better now
        all good";
    Phrases::new([((), phrases)])
});

/// Elsewhere these agree; here they lead on.
static ONWARD: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "let us go|start|begin
        we can go|start|begin
        go ahead
        i am here
        i can hear you
        i hear you
        let me answer|try
        i will answer|try|manage
        i would|want like? to answer|try
        i changed my mind
        i take it back
        i have more to say
        i still? have time
        i was joking|kidding
        no need
        not be? necessary
        i do not have|need to
        i am good|fine|okay|ok|ready to go|start|begin";
    Phrases::new([((), phrases)])
});

/// Who is in doubt thinks about it.
static UNSURE: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "i am not sure|certain if|whether|i|we|that|about|yet
        not really|quite|so|too sure|certain
        i do not know if|whether|yet
        i have not decided
        i can not decide";
    Phrases::new([((), phrases)])
});

/// Another time is not now.
static LATER: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "later|tomorrow|morning|afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday
        another|other|different|next time|day|date|week|month
        not now|today";
    Phrases::new([((), phrases)])
});

static ENOUGH: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "afraid so
        i am done|finished
        would be best|better
        is probably? best
        is probably better
        for the best
        had enough
        that is it|all|enough
        that was it|all
        nothing else|more
        it|this is too much
        no more
        i give up
        i can not do this|it|that
        i do not want to do this|it|that
        i would like|love|prefer that
        another|other|different|next time|day|date
        tomorrow|reschedule|postpone
        i will come back";
    Phrases::new([((), phrases)])
});

static POLITE: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "if that|it is okay|ok|fine|alright|possible\nif possible\nif you do not mind";
    Phrases::new([((), phrases)])
});

static UNWELL: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let phrases = "i am not feeling? so|very|too? okay|ok|fine|good|great|well|alright
        i do not feel so|very|too? okay|ok|fine|good|great|well|alright";
    Phrases::new([((), phrases)])
});

/// What a turn says to the question whether the interview should end; nothing if it says something else. No
/// is said sooner than yes: after a yes nobody can take it back.
pub fn to_ending(text: &str) -> Option<Intent> {
    let words = plain(text);
    let words = split(&words);
    if words.is_empty() {
        return holds(" please ", &normal(text)).then_some(Intent::Yes);
    }
    if words.len() > WORDS_MAX {
        return None;
    }
    let own = words.iter().position(|word| !holds(OPENERS, word)).unwrap_or(words.len());
    let first = words.get(own).copied().unwrap_or_default();
    let agrees = holds(" yes yeah yep yup yea sure ", first);
    let refuses =
        holds(" no nope nah ", first) && !matches!(words[own..], ["no", "problem" | "more", ..]);
    if words.last() == Some(&"no") {
        return Some(Intent::No);
    }
    if matches!(words[own..], ["i", "would", "rather" | "prefer", "not"] | ["ready"]) {
        return Some(Intent::No);
    }
    let is_unsure = UNSURE.find(&words).next().is_some()
        || matches!(
            words[own..],
            ["i", "can", "not"] | ["i", "can", "not", "sorry"] | ["maybe" | "perhaps"]
        );
    if is_unsure && !agrees && !refuses {
        return Some(Intent::Hold);
    }
    let settled = of_going_on(&words, refuses)
        .or_else(|| asks_about_it(&words[own..]).then_some(Intent::Ask(About::Other)))
        .or_else(|| of_ending(&words, own, refuses))
        .or_else(|| if agrees { of_not_yet(&words[own + 1..]) } else { None })
        .or_else(|| of_feeling(&words, agrees));
    settled.or_else(|| of_few_words(&words, agrees, refuses))
}

/// Whether a wish to stop, where we asked for it, is one: "no, let's finish the interview" means its last
/// question, and "what makes you think I want to stop?" asks.
pub fn is_meant(text: &str) -> bool {
    let words = plain(text);
    let words = split(&words);
    let own = words.iter().position(|word| !holds(OPENERS, word)).unwrap_or(words.len());
    let finishes_it = words.get(own).is_some_and(|first| holds(" no nope nah ", first))
        && words.contains(&"finish")
        && !words.iter().any(|word| holds(" here now not ", word));
    !finishes_it && !asks_about_it(&words[own..])
}

/// "I want to continue", "I can't go on".
fn of_going_on(words: &[&str], refuses: bool) -> Option<Intent> {
    let (_, from, to) = GOING_ON.find(words).find(|(_, from, to)| {
        let happens =
            from.checked_sub(1).is_some_and(|at| holds(" lot much is things what ", words[at]));
        !happens || words[*from..*to] != ["going", "on"]
    })?;
    let (lead, tail) = (&words[..from], &words[to..]);
    let is_worn = lead.iter().any(|word| holds(" unable impossible ", word))
        || lead.windows(2).any(|pair| {
            (pair[0] == "no" && holds(" energy strength power time need point sense ", pair[1]))
                || (pair[1] == "too" && holds(" am is feel ", pair[0]))
        });
    let is_later = !refuses && (has_to(tail) || LATER.find(tail).next().is_some());
    // "I don't mind going on".
    let cannot = (is_denied(lead) && !lead.contains(&"mind")) || is_worn || is_later;
    Some(if cannot { Intent::Yes } else { Intent::No })
}

/// "I want to stop", "let me finish my answer first".
fn of_ending(words: &[&str], own: usize, refuses: bool) -> Option<Intent> {
    let at = words.iter().position(|word| holds(ENDS, word))?;
    let (lead, tail) = (&words[..at], &words[at + 1..]);
    // "No, let's finish the interview" means its last question.
    let of_us = tail.iter().any(|word| holds(" here now ", word))
        || (!refuses && tail.iter().any(|word| holds(" interview call ", word)));
    let finishes = words[at] == "finish"
        && !of_us
        && (refuses || words[own] == "not" || lead.ends_with(&["let", "me"]));
    // "I can't stop crying", "stop the recording".
    let other = is_other_thing(tail)
        || tail.first().is_some_and(|next| {
            holds(OTHER_ENDS, next) || (lead.ends_with(&["not"]) && next.ends_with("ing"))
        });
    let is_needless = lead.windows(2).any(|pair| {
        (pair[0] == "no" && holds(" need reason point intention wish plan ", pair[1]))
            || (pair[0] == "too" && holds(" early soon ", pair[1]))
    });
    let is_denied = is_denied(lead) && !has_to(tail);
    let goes_on = is_denied || is_needless || is_soon(tail) || ends_a_sentence(tail) || finishes;
    let is_wish = words.len() <= FEW_WORDS || lead.iter().any(|word| holds(WISHES, word));
    (!other && (goes_on || is_wish)).then_some(if goes_on { Intent::No } else { Intent::Yes })
}

/// "Yes, but first I have a question", "yes, in five minutes".
fn of_not_yet(said: &[&str]) -> Option<Intent> {
    let said = said.strip_prefix(&["but"]).unwrap_or(said);
    let has = |list| said.iter().any(|word| holds(list, word));
    if has(" first before ") && has(" question thing something ask say add answer ") {
        return Some(Intent::Hold);
    }
    (is_soon(said) || matches!(said, ["not", "now" | "yet", ..])).then_some(Intent::No)
}

/// "I'm okay", "let's go".
fn of_feeling(words: &[&str], agrees: bool) -> Option<Intent> {
    if let Some((_, from, to)) = WELL.find(words).next()
        && !(agrees && words[from] == "it")
        && !words.get(to).is_some_and(|next| holds(" with to for that ", next))
    {
        // "I don't think I'm okay".
        let lead = &words[..from];
        let doubts = lead.last().is_some_and(|word| holds(" think believe feel sure that ", word));
        return Some(if doubts && is_denied(lead) { Intent::Yes } else { Intent::No });
    }
    // "Yes, go ahead".
    let leads_on =
        ONWARD.find(words).any(|(_, from, to)| !agrees || words[from..to] != ["go", "ahead"]);
    (leads_on && LATER.find(words).next().is_none()).then_some(Intent::No)
}

/// "Yes", "I think not", "if that's okay".
fn of_few_words(words: &[&str], agrees: bool, refuses: bool) -> Option<Intent> {
    let ends_in = |end: &&str| ends_in(words, end);
    let denies = ["nope", "not", "i do not want to", "i would prefer not to"];
    if denies.iter().any(ends_in) && !words.ends_with(&["why", "not"]) {
        return Some(Intent::No);
    }
    let is_unwell = UNWELL.find(words).any(|(_, _, to)| to == words.len());
    if refuses {
        return Some(if is_unwell { Intent::Yes } else { Intent::No });
    }
    // "No problem", "why not" are a yes, too.
    let says_yes = agrees
        || is_unwell
        || ENOUGH.find(words).next().is_some()
        || (words.len() <= FEW_WORDS && POLITE.find(words).next().is_some())
        || ["yes", "yeah", "yep"].iter().any(ends_in)
        || wishes_it(words)
        || whole(words, false) == Some(Intent::Yes);
    if says_yes {
        return Some(Intent::Yes);
    }
    let first = words.iter().find(|word| !holds(OPENERS, word))?;
    holds(" not never ", first).then_some(Intent::No)
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
            .is_some_and(|before| holds(" think believe feel sure say said mean ", lead[before]));
        holds(" i we let but and so then ", lead[*at]) && !is_thought
    };
    let clause = &lead[(0..lead.len()).rev().find(begins).unwrap_or(0)..];
    let is_why = clause.starts_with(&["why", "not"]);
    !is_why && clause.iter().any(|word| holds(" not never ", word))
}

/// Who wants to stop one of these, or us in the last, says nothing of the interview.
const OTHER_ENDS: &str =
    " crying shaking sobbing trembling coughing laughing panicking recording asking ";

/// "Stop the build", but "stop the interview".
fn is_other_thing(tail: &[&str]) -> bool {
    let is_ours =
        |thing: &str| holds(" interview call session conversation meeting chat talk whole ", thing);
    matches!(tail, ["the" | "a" | "my" | "our" | "all", thing, ..] if !is_ours(thing))
        && !ends_a_sentence(tail)
}

/// "…, but I have to".
fn has_to(tail: &[&str]) -> bool {
    matches!(tail, ["but", "i", next, ..] if holds(" have need must can got ", next))
}

/// "… after this question", "… in five minutes": not now.
fn is_soon(tail: &[&str]) -> bool {
    let is_after = |word: &&str| holds(" after later soon until ", word);
    let is_time = |word: &&str| holds(" minute minutes second seconds bit while ", word);
    tail.iter().take(2).any(is_after)
        || (tail.first() == Some(&"in") && tail.last().is_some_and(is_time))
}

/// "What happens if I stop?", "do you want me to stop?"
fn asks_about_it(words: &[&str]) -> bool {
    match words {
        ["why", "not", ..] => false,
        ["do", who, ..] => holds(" i you we ", who),
        ["is", what, ..] => holds(" this that ", what),
        [first, ..] => holds(" what how when where who which why does did ", first),
        [] => false,
    }
}

/// "I have to, sorry", "I'd like to": what, was asked.
fn wishes_it(words: &[&str]) -> bool {
    let mut said = words;
    while let [rest @ .., last] = said
        && holds(" sorry yes unfortunately thanks now ", last)
    {
        said = rest;
    }
    let is_wish = ["i have to", "i need to", "i want to", "i must", "i would like to"];
    is_wish.iter().any(|wish| ends_in(said, wish))
}

/// "I want to finish my answer first": what they want to end is not the interview.
fn ends_a_sentence(tail: &[&str]) -> bool {
    let mut tail = tail.iter().skip_while(|word| holds(" the this that my with ", word));
    let is_theirs =
        |word: &&str| holds(" answer sentence thought question point story first what ", word);
    tail.next().is_some_and(is_theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(want: Option<Intent>, texts: &str) {
        let texts = texts.split(['|', '\n']).map(str::trim).filter(|text| !text.is_empty());
        let wrong: Vec<_> =
            texts.map(|text| (text, to_ending(text))).filter(|(_, got)| *got != want).collect();
        assert!(wrong.is_empty(), "not {want:?}: {wrong:#?}");
    }

    /// Cases 4, 19 and 40: people say in their own words that they want to stop.
    #[test]
    fn they_say_it_in_their_own_words() {
        check(
            Some(Intent::Yes),
            "yes | Yes, I want to end it | please end it | Please. | Yes please. | I'm afraid so. | I'm done.
            Yes, I'm not feeling well. | Yes, I don't have time. | yes I can't continue | I'd \
            rather not continue.
            I don't think I can go on. | no I want to stop | No, please end it. | why not | no \
            problem | okay let us stop
            no, I don't want to continue | I can't go on | yes I'm okay with that | I think that would be best
            sure, end it | so yes | I'm too tired to go on | I have no energy to continue | yes, \
            there's a lot going on at home
            I'd love to continue but I have to go | Yes, let's continue another time | I don't \
            think I'm okay | I'm not okay
            Yes, it's fine. | yes it's okay | Yes, my father died. | I don't feel well
            Can we continue this later? | I'd like to continue this tomorrow | I'd like to continue \
            at another time
            I'd like to continue some other time | I want to continue but not now | Could we do \
            this another time
            I have to, yes | I have to | I need to, sorry. | I'd like to | I want to | I don't want \
            to stop but I have to
            if that's okay | If you don't mind. | that's it, thank you | That's enough. | I can't \
            do this | probably yes
            I already said yes | I think it's for the best | that's probably best | as I said, I want to stop
            yes, go ahead | no more questions please | could we continue in the afternoon | it's \
            too much | let's postpone it
            I want to stop at once | yes, why not | I'm unable to continue | no I said I want to stop
            There's no point in going on. | that was all | I'm not feeling well | I don't feel so good",
        );
    }

    /// Cases 4, 19 and 40: people who want to go on are not sent away, nor is a question taken for a wish.
    #[test]
    fn they_want_to_go_on_in_their_own_words() {
        check(
            Some(Intent::No),
            "no | no, let us go on | No, I want to continue | yes let us keep going | not yet | don't stop
            I'm okay | I'm okay. | It's okay, thank you. | I'll be okay | let me finish my answer \
            first | no I don't want to stop
            No, no, let's continue. | Yeah, no, I want to continue. | Sure, no problem, let's go \
            on. | I don't mind continuing.
            I want to continue, but I'm nervous. | No, let's continue with another question. | I'm \
            fine too, let's continue.
            Don't worry, I'm okay. | No, not at all, I'm fine. | Not really, I'm okay. | No, I'm \
            not in pain, I'm okay.
            No, that's okay. | No, that's fine, thanks. | No, okay. | No, go ahead. | no I'm here | \
            I'd rather not.
            No, let me finish. | No, I'll finish. | Let me finish what I was saying. | Not yet, I \
            want to finish. | Can we continue?
            No, not at all, I want to continue. | not now, let us continue | I can go on | I'm \
            better now | not really
            No, let's finish the interview. | No, I want to finish the interview. | no let's finish \
            it | yeah, no
            let's go | Let's start. | go ahead | I'm here | I can hear you | we can start | I'm \
            good to go | ready
            No need to stop. | no need to end it | There's no need to stop. | no reason to stop | \
            it's too early to stop
            let's stop after this question | I want to stop after the next question | I need to \
            stop in five minutes
            we can stop later | I don't want to | I think not | probably not | I'm feeling better | all good
            I want to answer the question | let me try again | I changed my mind | I still have time | end? no
            It's better now. | I'm all right | I can't stop now | I won't stop here | I'd like to \
            finish what I was saying
            Yes, after this question. | yes, but not now | yes in five minutes | I never said I want to stop
            No, I meant stop the server. | no, I have to stop the oven | I was joking | That's not necessary.
            There's no need. | I don't have to | it's all right",
        );
        check(
            Some(Intent::Hold),
            "I'm not sure if I want to stop | I don't know if I should stop | I don't know if I can continue
            I'm not sure I can continue | I'm not sure I want to end it | I haven't decided | I \
            can't | maybe | not really sure
            yes, but first I have a question | Yes, but before that one thing.",
        );
        check(
            Some(Intent::Ask(About::Other)),
            "what happens if I stop | when does it end | why should I stop | did you say stop | do \
                you want me to stop
            what happens if I say yes | what makes you think I want to stop | do I have to say yes \
            | how many more questions",
        );
        check(
            None,
            "the ledger was slow | I can't stop crying | I need to stop crying | stop asking me \
                that | stop recording | stop the recording
            I have to stop the washing machine | what happens to my answers if I stop now and come back later
            okay so I lead the billing team | we had to rewrite it to stop the batch jobs at night
            I lead the team that builds the ledger for the whole company and its customers today",
        );
    }
}
