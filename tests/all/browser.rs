//! The pages in a real browser: the candidate's driven by `web/e2e/candidate.mjs`, the recruiter's by
//! `recruiter.mjs` and `opening.mjs`.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::Command;
use tokio_util::sync::CancellationToken;
use vivavoce::blueprint::Urgency;
use vivavoce::codec::fixture::{Answer, Fixture};
use vivavoce::interview::{Effect, End, Event, Request};
use vivavoce::journal::{self, ContactField, Entry, Header, Settled};
use vivavoce::store::{FileStore, Folder};
use vivavoce::web::Web;
use voiceroom::server::Api;

use crate::dev::Dev;
use crate::interview::{AGENT, WorkerProcess};
use crate::livekit_server::{LiveKit, jobs_ended};
use crate::web::{begun_in, config, entry, launchable, no_livekit, write_journal};

/// Far more than the browser needs; a driver that hangs fails the test instead of stopping it.
const DRIVER_LIMIT: Duration = Duration::from_secs(300);
/// Whose recording the microphone plays.
const FIXTURE: &str = "two-stage-plain";

/// U02, C01, C02, C04, C05, W09: from the form over consent and microphone into the room, where a candidate
/// for whom no interviewer is free is told so; what was not typed is said, Mute silences the track, a
/// microphone that goes or that the system mutes is missed, a second tab takes over and gives back, nothing
/// is wider than 320 px, and no page throws or wants what its policy forbids.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pages_lead_into_the_room() {
    let server = LiveKit::shared();
    let data = tempfile::tempdir().unwrap();
    let livekit = Api::new(server.url(), server.keys());
    let settings = vivavoce::web::Config {
        livekit_public_url: server.url().to_owned(),
        ..config(data.path(), livekit, Duration::from_secs(3600))
    };
    let web = Web::bind(settings).await.unwrap();
    let (url, stop) = (format!("http://{}", web.address()), CancellationToken::new());
    let serving = tokio::spawn(web.serve(stop.clone()));
    let seen = drive("pages", &url, &["--until", "in-line"]).await;
    let denied = drive("denied", &url, &["--denied"]).await;
    assert_eq!(denied["pageErrors"], json!([]));
    assert_eq!(
        denied["startedByTyping"], 1,
        "the notice about the microphone has a way into the room"
    );
    stop.cancel();
    serving.await.unwrap().unwrap();
    assert_eq!(seen["pageErrors"], json!([]));
    assert_eq!(seen["overflows"], json!([]), "320 px are enough for every page");
    let errors =
        json!(["Candidate’s name: Type the candidate’s name.", "Target role: Type the role."]);
    assert_eq!(seen["launchErrors"], errors);
    assert_eq!(seen["notLoaded"], "The page could not be loaded", "a part that does not come");
    assert_eq!(seen["unknownLink"], "This link does not work");
    assert!(seen["withoutConsent"].as_str().unwrap().contains("agree to take part"));
    assert_eq!(
        seen["unheardIsOver"], true,
        "a start without a microphone says why, until there is one"
    );
    assert_eq!(seen["startedUnheard"], 0, "nobody is called to somebody without a microphone");
    assert_eq!(seen["openedOnce"], true, "who presses twice has one microphone open");
    assert_eq!(seen["situations"], json!(["connecting", "in-line"]));
    assert_eq!((&seen["muted"], &seen["secondTab"]), (&json!(true), &json!(true)));
    assert_eq!(seen["mutedBySystem"], true, "a microphone that the system mutes is missed");
    assert_eq!(seen["unplugged"], true, "a microphone that goes is missed");
    assert_eq!(seen["endFocus"], "Carry on", "the safe answer has the focus");
}

