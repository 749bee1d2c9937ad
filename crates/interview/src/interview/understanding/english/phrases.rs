//! The phrases that cues are known by, in the words of `words::plain`: contractions written out, no fillers.

use super::{
    About, Intent,
    about::{HUMAN, RECORDING, VERDICT},
    again::{CLARIFICATION, CLARIFICATION_ALONE, REPEAT, REPEAT_ALONE, REPHRASE},
    grave::{ABUSIVE_AT_END, DISTRESS_AT_END},
};

/// Turns that consist of these and of [`SOFT`] alone. Where two cues meet, the first one here counts.
pub(super) const WHOLE: &[(Intent, &str)] = &[
    (Intent::Stop, STOP),
    (Intent::Stop, STOP_ALONE),
    (Intent::SkipPart, SKIP_PART),
    (Intent::SkipPart, "skip this|the whole? part|section|topic|stage\nnext part|section|topic"),
    (Intent::Skip, SKIP),
    (Intent::Skip, SKIP_ALONE),
    (Intent::Ask(About::Verdict), VERDICT),
    (Intent::Ask(About::Human), HUMAN),
    (Intent::Ask(About::Recording), RECORDING),
    (Intent::Clarify, REPHRASE),
    (Intent::Repeat, REPEAT),
    (Intent::Repeat, REPEAT_ALONE),
    (Intent::Clarify, CLARIFICATION),
    (Intent::Clarify, CLARIFICATION_ALONE),
    (Intent::Decline, DECLINED),
    (Intent::DontKnow, DONT_KNOW),
    (Intent::Done, DONE),
    (Intent::Done, "done\nfinished\nnothing"),
    (Intent::Hold, HOLD),
    (Intent::Hold, HOLD_ALONE),
    (Intent::Correct, CORRECTION),
    (Intent::Yes, YES),
    (Intent::No, NO),
];

/// Requests that also count at the end of a turn, after a few words that led to them.
pub(super) const AT_END: &[(Intent, &str)] = &[
    (Intent::Distress, DISTRESS_AT_END),
    (Intent::Abusive, ABUSIVE_AT_END),
    (Intent::Stop, STOP),
    (Intent::Stop, "i want|need|have to stop"),
    (Intent::SkipPart, SKIP_PART),
    (Intent::Skip, SKIP),
    (Intent::Ask(About::Verdict), VERDICT),
    (Intent::Ask(About::Human), HUMAN),
    (Intent::Ask(About::Recording), RECORDING),
    (Intent::Clarify, REPHRASE),
    (Intent::Repeat, REPEAT),
    (Intent::Clarify, CLARIFICATION),
];

/// What counts at the end of an answer of any length.
pub(super) const AFTER_ANSWER: &[(Intent, &str)] = &[
    (
        Intent::Hold,
        "let me think|see|remember about|of? it|that?\nlet me rephrase|reformulate|reword \
            that|it|this?\nlet me say|put that|it|this again|differently\nlet me start|begin \
            over|again\ngive me a|one second|minute|moment|sec\nlet me think for? a? second|minute|moment",
    ),
    (
        Intent::Done,
        "that is it|all\nthat is all i have|know|can|did say|add|remember?\nthat is all from me|my\n\
            that is about it|all\nthat is my background|story|experience|answer\ni have nothing \
            else|more to? add|say?\nthat would be it|all",
    ),
];

/// What says nothing by itself.
pub(super) const SOFT: &str = "
    so
    well
    okay|ok|alright
    all right
    and
    but
    then
    now
    right now
    for now
    today
    for today
    like
    i mean
    you know
    i guess|think|suppose|believe
    sorry
    i am so|very|really|terribly? sorry|afraid
    my apologies
    excuse me
    unfortunately
    thanks
    thank you so|very? much?
    hey|hi|hello
    look
    listen
    maybe
    perhaps
    to be honest|fair|frank
    if that is okay|ok|fine|possible|alright
    if possible
    if you do not mind
    if you would not mind
    if i may
    i am good|fine|okay
    good|great|nice|interesting|tough|hard|difficult question
    that is a|such? very|really? a? good|great|nice|interesting|tough|hard|difficult question
    either
    though
    yet
    at all
    again
    at the moment
    on that|this|it
    about that|this|it
    in general
    my bad
    for waiting
    for your patience
    man
    sir
    wow
    anyway
    i did not hear you|that|it well|properly?
    i could|can not hear you|that|it well|properly|anymore?
    i did not catch|get|understand that|it|you|the? question?
    i missed that|it|the? question?
    you broke up
    the|my connection|line|sound|audio is|was bad|gone|breaking|cut up|out?
