//! A line through a LiveKit room: the candidate is one of its participants.

mod controls;

use std::{
    collections::{BTreeSet, VecDeque},
    time::{Duration, Instant},
};

use serde::Serialize;
use tokio::{sync::mpsc, time::sleep_until};
use voiceroom::{
    Frame,
    room::{
        self, AGENT_STATE, Bytes, CHAT_TOPIC, FrameSource, JoinError, Kind, PRE_CONNECT_TOPIC,
        Participant, RECORDED_TRACK, Room, RoomEvent, RoomOptions, State, To, Track, Version,
    },
    server::Orders,
};

use super::{
    Candidate, Caption, Line, LineEvent,
    phone::Phone,
    presence::{Change, Presence},
    tracks::Tracks,
};
use crate::{
    blueprint::{Pauses, person_name},
    clock::{self, Clock},
    interview::{AgentState, Control, End, NotDone, Phase, Request, Status},
    listen::{Packet, PreConnect},
    speak::Mouth,
};
use controls::{Controls, is_order};

/// The topic of buttons and their answers (R04).
const CONTROL_TOPIC: &str = "vivavoce.control";
/// How long a typed answer may be.
const CHAT_BYTES_MAX: usize = 4_000;
/// The attributes that frontends show (R02).
const STAGE: &str = "vivavoce.stage";
const PROGRESS: &str = "vivavoce.progress";
const PHASE: &str = "vivavoce.phase";
const PAUSED: &str = "vivavoce.paused";
/// The question that waits, and the seconds of the interview's own time that have passed.
const QUESTION: &str = "vivavoce.question";
const ELAPSED: &str = "vivavoce.elapsed";
/// What the candidate can ask for, and the seconds that they have to think.
const HELP: &str = "vivavoce.help";
const THINKING_TIME: &str = "vivavoce.thinking_time";
/// How long a question may be in an attribute.
const QUESTION_CHARS_MAX: usize = 1_000;
/// The request of a form that was filled in on the screen.
const FILL: &str = "fill";
/// The request of a recruiter's suggestion.
const SUGGEST: &str = "suggest";
/// How long we stay after the last sound.
const LINGER: Duration = Duration::from_millis(300);
/// Others who are counted, each once; of more nobody is remembered.
const OTHERS_MAX: usize = 1_000;
/// Facts that one event of the room makes at most.
const FACTS_EXPECTED: usize = 4;

/// A line through a room.
pub struct RoomLine {
    room: Room,
    events: mpsc::Receiver<RoomEvent>,
    clock: Clock,
    candidate: Candidate,
    phone: Phone,
    presence: Presence,
    tracks: Tracks,
    /// What they said before a track of theirs that has not come yet.
    before: Option<PreConnect>,
    /// Others who were seen.
    others: BTreeSet<String>,
    controls: Controls,
    /// How much of the interview's own time has passed.
    elapsed: Duration,
    facts: VecDeque<LineEvent>,
}

/// What became of a button.
#[derive(Serialize)]
struct Answer<'a> {
    id: &'a str,
    answer: &'a str,
    /// Why it was refused, by its name.
    #[serde(skip_serializing_if = "str::is_empty")]
    why: &'a str,
    /// The same in words.
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
}

/// Pulls our frames for the room.
struct Source {
    mouth: Mouth,
    clock: Clock,
}

impl FrameSource for Source {
    fn pull(&mut self, at: Instant) -> Option<Frame> {
        let sound = self.mouth.pull(self.clock.at(at))?;
        Some(Frame::try_from(sound.0).expect("the playout gives whole frames"))
    }
}

impl RoomLine {
    /// Joins the room and publishes `mouth` as our voice. Of staff it takes `orders` alone.
    pub async fn join(
        mut options: RoomOptions,
        candidate: Candidate,
        mouth: Mouth,
        clock: Clock,
        orders: Orders,
    ) -> Result<Self, JoinError> {
        options.attributes.insert(AGENT_STATE.to_owned(), "initializing".to_owned());
        let source = Box::new(Source { mouth, clock });
        let joined = Room::join(options, Some(source)).await?;
        Ok(Self::new(joined, candidate, clock, orders))
    }