/// U02, U04, C01–C03, H03, R02, R03, W05, N04: a candidate is interviewed by voice in a browser, from the
/// form to the transcript: sound is heard both ways, captions of both sides appear, the stages come in order
/// with one handoff fewer than stages, a screen reader is told of each turn of theirs, the job succeeds, and
/// what the pages show, the recruiter's too, is what the journal on disk says.
#[tokio::test]
async fn a_candidate_is_interviewed_in_a_browser() {
    voiceroom::tls::install();
    let dev = Dev::start();
    let answers = answers();
    let options = ["--blueprint", "two-stage", "--answers", &answers];
    let seen = drive("interview", &dev.url, &options).await;

    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&json!([]), &json!([])));
    let turns = texts(&seen["said"]).filter(|said| said.trim() == "Your turn.").count();
    assert!(turns >= 4, "{}", seen["said"]);
    assert_eq!(seen["turns"], turns, "a screen reader is told of each: {}", seen["said"]);
    assert_eq!(seen["stages"], json!(["Introduction", "Past experience"]));
    let situations: Vec<_> = texts(&seen["situations"]).collect();
    assert!(
        // The scripted interviewer thinks for less than a frame of the page.
        ["listening", "speaking"].iter().all(|s| situations.contains(s)),
        "{situations:?}"
    );
    let amiss = ["trouble", "lost", "in-line"];
    assert!(!situations.iter().any(|s| amiss.contains(s)), "nothing was amiss: {situations:?}");
    assert!(
        seen["sound"]["energy"].as_f64().unwrap() > 0.01,
        "the page heard the interviewer: {}",
        seen["sound"]
    );
    let speakers: Vec<_> = seen["captions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["speaker"].as_str().unwrap())
        .collect();
    assert!(speakers.contains(&"you") && speakers.contains(&"them"), "{speakers:?}");
    let opened_again = json!({ "boxes": 0, "agreed": true });
    assert_eq!(seen["openedAgain"], opened_again, "nobody agrees twice");
    assert_eq!(seen["after"], seen["afterReload"], "the transcript survives a reload");
    assert_eq!(seen["after"]["turns"], seen["recruiter"]["turns"], "recruiters read the same");
    assert_eq!(seen["listed"], json!(["Completed"]), "all of its parts were answered");

    let (header, entries) = only_journal(&dev);
    let handoffs = entries.iter().flat_map(|entry| &entry.effects);
    assert_eq!(handoffs.filter(|effect| matches!(effect, Effect::Handoff { .. })).count(), 1);
    let transcript = journal::transcript(&header, &entries);
    assert_eq!(transcript.end, Some(End::Completed));
    let shown: Vec<_> = seen["after"]["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| without_marks(t["text"].as_str().unwrap()))
        .map(|text| text.trim_end_matches(" …").to_owned())
        .collect();
    let written: Vec<_> = transcript.lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(shown, written);
    // One of them may be misheard.
    let said = ["engineer", "payment", "mobile application", "small program"];
    let heard = said.iter().filter(|words| written.iter().any(|text| text.contains(**words)));
    assert!(heard.count() >= 3, "the interviewer heard the page: {written:?}");
    assert_eq!(jobs_ended(1, || dev.livekit_log()).await, ["JS_SUCCESS"]);
}

/// T02, case 38: who talks while their microphone is muted is told so by the page, and no silence counts:
/// the interviewer is told too, and says nothing meanwhile, whatever was said before. What the candidate
/// says when it is on again is their answer.
#[tokio::test]
async fn who_talks_while_muted_is_told() {
    voiceroom::tls::install();
    let dev = Dev::start();
    let answers = answers();
    let way = ["--blueprint", "two-stage", "--muted-first", "--end-after", "1"];
    let seen = drive("muted", &dev.url, &[&way[..], &["--answers", &answers]].concat()).await;
    assert_eq!((&seen["mutedTalk"], &seen["pageErrors"]), (&json!(true), &json!([])));
    let said: Vec<_> = seen["captions"].as_array().unwrap().iter().map(Value::to_string).collect();
    assert!(said.iter().any(|caption| caption.contains("\"you\"")), "{said:?}");

    let (_, entries) = only_journal(&dev);
    let at = |event: Event| entries.iter().position(|entry| entry.event == event).unwrap();
    let muted = &entries[at(Event::Muted)..at(Event::Unmuted)];
    let is_told =
        |event: &Event| matches!(event, Event::Control { request: Request::MutedSpeech, .. });
    assert!(muted.iter().any(|entry| is_told(&entry.event)), "{muted:?}");
    let mut effects = muted.iter().flat_map(|entry| &entry.effects);
    assert!(!effects.any(|effect| matches!(effect, Effect::Speak { .. })), "{muted:?}");
}

/// R04, C02: an answer can be typed in an interview in German: it counts like a spoken one, stands in the
/// captions once, and the interviewer says goodbye in German. The page is in German until another language
/// is chosen.
#[tokio::test]
async fn an_answer_can_be_typed() {
    voiceroom::tls::install();
    let dev = Dev::start();
    let typed =
        ["Ja, wir können anfangen.", "Ich backe seit zwölf Jahren Brot und leite eine Bäckerei."];
    let way = ["--blueprint", "mock-interview-de", "--answers", "[]", "--text"];
    let types = ["--type", typed[0], "--type", typed[1], "--end-after", "2"];
    let seen = drive("typed", &dev.url, &[&way[..], &types].concat()).await;
    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&json!([]), &json!([])));
    assert_eq!(seen["language"], "de", "the page is in the language of the interview");
    let sent = seen["typed"].as_array().unwrap();
    assert_eq!(sent.len(), typed.len(), "{sent:?}");
    for once in sent {
        assert_eq!((&once["left"], &once["captions"]), (&json!(""), &json!(1)), "{once}");
    }
    let (header, entries) = only_journal(&dev);
    let transcript = journal::transcript(&header, &entries);
    let lines: Vec<_> = transcript.lines.iter().map(|line| line.text.as_str()).collect();
    let theirs: Vec<_> =
        lines.iter().filter(|text| text.contains("anfangen") || text.contains("Brot")).collect();
    assert!(theirs.len() >= 2, "{lines:?}");
    assert!(lines.last().unwrap().contains("Auf Wiedersehen"), "{lines:?}");
}