";

/// With one of these right after it, a reason follows "I have to stop now".
pub(super) const REASONS_NOW: &str = " because since cause as my sorry something someone somebody \
    there i it the this please \
    and we ";
/// Where nothing says that it is about now, more has to: not "… as a project manager", "… there", "… my PhD".
pub(super) const REASONS: &str = "
    because|since|cause|sorry|something|someone|somebody|i|we|please
    my _ _? is|are|has|have|was
    as|and i|my|we|it|there|somebody|someone|something
    as|and the _ _? is|are|has|have|was
    it|there|this is|was|has
    the _ _? is|are|has|have|was
";

const STOP: &str = "
    i have|need|want|got|must|would|really? like? have|got? to? really? stop|end|quit|finish|leave now|here
    i have|need|want|got|must really? got? to? stop|end|quit|finish|leave|abort|cancel|terminate \
    the|this|our interview|conversation|call|session here|now?
    i would like|love|prefer to stop|end|quit|finish|leave|abort|cancel|terminate the|this|our \
    interview|conversation|call|session here|now?
    i would like|love|prefer to stop|end|finish now|here|it
    i have|need|want|got to end|stop|finish this|it|things here|now
    i have|need|want|got to hang up
    i have|need|want|got|must got? to? go|leave|run now
    i do not want to do this interview|call anymore|now?
    i do not want to continue|proceed|go with|on? this|the? interview?
    we have|need to stop|end|finish here|now
    we have|need to stop|end|finish the|this interview|call
    can|could|may|shall|should|might we|i stop|end|finish|quit it|this? here|now|there
    can|could we stop|end|finish it|this
    can|could|may|shall|should|might we|i stop|end|finish|quit the|this \
    interview|call|session|conversation now|here?
    can|could|may|shall|should we|i call it a day
    can|could|would you end|stop|finish|terminate|cancel the|this interview|call|session|conversation
    let us|me stop|end|finish|quit here|now|there|it
    let us|me stop|end|finish|quit the|this|it interview|call|session|conversation|here|now
    let us call it a day
    i am done|finished with this|the interview|call
    is it okay|ok|possible|alright if we|i stop|end|finish here|now
    is it okay|ok|possible|alright to stop|end|finish here|now
";

/// Only where nothing else is said.
const STOP_ALONE: &str = "
    stop
    stop it|this|here|now
    stop|end|finish|quit|cancel|terminate the|this interview|call|session|conversation
    i have|need|want|must got? to? stop|quit|go|leave
    i got to stop|quit|go|leave
    can|could we|i stop|finish|end
    i quit
    i am leaving
    i am out
    goodbye|bye
    good bye
    i do not want to do this anymore|any|longer? more|longer?
    let us stop|end|finish
    i do not want to continue|proceed
    i have|need|got to run
    i should stop|go|leave|run now?
    i would like to stop|go|leave now|here?
    can|could|may we|i leave now?
    let us wrap this|it|things? up
    can|could we wrap this|it|things? up
    let us leave it there|here
    let us leave it at that
    can|could we leave it there|here
    can|could we leave it at that
    hang up
    end call|interview
    quit|exit|terminate
    got to run|go|leave now?
    we should stop|end|finish this|it? here|now?
    i would rather stop|end|finish|quit|leave this|it? here|now?
    i would prefer to stop|end|finish|quit|leave this|it? here|now?
    i am going to stop|end|leave|quit|go this|it? here|now?
    i will|am going? to? have to stop|end|leave|go this|it? here|now?
    i have had enough
    i have had enough of this|it|you|the interview|call|conversation?
    i am done|finished here
    i am done with this
    i am out of time
    i have run out of time
    i have no more time
    i have no time left|anymore
    i do not have any? more time
    i do not have any? time left|anymore
    i have another|a meeting|appointment|call now
    i have another meeting|appointment
    i have to catch a|my|the train|bus|plane|flight
    can|could we reschedule this|it?
    can|could we do|continue this|it? later|tomorrow
    can|could we do|continue this|it? another|some|a other|different? time|day
    let us stop|end|finish this
    i want out
    i want to go home
    can|could|may i|we go now?
    can|could|may i|we go home
