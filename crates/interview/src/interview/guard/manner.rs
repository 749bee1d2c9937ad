//! Whether words in brackets or asterisks describe how somebody acts ("smiles warmly", "eine kurze Pause"),
//! or are said to somebody ("by the way", "wenn Sie möchten").
//!
//! A description begins with what a body or a face does ("nods", "leise lachend"), is a thing that is heard
//! or seen of one ("a short pause", "con un sorriso"), or is a third person's verb with its object ("flips
//! the page"). A word that means the speaker or the listener, or an auxiliary verb, makes it speech.

mod lexicon;

use crate::interview::understanding::words::holds;
use lexicon::{
    AND, ARTICLES, ASSERTIONS, AUXILIARIES, AWAITED, BEARINGS, FACE, FINITE, GERMAN_OBJECTS,
    GO_WITHOUT_OBJECT, HEADS, IDLE, INTO, ITALIAN_OBJECTS, LIGHT_VERBS, MANNERS, NO_VERBS, OPENERS,
    PARTICLES, PERSONS, PREPOSITIONS, PROPS, REFLEXIVE_ASIDES, SUBJECTS, TIMES, TONES,
};

/// The most words of a description.
const WORDS_MAX: usize = 12;
/// The most words of a thing that is heard or seen: "after a short thoughtful pause".
const THING_WORDS_MAX: usize = 6;

/// What words in brackets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Manner {
    /// They are no description as far as can be seen.
    Unknown,
    /// They describe how somebody acts if they are a sentence of their own.
    Likely,
    /// They describe how somebody acts.
    Acting,
    /// They are said to somebody.
    Said,
}

/// Returns what words in brackets are: the description in one of their parts describes all of them, and what
/// is said in one is said.
pub(super) fn manner(text: &str) -> Manner {
    if text.contains('?') {
        return Manner::Said;
    }
    let is_end = |c: char| matches!(c, ',' | ';' | ':' | '.' | '!' | '…' | '–' | '—' | '/' | '&');
    let parts = text.split(is_end).map(words).filter(|words| !words.is_empty());
    parts.map(|words| part(&words)).max().unwrap_or(Manner::Unknown)
}

/// Returns the words of a part, without what stands around them.
fn words(part: &str) -> Vec<&str> {
    let words = part.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '’'));
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).collect()
}

fn part(raw: &[&str]) -> Manner {
    let lower: Vec<String> = raw.iter().map(|word| word.to_lowercase()).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let &[first, ref rest @ ..] = words.as_slice() else { return Manner::Unknown };
    if words.len() > WORDS_MAX || rest.first().is_some_and(|word| holds(AUXILIARIES, word)) {
        return Manner::Said;
    }
    if moves(first) || has_subject(&words) || words.iter().any(|word| is_german_participle(word)) {
        return Manner::Acting;
    }
    if is_addressed(raw, &words) {
        return Manner::Said;
    }
    if idles(&words) || is_thing(&words) || is_gesture(&words) {
        return Manner::Acting;
    }
    if holds(OPENERS, first) || holds(AUXILIARIES, first) {
        return Manner::Said;
    }
    if is_manner_alone(&words) || is_deed(raw, &words) { Manner::Likely } else { Manner::Unknown }
}

/// Whether a word is what a face or a body does, as it is described: "smiles", "nodding", "lächelt",
/// "sorridendo".
fn moves(word: &str) -> bool {
    is_form(FACE, word) || holds(FINITE, word) || is_italian_gerund(word)
}

/// Whether a word is an English verb of a list, in the third person, the past or with "-ing".
fn is_form(list: &str, word: &str) -> bool {
    let is_verb = |stem: &str| {
        let doubled = || {
            let (front, last) = stem.split_at_checked(stem.len().saturating_sub(1))?;
            front.ends_with(last).then_some(front)
        };
        let with_e = || format!("{stem}e");
        holds(list, stem)
            || doubled().is_some_and(|front| holds(list, front))
            || holds(list, &with_e())
    };
    let third = word.strip_suffix("s").is_some_and(|stem| {
        holds(list, stem) || stem.strip_suffix("e").is_some_and(|stem| holds(list, stem))
    });
    third || ["ing", "ed"].iter().any(|end| word.strip_suffix(end).is_some_and(is_verb))
}