/// R05: what Chromium recorded of a microphone before its track was heard is heard in time though it records
/// on, as LiveKit's SDK lets it for ten seconds when it is told too soon that somebody hears the track.
#[tokio::test]
async fn a_recording_that_does_not_end_is_heard() {
    voiceroom::tls::install();
    let dev = Dev::start();
    let options = ["--blueprint", "two-stage", "--until", "listening", "--record-on"];
    let seen = drive("records-on", &dev.url, &options).await;
    assert_eq!(seen["pageErrors"], json!([]));
    let heard = async || dev.counted("vivavoce_pre_connect_heard_total").await;
    let ignored = async || dev.counted("vivavoce_pre_connect_ignored_total").await;
    while heard().await + ignored().await == 0 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!((heard().await, ignored().await), (1, 0));
}

/// C02, R05: whose place another tab took, and who takes it back, reads all that was said before, and
/// nothing twice.
#[tokio::test]
async fn who_joins_again_reads_what_was_said() {
    voiceroom::tls::install();
    let dev = Dev::start();
    // Nobody answers.
    let options =
        ["--blueprint", "two-stage", "--until", "listening", "--answers", "[]", "--rejoin"];
    let seen = drive("rejoins", &dev.url, &options).await;
    // The components of LiveKit let nobody handle that a disconnect cuts off a caption.
    let is_ours = |error: &&Value| **error != "Room disconnected in the middle of receiving data";
    let errors: Vec<_> = seen["pageErrors"].as_array().unwrap().iter().filter(is_ours).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let before: Vec<_> = texts(&seen["rejoined"]["before"]).collect();
    let after: Vec<_> = texts(&seen["rejoined"]["after"]).collect();
    // A nudge may have followed.
    let again: Vec<_> =
        after.iter().flat_map(|text| text.match_indices(before[0].trim())).collect();
    assert_eq!(again.len(), 1, "{before:?}, then {after:?}");
}

