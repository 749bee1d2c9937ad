//! Whether somebody stopped in the middle of a sentence (T04).

use crate::{
    blueprint::Language,
    interview::understanding::words::{ends_in, holds, normal, split},
};

/// Sounds and words that hold the floor.
const FILLERS: &str = " um umm uh uhm er erm hmm hm mm basically ähm äh öhm euh ehm cioè ";
/// Words that no sentence ends in: articles, possessives, conjunctions, subjects with their verbs; those of
/// other languages only if no English word looks like them.
const NEVER_LAST: &str = " the a an my our your their its and but or because although though while whereas \
    unless until than whose whether if very every \
    i'm i've i'll i'd we're we've we'll we'd you're they're they've they'll he's she's it's that's \
    there's what's \
    und weil aber oder dass der das den dem ein eine einen einem einer meine meinem meiner für vom \
    zum zur im \
    perché il lo gli di della dello delle dei nel nella \
    et parce le les des du dans avec pour mais \
    y porque pero el los las del mi ";
/// Words that end a sentence only if the word they belong to came before: "what I worked on".
const PREPOSITIONS: &str = " of with for from at by to into onto without within between among about \
    during towards toward \
    against including through as per via on in ";
/// Words that such a preposition can belong to.
const RELATIVES: &str = " what which who whom whose how where that something anything nothing ";
/// Who does something; a verb must follow, or have come right before.
const SUBJECTS: &str = " i we they he she ";
const AUXILIARIES: &str =
    " do does did am is are was were have has had can could will would should than ";
/// With one of these "you know" is no filler.
const ASKS: &str = " as do did if what how that let ";

/// Ends of a turn that look unfinished and are not.
const FINISHED: &[&str] = &[
    "think so",
    "hope so",
    "guess so",
    "believe so",
    "suppose so",
    "say so",
    "or so",
    "so so",
    "do so",
    "did so",
    "doing so",
    "done so",
    "even so",
    "quite so",
    "more so",
    "and so on",
    "go on",
    "going on",
    "goes on",
    "went on",
    "later on",
    "early on",
    "move on",
    "moved on",
    "carry on",
    "come on",
    "came on",
    "hold on",
    "hang on",
    "hands on",
    "from then on",
    "from now on",
    "log on",
    "turned on",
    "log in",
    "logged in",
    "check in",
    "checked in",
    "all in",
    "built in",
    "came in",
    "come in",
    "jumped in",
    "step in",
    "stepped in",
    "walked in",
    "settled in",
    "sign in",
    "signed in",
    "fit in",
    "drop in",
    "kick in",
    "plug in",
    "joined in",
    "if you want to",
    "if i have to",
    "if i had to",
    "if we have to",
    "as we used to",
    "as it used to",
    "love to",
    "happy to",
    "glad to",
    "rather not to",
    "used to be",
    "or whatever you",
    "even though",
    "what if",
    "stand by",
    "as such as",
    "looking forward to",
];
/// The same where they are the whole turn, or nearly.
const FINISHED_ALONE: &[&str] =
    &["kind of", "sort of", "want to", "like to", "prefer to", "depends on"];
/// How many words a turn has that is nearly nothing else.
const ALONE_WORDS_MAX: usize = 5;
/// How far back a preposition's word can be.
const RELATIVE_WITHIN: usize = 7;

/// Words of German that no sentence ends in; not those that a verb may leave at its end, such as "mit".
const NEVER_LAST_IN_GERMAN: &str = " \
    und oder aber weil dass wenn ob obwohl während damit sondern denn der den dem des ein eine \
    einen einem einer eines mein meine meinen meinem meiner unsere unseren unserem unserer kein \
    keine keinen für von bei durch gegen ohne seit zwischen vom zum zur im am beim ins ans also \
    als ";
/// The same of Italian.
const NEVER_LAST_IN_ITALIAN: &str = " \
    e ed o ma che se mentre siccome perché il lo gli un uno una di del dello dei degli della delle \
    nel nella nello nei nelle al allo alla ai agli alle dal dalla sul sulla con per tra fra quindi \
    cioè ";

/// Whether the words of a turn so far end where a sentence cannot: in a filler, or in a word that needs
/// another one. A phrase that trails off, such as "so yeah" or "and so on", ends a turn (case 3).
pub fn is_unfinished(text: &str, language: Language) -> bool {
    let never_last = match language {
        Language::English => return is_unfinished_english(text),
        Language::German => NEVER_LAST_IN_GERMAN,
        Language::Italian => NEVER_LAST_IN_ITALIAN,
    };
    let words = normal(text);
    let Some(last) = words.rsplit(' ').next() else { return false };
    let end = text.trim_end();
    let stops = end.ends_with(['.', '!', '?']) && !end.ends_with("..");
    holds(FILLERS, last) || (!stops && holds(never_last, last))
}

