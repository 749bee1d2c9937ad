//! The scripted providers, for tests and load: a recogniser with fixed answers, a voice that hums, and an
//! interviewer that asks the blueprint's questions.

use std::sync::Arc;

use super::{
    Stt, Tts,
    interviewer::Interviewer,
    kind::{Kind, NewInterviewer, Offer, Place, Provider},
    llm_scripted::ScriptedInterviewer,
    stt_scripted::ScriptedStt,
    tts_scripted::ScriptedTts,
};

/// The scripted recogniser, interviewer and voice.
pub(super) const KIND: Kind = Kind {
    name: "scripted",
    doc: "The scripted interviewer, which needs no key and no network; an ear that hears what it \
        was told; a voice that hums.",
    fields: &[],
    read: |_, _| {
        let stt = Offer::<dyn Stt>::new(Place::Scripted, |_| Ok(Arc::new(ScriptedStt::default())));
        let llm = Offer::<NewInterviewer>::new(Place::Scripted, |_| {
            Ok(Arc::new(|| Arc::new(ScriptedInterviewer) as Arc<dyn Interviewer>))
        });
        let tts = Offer::<dyn Tts>::new(Place::Scripted, |_| Ok(Arc::new(ScriptedTts)));
        Provider { stt: Some(stt), llm: Some(llm), tts: Some(tts), ..Provider::new(Arc::new(())) }
    },
};