/// U02, U04, U05: a recruiter who looks at an interview in between finds the link and the form as they
/// were, and the form after a reload; a résumé is read from a file;
/// what is launched is launched once, the list and the page of an interview outlive an outage of the server,
/// and a page of which nothing more comes says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recruiter_loses_nothing_on_the_way() {
    let data = tempfile::tempdir().unwrap();
    let settings = config(data.path(), no_livekit(), Duration::from_secs(3600));
    let web = Web::bind(settings).await.unwrap();
    let (url, stop) = (format!("http://{}", web.address()), CancellationToken::new());
    let serving = tokio::spawn(web.serve(stop.clone()));
    let out = artefacts("recruiter");
    let seen = run("recruiter.mjs", &["--url", &url, "--out", out.to_str().unwrap()]).await;
    stop.cancel();
    serving.await.unwrap().unwrap();
    assert_eq!(seen["pageErrors"], json!([]));
    assert!(seen["notLoaded"].as_str().unwrap().contains("load it again"), "{seen}");
    assert_eq!((&seen["flashed"], &seen["late"]), (&json!(false), &json!(0)), "only then");
    assert_eq!((&seen["sameLink"], &seen["halfForm"]), (&json!(true), &json!("Tomás Ortega")));
    assert!(seen["refusedFile"].as_str().unwrap().contains("cv.xls"), "{seen}");
    let resume = seen["resume"].as_str().unwrap();
    assert!(resume.contains("Ten years of data."), "{seen}");
    assert_eq!(
        (&seen["takenBack"], &seen["reloaded"]),
        (&json!(""), &json!(["Tomás Ortega", resume]))
    );
    assert_eq!(seen["posted"], 1, "however often the button is pressed");
    assert_eq!(seen["listedAfterwards"], 2, "a list that could not be loaded comes by itself");
    assert_eq!((&seen["listedMeanwhile"], &seen["wentOn"]), (&json!(2), &json!(true)));
    assert_eq!(FileStore::open(data.path()).unwrap().folders().unwrap().len(), 2);
}