    fn new(
        (room, events): (Room, mpsc::Receiver<RoomEvent>),
        candidate: Candidate,
        clock: Clock,
        orders: Orders,
    ) -> Self {
        Self {
            room,
            events,
            clock,
            candidate,
            phone: Phone::default(),
            presence: Presence::new(),
            tracks: Tracks::default(),
            before: None,
            others: BTreeSet::new(),
            controls: Controls::new(orders),
            elapsed: Duration::ZERO,
            facts: VecDeque::with_capacity(FACTS_EXPECTED),
        }
    }

    /// Leaves the room. A job's success must have been reported before.
    pub async fn leave(self) {
        // What was sent last is still on its way to the candidate's ear.
        tokio::time::sleep(LINGER).await;
        self.room.leave().await;
    }

    fn on_event(&mut self, event: RoomEvent) {
        match event {
            RoomEvent::ParticipantJoined(who) | RoomEvent::ParticipantUpdated(who) => {
                self.on_participant(who);
            }
            RoomEvent::ParticipantLeft { sid, .. } => {
                let change = self.presence.candidate_left(&sid);
                self.on_change(change);
            }
            RoomEvent::TrackOffered => self.presence.track_offered(),
            RoomEvent::TrackHeard => {
                let change = self.presence.track_heard();
                self.on_change(change);
            }
            RoomEvent::TrackSubscribed(track) => {
                self.tracks.began(track);
                self.choose_track();
            }
            RoomEvent::TrackUnsubscribed { track, .. } => {
                if self.tracks.ended(&track) {
                    self.facts.push_back(LineEvent::Muted);
                    self.choose_track();
                }
            }
            RoomEvent::TrackMuted { track, .. } => {
                self.tracks.muted(&track, true);
                if self.tracks.is_heard(&track) {
                    self.facts.push_back(LineEvent::Muted);
                }
            }
            RoomEvent::TrackUnmuted { track, .. } => {
                self.tracks.muted(&track, false);
                if self.tracks.is_heard(&track) {
                    self.facts.push_back(LineEvent::Unmuted);
                }
            }
            RoomEvent::Packet(packet) if self.tracks.is_heard(&packet.track) => {
                let arrived = self.clock.at(packet.arrived);
                let room::Packet { sequence, rtp_time, payload, .. } = packet;
                let packet = Packet { sequence, rtp_time, payload };
                self.facts.push_back(LineEvent::Packet(arrived, packet));
            }
            RoomEvent::Data { sender, topic, payload } if topic == CONTROL_TOPIC => {
                self.on_control(sender.as_deref(), &payload);
            }
            RoomEvent::Key { sender, key } => self.on_key(&sender, key),
            RoomEvent::Text(text) if text.topic == CHAT_TOPIC => self.on_chat(text),
            RoomEvent::Bytes(bytes) if bytes.topic == PRE_CONNECT_TOPIC => {
                self.on_pre_connect(bytes);
            }
            RoomEvent::LineCut { .. } => self.facts.push_back(LineEvent::Cut),
            RoomEvent::LineBack { .. } => self.facts.push_back(LineEvent::Back),
            RoomEvent::Disconnected(end) => self.facts.push_back(LineEvent::Over(end.to_string())),
            RoomEvent::Packet(_)
            | RoomEvent::Data { .. }
            | RoomEvent::TextChunk(_)
            | RoomEvent::Text(_)
            | RoomEvent::Bytes(_)
            | RoomEvent::Resuming
            | RoomEvent::Resumed => {}
        }
    }

    fn choose_track(&mut self) {
        let Some(candidate) = self.candidate.identity() else { return };
        if let Some(track) = self.tracks.choose(candidate) {
            self.on_track(track);
        }
    }

