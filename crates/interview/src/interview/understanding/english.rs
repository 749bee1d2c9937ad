//! English phrases: what the candidate asks for or tells by words alone, without a model (A01). Precision
//! comes first: words of command within an answer change nothing (case 20), and what no phrase covers is an
//! answer.

mod about;
mod again;
mod asking;
mod correction;
mod ending;
mod grave;
mod parting;
mod phrases;

use std::sync::LazyLock;

use language::{About, Intent};

pub use correction::correction;
pub use ending::{is_meant, to_ending};
pub use parting::is_parting;

use crate::interview::understanding::words::{Phrases, holds, normal, plain, split};

/// A longer turn is an answer, whatever it consists of.
const WHOLE_WORDS_MAX: usize = 40;
/// So many words may lead to a request, and give the reason after it.
const LEAD_WORDS_MAX: usize = 12;
const REASON_WORDS_MAX: usize = 15;
/// Fewer lead to a curse.
const CURSE_LEAD_MAX: usize = 3;
/// What takes something back, or asks without a mark, has so many words at most.
const UNMARKED_WORDS_MAX: usize = 20;

/// The phrases of whole turns, with their rank; none for what says nothing.
static WHOLE: LazyLock<Phrases<Option<usize>>> = LazyLock::new(|| {
    let ranked = phrases::WHOLE.iter().enumerate().map(|(rank, (_, table))| (Some(rank), *table));
    Phrases::new(ranked.chain([(None, phrases::SOFT)]))
});
static SOFT: LazyLock<Phrases<()>> = LazyLock::new(|| Phrases::new([((), phrases::SOFT)]));
static AT_END: LazyLock<Phrases<Intent>> = LazyLock::new(|| Phrases::new(phrases::AT_END.to_vec()));
static AFTER_ANSWER: LazyLock<Phrases<Intent>> =
    LazyLock::new(|| Phrases::new(phrases::AFTER_ANSWER.to_vec()));
static ANYWHERE: LazyLock<Phrases<Intent>> =
    LazyLock::new(|| Phrases::new(grave::ANYWHERE.to_vec()));
static REASONS: LazyLock<Phrases<()>> = LazyLock::new(|| Phrases::new([((), phrases::REASONS)]));
static CORRECTING: LazyLock<Phrases<()>> =
    LazyLock::new(|| Phrases::new([((), phrases::CORRECTING)]));

/// What a turn is, beside an answer; nothing if it is an answer and nothing else.
pub fn intent(text: &str) -> Option<Intent> {
    if holds(BACKCHANNELS, &normal(text).replace(' ', "-")) {
        return Some(Intent::Yes);
    }
    let words = plain(text);
    let words = split(&words);
    let asks = text.trim_end().ends_with(['?', '？']);
    let anywhere = anywhere(&words);
    let whole = whole(&words, asks);
    let at_end = at_end(&words);
    if [anywhere, at_end].contains(&Some(Intent::Distress)) {
        return Some(Intent::Distress);
    }
    if [whole, at_end].contains(&Some(Intent::Stop)) {
        return Some(Intent::Stop);
    }
    anywhere
        .or(whole)
        .or(at_end)
        .or_else(|| asking::question(text, &words))
        .or_else(|| corrects(text, &words).then_some(Intent::Correct))
        .or_else(|| after_answer(&words).filter(|_| !asks))
}

/// Whether an answer has begun that a wish for time breaks off.
pub fn breaks_off(text: &str) -> bool {
    let words = plain(text);
    let words = split(&words);
    whole(&words, false).is_none() && after_answer(&words) == Some(Intent::Hold)
}

/// Sounds that agree; their parts are fillers.
const BACKCHANNELS: &str = " mhm mm-hm mm-hmm uh-huh ";

/// Whether a text tells what is nobody's business, whatever else it is: it does not go into a report.
pub fn is_sensitive(text: &str) -> bool {
    let words = plain(text);
    found_anywhere(&split(&words)).any(|cue| cue == Intent::Sensitive)
}

