//! Every file in `tests/scenarios` is one interview in virtual time: `>` lines are what happens, `<` lines
//! what we do, `.` lines the deadlines that pass. `BLESS=1` rewrites all but the `>` lines: read the diff.
//! The format is told in `src/sim/scenario.rs`.

use language::{Intent, Quality};

use std::fs;

use interview::{
    scripted,
    sim::scenario::{Fact, Played, file_name, play, play_with},
    time::SessionTime,
    *,
};

/// B03, H01–H06, H08, H10, H13, T01, T02, T05, R06 and the hard conversations: each file names its own.
#[test]
fn scenarios() {
    let mut different = Vec::new();
    for (path, text) in all() {
        let last = text.lines().rfind(|line| line.contains(" > ")).unwrap_or_default();
        assert!(
            !last.contains("> answers"),
            "{path}: a `tick` at its end shows what its last answer leads to"
        );
        let played = played(&path, &text).text;
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &played).unwrap();
        } else if played != text {
            different.push(format!("{path}:\n{}", first_difference(&text, &played)));
        }
    }
    assert!(different.is_empty(), "BLESS=1 and read the diff\n{}", different.join("\n"));
}

/// Invariant 3, cases 14 and 17: each event of each scenario 1 ms earlier or later, so that it passes the
/// deadlines around it: who is woken on the dot and who is woken by events alone do the same.
#[test]
fn a_millisecond_changes_no_rule() {
    for (path, text) in all() {
        let Played { facts, fresh, .. } = played(&path, &text);
        for moved in 0..facts.len() {
            for by in [-1, 1] {
                let facts = with_one_moved(&facts, moved, by);
                let (mut asleep, mut awake) = (fresh.clone(), fresh.clone());
                assert_eq!(
                    told(&mut awake, &facts, Woken::OnTheDot),
                    told(&mut asleep, &facts, Woken::Never),
                    "{path}: fact {moved} by {by} ms"
                );
            }
        }
    }
}

/// H03, H08, case 17: what a model calls in one reply, all in the same instant and in any order, hands off
/// once, to the same stage and for the same reason; and so do a tool and the deadline of its stage.
#[test]
fn the_same_instant_in_any_order() {
    let mut shuffled = 0;
    for name in ["whole-interview", "summary", "done", "end-by-tool", "rubric"] {
        let path = format!("tests/scenarios/{name}.txt");
        let Played { facts, fresh, .. } = played(&path, &fs::read_to_string(&path).unwrap());
        let wanted = handoffs(&mut fresh.clone(), &facts);
        assert!(!wanted.is_empty(), "{name} hands nothing off");
        for turned in 1..=3 {
            let facts = with_calls_turned(&facts, turned);
            shuffled += usize::from(facts.1);
            assert_eq!(
                handoffs(&mut fresh.clone(), &facts.0),
                wanted,
                "{name}, turned by {turned}"
            );
        }
    }
    assert!(shuffled >= 6, "only {shuffled} shuffles had anything to shuffle");
}

/// Which stages the floor passed between, and why.
fn handoffs(interview: &mut Interview, facts: &[Fact]) -> Vec<(String, String, Reason)> {
    let effects = told(interview, facts, Woken::OnTheDot);
    let handoff = |effect| match effect {
        Effect::Handoff { from, to, why, .. } => Some((from, to, why)),
        _ => None,
    };
    effects.into_iter().filter_map(handoff).collect()
}

/// All calls of a reply in the instant of its first one, turned round by so many; and whether that changed
/// anything.
fn with_calls_turned(facts: &[Fact], by: usize) -> (Vec<Fact>, bool) {
    let mut facts = facts.to_vec();
    let mut changed = false;
    let mut from = 0;
    while from < facts.len() {
        let reply_of = |fact: &Fact| match &fact.2 {
            Event::Proposed { reply, .. } => Some(*reply),
            _ => None,
        };
        let Some(reply) = reply_of(&facts[from]) else {
            from += 1;
            continue;
        };
        let len = facts[from..].iter().take_while(|fact| reply_of(fact) == Some(reply)).count();
        let calls = &mut facts[from..from + len];
        let (at, heard) = (calls[0].0, calls[0].1);
        calls.iter_mut().for_each(|call| (call.0, call.1) = (at, heard));
        calls.rotate_left(by % len);
        changed |= len > 1 && !by.is_multiple_of(len);
        from += len;
    }
    (facts, changed)
}