/// Whether a word is a participle such as "lächelnd" or "lachend".
fn is_german_participle(word: &str) -> bool {
    let stems = ["end", "nd"].iter().filter_map(|end| word.strip_suffix(end));
    let finite = |stem: &str| [format!("{stem}t"), format!("{stem}et")];
    stems.flat_map(finite).any(|finite| holds(FINITE, &finite))
}

/// Whether a word is a gerund such as "sorridendo" or "annuendo".
fn is_italian_gerund(word: &str) -> bool {
    let stems = ["ando", "endo"].iter().filter_map(|end| word.strip_suffix(end));
    let finite = |stem: &str| [format!("{stem}a"), format!("{stem}e"), format!("{stem}isce")];
    stems.flat_map(finite).any(|finite| holds(FINITE, &finite))
}

/// Whether somebody is named who acts: "she smiles", "Alba nickt", "the interviewer nods".
fn has_subject(words: &[&str]) -> bool {
    let is_third = |word: &str| holds(FINITE, word) || word.ends_with('s') && is_form(FACE, word);
    match words {
        [subject, verb, ..] if holds(SUBJECTS, subject) && is_third(verb) => true,
        [article, _, verb, ..] if holds(ARTICLES, article) => is_third(verb),
        [name, verb, ..] => {
            let is_name = ![PERSONS, AUXILIARIES, OPENERS, ARTICLES, PREPOSITIONS]
                .iter()
                .any(|list| holds(list, name));
            is_name && is_third(verb)
        }
        _ => false,
    }
}

/// Whether a word means the speaker or the listener. The polite words of German and Italian are told from
/// those of a third person by their capital letter, and the English "I" from an Italian article.
fn is_addressed(raw: &[&str], words: &[&str]) -> bool {
    let is_polite = |(n, word): (usize, &&str)| match *word {
        "I" => true,
        "Sie" | "Ihnen" | "Ihr" | "Ihre" | "Ihren" | "Ihrem" | "Ihrer" | "Lei" => n > 0,
        _ => false,
    };
    words.iter().any(|word| holds(PERSONS, word)) || raw.iter().enumerate().any(is_polite)
}

/// Whether somebody waits, listens or thinks, and nothing is said of what about: "thinks", "typing",
/// "listens closely", "aspetta".
fn idles(words: &[&str]) -> bool {
    let [verb, rest @ ..] = words else { return false };
    let goes_on = |word: &&str| {
        [PARTICLES, MANNERS, BEARINGS, ARTICLES].iter().any(|list| holds(list, word))
            || is_adverb(word)
            || holds(AWAITED, word)
    };
    is_form(IDLE, verb) && !verb.ends_with("ed") && rest.iter().all(goes_on)
        || holds(GO_WITHOUT_OBJECT, verb) && rest.iter().all(goes_on)
}

/// Whether words are a thing that is heard or seen of somebody: "a short pause", "with a smile", "in a warm
/// tone", "una pausa breve", "pause for effect". An article within ("take a breath") asks for it.
fn is_thing(words: &[&str]) -> bool {
    let (leads, rest) = match words {
        [lead, rest @ ..] if holds(PREPOSITIONS, lead) && !rest.is_empty() => (true, rest),
        _ => (false, words),
    };
    let (has_article, rest) = match rest {
        [article, rest @ ..] if holds(ARTICLES, article) => (true, rest),
        _ => (false, rest),
    };
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else { return false };
    let is_plain = |word: &&str| {
        ![ARTICLES, AUXILIARIES, OPENERS].iter().any(|list| holds(list, word)) || holds(AND, word)
    };
    if rest.len() > THING_WORDS_MAX {
        return false;
    }
    let is_tone = leads && [first, last].iter().any(|word| holds(TONES, word));
    let ends_so = holds(HEADS, last) && rest.iter().all(is_plain);
    let begins_so = holds(HEADS, first)
        && (leads || has_article || rest[1..].iter().all(is_measure))
        && rest.iter().all(|word| is_plain(word) || is_measure(word));
    is_tone && rest.iter().all(is_plain) || ends_so || begins_so
}