";

const SKIP_PART: &str = "
    can|could|may|let|shall|should we|i|us|you skip|leave|drop|pass this|the|that \
    whole|entire|rest? of? this|the? part|section|topic|stage out?
    i would like|prefer|rather to? skip this|the|that whole|entire? part|section|topic|stage
    i want|need to skip this|the|that whole|entire? part|section|topic|stage
    can|could|may|let we|i|us|you move|go on? to the next part|section|topic|stage
";

const SKIP: &str = "
    can|could|may|let|shall|should we|i|us|you skip this|that|it|the question|one?
    can|could|may|let|shall|should we|i|us|you skip to the next one|question?
    i would like|prefer|rather to? skip this|that|it|the question|one?
    i would|want like? to skip|go|move on? to the next question|one
    i want|need to skip this|that|it|the question|one?
    i will skip this|that|it|the question|one?
    i will pass on this|that|it question|one?
    can|could|may|let we|i|us|you move|go|continue on? to|with the? next question|one
    can|could|may|let we|i|us|you have|get|take the? next|another|different question|one
    can|could you ask me? something else|different
    can|could you ask me? another|different question|one
    can|could we talk about something else
";

/// Only where nothing else is said.
const SKIP_ALONE: &str = "
    skip
    leave this|that|it|the question|one? out
    let us leave this|that|it|the question|one? out
    can|could|may|shall we|i|you leave this|that|it|the question|one? out
    i would like|prefer|rather to? leave this|that|it|the question|one? out
    skip this|that|it|the question|one?
    pass
    i pass
    i will pass
    next
    next question|one
    the next question|one
    move on
    let us move on
    can|could we move on
    another question
    let us skip
    can|could we|i skip
    i would|want like|prefer? to skip
    i need to skip
    i will skip
    can|could you move on
    change the topic|subject
    can|could we change the topic|subject
    can|could we talk about something different
    let us talk about something else|different
    i would like|prefer|rather to? talk about something else|different
    ask me? something else|different
    ask me? another|different question|one
    different question
";

const DECLINED: &str = "
    i would rather|prefer not
    i would rather|prefer not to
    that|it is too? confidential|private|personal
    that|it|i is|am under an? nda
    i would rather|prefer not to? say|answer|tell|discuss|share|comment|talk|go|get \
    that|this|it|into|about|on? question|that|this|it|here?
    i prefer not to? say|answer|tell|discuss|share|comment|talk|go|get that|this|it|into|about|on? \
    question|that|this|it|here?
    i do not want|wish to say|answer|tell|discuss|share|comment|talk|go that|this|it|into|about|on? \
    question|that|this|it|here?
    i would not like to say|answer|tell|discuss|share|comment|talk|go that|this|it|into|about|on? \
    question|that|this|it?
    i am not comfortable|allowed|able answering|sharing|discussing|saying|talking|with|to \
    say|answer|share|discuss|talk|that|this|it|about? that|this|it|about? question|that|this|it?
    i am not comfortable with? answering|sharing|discussing|saying|talking|that about? \
    that|this|it|the? question?
    i do not feel comfortable with? answering|sharing|discussing|saying|talking|that|this about? \
    that|this|it|the? question?
    i am not allowed to say|answer|share|discuss|talk|tell about? that|this|it|you? question?
    i can not say|answer|share|discuss|talk|tell about? that|this|it|you?
    i can not say|answer|share|discuss|talk|tell about? that|this|it? because of my|the|an \
    nda|confidentiality|agreement
    i can not share|disclose|discuss|reveal that|this|it|the? details?
    no comment
    i refuse to? answer|say? that|this?
    i will not answer|say that|this? question?
    none of your business
    that is none of your business
    let us not go there|into
    let us not go into that|it