/// Case 28: a value that need not be known is read back only where the recogniser may have misheard it.
#[test]
fn an_optional_value_is_read_back_where_it_is_unsure() {
    let with = |name: &str| {
        let confirmed =
            |text: String| text.replace("required = false", "required = false\nconfirm = true");
        Some(files(name).into_iter().map(|(name, text)| (name, confirmed(text))).collect())
    };
    for (confidence, is_read_back) in [("0.9", false), ("0.5", true)] {
        let text = format!(
            "with rubric-screen\n00:00.200 > joined\n00:00.600 > #1 speaks (3s): How large a team?\n\
             00:05.000 > voice\n00:07.000 > quiet\n00:07.100 > final {confidence}: about seven people\n\
             00:08.000 > #2 calls record_field \
             {{\"key\":\"team_size\",\"value\":\"7\",\"quote\":\"seven\"}}\n"
        );
        let text = play(&text, with).unwrap().text;
        assert!(text.contains("call 1 accepted"), "{text}");
        assert_eq!(text.contains("right: 7?"), is_read_back, "{text}");
    }
}

/// A01: a model's tag counts for the turn that it answers, as that was when the reply was ordered.
#[test]
fn a_tag_counts_for_its_turn_only() {
    let text = "with two-stage\n00:00.200 > joined\n00:00.600 > #1 speaks (3s): What do you do today?\n\
        00:05.000 > answers (2s): I lead the billing team\n00:09.000 > tick\n";
    for (turn, attempt, counts) in [(1, 0, true), (1, 1, false), (2, 0, false)] {
        let Played { mut facts, mut fresh, .. } = played("x", text);
        let at = SessionTime::from_millis(8_000);
        let place = facts.partition_point(|fact| fact.0 < at);
        let (turn, intent, by) = (TurnId(turn), Intent::Repeat, By::Model);
        facts.insert(place, (at, at, Event::Understood { turn, attempt, intent, by }));
        let effects = told(&mut fresh, &facts, Woken::OnTheDot);
        let is_repeat =
            |say: &Say| matches!(say, Say::Text(words) if words.starts_with("Of course."));
        let repeats =
            |effect: &Effect| matches!(effect, Effect::Speak { say, .. } if is_repeat(say));
        assert_eq!(effects.iter().any(repeats), counts, "{turn:?} {attempt}: {effects:?}");
    }
}

/// Cases 19 and 40: a yes over the question whether to end is one, also where it stands behind another
/// sentence.
#[test]
fn a_yes_over_the_second_sentence_ends_it() {
    let text = "with two-stage\n00:00.200 > joined\n00:00.600 > #1 speaks (3s): What do you do today?\n\
        00:05.000 > answers (2s): I can't do this anymore\n00:08.000 > #2 begins: I am sorry.\n\
        00:08.100 > #2 ready: Do you want to end the interview here?\n00:10.500 > voice\n\
        00:11.000 > partial: yes please\n00:11.500 > quiet\n00:11.600 > final: yes please\n\
        00:11.700 > #2 cut: I am sorry. Do you\n00:14.000 > tick\n";
    let Played { mut facts, mut fresh, .. } = played("x", text);
    let at = SessionTime::from_millis(10_000);
    let place = facts.partition_point(|fact| fact.0 < at);
    facts.insert(place, (at, at, Event::SegmentHeard { reply: ReplyId(2), n: 0 }));
    let effects = told(&mut fresh, &facts, Woken::OnTheDot);
    let is_goodbye = |effect: &Effect| matches!(effect, Effect::Speak { interruptible: false, .. });
    assert!(effects.iter().any(is_goodbye), "{effects:?}");
}

/// H13: who says nothing in the only stage is told that nobody heard them.
#[test]
fn one_silent_stage_is_a_silent_interview() {
    let lone = |name: &str| {
        let mut files = files(name);
        files.retain(|(file, _)| file != "past-experience.md");
        let (_, head) = files.iter_mut().find(|(file, _)| file == "blueprint.toml").unwrap();
        *head = head.replace(", \"past-experience\"", "");
        Some(files)
    };
    let text = "with two-stage\n00:00.200 > joined\n00:00.600 > #1 speaks (3s): What do you do today?\n\
        00:12.000 > #2 speaks (2s)\n00:26.000 > #3 speaks (2s)\n01:00.000 > tick\n";
    let text = play(text, lone).unwrap().text;
    assert!(text.contains("HANG UP: CandidateSilent"), "{text}");
}