/// U01, U02, U04, U05, U07, U08: from the first start to the sign-out: an account, an opening from a template
/// with questions of their own and a rubric, two candidates by a pasted list, their links, the list that
/// follows an interview to its end, its report, a decision with a reason, a CSV file, a deletion with a
/// receipt. axe-core finds nothing on any of these pages, narrow or wide.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recruiter_goes_the_whole_way() {
    let data = tempfile::tempdir().unwrap();
    let settings = vivavoce::web::Config {
        blueprints: ["mock-interview", "two-stage", "rubric-screen"].map(launchable).into(),
        ..config(data.path(), no_livekit(), Duration::from_secs(3600))
    };
    let web = Web::bind(settings).await.unwrap();
    let (url, stop) = (format!("http://{}", web.address()), CancellationToken::new());
    let serving = tokio::spawn(web.serve(stop.clone()));
    let (out, told) = (artefacts("opening"), tempfile::tempdir().unwrap());
    let listed = told.path().join("listed");
    let options =
        ["--url", &url, "--out", out.to_str().unwrap(), "--listed", listed.to_str().unwrap()];
    let holding = holds(data.path(), "Ada Lovelace", &listed);
    let (seen, held) = tokio::join!(run("opening.mjs", &options), holding);
    stop.cancel();
    serving.await.unwrap().unwrap();

    let nothing = json!([]);
    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&nothing, &nothing));
    assert_eq!(seen["findings"], nothing, "axe-core");
    assert_eq!(seen["pages"].as_array().unwrap().len(), 19, "{}", seen["pages"]);
    assert_eq!(seen["setUpErrors"].as_array().unwrap().len(), 3, "{}", seen["setUpErrors"]);
    assert_eq!(
        (&seen["setUpLeadsTo"], &seen["hello"]),
        (&json!("/interviews"), &json!("Hello Recruiter"))
    );
    let left_out: Vec<_> = texts(&seen["leftOut"]).collect();
    assert!(left_out.len() == 1 && left_out[0].contains("more than one @"), "{left_out:?}");
    assert_invited(&seen);
    let listed = json!([
        { "name": "Ada Lovelace", "email": "ada@example.org", "state": "Completed", "decision": "To decide" },
        { "name": "Grace Hopper", "email": "grace@example.org", "state": "Invited", "decision": "–" },
    ]);
    assert_eq!(seen["listed"], listed);
    assert_eq!(seen["report"]["said"], json!(["I fix payments."]));
    assert_decided(&seen);

    let store = FileStore::open(data.path()).unwrap();
    let [left] = store.folders().unwrap().try_into().unwrap();
    assert_eq!(seen["deleteFocus"], "Keep it", "the safe answer has the focus");
    assert!(texts(&seen["receipt"]).any(|text| text == held), "{}", seen["receipt"]);
    assert!(!seen["receipt"].to_string().contains("Ada"), "{}", seen["receipt"]);
    assert_eq!(seen["listedAfterwards"], json!(["Grace Hopper"]));
    assert_eq!(left.inputs().unwrap().context.candidate_name, "Grace Hopper");
    assert_eq!((&seen["refused"], &seen["shownSignedOut"]), (&json!(401), &json!(0)));
}

/// What a recruiter typed into the opening is there, and each link that is shown is the one that is copied.
fn assert_invited(seen: &Value) {
    let questions = [
        "Which outage taught you most?",
        "How do you decide what to test?",
        "What would you change about our product?",
    ];
    assert_eq!(seen["questionsTyped"], json!(questions), "a new row has the focus");
    let criteria: Vec<_> = texts(&seen["criteria"]).collect();
    assert_eq!((criteria.len(), criteria.last()), (4, Some(&"Finds causes")), "{criteria:?}");
    assert!(seen["estimate"].as_str().unwrap().ends_with("min"), "{}", seen["estimate"]);
    let links = seen["links"].as_array().unwrap();
    for link in links {
        assert_eq!(link["isCopied"], true, "{link}");
        let (_, token) = link["shown"].as_str().unwrap().split_once("/i/").unwrap();
        assert_eq!(token.len(), 96, "{link}");
        let row = format!("{},{}", link["name"].as_str().unwrap(), link["shown"].as_str().unwrap());
        assert!(seen["csvOfLinks"].as_str().unwrap().contains(&row), "{}", seen["csvOfLinks"]);
    }
    assert_eq!(links.len(), 2);
    assert_ne!(links[0]["shown"], links[1]["shown"]);
}

/// No decision without a choice, no rejection without a reason; what was decided outlives a reload. The file
/// has a row for each criterion.
fn assert_decided(seen: &Value) {
    let refusals: Vec<_> = texts(&seen["undecided"]).collect();
    assert!(refusals[0].contains("Choose one") && refusals[1].contains("Say why"), "{refusals:?}");
    let decided = seen["decided"].as_str().unwrap();
    assert!(decided.starts_with("Move on · Recruiter · "), "{decided}");
    assert_eq!(seen["reason"], "Tells causes apart from symptoms.");
    let (name, text) = (&seen["exported"]["name"], seen["exported"]["text"].as_str().unwrap());
    assert!(name.as_str().unwrap().ends_with(".csv"), "{name}");
    for criterion in texts(&seen["criteria"]) {
        let row = text.lines().find(|line| line.contains(&format!(",{criterion},")));
        assert!(row.is_some_and(|row| row.contains(",Ada Lovelace,")), "{criterion}: {text}");
    }
}