    fn on_track(&mut self, track: Track) {
        let before = self.before.take().filter(|before| is_of(before, &track.sid));
        let expects_pre_connect = track.is_recorded_before || before.is_some();
        self.facts.push_back(LineEvent::NewTrack { expects_pre_connect });
        self.facts.extend(before.map(LineEvent::PreConnect));
        self.facts.push_back(match track.muted {
            true => LineEvent::Muted,
            false => LineEvent::Unmuted,
        });
    }

    /// What the candidate said before we heard their track (R05); it may come before the track does.
    fn on_pre_connect(&mut self, bytes: Bytes) {
        let Bytes { sender, mime_type, attributes, bytes, .. } = bytes;
        if !self.is_candidate(&sender) {
            metrics::counter!("vivavoce_pre_connect_ignored_total").increment(1);
            return;
        }
        let before = PreConnect { mime_type, attributes, bytes };
        match self.tracks.heard() {
            Some(track) if is_of(&before, track) => {
                self.facts.push_back(LineEvent::PreConnect(before));
            }
            Some(_) | None => self.before = Some(before),
        }
    }

    fn on_participant(&mut self, who: Participant) {
        let was_candidate = self.is_candidate(&who.identity);
        self.candidate.meet(&who);
        if !was_candidate && self.is_candidate(&who.identity) {
            // Their track may have come before.
            self.choose_track();
        }
        self.change_phone(&who);
        if !self.is_candidate(&who.identity) {
            if self.others.len() < OTHERS_MAX && self.others.insert(who.identity) {
                metrics::counter!("vivavoce_other_participants_total").increment(1);
            }
            return;
        }
        // Told again it changes nothing, and once they are there neither.
        if matches!(self.candidate, Candidate::Named(_)) {
            let name = person_name(&who.name);
            self.facts.extend(name.map(LineEvent::CandidateNamed));
        }
        match who.state {
            State::Active => {
                let change = self.presence.candidate_active(clock::instant(), &who.sid);
                self.on_change(change);
            }
            State::Joining => {}
        }
    }

    /// A candidate whose browser is not there may call in by phone, and is the candidate until their browser
    /// is there again: the room of their link lets in nobody else.
    fn change_phone(&mut self, who: &Participant) {
        let Candidate::Named(candidate) = &self.candidate else { return };
        if who.state != State::Active || *candidate == who.identity {
            return;
        }
        let is_back = self.phone.linked.as_ref() == Some(&who.identity);
        let calls_in = who.kind == Kind::Sip && self.presence.is_away();
        if !is_back && !calls_in {
            return;
        }
        self.phone.linked = match self.phone.linked.take() {
            Some(_) if is_back => None,
            Some(linked) => Some(linked),
            None => Some(candidate.clone()),
        };
        tracing::info!(by_phone = calls_in, "the candidate has changed between browser and phone");
        self.candidate = Candidate::Named(who.identity.clone());
        self.choose_track();
    }

    /// A key of the candidate's phone.
    fn on_key(&mut self, sender: &str, key: char) {
        if !self.is_candidate(sender) || !self.controls.take() {
            metrics::counter!("vivavoce_control_ignored_total").increment(1);
            return;
        }
        if let Some((id, request)) = self.phone.keys.pressed(clock::instant(), key) {
            self.facts.push_back(LineEvent::Control { id, request, stage: None });
        }
    }

    fn on_change(&mut self, change: Option<Change>) {
        if change == Some(Change::Came) {
            self.facts.extend(self.candidate.untold_name().map(LineEvent::CandidateNamed));
        }
        let facts = match change {
            None => return,
            Some(Change::Came) => &[LineEvent::CandidateJoined][..],
            Some(Change::CameAgain) => &[LineEvent::CandidateLeft, LineEvent::CandidateJoined],
            Some(Change::Left) => {
                self.before = None;
                &[LineEvent::CandidateLeft]
            }
        };
        self.facts.extend(facts.iter().cloned());
    }