/// H06, H12: the scripted interviewer repeats no word of an answer, which may be misheard, and says no
/// acknowledgement twice in a row; it asks the two core questions of the introduction before it hands off,
/// however much the first answer says.
#[test]
fn acknowledgements_are_plain_and_take_turns() {
    let thin = "something about bridges";
    let rich = "In 2019 I led the billing team, the hardest problem was critical and I am proud \
        that we reduced failed \
        payments by half, improved every result and saved Berlin customers money with a careful \
        ledger migration";
    let mut text = "with two-stage\n00:00.200 > joined\n".to_owned();
    let (mut said, mut left_after) = (Vec::new(), None);
    for (n, answer) in [rich, thin, rich, thin, thin].into_iter().enumerate() {
        let (words, bridges) = speak_scripted(&mut text, 20 * n + 1);
        text += &format!("{} > answers (3s): {answer}\n", clock(20 * n + 17));
        text += &format!("{} > tick\n", clock(20 * n + 21));
        assert!(!answer.split(' ').any(|word| word.len() > 6 && words.contains(word)), "{words}");
        left_after = left_after.or(bridges.then_some(n));
        said.push(words.split_inclusive('.').next().unwrap_or_default().to_owned());
    }
    assert_eq!(left_after, Some(3), "answers before the handoff");
    assert!(said.windows(2).all(|pair| pair[0] != pair[1]), "{said:?}");
    let wanted = ["Thank you, that helps.", "Thank you.", "All right.", "I see."];
    assert_eq!(said[1..], wanted);
}

/// Adds what the scripted interviewer does with the last brief of a scenario: calls tools, until it says
/// something. Gives that, and whether another stage begins with it.
fn speak_scripted(text: &mut String, at: usize) -> (String, bool) {
    loop {
        let Played { briefs, .. } = played("x", text);
        let (_, reply, brief) = briefs.last().unwrap();
        let at = clock(at);
        for step in scripted::interviewer(&brief.situation) {
            match step {
                scripted::Move::Say(words) => {
                    *text += &format!("{at} > #{} speaks (4s): {words}\n", reply.0);
                    let bridges =
                        matches!(brief.situation.occasion, scripted::Occasion::Bridges(_));
                    return (words, bridges);
                }
                scripted::Move::Call { name, arguments } => {
                    *text += &format!("{at} > #{} calls {name} {arguments}\n", reply.0);
                }
            }
        }
    }
}

/// Words that the recogniser lost count against nobody: what is left is neither a short answer nor a partial
/// one, for the scripted interviewer and its judge, and for a model.
#[test]
fn what_was_lost_counts_against_nobody() {
    let lost = fs::read_to_string("tests/scenarios/hole-in-an-answer.txt").unwrap();
    let whole = lost.replace("{00:05.000-00:07.000 00:10.500-00:12.000}", "{00:05.000-00:12.000}");
    assert_ne!(lost, whole);
    let told = |text: &str| {
        let Played { briefs, facts, mut fresh, .. } = played("x", text);
        let (_, _, brief) = briefs.last().unwrap().clone();
        told(&mut fresh, &facts, Woken::OnTheDot);
        let case = fresh.case(TurnId(1)).unwrap();
        let judged = Judgement::parse(&scripted::judge(&case.judging())).unwrap();
        (brief.prompt.text(), brief.situation.signal, judged)
    };
    let (prompt, signal, judged) = told(&whole);
    assert!(prompt.contains("Their answer was short") && !prompt.contains("lost"), "{prompt}");
    assert_eq!((judged.answer_kind, judged.depth), (Intent::Answer(Quality::Partial), 2));
    assert!(signal < 0.3, "{signal}");
    let (prompt, signal, judged) = told(&lost);
    assert!(!prompt.contains("was short") && prompt.contains("our recogniser lost"), "{prompt}");
    assert_eq!((judged.answer_kind, judged.depth), (Intent::Answer(Quality::Full), 3));
    assert!(signal >= 0.3, "{signal}");
}

fn clock(seconds: usize) -> String {
    format!("{:02}:{:02}.000", seconds / 60, seconds % 60)
}

/// Path and text of each scenario, in order.
pub(crate) fn all() -> Vec<(String, String)> {
    let folders = ["tests/scenarios", "tests/scenarios/after"];
    let entries = folders.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    assert!(paths.len() > 40, "{} scenarios only", paths.len());
    let read =
        |path: std::path::PathBuf| (path.display().to_string(), fs::read_to_string(&path).unwrap());
    paths.into_iter().map(read).collect()
}

