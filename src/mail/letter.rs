use std::time::Duration;

use crate::blueprint::Language;

/// What a letter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An invitation with a link.
    Invitation,
    /// The link or the appointment is soon over.
    Reminder,
    /// There is an appointment, or another one.
    Moved,
    /// The appointment is taken back; the link works on.
    CalledOff,
    /// The invitation is taken back.
    Withdrawn,
}

/// A proposed time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appointment {
    /// In milliseconds since 1970.
    pub at: i64,
    /// Counts its changes, for calendars.
    pub sequence: i64,
}

/// Whom a letter is for, and what it tells them.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// The candidate's name.
    pub name: &'a str,
    /// Their e-mail address.
    pub email: &'a str,
    /// The role that they apply for.
    pub role: &'a str,
    /// Whom they can ask; may be empty.
    pub contact: &'a str,
    /// The whole address of their page; empty where the invitation is taken back.
    pub link: &'a str,
    /// Until when it works, in milliseconds since 1970.
    pub expires_at: i64,
    /// The longest that the interview takes.
    pub length_limit: Duration,
    /// The time zone in which times are told, such as Europe/Berlin; unknown ones are UTC.
    pub zone: &'a str,
}

/// A letter to a candidate.
#[derive(Clone, Debug)]
pub struct Letter<'a> {
    /// Its own id: a letter that is sent twice is the same one.
    pub id: &'a str,
    /// The interview's id.
    pub interview: &'a str,
    /// What it is about.
    pub kind: Kind,
    /// In which language it is written.
    pub language: Language,
    /// Whom it is for, and what it tells them.
    pub told: Told<'a>,
    /// The proposed time, also one that is taken back.
    pub appointment: Option<Appointment>,
}