    /// From the candidate, who may not send without end, or a signed order of the operator; anything else is
    /// ignored and counted (R04, R08).
    fn on_control(&mut self, sender: Option<&str>, payload: &[u8]) {
        let control = match sender {
            Some(sender) if self.is_candidate(sender) => self.controls.button(payload),
            Some(_) => None,
            // A hidden participant has no identity either.
            None => self.controls.order(payload),
        };
        let Some(control) = control else {
            metrics::counter!("vivavoce_control_ignored_total").increment(1);
            return;
        };
        if sender.is_some() {
            self.candidate.settle();
        }
        if control.request == FILL && sender.is_some() {
            let Control { id, values, .. } = control;
            return self.facts.push_back(LineEvent::Filled { id, values });
        }
        if control.request == SUGGEST && sender.is_none() {
            let Control { id, text, .. } = control;
            return self.facts.push_back(LineEvent::Suggested { id, text });
        }
        match request(&control.request, sender.is_some()) {
            Some(request) => {
                let Control { id, stage, .. } = control;
                self.facts.push_back(LineEvent::Control { id, request, stage });
            }
            None => {
                let why = "this interviewer does not know that request";
                self.answer(&control.id, "refused", "unknown", why);
            }
        }
    }

    /// A typed answer of the candidate (R04); what others write is theirs.
    fn on_chat(&mut self, chat: room::Text) {
        let is_long = chat.text.len() > CHAT_BYTES_MAX;
        let is_taken = self.is_candidate(&chat.sender) && self.controls.take();
        if is_taken && !is_long {
            self.candidate.settle();
            self.facts.push_back(LineEvent::Typed { id: chat.stream, text: chat.text });
            return;
        }
        metrics::counter!("vivavoce_chat_ignored_total").increment(1);
        if is_taken {
            let why = format!(
                "an answer may have {CHAT_BYTES_MAX} bytes, and this has {}",
                chat.text.len()
            );
            self.answer(&chat.stream, "refused", "too_long", &why);
        }
    }

    fn answer(&self, id: &str, answer: &str, why: &str, reason: &str) {
        let Some(to) = self.answered(id) else { return };
        let payload = serde_json::to_vec(&Answer { id, answer, why, reason }).unwrap_or_default();
        self.sent(self.room.send_data(CONTROL_TOPIC, payload, to));
    }

    /// Who is answered: the candidate what they sent, and nobody an order, of which the candidate knows
    /// nothing.
    fn answered(&self, id: &str) -> Option<To<'_>> {
        self.candidate.identity().filter(|_| !is_order(id)).map(To::Person)
    }

    fn is_candidate(&self, identity: &str) -> bool {
        self.candidate.identity() == Some(identity)
    }

    fn sent(&self, result: Result<(), room::SendError>) {
        match result {
            // That the line is gone is told by itself.
            Ok(()) | Err(room::SendError::Over) => {}
            Err(why) => tracing::warn!(%why, "a message to the room was not sent"),
        }
    }
}

/// A question as an attribute: the whole of it, or empty for none.
fn shown(question: Option<&str>) -> String {
    question.unwrap_or_default().chars().take(QUESTION_CHARS_MAX).collect()
}

/// Whether a recording belongs to the track. Some clients name it by an id that only they know.
fn is_of(before: &PreConnect, track: &str) -> bool {
    let named = before.attributes.get(RECORDED_TRACK).map_or("", String::as_str);
    named == track || !named.starts_with("TR_")
}