/// A turn that consists of phrases, and of words that say nothing.
fn whole(words: &[&str], asks: bool) -> Option<Intent> {
    if words.len() > WHOLE_WORDS_MAX {
        return None;
    }
    // Who has to be sure that somebody is there does not always sound like it.
    let calls = matches!(words, ["hello"] | ["hello", "hello"]);
    if calls || (asks && matches!(words, ["sorry"] | ["excuse", "me"] | ["i", "am", "sorry"])) {
        return Some(Intent::Repeat);
    }
    let ranks: Vec<usize> = WHOLE.cover(words)?.into_iter().flatten().collect();
    let intent_of = |rank: &usize| phrases::WHOLE[*rank].0;
    let (first, last) = (intent_of(ranks.iter().min()?), intent_of(ranks.last()?));
    if matches!(first, Intent::Yes | Intent::No | Intent::Done) && asks {
        return None;
    }
    // "Yeah, no" is no; "I don't know, let me think" wants time, and so does "that's all, oh wait, one more
    // thing".
    let last_counts = matches!(first, Intent::Yes | Intent::No)
        || (matches!(first, Intent::DontKnow | Intent::Done) && last == Intent::Hold);
    Some(if last_counts { last } else { first })
}

/// A request at the end, after a few words of their own that led to it; after it only why they stop.
fn at_end(words: &[&str]) -> Option<Intent> {
    let mut found = AT_END.find_last(words, WHOLE_WORDS_MAX);
    found.find_map(|(cue, from, to)| {
        let (lead, tail) = (&words[..from], &words[to..]);
        let follows = |list| tail.first().is_some_and(|word| holds(list, word));
        // "I am about to pass out the tasks".
        let hands_out = words[to - 1] == "out" && follows(" the a an my our these those some ");
        let gives_reason = matches!(cue, Intent::Stop | Intent::Distress)
            && tail.len() <= REASON_WORDS_MAX
            && (REASONS.longest_at(tail, 0).is_some()
                || holds(NOW, words[to - 1]) && follows(phrases::REASONS_NOW)
                || words[to - 1] == "stop" && follows(" my "))
            && !hands_out;
        // "There is one part that I don't understand" tells; "can you explain" asks.
        let tells = matches!(cue, Intent::Repeat | Intent::Clarify) && words[from] == "i";
        let lead_max = if cue == Intent::Abusive { CURSE_LEAD_MAX } else { LEAD_WORDS_MAX };
        let is_short = lead.len() <= lead_max && !tells;
        let turns = lead.last().is_some_and(|word| holds(TURNS, word));
        let is_own = !again::is_announced(cue, lead)
            && (is_soft(lead) || ((is_short || turns) && !is_reported(lead, 8)));
        let curses_us = cue == Intent::Abusive && lead.is_empty() && grave::curses(tail);
        (is_own && (gives_reason || curses_us || is_soft(tail))).then_some(cue)
    })
}

/// At the end of a wish to stop, one of these says that it is about the interview.
const NOW: &str = " now here up interview call session conversation ";

/// After one of these somebody says what they want now, however long they spoke before.
const TURNS: &str = " sorry but okay ok anyway unfortunately listen look afraid ";

/// "… and that's it"; "… let me think".
fn after_answer(words: &[&str]) -> Option<Intent> {
    let mut found = AFTER_ANSWER.find_last(words, WHOLE_WORDS_MAX);
    found.find_map(|(cue, from, to)| {
        let lead = &words[..from];
        let is_theirs = lead.last().is_some_and(|word| holds(OTHERS, word)) || is_reported(lead, 3);
        (!is_theirs && is_soft(&words[to..])).then_some(cue)
    })
}

/// Before "give me a minute", one of these says that somebody else did not, or should.
const OTHERS: &str = " to would could will did not can should must you please ";

fn is_soft(words: &[&str]) -> bool {
    words.is_empty() || (words.len() <= WHOLE_WORDS_MAX && SOFT.cover(words).is_some())
}

/// Words by which somebody tells what others said, or what would be.
const REPORTS: &str = " told tell tells telling said say says saying asked ask asks asking thought thinking \
    decided realized realised knew if when whenever where which who how he she they them him her customer \
    customers client clients users user people manager boss colleague colleagues guy shouted yelled screamed \
    called goes wrote ";

/// Whether what follows `lead` is told of somebody, to judge by its last words.
fn is_reported(lead: &[&str], within: usize) -> bool {
    let near = &lead[lead.len().saturating_sub(within)..];
    near.iter().any(|word| holds(REPORTS, word))
        || near.windows(2).any(|pair| pair[1] == "like" && holds(" was were is am be ", pair[0]))
}

/// The gravest of the things that count wherever they are said.
fn anywhere(words: &[&str]) -> Option<Intent> {
    let rank = |cue: &Intent| grave::ANYWHERE.iter().position(|(other, _)| other == cue);
    found_anywhere(words).min_by_key(rank)
}