";

const DONT_KNOW: &str = "
    i do not know
    i do not know the|an answer to? that|it|this? question?
    i do not know how|what to say|answer to? that|it|this?
    i do not know much|anything|enough about that|it|this
    i do not know about? that|it|this|one
    i do not really know
    i would not know
    i have absolutely|really? no idea|clue
    no idea|clue
    i am not sure|certain
    i am not really|so|too|entirely|completely sure|certain
    not sure
    not really|quite|so|too|entirely|completely sure|certain
    i could not tell you
    i have no example|examples
    i am not familiar with that|it|this
    can not remember|recall
    never done|used|tried|heard that|of|it that|it?
    that i do not know
    i am not sure about|how|what that|it|this|to answer|say|that? that|it|this?
    i can|could not remember|recall that|it|this|exactly|any|anything|right?
    i do|did not remember|recall that|it|this|exactly|any|anything|right?
    i do not really? have|got an|any answer|idea|clue|example|examples
    i do not really? have an|any|a|much good|great? answer|idea|example|experience for|of|to|with? \
    that|it|this|one?
    i do not really? have experience with|in that|it|this
    i have no experience with|in that|it|this
    i can not think of any|anything|one|an|something|a right|example|good|now? one|example|now?
    i can not come up with any|anything|one|an|something|a right|example|good|now? one|example|now?
    nothing comes to mind
    nothing i can think of
    beats me
    dunno
    who knows
    hard to say
    that is hard to say
    i can not say
    i can not answer that|this|it question?
    i have never done|used|tried|heard|worked|seen that|of|with|it|this that|it|this?
    i never did|used|tried|heard|thought|had that|of|about|it|this that|it|this?
    i have never thought about that|it|this
    i forgot
    i have forgotten
    my mind is blank
    my mind went blank
    i am drawing a blank
";

const DONE: &str = "
    that is it|all|everything|enough
    that is it|all|everything from|for me|my|now|today side|end?
    that is all|everything i have|know|can|did|wanted|remember|got say|add|remember|to|for? say|add|you?
    that is all there is to? say|add|it|tell?
    that is about|pretty it|all|much it|all?
    that is my background|story|experience|answer|introduction
    that is me
    that was it|all|everything
    that covers it|everything|all
    that would be it|all|everything
    nothing else|more
    nothing else|more to add|say|from me|my|that|there? side|end?
    nothing to add|say
    i have nothing else|more|further
    i have nothing else|more|further? to add|say
    there is nothing else|more|to _? _? add|say?
    i do not have anything|more else|more|to|anything add|to? add|say?
    i do not have anything
    i can not think of anything else|more
    i am done|finished
    i have no more|further|other questions|to add
    i do not have any more|further|other? questions
    no more questions
    no questions from? my|me? side?
    end of story
    the end
";