/// What a control message asks for; nothing if nobody knows it. The operator may end an interview whose
/// candidate did not ask for it.
fn request(name: &str, is_candidates: bool) -> Option<Request> {
    Some(match name {
        "end" if is_candidates => Request::End,
        "end" => Request::Terminate,
        "repeat" => Request::Repeat,
        "rephrase" => Request::Rephrase,
        "more_time" => Request::MoreTime,
        "skip" => Request::Skip,
        "pause" => Request::Pause,
        "resume" => Request::Resume,
        "muted_speech" => Request::MutedSpeech,
        "typing" => Request::Typing,
        "usual_pauses" => Request::Pauses(Pauses::Usual),
        "longer_pauses" => Request::Pauses(Pauses::Longer),
        "much_longer_pauses" => Request::Pauses(Pauses::MuchLonger),
        _ => return None,
    })
}

impl Line for RoomLine {
    async fn next(&mut self) -> LineEvent {
        loop {
            if let Some(fact) = self.facts.pop_front() {
                return fact;
            }
            let coming = self.presence.deadline();
            let late = async {
                match coming {
                    Some(until) => sleep_until(until.into()).await,
                    None => std::future::pending().await,
                }
            };
            let event = tokio::select! {
                biased;
                event = self.events.recv() => event,
                () = late => {
                    let change = self.presence.tick(clock::instant());
                    self.on_change(change);
                    continue;
                }
            };
            match event {
                Some(event) => self.on_event(event),
                None => return LineEvent::Over("the room's task has ended".to_owned()),
            }
        }
    }

    fn elapsed(&mut self, own: Duration) {
        self.elapsed = own;
    }

    fn worded_by(&mut self, is_model: bool) {
        self.controls.has_model = is_model;
    }

    fn show(&mut self, status: &Status) {
        let state = match status.state {
            AgentState::Initializing => "initializing",
            AgentState::Listening => "listening",
            AgentState::Thinking => "thinking",
            AgentState::Speaking => "speaking",
        };
        let attributes = [
            (AGENT_STATE, state.to_owned()),
            (STAGE, status.stage.clone()),
            (PROGRESS, format!("{}/{}", status.asked, status.asks)),
            (PAUSED, if status.paused { "true" } else { "" }.to_owned()),
            (PHASE, status.phase.map_or("", Phase::label).to_owned()),
            (QUESTION, shown(status.question.as_deref())),
            (HELP, self.controls.offered(status)),
            (THINKING_TIME, status.thinking_s.map_or(String::new(), |s| s.to_string())),
            (ELAPSED, self.elapsed.as_secs().to_string()),
        ];
        let attributes = attributes.map(|(key, value)| (key.to_owned(), value));
        self.sent(self.room.set_attributes(attributes));
    }

    fn caption(&mut self, caption: Caption) {
        let caption = match caption {
            Caption::Ours { segment, delta } => room::Caption::Ours { segment, delta },
            Caption::OursEnded { segment } => room::Caption::OursEnded { segment },
            Caption::Theirs { segment, text, is_final } => {
                let (Some(participant), Some(track)) =
                    (self.candidate.identity(), self.tracks.heard())
                else {
                    return;
                };
                let version = if is_final { Version::Final } else { Version::Partial };
                let (participant, track) = (participant.to_owned(), track.to_string());
                room::Caption::Theirs { participant, track, segment, text, version }
            }
        };
        self.sent(self.room.caption(caption));
    }

    fn acknowledge(&mut self, id: &str, outcome: Result<(), NotDone>) {
        match outcome {
            Ok(()) => self.answer(id, "accepted", "", ""),
            Err(why) => self.answer(id, "refused", why.label(), why.words()),
        }
    }

    fn ended(&mut self, end: End) {
        tracing::info!(?end, "the interview ended");
    }
}

#[cfg(test)]
mod hostile;

#[cfg(test)]
mod tests {
    use super::*;
    use voiceroom::{
        room::{Quality, Source},
        server::ApiKeys,
    };

