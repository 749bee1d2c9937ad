//! What a worker tells Prometheus, from its start on: a rate knows a first count only by the zero before it.
//! `docs/metrics.md` says more of each.

use super::agents::Agents;

/// Counters with one label, and all that it can be.
const LABELLED: &[(&str, &str, &[&str])] = &[
    (
        "vivavoce_interviews_total",
        "end",
        &[
            "completed",
            "candidate_ended",
            "candidate_left",
            "candidate_silent",
            "no_show",
            "out_of_time",
            "max_turns",
            "abuse",
            "technical",
            "operator",
        ],
    ),
    (
        "vivavoce_fallbacks_total",
        "why",
        &[
            "soft_prompt",
            "turn_limit",
            "silence",
            "reply_stall",
            "playout_stall",
            "stage_limit",
            "interview_limit",
            "cut_in_gap",
            "cut_in",
            "reply_failed",
        ],
    ),
    ("vivavoce_turns_total", "speaker", &["candidate", "interviewer"]),
    ("vivavoce_tool_calls_total", "verdict", &["accepted", "refused"]),
    ("vivavoce_speculations_total", "outcome", &["used", "wasted"]),
    ("vivavoce_turn_questions_total", "outcome", &["answered", "late", "replaced"]),
    ("vivavoce_passed_over_total", "why", &["echo", "no_voice"]),
];

/// Why stages are left: whether that is forced, and each reason.
const HANDOFFS: &[(&str, &[&str])] = &[
    ("true", &["max_turns", "silence", "stage_limit"]),
    ("false", &["candidate_skipped", "rubric_settled", "tool", "question_limit", "agenda_done"]),
];
const LANES: &[&str] = &["talk", "judge"];
const DIRECTIONS: &[&str] = &["input", "output"];
const HANDOFFS_TOTAL: &str = "vivavoce_handoffs_total";
const TOKENS_TOTAL: &str = "vivavoce_llm_tokens_total";
/// By the providers that hear, think or speak, each at 0 when it is opened.
const USED_TOTAL: &str = "vivavoce_provider_used_total";
/// By the stages that interviews have.
const QUESTIONS_TOTAL: &str = "vivavoce_questions_total";
/// By the providers that are in a chain, each at 0 when it is opened.
const FAILOVERS_TOTAL: &str = "vivavoce_provider_failovers_total";

/// What each is, in the words that `/metrics` has.
const COUNTERS: &[(&str, &str)] = &[
    ("vivavoce_interviews_total", "Interviews that ended, by how"),
    (HANDOFFS_TOTAL, "Handoffs from one stage to the next, by why"),
    (QUESTIONS_TOTAL, "Questions that were heard, by stage"),
    (
        "vivavoce_takeovers_total",
        "Interviews that went on here after their worker had died or given them up",
    ),
    ("vivavoce_turns_total", "Turns of the candidate, and replies of which something was heard"),
    ("vivavoce_nudges_total", "Reprompts into a silence"),
    ("vivavoce_barge_ins_total", "Replies that the candidate's words stopped"),
    ("vivavoce_replies_failed_total", "Replies that could not be made"),
    ("vivavoce_fallbacks_total", "Times that a timer or a failure made us speak, by why"),
    ("vivavoce_tool_calls_total", "Tool calls of the model, by verdict"),
    (FAILOVERS_TOTAL, "Times that the next provider took over from one that failed, by the latter"),
    (TOKENS_TOTAL, "Tokens that a model of a vendor has read and written"),
    (USED_TOTAL, "What was used of each provider, by unit"),
    (
        "vivavoce_speculations_total",
        "Replies begun before it was sure that the candidate had finished",
    ),
    ("vivavoce_turn_questions_total", "Pauses that Smart Turn was asked about, by outcome"),
    ("vivavoce_stt_gaps_total", "Pieces of speech that had no transcript in time"),
    ("vivavoce_stt_reconnects_total", "Connections to a recogniser that were lost or not made"),
    ("vivavoce_stt_lost_seconds_total", "Seconds of speech that no recogniser heard"),
    ("vivavoce_holes_total", "Stretches of voice in answers in which nothing was understood"),
    (
        "vivavoce_not_caught_total",
        "Times that somebody was asked to say again what was not understood",
    ),
    ("vivavoce_fillers_total", "Times that a few words filled the silence before a reply"),
    ("vivavoce_guarded_total", "Segments of a model's words that were not spoken"),
    ("vivavoce_passed_over_total", "Transcripts that were none of the candidate's words, by why"),
    ("vivavoce_sound_packets_total", "Packets of candidates' sound that came"),
    (
        "vivavoce_sound_lost_packets_total",
        "Packets of candidates' sound that never came nor were restored",
    ),
    ("vivavoce_sound_late_total", "Pieces of a candidate's sound that were heard late"),
    (
        "vivavoce_judgements_dropped_total",
        "Answers that were not judged, because too many were being judged",
    ),
    (
        "vivavoce_recording_dropped_total",
        "Pieces of sound of 20 ms that are missing in a recording",
    ),
    ("vivavoce_chat_ignored_total", "Typed answers of somebody else, too long ones, or too many"),
    ("vivavoce_pre_connect_heard_total", "Recordings of what was said before we heard somebody."),
    (
        "vivavoce_pre_connect_ignored_total",
        "Recordings of what was said before that could not be used",
    ),
    ("vivavoce_other_participants_total", "People in the room who are not the candidate"),
    (
        "vivavoce_control_ignored_total",
        "Control messages that made no sense, came from somebody else, or were too many",
    ),
];

