//! A stage of questions and follow-ups within limits: the usual kind.

use crate::interview::stage::kind::StageKind;

pub(crate) struct Questions;

impl StageKind for Questions {}