    /// N01: the track of a person who becomes the candidate after it has come is heard; another person's is
    /// not.
    #[tokio::test]
    async fn a_track_that_comes_before_its_owner_is_heard() {
        let mut line = line_for(Candidate::First);
        for (who, sid) in [("first", "TR_1"), ("second", "TR_2")] {
            line.on_event(RoomEvent::ParticipantJoined(person(who, State::Joining)));
            line.on_event(RoomEvent::TrackSubscribed(Track {
                participant: who.to_owned(),
                sid: sid.to_owned(),
                source: Source::Microphone,
                muted: false,
                is_recorded_before: false,
            }));
        }
        assert!(line.facts.is_empty(), "{:?}", line.facts);
        line.on_event(RoomEvent::ParticipantUpdated(person("first", State::Active)));
        line.on_event(RoomEvent::ParticipantUpdated(person("second", State::Active)));
        let is_new = |fact: &&LineEvent| matches!(fact, LineEvent::NewTrack { .. });
        assert_eq!(line.facts.iter().filter(is_new).count(), 1, "{:?}", line.facts);
        for (sequence, track) in [(1, "TR_1"), (2, "TR_2")] {
            line.on_event(RoomEvent::Packet(room::Packet {
                participant: "who".into(),
                track: track.into(),
                sequence,
                rtp_time: 0,
                payload: Default::default(),
                arrived: clock::instant(),
            }));
        }
        let is_packet = |fact: &&LineEvent| matches!(fact, LineEvent::Packet(..));
        let packets: Vec<_> = line.facts.iter().filter(is_packet).collect();
        let is_first =
            matches!(packets[..], [LineEvent::Packet(_, packet)] if packet.sequence == 1);
        assert!(is_first, "{packets:?}");
    }

    /// N01: the candidate is called as the room shows them, before they are there; nobody is called by an
    /// identity, or as another.
    #[tokio::test]
    async fn the_room_tells_the_candidates_name() {
        let mut line = line_for(Candidate::First);
        let shown = |identity: &str, name: &str| {
            let person = person(identity, State::Active);
            RoomEvent::ParticipantUpdated(Participant { name: name.to_owned(), ..person })
        };
        let said = |line: &mut RoomLine| {
            let names = line.facts.drain(..).filter_map(|fact| match fact {
                LineEvent::CandidateNamed(name) => Some(name),
                _ => None,
            });
            names.collect::<Vec<_>>()
        };
        line.on_event(shown("Grace", ""));
        assert_eq!(said(&mut line), [""; 0]);
        line.on_event(shown("Grace", "user-8f3a"));
        line.on_event(shown("other", "Ada"));
        assert_eq!(said(&mut line), [""; 0]);
        line.on_event(shown("Grace", "Grace Hopper (she/her)"));
        assert_eq!(said(&mut line), ["Grace Hopper"]);
    }

    /// N01: a viewer who is there first is not interviewed, nor who may speak and does not while somebody
    /// else does, nor an agent or a recorder; the one who is heard is, by their own name.
    #[tokio::test]
    async fn who_may_not_speak_is_not_interviewed() {
        let rita = || named("rita", "Rita");
        let quiet = Participant { has_voice: false, ..rita() };
        let cases = [
            ("may not publish", Participant { may_speak: false, ..quiet.clone() }),
            ("does not publish", quiet),
            ("agent", Participant { kind: Kind::Agent, ..rita() }),
            ("recorder", Participant { kind: Kind::Other, ..rita() }),
        ];
        for (case, first) in cases {
            let mut line = line_for(Candidate::First);
            line.on_event(RoomEvent::ParticipantJoined(first));
            line.on_event(RoomEvent::ParticipantJoined(named("ada", "Ada")));
            line.on_event(microphone("ada"));
            line.on_event(RoomEvent::TrackHeard);
            let facts = Vec::from(std::mem::take(&mut line.facts));
            let names = facts.iter().filter_map(|fact| match fact {
                LineEvent::CandidateNamed(name) => Some(name.as_str()),
                _ => None,
            });
            assert_eq!(names.collect::<Vec<_>>(), ["Ada"], "{case}");
            let is_new = |fact: &LineEvent| matches!(fact, LineEvent::NewTrack { .. });
            assert!(facts.iter().any(is_new), "{case}: {facts:?}");
        }
    }