fn is_unfinished_english(text: &str) -> bool {
    let words = normal(text);
    let end = text.trim_end();
    let words = split(&words);
    let Some((last, before)) = words.split_last() else { return false };
    if end.ends_with(['?', '？']) || is_finished(&words) {
        return false;
    }
    if holds(FILLERS, last) || holds(NEVER_LAST, last) {
        return true;
    }
    // A recogniser that writes a full stop has heard the voice fall; an ellipsis is none.
    let stops = end.ends_with(['.', '!']) && !end.ends_with("..");
    let Some(previous) = before.last() else {
        return matches!(*last, "so" | "well" | "like" | "i");
    };
    let is_relative = || {
        let near = &before[before.len().saturating_sub(RELATIVE_WITHIN)..];
        near.iter().any(|word| holds(RELATIVES, word))
    };
    let after = |list| holds(list, previous);
    match *last {
        "so" => !stops || after(" and but "),
        "then" => after(" and so but "),
        "like" => !after(" i you we they really not also ") && !is_relative(),
        "know" => after(" you ") && !words.iter().rev().take(4).any(|word| holds(ASKS, word)),
        "mean" => after(" i ") && !is_relative(),
        "well" => after(" and but so oh yeah "),
        "when" | "where" | "since" => !stops && after(" and but time so then that "),
        last if holds(SUBJECTS, last) => !holds(AUXILIARIES, previous),
        last if holds(PREPOSITIONS, last) => !stops && !is_relative(),
        _ => false,
    }
}

fn is_finished(words: &[&str]) -> bool {
    let ends_in = |phrase: &&str| ends_in(words, phrase);
    FINISHED.iter().any(ends_in)
        || (words.len() <= ALONE_WORDS_MAX && FINISHED_ALONE.iter().any(ends_in))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(want: bool, texts: &str) {
        for text in texts.lines().map(str::trim).filter(|text| !text.is_empty()) {
            assert_eq!(is_unfinished_english(text), want, "{text}");
        }
    }

    /// T04, in German and Italian: a full stop says that the voice fell.
    #[test]
    fn other_languages_break_off_too() {
        for (language, text, want) in [
            (Language::German, "Ich habe das gemacht, weil", true),
            (Language::German, "das war dann äh", true),
            (Language::German, "Dann fange ich damit an", false),
            (Language::German, "ich weiß nicht so", false),
            (Language::German, "Er kommt, aber.", false),
            (Language::German, "Ich warte, aber...", true),
            (Language::Italian, "ho lavorato per", true),
            (Language::Italian, "ho lavorato in banca e ehm", true),
            (Language::Italian, "Ho lavorato tanto.", false),
            (Language::Italian, "per la banca di", true),
            (Language::Italian, "e poi ho finito", false),
        ] {
            assert_eq!(is_unfinished(text, language), want, "{text}");
        }
    }

    /// T04: a turn that ends in a filler or in a word that needs another one is not over.
    #[test]
    fn they_are_in_the_middle_of_it() {
        check(
            true,
            "um
            I worked on the payments, uh
            and then we had to, um,
            it was like
            we were using a kind of a new approach, you know
            it was, I mean
            I built it and
            we changed it because
            I was responsible for the
            I was responsible for
            so
            So, well
            yes but so
            it was slow and so
            it was slow and so.
            a team of
            we worked together with
            I wanted to
            my
            I told my
            we could do this or
            we could do this or...
            we did it with...
            and it was basically a kind of
            I was the lead, but
            I was the lead, but.
            and then I
            and then they
            because we're
            I think it's
            that was the time when
            we moved it to the cloud although
            it was faster than
            and then
            I worked at Siemens in
            ich habe bei der Bank gearbeitet und
            das war schwierig weil
            abbiamo cambiato il
            nous avons travaillé avec
            lo hicimos porque",
        );
    }

    /// T04, case 3: what trails off, stands alone or belongs to a word before is the end of a turn.
    #[test]
    fn they_are_done() {
        check(
            false,
            "
            I worked on payments
            I worked on payments.
            so… yeah
            so yeah
            and stuff
            databases, queues and so on
            databases and so forth
            and things like that
            or something like that
            I think so
            I hope so.
            three years or so
            that is what it was like
            that's the part I like
            the one that I worked on
            which is the project I'm most proud of
            that's what I was looking for.
            That was the team I worked with.
            kind of
            yeah, sort of
            yes, I'd love to
            if you want to
            that came later on
            and we moved on
            as you know
            what do you mean by
            What are you waiting for?
            you mean my last job, or?
            it was slow, so.
            I do not remember since when.
            it was a pleasure to work with.
            that is what I mean
            my boss just walked in
            and who should I talk to?
            neither did I
            yes we have
            it went well
            even so
            mhm
            I did
            twenty twenty one",
        );
        assert!(!is_unfinished_english(""));
        assert!(!is_unfinished_english(" … "));
    }

    proptest! {
        /// Any Unicode is taken without a panic; what comes after "because" is always missing.
        #[test]
        fn any_text_is_taken(text in "(?s).{0,80}") {
            for (_, language) in Language::ALL {
                let _ = is_unfinished(&text, language);
            }
            let because = format!("{text} because");
            prop_assert!(is_unfinished_english(&because));
        }
    }
}