/// Waits until the driver has seen all candidates in the list, and lets the interview of one come to its end,
/// as a worker would; its id. What changes before all are listed would not stay at the top.
async fn holds(data: &Path, name: &str, listed: &Path) -> String {
    while !listed.exists() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let folders = FileStore::open(data).unwrap().folders().unwrap();
    let is_theirs = |folder: &Folder| folder.inputs().unwrap().context.candidate_name == name;
    let folder = folders.into_iter().find(is_theirs).unwrap();
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun_in(&folder, "screening") + &ended));
    folder.id().to_string()
}

/// U02, U05, K01, K05–K07: a recruiter takes the sample project, has the plan made and changes it; the
/// candidate is asked in that order, and afterwards the backlog, a summary and the files are on the
/// interview's page.
#[tokio::test]
async fn a_knowledge_transfer_is_planned_and_held() {
    voiceroom::tls::install();
    let dev = Dev::start();
    let out = artefacts("plan");
    let planned = [
        "--url",
        &dev.url,
        "--blueprint",
        "knowledge-transfer",
        "--sample",
        "--out",
        out.to_str().unwrap(),
    ];
    let seen = run("plan.mjs", &planned).await;
    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&json!([]), &json!([])));
    let folder = only_folder(&dev);
    let plan = folder.inputs().unwrap().context.plan;
    let sent: Vec<_> = seen["launched"]["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|q| q["text"].as_str().unwrap())
        .collect();
    assert_eq!(plan.iter().map(|q| q.text.as_str()).collect::<Vec<_>>(), sent);
    assert_ne!(seen["made"], seen["changed"]);
    assert_eq!(seen["kept"], true, "a look at the list loses neither documents nor plan");

    let first = plan.iter().find(|question| question.priority == Urgency::P0).unwrap();
    let told = "Marta Keller set that threshold in 2019 because every segment above it lost money.";
    let link = seen["link"].as_str().unwrap();
    let way = ["--link", link, "--answers", "[]", "--type", told, "--end-after", "1"];
    let seen = drive("transfer", &dev.url, &way).await;
    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&json!([]), &json!([])));

    let (out, page) = (artefacts("progress"), format!("{}/interviews/{}", dev.url, folder.id()));
    let options = ["--url", &page, "--summary", "--out", out.to_str().unwrap()];
    let seen = run("progress.mjs", &options).await;
    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&json!([]), &json!([])), "{seen}");
    let text = seen.to_string();
    assert!(text.contains(&first.text) && text.contains(told), "{seen}");
    assert!(seen["summary"].to_string().contains(told), "{}", seen["summary"]);
    let (_, entries) = journal::parse(&folder.read_journal().unwrap().unwrap()).unwrap();
    let progress = journal::plan_progress(&folder.inputs().unwrap(), &entries).unwrap();
    let asked = progress.questions.iter().find(|question| question.answer.is_some()).unwrap();
    assert_eq!(asked.item.text, first.text, "the first one that has to be asked");
    for file in [
        "transcript.json",
        "extracted_facts.json",
        "question_backlog.json",
        "interview_summary.txt",
    ] {
        assert!(text.contains(file), "{file}: {seen}");
    }
    assert_eq!(jobs_ended(1, || dev.livekit_log()).await, ["JS_SUCCESS"]);
}

