//! The phrases that count wherever they are said.

use super::{Intent, holds};

/// What counts wherever it is said.
pub(super) const ANYWHERE: &[(Intent, &str)] =
    &[(Intent::Distress, DISTRESS), (Intent::Abusive, ABUSIVE), (Intent::Sensitive, SENSITIVE)];

pub(super) const DISTRESS: &str = "
    i can not breathe properly|right|well|anymore
    i am having|getting a|an|another? panic|anxiety|heart attack
    i am panicking
    i am suicidal
    i feel suicidal
    i want|am|might|will going? to? hurt|kill|harm|cut myself
    i feel like hurting|killing|harming|cutting myself
    i want to die
    i wish i was|were dead
    i would like to die
    i do not want to live|exist anymore
    i do not want to live|exist any longer|more
    i do not want to be alive
    i do not want to be here anymore
    i do not want to wake up anymore?
    i am thinking of|about suicide|killing|ending
    i am going|about to faint|collapse
    i have chest pain|pains
    i am having chest pain|pains
    i can not cope anymore
    i am having a breakdown
    i am having a mental|nervous breakdown
    i want to end my life
    i want to end it all
";

/// Said of the moment only if nothing of substance follows: "… with spreadsheets".
pub(super) const DISTRESS_AT_END: &str = "
    i can not breathe
    i can not do this anymore|longer
    i can not do this any more|longer
    i can not take this|it anymore|longer
    i can not take this|it any more|longer
    i can not go on like? this? anymore?
    i need|want help i? am? now
    i am going|about to pass out
    i am going|about to throw up
";

/// Before these, "I will cut myself" is a manner of speaking, and "I wish I was dead" goes on.
pub(super) const HARMLESS: &str = " off short out slack laughing ";
pub(super) const AFTER_DEAD: &str = " serious certain sure wrong set last center ";

pub(super) const ABUSIVE: &str = "
    you are|is|were a|an|such|so|the|nothing|really|fucking|like? \
    a|an|but|fucking|complete|total|stupid|absolute|bloody|big|really? \
    fucking|stupid|useless|complete|total|worthless? \
    idiot|moron|asshole|bitch|bastard|cunt|dumbass|jerk|loser|retard|retarded|scum|trash|garbage|useless|worthless|stupid|dumb|pathetic|idiotic|shit|crap|bullshit|imbecile|clown
    you are|is a|fucking? piece of shit|crap|garbage|junk|trash
    you stupid|dumb|fucking|useless|idiotic|worthless|bloody|damn|goddamn|pathetic|piece|ugly|fat \
    machine|bot|robot|idiot|moron|computer|bitch|thing|ai|program|asshole|of|cow|bastard|fuck
    you idiot|moron|asshole|bitch|bastard|fucker|motherfucker|cunt|imbecile
    fuck|screw|damn you
    fuck|piss|bugger off
    fuck yourself
    go fuck yourself
    go to hell
    shut up
    shut the fuck|hell up
    shut your mouth|face|trap
    i hate you
    you suck
    kiss my ass
    eat shit
";

/// Said of us only if hardly anything leads to it: who tells of their work has cursed a machine, too.
pub(super) const ABUSIVE_AT_END: &str = "
    this|talking|speaking to|with|a? this|a? stupid|dumb|fucking|useless|idiotic \
    bot|robot|machine|ai|computer|program
";

/// Words by which somebody tells of a machine that they have worked with.
const WORK: &str = " i we my our us crashed broke failed was were had kept took stopped ran ";
const CURSE_WORDS_MAX: usize = 6;

/// "This stupid bot does not understand me": who begins so, and says little more, means us, unless they tell.
pub(super) fn curses(tail: &[&str]) -> bool {
    tail.len() <= CURSE_WORDS_MAX && !tail.iter().any(|word| holds(WORK, word))
}

pub(super) const SENSITIVE: &str = "
    my mother|mom|mum|father|dad|wife|husband|partner|son|daughter|brother|sister|grandmother|grandfather|grandma|grandpa|child|baby|parents|girlfriend|boyfriend|fiance|friend|aunt|uncle|cousin has|have|had? recently|suddenly? died
    my mother|mom|mum|father|dad|wife|husband|partner|son|daughter|brother|sister|grandmother|grandfather|grandma|grandpa|child|baby|parents|girlfriend|boyfriend|fiance|friend|aunt|uncle|cousin has|have|had? recently|suddenly? passed away
    i|we lost our|my|the baby|child
    i lost my mother|mom|mum|father|dad|wife|husband|partner|son|daughter|brother|sister|grandmother|grandfather|child|baby|parents|friend
    death|funeral of my mother|mom|mum|father|dad|wife|husband|partner|son|daughter|brother|sister|grandmother|grandfather|child|baby|friend
    my mother|mom|mum|father|dad|wife|husband|partner|son|daughter|brother|sister|child \
    is|was|has|got|had been|got? diagnosed|cancer with?
    my miscarriage|pregnancy|abortion|divorce|disability|depression|chemotherapy|chemo|autism|adhd|epilepsy|burnout|religion|sexuality|surgery
    my cancer diagnosis|treatment|therapy
    i had|have had? a miscarriage|stroke|abortion|seizure|disability|burnout|tumor|tumour
    i was|am|got|have been? recently? diagnosed as autistic|bipolar|diabetic|epileptic|dyslexic
    i was|am|got|have been? recently? diagnosed
    i am|was four|five|six|seven|eight|three|two? weeks|months? pregnant
    i am|was expecting a child|baby
    we are|were expecting a child|baby
    i am|was on parental|maternity|paternity|sick leave
    i take|took|taking antidepressants|medication
    i have|had|got|am|was|suffer|suffered|struggle|struggled been? \
    suffering|struggling|living|dealing? from|with? a|severe|chronic|clinical|some|mild|bad|type? \
    one|two|chronic? cancer|depression|depressed|bipolar|autism|autistic|adhd|dyslexia|dyslexic|hiv|aids|epilepsy|epileptic|diabetes|diabetic|anorexia|bulimia|ptsd|schizophrenia|ocd|leukemia|leukaemia|parkinson|parkinsons|dementia|tinnitus|burnout|disabled|infertile|deaf|alcoholic|asthma
    i have|had an? anxiety|eating disorder
    i am|was in a? wheelchair
    i use a wheelchair
    i am legally|visually|partially blind|impaired
    i was in a? rehab|psychiatric|mental|hospital hospital|ward|clinic?
    i am a|an|openly? gay|lesbian|bisexual|transgender|trans|queer|homosexual|asexual|non|nonbinary binary?
    i am a|an|practising|practicing|devout|observant|orthodox? \
    muslim|jewish|jew|hindu|catholic|buddhist|sikh|atheist|mormon|protestant|evangelical
    i am a|practising|practicing|devout practising|practicing|devout|born? again? christian
    as a|an devout|practising|practicing|observant|orthodox? \
    muslim|jewish|jew|hindu|catholic|buddhist|sikh|christian|gay|lesbian|trans|transgender|queer
    i came out as gay|lesbian|bisexual|trans|transgender|queer
    my wife|husband|partner|girlfriend and i are|were getting? divorced
    i am getting|going through|divorced a|my? divorce
    i attempted suicide
    i was sexually|raped|abused abused|harassed|assaulted?
";

/// After these what sounded like a disclosure was a thing: "a diabetes app", "a stroke of luck".
pub(super) const THINGS: &str = " app apps research data project projects patient patients study \
    studies detection \
    screening platform product client company dataset model models prediction care clinic drug drugs center \
    department unit charity foundation awareness of process processes as is node class component \
    element board spot to ";