pub(crate) fn played(path: &str, text: &str) -> Played {
    play_with(text, |name| Some(files(name)), prelude).unwrap_or_else(|why| panic!("{path}: {why}"))
}

enum Woken {
    OnTheDot,
    Never,
}

/// The facts in the order of their times, one of them `by` ms away from where it was. What words mean is told
/// at once, if it is: it moves with them.
fn with_one_moved(facts: &[Fact], moved: usize, by: i64) -> Vec<Fact> {
    let mut facts = facts.to_vec();
    let shift = |at: SessionTime| {
        SessionTime::from_micros(at.as_micros().saturating_add_signed(by * 1_000))
    };
    let is_answer =
        |(_, _, event): &&mut Fact| matches!(event, Event::Understood { by: By::Words, .. });
    let (before, rest) = facts.split_at_mut(moved + 1);
    let moving = before.last_mut().filter(|fact| !is_answer(fact));
    for fact in moving.into_iter().chain(rest.first_mut().filter(is_answer)) {
        (fact.0, fact.1) = (shift(fact.0), shift(fact.1));
    }
    facts.sort_by_key(|(at, _, _)| *at);
    facts
}

fn told(interview: &mut Interview, facts: &[Fact], woken: Woken) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut now = SessionTime::ZERO;
    for (at, heard, event) in facts {
        while let (Woken::OnTheDot, Some(deadline)) = (&woken, interview.deadline()) {
            let wake = Interview::fires(deadline, *heard);
            if wake >= *at {
                break;
            }
            now = now.max(wake);
            effects.extend(interview.handle(now, (*heard).min(now), Event::Tick));
        }
        now = *at;
        effects.extend(interview.handle(*at, *heard, event.clone()));
    }
    effects
}

/// The runner shows every difference: it could not pass by leaving something out.
#[test]
fn a_changed_scenario_is_noticed() {
    let text = "# x\n00:00.200 > joined\n";
    let played = played("x", text).text;
    assert!(played.contains("< speak #1: \"Hello Ada"), "{played}");
    assert!(first_difference(text, &played).contains("speak #1"));
}

/// B01: whatever is wrong with a scenario is one sentence with its line, never a panic.
#[test]
fn mistakes_in_a_scenario_are_named_with_their_line() {
    for (line, wrong) in [
        ("00:01.0 > sings", "nobody knows what `sings` means: write joined, left"),
        ("soon > joined", "`soon` is no time: write minutes and seconds"),
        ("00:00.100 > joined", "00:00.100 is before 00:00.200"),
        ("00:01.000 > answers 2s: x", "`2s` is no duration: write (2s)"),
        ("00:01.000 > #1 speaks", "it is not said for how long: write (2s)"),
        ("00:01.000 > final [1 2]: x", "`[1 2]` is no segment"),
        ("00:01.000 > #one begins: x", "`one` is no number"),
        ("00:01.000 > #1 hums", "nobody knows what `hums` means: write ready"),
        ("00:01.000 > #7 speaks (2s): x", "nothing above says `speak #7` or `fill #7`"),
        ("00:01.000 > understood nonsense", "nobody knows what `nonsense` means: write answer, "),
        ("00:01.000 > understood repeat", "no words wait to be understood: write this right below"),
        ("wiht barista", "nobody knows what `wiht` means: write with, change"),
        ("recordedd", "nobody knows what `recordedd` means"),
        ("00:01.000 joined", "nobody knows what `00:01.000` means"),
    ] {
        let text = format!("# x\n00:00.200 > joined\n{line}\n");
        let said = play(&text, |name| Some(files(name))).unwrap_err().to_string();
        assert!(said.starts_with(&format!("line 3: {wrong}")), "{said}");
    }
}