fn found_anywhere(words: &[&str]) -> impl Iterator<Item = Intent> {
    let own = |(cue, from, to): &(Intent, usize, usize)| {
        let next = words.get(*to);
        let follows = |list| next.is_some_and(|word| holds(list, word));
        let within = if *cue == Intent::Abusive { 12 } else { 4 };
        let before = from.checked_sub(1).map_or("", |at| words[at]);
        // "You are not stupid", "you are an idiot if …", "we shut up the old factory".
        let insults_nobody = words[*from..*to].contains(&"not")
            || follows(" if when for who ")
            || holds(" to we i never would could had ", before);
        let is_harmless = follows(grave::HARMLESS)
            || words[*to..].starts_with(&["some", "slack"])
            || (words[*to - 1] == "dead" && follows(grave::AFTER_DEAD));
        let other = (*cue == Intent::Abusive && insults_nobody)
            || (*cue == Intent::Sensitive && follows(grave::THINGS))
            || (*cue == Intent::Distress && is_harmless);
        !other && !is_reported(&words[..*from], within)
    };
    ANYWHERE.find(words).filter(own).map(|(cue, ..)| cue)
}

/// Whether a turn takes back what was said before.
fn corrects(text: &str, words: &[&str]) -> bool {
    if !correction::may_correct(words) {
        return false;
    }
    let mut at = 0;
    let begins = loop {
        match CORRECTING.longest_at(words, at) {
            // "I meant to call them", "no wait times".
            Some((_, end)) => {
                break words.get(end).is_none_or(|next| !holds(" to time times for list ", next));
            }
            None if at >= 2 => break false,
            None if words.get(at).is_some_and(|word| holds(phrases::OPENERS, word)) => at += 1,
            None => break false,
        }
    };
    (begins && words.len() <= UNMARKED_WORDS_MAX) || correction(text).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(want: Option<Intent>, texts: &str) {
        let texts = texts.split(['|', '\n']).map(str::trim).filter(|text| !text.is_empty());
        let wrong: Vec<_> =
            texts.map(|text| (text, intent(text))).filter(|(_, got)| *got != want).collect();
        assert!(wrong.is_empty(), "not {want:?}: {wrong:#?}");
    }

    /// T03, case 2: they want time. Once something of substance follows, they have taken it.
    #[test]
    fn holds() {
        check(
            Some(Intent::Hold),
            "let me think | Let me think. | um let me think about that for a second | Give me a \
                minute, please.
            can I have a moment | one second | Hold on. | hmm good question let me think | Just a moment.
            i need a moment to think | I don't know... let me think. | let me think about a good example
            Well, we used Postgres, because... let me think. | bear with me for a second | Let me see.
            let me think a bit | I'm not finished yet | let me think for a bit | Give me a few \
            seconds. | I need a few minutes to think | can we take a short break?
            yes I have a question | I'd like to ask something | yes, there is | I have something to \
            add | moment please
            hold on, somebody is at the door | One second, my phone is ringing. | my dog is \
            barking, wait | can we pause for a minute | I'll be right back | sorry I was muted | I \
            need to close the window | That's all. Oh wait, one more thing. | one more thing | can \
            i ask you something | Can I ask a question? | Yes, one thing. | there is something else",
        );
        check(
            None,
            "let me think it was in twenty nineteen when we moved the ledger
            my phone is an old one | let me take my last job as an example | I was muted by my \
            manager | I have one | let me check the dates it was in March | I need a break from java
            Give me a minute to explain how the ledger works in our system, it has two parts.
            the query took one second | they had to give me a minute | he said let me think
            I like to think about problems | we had to hold on to the old system for a year",
        );
    }

    /// Cases 19 and 20: they want to end it; words of ending within an answer mean something else.
    #[test]
    fn stops() {
        check(
            Some(Intent::Stop),
            "i have to stop now | I want to end the interview. | Can we stop here? | can we stop here please
            Sorry, I have to go now, my taxi is here. | stop | please stop the interview | let's stop here
            I'm sorry but I need to stop now because my daughter is crying | I don't want to continue.
            my battery is dying i have to stop now | I'd like to end the interview here, thank you
            can we end the interview | i'm done with this interview | i don't feel well i want to \
            stop | okay bye
            I really need to go now.
            sorry something came up i need to leave now | let's call it a day | I gotta go
            I have to go now, the doorbell rang | I have to stop here, it started raining | i have \
            to stop my taxi is here
            I need to stop, my head hurts. | I want to end the interview, my kids need me. | I have \
            to hang up, the doorbell rang.
            I quit | I have had enough | I've had enough of this. | I'd rather stop here | I think \
            we should stop | I'm going to have to go | can we reschedule
            I'm out of time | can I go now | gotta go | I have to run | can we wrap this up | let's \
            leave it there | I should go now | I'd like to stop
            fuck you I want to end the interview | is it okay if we stop here",
        );
        check(
            None,
            "don't stop me | we had to stop the server | it was at the end of the project | Stop me \
                if I go too deep.
            I stopped working there in 2019 | i had to end the interview early with one of the applicants
            i told my boss i have to stop now | I want to end the project by summer | we need to \
            stop the deployment
            I'd like to stop using Java | so he said can we stop here and we went home | I want to \
            finish my degree
            i would like to leave my current company | i have to leave early on fridays | i want to \
            stop being a manager
            stop words were removed first | I don't want to continue as a project manager | can we \
            stop was what everybody asked
            I have to leave it there for legal reasons | I don't want to continue my current job
            I'm doing a master's and I would like to finish it this year | my company was sold and \
            I do not want to continue there
            we had to leave the building | we can stop the queue at any time | i want to stop working nights
            I have had enough of the long hours there so I left | I am going to leave my job \
            because of the pay | I'd rather leave the company than lie
            if the build is red i have to stop now and fix it",
        );
        check(
            Some(Intent::No),
            "don't stop | no, I don't want to stop | I can't stop now | I won't stop here",
        );
    }

    /// Case 20: they want another question or part.
    #[test]
    fn skips() {
        check(
            Some(Intent::Skip),
            "can we change the topic | let's talk about something else | I'd like to skip | ask me \
                something else | can you ask another question | skip this question | Can we skip \
                that? | next question please | pass | Next question.
            I'd rather skip this one. | i don't know can we skip this one | let's move on | can you \
            ask me something else
            I'll pass on this one. | let's leave it out | okay let's leave this one out | could we \
            go to the next question",
        );
        check(
            Some(Intent::SkipPart),
            "skip this part | Can we skip this section? | can we go to the next topic | i'd like to \
                skip the whole topic",
        );
        check(
            None,
            "we skip this step in the pipeline | users could skip this question | I did not pass the exam
            we built a survey where you can skip this question | i pass the data to the next stage
            skip connections helped the network | in the end we had to skip the testing phase | \
            next i moved to paris
            can we move on was the question of everyone | let's move on that was in 2018
            I also did some freelancing but let's leave that out | That was a side project so let's \
            leave it out.
            the next question was how to scale it | I skipped a grade at school",
        );
    }

    /// Cases 4 and 5: they have not heard it, or not understood it.
    #[test]
    fn questions_again() {
        check(
            Some(Intent::Repeat),
            "can you repeat that | Sorry, could you say that again please? | Pardon? | Sorry? | \
                what was the question
            i didn't hear you can you repeat the question | come again | Hello? Can you hear me? | \
            Are you there?
            hello are you still there | What was the second part of the question?
            I'm back. | where were we | hello | slower please | I didn't quite catch that | the \
            line is bad | you cut out | is this working | Say again? | I didn't understand. | \
            you're breaking up | can you speak more slowly | can you ask again | I missed that
            the connection was bad can you repeat that | I didn't catch that. | could you repeat \
            your question again",
        );
        check(
            Some(Intent::Clarify),
            "can you put it differently | could you rephrase that | Can you say that in other words?
            can you ask that in a different way | could you rephrase the question please",
        );
        check(
            Some(Intent::Clarify),
            "what do you mean by ownership | What do you mean? | I don't understand the question.
            can you give me an example | i'm not sure what you mean | could you clarify that | \
            Which one do you mean?
            what kind of impact | I don't follow | I'm a bit lost | you mean technically | how so | \
            sorry i don't know what you mean by that | do you mean at my current job | Which project?",
        );
        check(
            None,
            "we had to repeat that experiment three times | the customer asked can you repeat that
            i asked him what do you mean by that and he explained the ledger | we rephrase the \
            query with a model
            there is one part of the system that i do not understand | that was the thing i forgot \
            the question is why
            I am back in Germany since May | hello my name is Ada | I can give you an example from \
            my last job | he said sorry | it means that the cache is stale",
        );
    }

    /// Cases 6 and 7: they do not know, or do not want to say; the second half of a sentence is an answer.
    #[test]
    fn no_answers() {
        check(
            Some(Intent::DontKnow),
            "i don't know | I don't know. | um i don't know sorry | No idea. | I'm not sure. | well \
                i can't remember
            i have no idea to be honest | I can't think of anything right now | not sure | yeah I \
            don't really know
            I don't know what to say to that | I don't really have an answer | I have no experience \
            with that | not really sure | Not quite sure. | not so sure | I couldn't tell you | I'm \
            not familiar with that | I've never done that. | i do not know the answer to that | \
            nothing comes to mind",
        );
        check(
            Some(Intent::Decline),
            "i'd rather not say | I would prefer not to answer that. | no comment | sorry i can't \
                talk about that
            I don't want to answer this question. | that's confidential | i'm not comfortable answering that",
        );
        check(
            None,
            "I don't know… well, maybe when we moved the ledger to Postgres. | i don't know rust \
                very well but i know c
            I'm not sure it was 2019 but we moved the ledger | I didn't know Rust when I started there
            i would rather not use java for that | the data was confidential so we encrypted it",
        );
    }

    /// H12: they are done; "and that's it" may end an answer.
    #[test]
    fn dones() {
        check(
            Some(Intent::Done),
            "that's it | That's all. | that's my background | nothing else | No, that's all. | nothing to add
            So I worked at Siemens for three years as a backend developer, and that's it. | I think \
            that's about it
            No, I don't have anything to add. | i have been a nurse for ten years that's all i can say",
        );
        check(
            None,
            "that's it was the slogan of the company | we used postgres and nothing else
            and then i realized that's it | That's all we had in the budget, so we built it ourselves
            that is my background service for the queue",
        );
    }

    /// Cases 9, 47 and 48: they ask us, and what about.
    #[test]
    fn questions_to_us() {
        check(
            Some(Intent::Ask(About::Other)),
            "what is the salary | What's the salary range? | Is it remote? | how big is the team
            What are the next steps? | yes i have a question what does the team look like | when \
            will i hear back from you
            That's it. What does your company do? | do you offer relocation | Do you like working there?
            Who would I report to? | is the position remote | Should I go on? | how many questions are left
            i was wondering if the job is full time",
        );
        check(
            Some(Intent::Ask(About::Verdict)),
            "how am i doing | Did I do well? | how did i do so far | was that a good answer | Did I \
                get the job?
            Is that what you wanted to hear?",
        );
        check(
            Some(Intent::Ask(About::Human)),
            "are you human | Are you a real person? | am i talking to a robot | wait are you an ai",
        );
        check(
            Some(Intent::Ask(About::Recording)),
            "are you recording this | Is this being recorded? | who will listen to this | what \
                happens to my data",
        );
        check(
            None,
            "What did we do? We rewrote it. | and what did we do? | why did i choose rust? | It was \
                slow, right?
            is it a good idea to rewrite everything no we did it step by step | what is important \
            to me is the team
            one of the users asked are you human and the bot said no | are you recording was a \
            check box in the app
            thank you i am fine how are you | can you imagine that nobody had written a test
            so the question was how big is the load and we measured it for a week and then we knew
            We asked the users what is the salary you expect | Does that make sense?
            I am a nurse. Does that answer your question?
            are you a human resources manager was the first thing they wanted to know
            what i did was to move the ledger | we asked ourselves how did we do that so fast and \
            for so little money
            the salary was good and the team was remote | can i say that we were proud of it",
        );
    }

    /// Cases 12, 39 and 40: what counts wherever it is said; quoting an insult is none.
    #[test]
    fn grave_things() {
        check(
            Some(Intent::Abusive),
            "fuck you | You are an idiot. | you're a useless bot | shut up | you stupid machine | go to hell
            I hate this stupid machine | this stupid bot does not understand me | this is boring \
            you are so fucking stupid
            I answered that already, are you deaf? You are useless.",
        );
        check(
            Some(Intent::Distress),
            "i can't breathe | I'm having a panic attack. | sorry i think i'm having a panic attack \
                i need to stop
            I want to hurt myself. | i can't do this anymore | I can't do this anymore, please. | i \
            want to die
            I lost my job and I don't want to live anymore | I don't want to be alive | I'm about \
            to pass out | I wish I was dead
            I will cut myself
            I'm having a panic attack right now | I want to kill myself right now | I wish I was \
            dead right now
            honestly I want to hurt myself some days | sometimes I wish I was dead when I sit alone at night
            I lost my job last year and since then I sit at home alone every single day and I wish \
            I was dead",
        );
        check(
            Some(Intent::Sensitive),
            "my mother died last year so i left the job | I was diagnosed with cancer in 2019. | I'm pregnant
            i was on maternity leave then | I am gay and that was hard in that company | As a \
            devout Muslim I pray at noon.
            i had a miscarriage that summer | I struggled with depression. | my father passed away \
            can we skip this",
        );
        check(
            None,
            "a customer told me to shut up and i stayed calm | he said you are an idiot in front of \
                the whole team
            you are an idiot if you don't write tests | You are not stupid. | my old boss used to \
            say shut up and code
            Sometimes I need help. | the server couldn't breathe | we had a kernel panic and an \
            attack in the same week
            i told my manager i can't do this anymore | I can't do this anymore with spreadsheets \
            so I wrote a tool
            we had to shut up shop in march | i killed the process | i was diagnosed as the \
            bottleneck of the team
            i lost my father's company a lot of money | i worked on depression detection | in the \
            end it all worked out
            the server died | my hard drive died | I diagnosed the memory leak with a profiler | \
            Hi, I'm Christian.
            I have a diabetes app in the store | i had a stroke of luck | we suffered from outages
            I lead the billing team and I will cut myself off here | I am going to pass out the \
            tasks to the team every Monday
            I am about to throw out the old code and rewrite it | I wish I was dead serious about \
            testing at the time
            We had a live demo and this stupid machine crashed so I rewrote the driver | I worked \
            with this dumb robot arm
            This stupid program crashed every night so I rewrote the driver | this stupid machine broke
            I spent two whole weeks on this stupid program | I cut myself some slack after that
            I nearly wanted to kill myself laughing
            I lost my connection to the database | my child process died | i am on the platform team
            I don't want to be here in five years
            I don't want to live here anymore, I want to move to Munich
            this stupid program that nobody ever understood has cost every single team two months",
        );
        assert!(
            is_sensitive("My father died, I have to stop now.") && !is_sensitive("the server died")
        );
    }

    /// Case 41: they take something back.
    #[test]
    fn corrections() {
        check(
            Some(Intent::Correct),
            "sorry 2021 not 2019 | No wait, it was Munich. | i meant the second project | Not Berlin, Munich.
            We started in 2019, I mean 2021, with five people and a small budget. | scratch that | \
            sorry i mean the old one
            let me correct that it was postgres",
        );
        check(
            None,
            "i mean it was hard | I mean, you know, we tried. | I meant to call them that day | we \
                had to wait for a year
            no wait times were the main problem | we chose postgres not mysql | i moved not once but twice
            it was a marathon not a sprint | the customer was right and I corrected the invoice
            I made a mistake in production once and learned from it",
        );
    }

    /// A short yes or no, and nothing else.
    #[test]
    fn yes_and_no() {
        check(
            Some(Intent::Yes),
            "yes | Yeah. | yes i'm ready | sure go ahead | yeah let's start | mm-hm | Yes, please. | okay
            no yeah | I think so. | of course | yes I can hear you",
        );
        check(
            Some(Intent::No),
            "no that's wrong | That's not right. | not quite right | No, it isn't. | I'm not okay | \
                I didn't say that | no | Nope. | no thank you | not really | yeah no | I don't \
                think so | No, not yet.",
        );
        check(
            None,
            "yes we moved it in 2019 | no i worked at siemens | right we did that with kafka | um | \
                well | thank you
            Okay, so I am a nurse. | not really a problem for us | sure the team was small | Right?",
        );
    }

    proptest! {
        /// Any Unicode is taken; a cue is the same in small letters, without marks and with fillers.
        #[test]
        fn cues_are_the_same_however_written(text in "(?s).{0,80}", n in 0..6_usize) {
            let _ = intent(&text);
            let said = ["Can we stop here", "I don't know", "Let me think", "Skip this \
                question", "No wait", "Yes"][n];
            let want = intent(said);
            prop_assert!(want.is_some());
            for other in [said.to_uppercase(), said.to_lowercase(), format!("Um, \
                {said}…"), format!("well, uh {said}!")] {
                prop_assert_eq!(intent(&other), want);
            }
        }
    }
}