/// L01, L06, L08, R04: who closes a discovery early is asked for their data, and fills in the form on the
/// screen; the interview ends with it.
#[tokio::test]
async fn contact_data_are_filled_in_on_the_screen() {
    voiceroom::tls::install();
    let dev = Dev::start();
    let data = r#"{"name": "Anna Smith", "email": "anna@example.org"}"#;
    let way = ["--blueprint", "discovery", "--answers", "[]", "--form", data];
    let types = ["--type", "I would like to stop here, please.", "--type", "No, that was all."];
    let seen = drive("form", &dev.url, &[&way[..], &types].concat()).await;
    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&json!([]), &json!([])));
    assert_eq!(seen["form"]["answer"], "accepted", "{}", seen["form"]);
    assert_eq!(seen["form"]["tookFocus"], false);
    let (_, entries) = only_journal(&dev);
    let inputs = only_folder(&dev).inputs().unwrap();
    let progress = journal::plan_progress(&inputs, &entries).unwrap();
    let value = |key: &str| match progress.contact.iter().find(|field| field.key == key) {
        Some(ContactField { settled: Some(Settled::Captured { value, .. }), .. }) => value.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (value("name").as_str(), value("email").as_str()),
        ("Anna Smith", "anna@example.org")
    );
    assert_eq!(progress.consent, Some(true));
    assert_eq!(jobs_ended(1, || dev.livekit_log()).await, ["JS_SUCCESS"]);
}

/// U02, C02, R04, H13: each button and each key is acknowledged on the page before the interviewer answers,
/// and accepted. A pause switches the microphone off, single keys can be switched off, a typed answer counts,
/// a question is skipped, and a reload finds the question that waits and goes on when asked to. Who then
/// presses End and means it hears a goodbye and sees the transcript; the interview ended by their wish, and
/// the job succeeded.
#[tokio::test]
async fn each_button_and_key_is_answered() {
    voiceroom::tls::install();
    let dev = Dev::start();
    let typed = "I am a baker and have led a bakery for twelve years.";
    let way = ["--blueprint", "two-stage", "--answers", "[]"];
    let seen = drive("buttons", &dev.url, &[&way[..], &["--buttons", typed]].concat()).await;
    assert_eq!((&seen["pageErrors"], &seen["overflows"]), (&json!([]), &json!([])));
    let buttons = &seen["buttons"];
    for request in ["repeat", "rephrase", "more_time", "pause", "resume", "skip"] {
        let pressed = &buttons[request];
        assert_eq!(pressed["cameOf"], "accepted", "{request}: {buttons}");
        assert_eq!(pressed["first"], "sent", "told before it is answered, {request}: {buttons}");
    }
    assert_eq!(buttons["stillAsks"], true, "a pause keeps the question: {buttons}");
    assert_eq!(buttons["withoutKeys"], true, "M mutes nobody who has switched it off");
    let questions: Vec<_> = texts(&buttons["questions"]).collect();
    let expected = [
        "Please tell me about yourself: what do you do today?",
        "What are you especially good at?",
        "What are you looking for in your next role?",
    ];
    assert_eq!(questions, expected, "no nudge and no remark is among them");
    assert_eq!(buttons["afterReload"], expected[2], "{buttons}");
    assert_eq!(buttons["endFocus"], "Carry on", "the safe answer has the focus");
    let situations: Vec<_> = texts(&seen["situations"]).collect();
    assert!(situations.contains(&"ending"), "{situations:?}");
    assert_eq!(seen["after"], seen["afterReload"], "the transcript survives a reload");

    let (header, entries) = only_journal(&dev);
    let transcript = journal::transcript(&header, &entries);
    assert_eq!(transcript.end, Some(End::CandidateEnded));
    assert!(transcript.lines.iter().any(|line| line.text == typed), "{:?}", transcript.lines);
    assert_eq!(jobs_ended(1, || dev.livekit_log()).await, ["JS_SUCCESS"]);
}