const HISTOGRAMS: &[(&str, &str)] = &[
    ("vivavoce_response_seconds", "From the candidate's last voice to our first sound"),
    ("vivavoce_response_hop_seconds", "Parts of the response, by hop"),
    ("vivavoce_llm_first_token_seconds", "From the request to the model's first words"),
    (
        "vivavoce_tts_first_byte_seconds",
        "From the request to the first sound of a voice of a vendor",
    ),
    (
        "vivavoce_stt_final_seconds",
        "From the known end of voice to its final transcript, of a vendor",
    ),
];

const GAUGES: &[(&str, &str)] = &[
    ("vivavoce_worker_interviews", "Interviews that the worker holds now"),
    ("vivavoce_worker_slots", "Interviews that it could hold"),
    ("vivavoce_worker_load", "Its load as it tells the LiveKit server, 0 to 1"),
    ("vivavoce_process_resident_memory_bytes", "Memory of the process"),
    ("vivavoce_process_cpu_seconds_total", "CPU time of the process"),
    ("vivavoce_process_threads", "Threads of the process"),
    ("vivavoce_process_open_fds", "Open files of the process"),
];

/// Names all metrics, and puts every counter at 0; but for the questions, see [`stages`], and for
/// providers that fail.
pub(super) fn begin() {
    for (name, help) in HISTOGRAMS {
        metrics::describe_histogram!(*name, *help);
    }
    for (name, help) in GAUGES {
        metrics::describe_gauge!(*name, *help);
    }
    for (name, help) in COUNTERS {
        metrics::describe_counter!(*name, *help);
        let has_labels = LABELLED.iter().any(|(labelled, _, _)| labelled == name);
        let are_labelled =
            [HANDOFFS_TOTAL, TOKENS_TOTAL, QUESTIONS_TOTAL, FAILOVERS_TOTAL, USED_TOTAL];
        if !has_labels && !are_labelled.contains(name) {
            zero(name, &[]);
        }
    }
    for (name, label, values) in LABELLED {
        values.iter().for_each(|value| zero(name, &[(label, value)]));
    }
    for (forced, reasons) in HANDOFFS {
        reasons.iter().for_each(|why| zero(HANDOFFS_TOTAL, &[("why", why), ("forced", forced)]));
    }
    for lane in LANES {
        for direction in DIRECTIONS {
            zero(TOKENS_TOTAL, &[("lane", lane), ("direction", direction)]);
        }
    }
}

/// Puts the questions of all stages at 0.
pub(super) fn stages(agents: &Agents) {
    for agent in agents.blueprints.values().flat_map(|blueprint| &blueprint.agents) {
        metrics::counter!(QUESTIONS_TOTAL, "stage" => agent.name.clone()).increment(0);
    }
}

fn zero(name: &'static str, labels: &[(&'static str, &'static str)]) {
    metrics::counter!(name, labels).increment(0);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;
    use crate::{
        config::Config,
        interview::{End, Reason},
        providers::registry::Registry,
    };

    /// W10: whoever asks a worker that has done nothing gets every counter, at 0, and what each is.
    #[test]
    fn counters_are_there_from_the_start() {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            begin();
            stages(&Agents::load(None).unwrap());
            let settings = [
                ("VIVAVOCE_SPEECH__STT", "scripted"),
                ("VIVAVOCE_SPEECH__VAD", "earshot"),
                ("VIVAVOCE_SPEECH__TURN_DETECTOR", "off"),
                ("VIVAVOCE_SPEECH__TTS", "scripted,second"),
                ("VIVAVOCE_PROVIDERS__SECOND__KIND", "scripted"),
            ];
            let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let Config { speech, providers, .. } = Config::read(None, settings).unwrap();
            Registry::build(&speech, &providers, 1).unwrap();
        });
        let text = recorder.handle().render();
        let is_zero = |line: &str| line.ends_with(" 0") || line.starts_with('#') || line.is_empty();
        assert!(text.lines().all(is_zero), "{text}");
        for (name, help) in COUNTERS {
            for line in [format!("# HELP {name} {help}\n"), format!("# TYPE {name} counter\n")] {
                assert!(text.contains(&line), "{line}not in\n{text}");
            }
            let has_value = |line: &str| line.starts_with(name) && is_zero(line);
            assert!(text.lines().any(has_value), "{name} has no value\n{text}");
        }
    }

    /// W10: what the labels of interviews and handoffs can be is what there is.
    #[test]
    fn labels_are_whole() {
        let all = |error: serde_json::Error| -> BTreeSet<String> {
            error.to_string().split('`').skip(3).step_by(2).map(str::to_owned).collect()
        };
        let (_, _, ends) = LABELLED[0];
        let ends = ends.iter().map(|end| (*end).to_owned()).collect();
        assert_eq!(all(serde_json::from_str::<End>("\"?\"").unwrap_err()), ends);
        let mut reasons = BTreeSet::new();
        for (forced, names) in HANDOFFS {
            for name in *names {
                let reason: Reason = serde_json::from_value((*name).into()).unwrap();
                assert_eq!(reason.is_forced().to_string(), *forced, "{name}");
                reasons.insert((*name).to_owned());
            }
        }
        assert_eq!(all(serde_json::from_str::<Reason>("\"?\"").unwrap_err()), reasons);
    }
}