    /// N01: who is alone and writes is the candidate, by the name that the room shows; a person who speaks
    /// later is somebody else, and before that takes their place.
    #[tokio::test]
    async fn who_writes_is_the_candidate() {
        for writes in [true, false] {
            let mut line = line_for(Candidate::First);
            line.on_event(RoomEvent::TrackHeard);
            let quiet = Participant { has_voice: false, ..named("grace", "Grace") };
            line.on_event(RoomEvent::ParticipantJoined(quiet));
            let came = Vec::from(std::mem::take(&mut line.facts));
            let is_greeted = matches!(
                &came[..],
                [LineEvent::CandidateNamed(name), LineEvent::CandidateJoined] if name == "Grace"
            );
            assert!(is_greeted, "{came:?}");
            if writes {
                line.on_event(RoomEvent::Text(room::Text {
                    stream: "s".to_owned(),
                    sender: "grace".to_owned(),
                    topic: CHAT_TOPIC.to_owned(),
                    attributes: Default::default(),
                    text: "Hello".to_owned(),
                }));
            }
            line.on_event(RoomEvent::ParticipantJoined(named("ada", "Ada")));
            assert_eq!(line.candidate.identity(), Some(if writes { "grace" } else { "ada" }));
        }
    }

    /// A candidate whose browser is away calls in: their phone is heard, its keys count, and it makes way for
    /// the browser that comes back. While the browser is there a phone is somebody else.
    #[tokio::test]
    async fn a_phone_stands_in_for_a_browser() {
        let link = Candidate::Named("cand".to_owned());
        let mut line = line_for(link);
        let phone = |sid: &str| {
            let person = person("sip_1", State::Active);
            RoomEvent::ParticipantUpdated(Participant {
                kind: Kind::Sip,
                sid: sid.to_owned(),
                ..person
            })
        };
        let pressed = |line: &mut RoomLine| {
            line.on_event(RoomEvent::Key { sender: "sip_1".to_owned(), key: '1' });
            line.facts
                .drain(..)
                .any(|fact| matches!(fact, LineEvent::Control { request: Request::Repeat, .. }))
        };
        line.on_event(RoomEvent::TrackHeard);
        line.on_event(RoomEvent::ParticipantUpdated(person("cand", State::Active)));
        line.on_event(phone("PA_1"));
        assert!(!pressed(&mut line), "the browser is there");
        let (identity, sid) = ("cand".to_owned(), "PA_cand".to_owned());
        line.on_event(RoomEvent::ParticipantLeft { identity, sid });
        line.facts.clear();
        line.on_event(phone("PA_2"));
        let came =
            |line: &RoomLine| line.facts.iter().any(|it| matches!(it, LineEvent::CandidateJoined));
        assert!(came(&line), "{:?}", line.facts);
        assert!(pressed(&mut line));
        line.on_event(RoomEvent::ParticipantUpdated(person("cand", State::Active)));
        let left = line.facts.iter().any(|it| matches!(it, LineEvent::CandidateLeft));
        assert!(left && came(&line), "{:?}", line.facts);
        assert!(!pressed(&mut line), "the browser is back");
    }

