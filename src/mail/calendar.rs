//! An appointment as calendars read it (RFC 5545, RFC 5546).

use icalendar::{Calendar, Component, Event, EventStatus, Property};
use jiff::{Timestamp, tz::TimeZone};
use lettre::message::Mailbox;

use super::{
    letter::{Kind, Letter},
    words::Written,
};
use crate::clock::unix_millis;

/// The method and the text of a letter's calendar entry, where there is one.
pub(super) fn event(
    letter: &Letter<'_>,
    written: &Written,
    (from, to): (&Mailbox, &Mailbox),
) -> Option<(&'static str, String)> {
    let appointment = letter.appointment.as_ref()?;
    let is_off = matches!(letter.kind, Kind::CalledOff | Kind::Withdrawn);
    let (method, status) = match is_off {
        true => ("CANCEL", EventStatus::Cancelled),
        false => ("REQUEST", EventStatus::Confirmed),
    };
    let length_ms = i64::try_from(letter.told.length_limit.as_millis()).unwrap_or(0);
    let now = i64::try_from(unix_millis()).unwrap_or(0);
    // The same for all that is ever said of this interview, so that calendars find their entry again.
    let mut event = Event::with_uid(&format!("{}@vivavoce", letter.interview));
    event
        .add_property("DTSTAMP", utc(now)?)
        .add_property("DTSTART", utc(appointment.at)?)
        .add_property("DTEND", utc(appointment.at.saturating_add(length_ms))?)
        .add_property("SEQUENCE", appointment.sequence.to_string())
        .append_property(person("ORGANIZER", from))
        .append_property(attendee(to))
        .summary(&written.subject)
        .status(status);
    if !letter.told.link.is_empty() {
        event.description(letter.told.link).add_property("LOCATION", letter.told.link);
    }
    let mut calendar = Calendar::empty();
    for (name, value) in [
        ("VERSION", "2.0"),
        ("PRODID", "-//Vivavoce//Vivavoce//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", method),
    ] {
        calendar.append_property(Property::new(name, value));
    }
    calendar.push(event.done());
    Some((method, calendar.to_string()))
}

fn person(property: &str, who: &Mailbox) -> Property {
    let mut person = Property::new(property, format!("mailto:{}", who.email));
    // A name in quotes has none of its own.
    let name = who.name.as_deref().unwrap_or_default();
    let name: String = name.chars().filter(|c| *c != '"' && !c.is_control()).collect();
    if !name.is_empty() {
        person.add_parameter("CN", &name);
    }
    person
}

fn attendee(who: &Mailbox) -> Property {
    let mut attendee = person("ATTENDEE", who);
    attendee
        .add_parameter("ROLE", "REQ-PARTICIPANT")
        .add_parameter("PARTSTAT", "NEEDS-ACTION")
        .add_parameter("RSVP", "TRUE");
    attendee
}

fn utc(ms: i64) -> Option<String> {
    let at = Timestamp::from_millisecond(ms).ok()?.to_zoned(TimeZone::UTC);
    Some(at.strftime("%Y%m%dT%H%M%SZ").to_string())
}