/// Whether a word may follow a pause: "pause for two seconds", "Pause 2s", "beat of silence".
fn is_measure(word: &&str) -> bool {
    holds(MANNERS, word)
        || holds(HEADS, word)
        || holds(TIMES, word)
        || is_adverb(word)
        || word.starts_with(|c: char| c.is_ascii_digit())
        || matches!(*word, "for" | "of" | "effect" | "di" | "a" | "del" | "capo")
}

/// Whether words say what somebody does with their body or what they hold: "clears throat", "gives a nod",
/// "macht eine Pause", "tilts her head".
fn is_gesture(words: &[&str]) -> bool {
    let [verb, rest @ ..] = words else { return false };
    let Some(last) = rest.last() else { return false };
    let is_seen = |word: &&str| holds(HEADS, word) || holds(PROPS, word);
    let is_light = holds(LIGHT_VERBS, verb) && rest.iter().any(is_seen);
    let is_short = rest.len() == 1 || rest.len() == 2 && holds(ARTICLES, rest[0]);
    is_light || is_third_person(verb) && is_short && holds(PROPS, last)
}

/// Whether words are but the way in which something is said: "softly", "sehr freundlich".
fn is_manner_alone(words: &[&str]) -> bool {
    let is_part = |word: &&str| holds(MANNERS, word) || holds(AND, word);
    words.iter().all(is_part) && words.iter().any(|word| holds(MANNERS, word))
}

/// Whether words begin with a third person's verb and go on with what it is done to or where: "flips the
/// page", "trinkt einen Schluck", "si appoggia allo schienale".
fn is_deed(raw: &[&str], words: &[&str]) -> bool {
    let [verb, rest @ ..] = words else { return false };
    let (Some(second), Some(last)) = (rest.first(), rest.last()) else { return false };
    if holds(TIMES, last) || rest.iter().any(|word| holds(AUXILIARIES, word)) {
        return false;
    }
    if *verb == "si" {
        return second.ends_with(['a', 'e']) && !holds(REFLEXIVE_ASIDES, second);
    }
    if is_third_person(verb) {
        return is_done_to(rest);
    }
    let is_verb = |ends: &[char]| {
        let lists = [NO_VERBS, ASSERTIONS, AUXILIARIES, OPENERS, ARTICLES, PREPOSITIONS];
        verb.ends_with(ends) && verb.len() > 3 && !lists.iter().any(|list| holds(list, verb))
    };
    // In German every noun has a capital letter.
    let is_verb = |ends| raw[0].starts_with(char::is_lowercase) && is_verb(ends);
    let holds_prop = rest.iter().any(|word| holds(PROPS, word));
    is_verb(&['t']) && (holds(GERMAN_OBJECTS, second) || holds_prop && rest.len() == 1)
        || is_verb(&['a', 'e']) && holds(ITALIAN_OBJECTS, second) && holds_prop
}

/// Whether words go on behind an English verb in the third person, and not behind a noun of several things:
/// "(tools the team built)" tells of tools.
fn is_done_to(rest: &[&str]) -> bool {
    let is_way = |word: &str| {
        [INTO, PARTICLES, MANNERS].iter().any(|list| holds(list, word)) || is_adverb(word)
    };
    match rest {
        [way, ..] if is_way(way) => true,
        [article, _] if holds(ARTICLES, article) => true,
        [article, _, next, ..] if holds(ARTICLES, article) => {
            is_way(next) || holds(BEARINGS, next) || holds(AND, next)
        }
        ["at", at @ ..] => at.iter().any(|word| holds(PROPS, word)),
        _ => false,
    }
}

/// Whether a word is an English verb in the third person, as far as its end tells.
fn is_third_person(word: &str) -> bool {
    let no_ends = ["ss", "us", "is", "as", "os"];
    word.ends_with('s')
        && word.len() > 3
        && !no_ends.iter().any(|end| word.ends_with(end))
        && ![NO_VERBS, ASSERTIONS, AUXILIARIES, OPENERS].iter().any(|list| holds(list, word))
}