    /// R04, R08: a page that sends buttons or typed answers without end is not listened to for all of them;
    /// the operator ends an interview even then.
    #[tokio::test]
    async fn messages_without_end_are_ignored() {
        let candidate = Candidate::Named("cand".to_owned());
        let mut line = line_for(candidate);
        let send = |line: &mut RoomLine, sender: Option<&str>, payload: Vec<u8>| {
            let (sender, topic) = (sender.map(str::to_owned), CONTROL_TOPIC.to_owned());
            line.on_event(RoomEvent::Data { sender, topic, payload });
        };
        let button = |n: u32| format!(r#"{{"id":"{n}","request":"repeat"}}"#);
        for n in 0..1_000 {
            send(&mut line, Some("cand"), button(n).into_bytes());
            line.on_event(RoomEvent::Text(room::Text {
                stream: n.to_string(),
                sender: "cand".to_owned(),
                topic: CHAT_TOPIC.to_owned(),
                attributes: Default::default(),
                text: "more".to_owned(),
            }));
        }
        let is_button = |fact: &&LineEvent| matches!(fact, LineEvent::Control { .. });
        let is_typed = |fact: &&LineEvent| matches!(fact, LineEvent::Typed { .. });
        let buttons = |line: &RoomLine| line.facts.iter().filter(is_button).count();
        let typed = line.facts.iter().filter(is_typed).count();
        let before = buttons(&line);
        assert!((10..100).contains(&before) && (10..100).contains(&typed), "{before} {typed}");
        send(&mut line, None, orders("room", "secret").sign(&button(1_000)).unwrap());
        assert_eq!(buttons(&line), before + 1);
    }

    /// R04: a suggestion and an end of staff count when they are signed for this room, and their answers go
    /// to nobody; the candidate's go to the candidate, and to nobody else.
    #[tokio::test]
    async fn orders_are_signed_and_answered_to_nobody() {
        let mut line = line_for(Candidate::Named("cand".to_owned()));
        let suggest = r#"{"id":"1","request":"suggest","text":"Ask about Kafka."}"#;
        let send = |line: &mut RoomLine, payload: Vec<u8>| {
            let topic = CONTROL_TOPIC.to_owned();
            line.on_event(RoomEvent::Data { sender: None, topic, payload });
        };
        send(&mut line, suggest.as_bytes().to_vec());
        send(&mut line, orders("another", "secret").sign(suggest).unwrap());
        send(&mut line, orders("room", "guessed").sign(suggest).unwrap());
        assert!(line.facts.is_empty(), "{:?}", line.facts);
        send(&mut line, orders("room", "secret").sign(suggest).unwrap());
        let Some(LineEvent::Suggested { id, text }) = line.facts.pop_front() else {
            panic!("{:?}", line.facts)
        };
        assert_eq!((text.as_str(), line.answered(&id)), ("Ask about Kafka.", None));
        let end = r#"{"id":"2","request":"end"}"#;
        send(&mut line, orders("room", "secret").sign(end).unwrap());
        let Some(LineEvent::Control { id, request: Request::Terminate, .. }) =
            line.facts.pop_front()
        else {
            panic!("{:?}", line.facts)
        };
        assert_eq!(line.answered(&id), None);
        assert_eq!(line.answered("b7"), Some(To::Person("cand")));
        assert_eq!(line_for(Candidate::First).answered("b7"), None, "nobody is there yet");
    }

    fn orders(room: &str, secret: &str) -> Orders {
        Orders::new(&ApiKeys::new("key", secret), room)
    }

    /// A line whose operator has the secret `secret`, in a room `room`.
    pub(super) fn line_for(candidate: Candidate) -> RoomLine {
        RoomLine::new(Room::nowhere(), candidate, Clock::start(), orders("room", "secret"))
    }

    fn named(identity: &str, name: &str) -> Participant {
        Participant { name: name.to_owned(), ..person(identity, State::Active) }
    }

    fn microphone(identity: &str) -> RoomEvent {
        RoomEvent::TrackSubscribed(Track {
            participant: identity.to_owned(),
            sid: format!("TR_{identity}"),
            source: Source::Microphone,
            muted: false,
            is_recorded_before: false,
        })
    }

    fn person(identity: &str, state: State) -> Participant {
        Participant {
            identity: identity.to_owned(),
            sid: format!("PA_{identity}"),
            name: String::new(),
            kind: Kind::Standard,
            state,
            may_speak: true,
            has_voice: true,
            quality: Quality::Good,
            attributes: Default::default(),
        }
    }
}