const HOLD: &str = "
    let me|us rephrase|reformulate|reword|repeat that|it|this?
    let me|us say|put|phrase|word that|it|this again|differently
    let me start|begin|try over? again?
    can|could|may i rephrase|reformulate|repeat that|it|this?
    can|could|may i start|begin|try|answer that|it? again|over|anew|differently
    can|could|may i give|use|take|tell|pick|choose you? a|an|the|another example|project|story|case \
    _? _? _? _? _?
    can|could|may i talk|speak|tell you? about a|an|the|my|another|something _? _? _? _? _? _?
    let me think
    let me see
    let me remember
    let me think about|of _ _? _? _?
    let me think for|through a|that|it second|minute|moment|sec?
    let me think how to|i can? put|say|explain|answer|phrase this|that|it?
    let me have|take a? quick? second|minute|moment|think|look
    let me gather|collect|organize my thoughts
    give me a|one|another|some quick? second|minute|moment|sec|time
    give me a|one|another|some quick? second|minute|moment|sec|time to think|remember|recall \
    about|of? that|it|this?
    can|could|may i have|take|get a|one|another|some quick? second|minute|moment|sec|time
    can|could|may i have|take|get a|one|another|some second|minute|moment|sec|time to \
    think|remember about|of? that|it|this?
    can|could|would you give me a|one|another|some second|minute|moment|sec|time to? think? about? \
    that|it|this?
    can|could|may i think about|on|of? that|it|this? for? a? second|minute|moment|bit?
    i need a|one|another|some quick? second|minute|moment|sec|time to? think? about|of? that|it|this?
    i need|have|want to think about|for? that|this|it|a? second|moment|minute?
    i will|would need|like a|to second|minute|moment|think to? think? about? that|this|it?
    i am thinking
    i am still thinking
    still thinking
    let me think for a|some bit|while|little|few|couple of? seconds|minutes|moments|while?
    give me a|some few|couple|little|bit|more of? more? time|seconds|minutes|moments
    give me a bit
    give me two|three|five|ten|thirty more? seconds|minutes
    can|could|may i have|take|get a|some few|couple|little|bit|more of? more? time|seconds|minutes|moments
    i need a|some few|couple|little|bit|more of? more? time|seconds|minutes|moments to? think?
    i am trying to remember|think|recall
    let me recall
    let me try to remember|think|recall
    let me think a bit|little|while
    give me time
    let me check
    let me check|look that|it|up|at my? up|notes?
    i need|want a|some short|quick|little|small|five? minute? break|pause|rest
    can|could|may|shall we|i take|have|get|make a short|quick|little|small|five? minute? break|pause
    let us take|have|make a short|quick|little|small|five? minute? break|pause
    can|could|may i get|grab|have|drink a|some glass|sip|water of? water?
    let me get|grab|drink|take a|some|my glass|sip|water of? water?
    bear with me
    bear with me for? a|one? second|minute|moment?
    hold|hang on
    hold|hang on a|one second|minute|moment|sec
";

/// Only where nothing else is said: "the query took one second".
const HOLD_ALONE: &str = "
    one|a second|minute|moment|sec
    wait
    wait a|one second|minute|moment|sec
    one|another|one last|final|more? thing|question
    there is|was one|another|something last|final|more? thing|question|else?
    moment
    i am|was not done|finished yet?
    i have not finished yet?
    not done|finished yet
    there is|are
    there is|are two|three|some|a few|couple? more|other? things|questions
    a few|couple of? more? things|questions
    two|three things|questions
    i do? have|got a|one|another|some|two|few quick|short|few|little|small|couple|last|more? of? \
    question|questions for|about? you?
    i do? have something to? say|add|ask|mention?
    i do? have one|two|three|some|a|another few|couple|more|last? thing|things to? say|add|ask|mention?
    i would like|love to add|say|mention|ask you? something|one|a|another more|last? thing|question|else?
    i want|wanted|need to add|say|mention|ask you? something|one|a|another more|last? thing|question|else?
    let me add|say|mention|ask you? something|one|a|another more|last? thing|question|else?
    can|could|may|might i ask|say|add you? a|one|another|something last|final|more? thing|question|else?
    thinking
    where do i start|begin
    where to start|begin
    how do|should|can i put|say|explain this|that|it
    how to put|say|explain this|that|it
    somebody|someone is at|knocking|ringing|calling on|at? the|my|me? door|doorbell?
    there is somebody|someone at|knocking on|at? the|my? door
    my phone|doorbell|dog|cat|baby|child|son|daughter|kid|alarm is|was ringing|barking|crying|calling|meowing
    the phone|doorbell|bell|door|alarm|dog is ringing|barking
    the phone|doorbell|bell rang|rings
    i need|have to get|answer|open|close|shut|check|take|grab|fetch|mute that|this|the|my \
    door|doorbell|window|phone|call|notes|charger|glasses
    let me get|answer|open|close|shut|take|grab|fetch|mute that|this|the|my \
    door|doorbell|window|phone|call|notes|charger|glasses
    i need|have to turn off|down the|my radio|tv|television|music|phone
    let me turn off|down the|my radio|tv|television|music|phone
    i need|have to go to the bathroom|toilet|restroom
    i need|have to use the bathroom|toilet|restroom
    i will be back in? a|one|two? second|minute|moment|minutes?
    i will be right back
    be right back
    i was|am muted
    i was|am on mute
    can|could|would you wait|hold a|one? second|minute|moment|bit?
    can|could|may we|i wait|pause for? a|one|two|five? second|minute|moment|minutes|bit?
    can|could we take five|ten minutes?
    i would have to think about it|that|this
    what was it called
    what is the word
