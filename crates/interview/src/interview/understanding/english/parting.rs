//! How people say goodbye.

use std::sync::LazyLock;

use super::{
    super::words::{Phrases, plain, split},
    phrases::SOFT,
};

static PARTING: LazyLock<Phrases<()>> =
    LazyLock::new(|| Phrases::new([SOFT, WORDS].map(|table| ((), table))));

const WORDS: &str = "
    bye|goodbye|cheers|great|perfect|cool|lovely|wonderful|sure|yes|yeah|yep|no|nope|nothing|mhm|likewise
    good bye
    you too
    same to you
    to you too
    have a good|great|nice|lovely|wonderful day|evening|weekend|one|afternoon|night|time
    take care
    see|talk you|to soon|later|then|around|you? soon|later?
    until|till next time|then
    for your|the|this|a time|interview|conversation|talk|call|opportunity|help|nice|good|great|lovely talk|chat|conversation|interview?
    for having|talking|interviewing me|to? me?
    it was a? nice|great|good|lovely|pleasure talking|speaking|meeting|to \
    to|with|you|talk|speak|meet? you|to|with? you?
    it was a? nice|great|good|lovely|pleasure
    my pleasure
    nice|great|good|lovely talking|speaking|meeting|to to|with|you|talk|speak|meet you|to|with? you?
    i look forward to it|hearing from? you?
    looking forward to it|hearing from? you?
    that is it|all
    that was it|all
";

/// Whether a turn says goodbye, or thanks, and nothing else.
pub fn is_parting(text: &str) -> bool {
    PARTING.cover(&split(&plain(text))).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case 18: who says goodbye has nothing to add; who says anything else may have.
    #[test]
    fn they_say_goodbye() {
        let parting = "bye | Thank you, bye bye. | Thanks, you too! | Okay, thank you so much. | \
            thank you for your time
            have a nice day | Thank you for having me, goodbye. | It was nice talking to you. | \
            great thanks | see you
            No, that's all, thank you. | It was a pleasure, thank you. | Thank you. I look forward \
            to hearing from you. | um";
        let more = "one more thing | thank you, but when will I hear back | wait | I also teach | \
            my mother died
            I want to die | thank you Kafka was hard | see the ledger was slow";
        let said = |texts: &'static str| texts.split(['|', '\n']).map(str::trim);
        let wrong: Vec<_> = said(parting).filter(|text| !is_parting(text)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        let wrong: Vec<_> = said(more).filter(|text| is_parting(text)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