/// Whether a word is an English adverb, as far as its end tells.
fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly") && !holds(OPENERS, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wanted: &[Manner], texts: &str) {
        for text in texts.split('|').map(str::trim) {
            let found = manner(text);
            assert!(wanted.contains(&found), "{text:?} is {found:?}, not {wanted:?}");
        }
    }

    /// What describes a face, a body or a voice is acting, in three languages and many forms.
    #[test]
    fn manners_are_described() {
        check(
            &[Manner::Acting, Manner::Likely],
            "smiles | nods | laughs softly | pauses | nodding | Smiling warmly | leans forward | \
            chuckles. | clears throat | clears her throat | tilts head | takes notes | \
            takes a deep breath | gives a nod | smiles and nods | smiles at you | nods, leaning in | \
            softly, with a smile | warmly | thoughtfully | a short pause | long pause | \
            brief silence | pause | Pause 2s | beat | pause for effect | with a warm smile | \
            in a friendly tone | after a short pause | laughter | waits | waits for an answer | \
            thinks for a moment | typing | looks away | taps pen | sips water | flips the page | \
            flips through the papers | opens the folder slowly | points at the screen | \
            waves | speaks softly | with interest | \
            scribbles a note | glances at the notes | adjusts his glasses | she smiles | \
            the interviewer nods | Alba chuckles | paused | shrugs! | *grins* | lächelt | \
            nickt verständnisvoll | lacht leise | lächelnd | leise lachend | räuspert sich | \
            lehnt sich zurück | macht eine kurze Pause | macht sich Notizen | hält inne | denkt nach \
            | kurze Pause | Pause | mit einem Lächeln | in ruhigem Ton | freundlich | \
            blättert in den Unterlagen | trinkt einen Schluck Wasser | sie nickt | nachdenklich | \
            die Interviewerin lächelt | tippt auf der Tastatur | sorride | annuisce | ride piano | \
            sorridendo | annuendo lentamente | si schiarisce la voce | si appoggia allo schienale | \
            fa una pausa | fa un cenno con la testa | prende appunti | pausa | breve pausa | \
            una pausa breve | con un sorriso | con tono gentile | gentilmente | scuote la testa | \
            silenzio | lei sorride",
        );
    }

    /// What is said to somebody, or about something, is no acting, though it may begin like it.
    #[test]
    fn asides_are_no_manners() {
        check(
            &[Manner::Said, Manner::Unknown],
            "by the way | if you like | take your time | no rush | in your own words | just briefly | \
            about five | optional | including tests | speaking of tests | tools the team built | \
            bugs in production | meetings over coffee | frameworks mostly | engineers at Google | \
            things a junior can do | thinking about it | assuming you did | sorry | for example | \
            yes | of course | great question | thanks for your patience | this is for you | \
            makes sense | sounds good | depends on the team | takes a minute | needs a moment | \
            as always | perhaps | sometimes | besides | questions welcome | examples are fine | \
            weekends excluded | bugs | goes without saying | looking at your CV | during the sprint \
            | interesting | nothing special | take a deep breath | feel free to laugh | please smile \
            | I smiled at that | honestly | roughly | pauses are fine | laughing is allowed | \
            we will come back to it | hopefully | obviously | Rust | screenshots too | \
            the team was small | generally speaking | that made us laugh | voice chat | übrigens | \
            wenn Sie möchten | keine Eile | nehmen Sie sich Zeit | kurz gesagt | zum Beispiel | \
            macht nichts | das war gut | nicht schlimm | passt gut | kommt auf das Team an | stimmt \
            | mit Tests | vielleicht | ganz in Ruhe | etwa fünf | hat Zeit | optional | klingt gut | \
            entsprechend | anschließend | lachen Sie ruhig | a proposito | se vuole | con calma | \
            per esempio | circa cinque | non importa | si intende | senza fretta | \
            prenda pure il suo tempo | va bene | grazie | parlando di test | si capisce | \
            come preferisce",
        );
    }
}