";

const CORRECTION: &str = "
    no wait
    wait no
    wait
    scratch that
    i misspoke
    correction
    let me correct that|myself|this
    i need|have|want to correct that|myself|something
    i made a mistake
    that was wrong|incorrect|not|a right|correct|mistake?
    what i said was wrong
    i said that|it|something wrong
";

const YES: &str = "
    yes|yeah|yep|yup|yea|ya|sure|absolutely|definitely|certainly|correct|right|exactly|indeed|true|ready|fine|okay|ok|alright|aha
    of course
    that is right|correct|true|fine|okay|ok|it? exactly?
    all right
    i am|do|can|would|have|did|will
    i am ready to? start|go|begin?
    i am good|fine|okay to|with go|start|begin|that|it
    let us go|start|begin|do ahead|it|with? that|it?
    go ahead|on|for it?
    sounds good|great|fine
    that sounds good|great|fine
    that is fine|okay|ok|good with|by|for? me?
    that would be great|good|nice|fine
    why not
    with pleasure
    we can start|begin|go
    i can hear you well|fine|clearly|loud?
    i hear you
    loud and clear
    gladly
    no problem
    i am here
    i think|guess|suppose|hope|believe so
    i agree
    i accept
";

const NO: &str = "
    no|nope|nah|never
    not really|yet|today|now|necessarily|quite
    not at all
    not that i know|remember|recall|am of|aware? of?
    no thanks
    no thank you
    of course not
    definitely|absolutely|certainly not
    i am not
    i do|did|have|can|would|will not
    i do not think so
    i would rather|prefer not
    not ready|interested
    i am not ready|interested yet?
    i disagree
    no way
    wrong|incorrect
    that|this|it is wrong|incorrect|false
    that|this|it is not
    that|this|it is not quite|really|exactly? right|correct|true|it
    that|this|it is not what i said|meant
    i did not say|mean that|it|this
    you got that|it|me wrong
    you misheard|misunderstood me|that|it?
    not right|correct|true|exactly
    not really|quite right|correct|true|okay|ok|fine|ready
    i am not okay|ok|fine|alright|well
    i do not want to stop|skip|end|finish|quit that|this|it|the|here|now? question|interview|part?
    i can|could|will|would|must|should not stop|end|finish|quit|leave \
    that|this|it|the|here|now|yet? interview|call|here|now|yet?
    do not stop|skip|end|go|quit that|this|it|the|here|now? question|interview|part?
";

/// How a correction begins, after [`OPENERS`].
pub(super) const CORRECTING: &str = "
    i meant
    no wait
    wait no
    wait it|that is|was
    scratch that
    let me correct
    i need|have|want to correct
    correction
    i misspoke
    sorry|no|wait i mean|meant
    no sorry
    sorry no
    sorry wait
    i mean two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|nineteen|thirty
    i mean the first|second|third|last|other|old|new
";
pub(super) const OPENERS: &str = " no sorry wait so well okay ";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::{
        understanding::english::{asking, grave},
        understanding::words::{Phrases, plain},
    };

    /// A phrase in other words than `plain` gives would never be found.
    #[test]
    fn phrases_are_written_plainly() {
        let tables = WHOLE.iter().chain(AT_END).chain(AFTER_ANSWER).chain(grave::ANYWHERE);
        let tables = tables.map(|(_, table)| *table);
        let tables = tables.chain([SOFT, CORRECTING, asking::ASKING, asking::RHETORICAL]);
        let _ = Phrases::new(tables.clone().map(|table| ((), table)));
        for word in tables.flat_map(|table| table.split([' ', '\n', '|', '?'])) {
            assert!(matches!(word, "" | "_" | "really") || plain(word) == word, "{word}");
        }
    }
}