/// C02, W08: when the interviewer dies in the middle, the page says that something is amiss, and stays:
/// another one may come.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interviewer_who_dies_is_missed() {
    let server = LiveKit::start();
    let mut worker = WorkerProcess::start(&server);
    let livekit = Api::new(server.url(), server.keys());
    let settings = vivavoce::web::Config {
        livekit_public_url: server.url().to_owned(),
        agent_name: AGENT.to_owned(),
        ..config(worker.data.path(), livekit, Duration::from_secs(3600))
    };
    let web = Web::bind(settings).await.unwrap();
    let (url, stop) = (format!("http://{}", web.address()), CancellationToken::new());
    let serving = tokio::spawn(web.serve(stop.clone()));
    let store = worker.store();
    let has_spoken = || {
        let journal =
            store.folders().unwrap().pop().and_then(|folder| folder.read_journal().unwrap());
        let Ok((header, entries)) = journal::parse(&journal.unwrap_or_default()) else {
            return false;
        };
        !journal::transcript(&header, &entries).lines.is_empty()
    };
    let kills = async {
        // The driver has a limit of its own, and needs its time to get there on a busy machine.
        while !has_spoken() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        worker.kill();
    };
    let (seen, ()) = tokio::join!(drive("dies", &url, &["--until", "trouble"]), kills);
    stop.cancel();
    serving.await.unwrap().unwrap();
    // livekit-client's own word for a caption that was cut off.
    let cut_caption = "Room disconnected in the middle of receiving data";
    assert!(texts(&seen["pageErrors"]).all(|e| e == cut_caption), "{}", seen["pageErrors"]);
    assert_eq!(seen["overflows"], json!([]));
    assert_eq!(texts(&seen["situations"]).last(), Some("trouble"), "{}", seen["situations"]);
}

/// The words of a turn without the marks of the page where some were not understood: a busy machine may lose
/// words of an answer.
fn without_marks(text: &str) -> String {
    let mut words = text.to_owned();
    while let Some(begin) = words.find("[not understood") {
        let Some(length) = words[begin..].find(']') else { break };
        words.replace_range(begin..=begin + length, "");
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where in the recording the answers are, for the page's microphone.
fn answers() -> String {
    let fixture = Fixture::load(Path::new("audio-fixtures"), FIXTURE).unwrap();
    let seconds = |ms: u64| ms as f64 / 1000.0;
    let spans = |answer: &Answer| {
        let (first, last) = (answer.spans.first().unwrap(), answer.spans.last().unwrap());
        [seconds(first.start_ms.saturating_sub(100)), seconds(last.end_ms + 100)]
    };
    json!(fixture.answers.iter().map(spans).collect::<Vec<_>>()).to_string()
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The only interview there is.
fn only_folder(dev: &Dev) -> Folder {
    let store = FileStore::open(&dev.folder.path().join("data")).unwrap();
    let [folder] = store.folders().unwrap().try_into().unwrap();
    folder
}

/// Its journal.
fn only_journal(dev: &Dev) -> (Header, Vec<Entry>) {
    journal::parse(&only_folder(dev).read_journal().unwrap().unwrap()).unwrap()
}

/// Runs the candidate's driver; what it saw. Its screenshots are kept.
async fn drive(name: &str, url: &str, options: &[&str]) -> Value {
    let (out, wav) = (artefacts(name), format!("audio-fixtures/{FIXTURE}.wav"));
    let wav = Path::new(env!("CARGO_MANIFEST_DIR")).join(wav);
    let usual = ["--url", url, "--out", out.to_str().unwrap(), "--wav", wav.to_str().unwrap()];
    run("candidate.mjs", &[&usual[..], options].concat()).await
}

/// Runs a driver; what it saw.
async fn run(script: &str, options: &[&str]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(root.join("web/dist/index.html").is_file(), "the pages are not built: run `make web`");
    let driver = Command::new("node")
        .arg(root.join("web/e2e").join(script))
        .args(options)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output =
        tokio::time::timeout(DRIVER_LIMIT, driver).await.expect("the driver ends").unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    assert!(output.status.success(), "{}\n{said}", seen["failed"]);
    seen
}

/// Where people find the screenshots: `artefacts/browser-<name>` beside the build.
fn artefacts(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("../artefacts/browser-{name}"))
}