/// A prelude stands for lines of another scenario, and is refused where it would hide something.
#[test]
fn preludes_stand_for_lines_and_hide_nothing() {
    let joined = "00:00.200 > joined\n              < speak #1: the model opens\n              < \
        Thinking, self-intro 0/3\n";
    let before = format!("# x\nwith two-stage\n{joined}");
    let preludes = |name: &str| match name {
        "the opening" => Some(before.clone()),
        "twice" => Some("with two-stage\nafter the opening\n".to_owned()),
        "itself" => Some("with two-stage\nafter itself\n".to_owned()),
        "other" => Some("with rubric-screen\n00:00.200 > joined\n".to_owned()),
        "changed" => Some(
            "with two-stage\n00:00.200 > joined\n              < HANG UP: Technical\n".to_owned(),
        ),
        "nothing" => Some("with two-stage\n".to_owned()),
        _ => None,
    };
    let play = |text: &str| play_with(text, |name| Some(files(name)), preludes);
    let rest = "00:00.600 > #1 speaks (3s): Hello Ada, I am Alba, an AI. What do you do today?\n\
        00:09.000 > tick\n";
    let whole = play(&format!("# x\nwith two-stage\n{joined}{rest}")).unwrap();
    for name in ["the opening", "twice"] {
        let head = format!("# x\nwith two-stage\nafter {name}\n");
        let short = play(&format!("{head}{rest}")).unwrap();
        assert_eq!(short.facts, whole.facts);
        assert_eq!(short.text.replace(&format!("after {name}\n"), joined), whole.text);
        assert_eq!(play(&short.text).unwrap().text, short.text);
        // A mistake behind it is named by its own line.
        let wrong = play(&format!("{head}{rest}00:10.000 > sings\n")).unwrap_err();
        assert_eq!(wrong.line, 6, "{wrong}");
    }
    for (name, wrong) in [
        ("nowhere", "line 3: there is no prelude `nowhere`: it is a scenario in a folder `after`"),
        ("itself", "line 3: `after itself` leads back to itself"),
        (
            "other",
            "line 3: the prelude `other` has `with rubric-screen`, and this scenario `with two-stage`",
        ),
        (
            "changed",
            "line 3: the prelude `changed` plays otherwise here, `< speak #1: the model opens` instead of",
        ),
        ("nothing", "line 3: nothing happens in the prelude `nothing`"),
    ] {
        let said = play(&format!("# x\nwith two-stage\nafter {name}\n{rest}")).unwrap_err();
        assert!(said.to_string().starts_with(wrong), "{said}");
    }
}

/// What was played plays to itself, also where a line ends as on another system (found by fuzzing).
#[test]
fn what_was_played_plays_to_itself() {
    for text in ["\r\r#\r \r", "# x\r\n00:00.200 > joined\r\n", "\n\n  \n    x"] {
        let once = played("x", text).text;
        assert_eq!(played("x", &once).text, once, "{text:?}");
    }
}

/// What a line `after NAME` stands for.
pub(crate) fn prelude(name: &str) -> Option<String> {
    fs::read_to_string(format!("tests/scenarios/after/{}", file_name(name))).ok()
}

/// The names of the shipped blueprints.
pub(crate) fn shipped() -> Vec<String> {
    let folders = fs::read_dir("../../agents").unwrap().map(|entry| entry.unwrap());
    let blueprints = folders.filter(|entry| entry.path().join("blueprint.toml").exists());
    let names: Vec<_> = blueprints.map(|it| it.file_name().into_string().unwrap()).collect();
    assert!(names.len() >= 3, "{names:?}");
    names
}

/// A shipped blueprint.
pub(crate) fn files(name: &str) -> Vec<(String, String)> {
    let paths = fs::read_dir(format!("../../agents/{name}")).unwrap().map(|it| it.unwrap().path());
    let files = paths.filter(|path| path.is_file()).map(|path| {
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        (file, fs::read_to_string(&path).unwrap())
    });
    files.collect()
}

fn first_difference(wanted: &str, played: &str) -> String {
    let (mut wanted, mut played) = (wanted.lines(), played.lines());
    loop {
        match (wanted.next(), played.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                return format!("  written: {}\n  played:  {}", a.unwrap_or("-"), b.unwrap_or("-"));
            }
        }
    }
}

/// B02: a scripted stage in the middle is led into in its file's words, without a model.
#[test]
fn a_later_scripted_stage_speaks_its_own_words() {
    let scripted = |name: &str| {
        let mut files = files(name);
        let (_, stage) = files.iter_mut().find(|(file, _)| file == "past-experience.md").unwrap();
        *stage = stage.replace("\"questions\"", "\"scripted\"");
        Some(files)
    };
    let text = "with two-stage\n00:00.200 > joined\n00:00.600 > #1 speaks (3s): What do you do today?\n\
        00:05.000 > answers (4s): I lead the billing team\n00:10.000 > #2 calls transition_stage\n";
    let played = play(text, scripted).unwrap();
    let bridge = "< speak #3: \"All right. Let us move on to your past experience. \
        Which project are you proud of?\"";
    assert!(played.text.contains(bridge), "{}", played.text);
    assert_eq!(played.briefs.len(), 2, "of the opening and the follow-up only");
}
