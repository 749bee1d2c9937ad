//! How people ask for a question again, or what it means.

use super::Intent;

/// Whether they say what they will do themselves: "let me rephrase that".
pub(super) fn is_announced(cue: Intent, lead: &[&str]) -> bool {
    let theirs = [["let", "me"], ["i", "will"], ["can", "i"], ["may", "i"], ["i", "can"]];
    matches!(cue, Intent::Repeat | Intent::Clarify)
        && theirs.iter().any(|theirs| lead.ends_with(theirs))
}

pub(super) const REPEAT: &str = "
    can|could|would|will you repeat|say|ask that|it|this|the|your question|part|one|thing? \
    again|more|a? bit? slowly|slower|louder?
    can|could|would|will you repeat|say|ask the|that first|second|last|third|whole? \
    part|question|bit|one|thing of? the|your? question? again?
    can|could|would|will you repeat
    would|do you mind repeating|saying that|it|the question? again?
    what was the|your first|second|last? part? of? the? question
    what was the|your question again?
    what is|was your|the question again?
    what did you say|ask me?
    what were you asking
    what was that
    can|could i hear that|it|the question? again
    i did not hear the|your question
    i did not catch|get the|your|that last? question|part
    say|repeat|ask that|it|the|your question? again
    repeat the|that|your question|part
    can|could you speak|talk up|louder|slower|slowly
    can|could you speak|talk a? bit|little? more|louder|slower slowly|clearly?
    can|could|would|will you ask me? again
    can|could|would|will you say|ask|repeat that|it|this|the? question? one more time
    i forgot the|your question
    i have forgotten the|your question
";

/// Only where nothing else is said.
pub(super) const REPEAT_ALONE: &str = "
    pardon me?
    i beg your pardon
    come again
    what
    huh
    repeat
    repeat that|it
    once more|again
    one more time
    say again
    i did not hear|understand
    i do not hear
    i can|could not hear|understand
    i can barely|hardly hear|understand you
    i missed that|it|the? question?
    you are breaking|cutting up|out
    i lost you
    i lost you for a second|moment
    i lost you there|again
    you cut|broke out|off|up
    you were cut|breaking off|out|up
    you are too|very|really|so fast|quiet
    a bit|little louder|slower
    louder|slower
    the|my connection|line|sound|audio is|was bad|gone|breaking|cut up|out?
    i am back again|now?
    i am here again|now?
    i am still|right here
    where were we
    is this|it|my working
    is my|the microphone|mic|audio|sound working|on
    am i audible
    i did not quite|fully|really hear|catch|get that|you|it|everything
    i can|could not quite|fully|really hear|catch|understand that|you|it|everything
    i did not understand you
    i did not hear|catch|get that|you|it
    i did not hear|catch|get what you said|asked
    i can|could not hear|understand you|that|it|anything properly|well|anymore|clearly?
    can|could|do you hear me now|okay|well|properly?
    are you still? there|here|listening?
    is anybody|anyone|somebody|someone there|here
";

pub(super) const REPHRASE: &str = "
    can|could|would|will you put|say|ask|phrase|formulate|word that|it|this|the question? differently
    can|could|would|will you put|say|ask|phrase|formulate|word that|it|this|the question? \
    in|another|other a|other? different|another|simpler|easier? way|words
    can|could|would|will you rephrase|reformulate|reword|paraphrase that|it|this|the|your? question? _?
    can|could|would|will you simplify that|it|this|the|your question?
    can|could|would|will you make that|it|the simpler|easier|question simpler|easier?
    can|could|would|will you use simpler|easier|other|different words
    rephrase that|it|the|your question?
    in other words
    put it differently
    would|do you mind rephrasing|reformulating that|it|this|the question?
";

/// Only where nothing else is said.
pub(super) const CLARIFICATION_ALONE: &str = "
    what kind|sort|type of _ _?
    i do|can not follow you?
    i am not following you?
    i am lost|confused
    i am a bit|little confused|lost
    you mean _ _? _? _? _? _?
    explain that|it?
    how so
";

pub(super) const CLARIFICATION: &str = "
    what do|did you mean
    what do|did you mean by|with|when _ _? _? _? _? _?
    what exactly do|did you mean by|with? _? _? _? _?
    what is meant by _ _? _? _?
    what does that|it|this mean
    what does _ mean
    what do you want|like|need to? know|hear exactly?
    what are you asking|looking for? exactly?
    how do you mean
    how do you mean that|it
    do you mean _ _? _? _? _? _? _? _?
    are you asking|talking about|for|whether|if|me _ _? _? _? _? _? _?
    what exactly do you want|need to? know|hear about? _? _? _? _?
    can|could|would you give me a|an|some hint|help|idea|example|clue
    do you want|like me to _ _? _? _? _? _? _?
    is it|this|that about my|the|a _ _? _? _? _? _?
    you mean
    can|could|would you explain|clarify
    can|could|would you explain|clarify that|it|this|the|your question|term? _? _?
    can|could|would you explain|clarify what you mean _? _? _? _?
    can|could|would you give|show me? an|some example|examples _? _? _?
    can|could|would you be more specific|precise|concrete
    i do not quite? understand|get
    can|could you elaborate
    can|could you elaborate on that|it|this
    i do not understand|get that|it|this|what|the|your question|you|point? mean|want|asking? by|from? _? _?
    i do not know what you mean|want by|with|from? _? _?
    i do not know what that|this|it means|is
    i did not understand the|your|that|what question|you? mean|meant|asked?
    i am not sure i|what understand|get|you|follow the|your|what|that|mean|want|are? \
    question|you|asking|by|for|to? mean|asking|know|that? _?
    which one do you mean
    which one
    which project|job|role|company|team|part
    which project|job|role|company|team|part|one do|should|would you|i mean|talk|take|want|like? \
    about|to? hear? about?
    should|shall|can i talk|speak|tell about _ _? _? _? _?
    in what|which sense|way|context|respect
    like what
    what kind|sort|type of _ do you mean|want
";

#[cfg(test)]
mod tests {
    use super::super::intent;
    use super::*;

    /// Cases 4 to 6: what they will put differently is theirs, and who may do something has a moment for it;
    /// what they want of us they want.
    #[test]
    fn what_is_theirs_to_say_again() {
        for (text, wanted) in [
            ("I like the ledger, let me rephrase that", Some(Intent::Hold)),
            ("I mean the ledger. Let me say that again.", Some(Intent::Hold)),
            ("I mean the ledger. I'll say that again", None),
            ("let me put it differently", Some(Intent::Hold)),
            ("let me start over", Some(Intent::Hold)),
            ("can I rephrase that?", Some(Intent::Hold)),
            ("can I start again?", Some(Intent::Hold)),
            ("can I give an example from university?", Some(Intent::Hold)),
            ("may I use an example from another company?", Some(Intent::Hold)),
            ("can you rephrase that?", Some(Intent::Clarify)),
            ("I did not get it, can you say that again?", Some(Intent::Repeat)),
            ("what exactly do you want to know?", Some(Intent::Clarify)),
            ("are you asking about the ledger?", Some(Intent::Clarify)),
            ("can you give me a hint?", Some(Intent::Clarify)),
            ("can I work from home?", Some(Intent::Ask(super::super::About::Other))),
        ] {
            assert_eq!(intent(text), wanted, "{text}");
        }
    }
}
