//! What letters say, in the languages that interviews are held in.

use jiff::{Timestamp, Zoned, tz::TimeZone};

use super::letter::{Kind, Letter};
use crate::blueprint::Language;

/// What a letter says.
pub(super) struct Written {
    /// Its subject, also the name of the calendar's entry.
    pub(super) subject: String,
    /// What stands above the link.
    above: Vec<String>,
    /// The candidate's page; may be empty.
    link: String,
    /// What stands below it.
    below: Vec<String>,
}

/// Writes a letter of somebody, who may have no name.
pub(super) fn written(letter: &Letter<'_>, sender: &str) -> Written {
    let told = &letter.told;
    let time = |ms: i64| time(letter.language, ms, told.zone);
    let facts = Facts {
        name: told.name,
        role: told.role,
        minutes: told.length_limit.as_secs().div_ceil(60),
        until: time(told.expires_at),
        at: letter.appointment.as_ref().map(|appointment| time(appointment.at)),
    };
    let said = match letter.language {
        Language::English => english(letter.kind, &facts),
        Language::German => german(letter.kind, &facts),
        Language::Italian => italian(letter.kind, &facts),
    };
    let goes_on = letter.kind != Kind::Withdrawn;
    let is_at = goes_on && letter.kind != Kind::CalledOff;
    let mut above = vec![said.hello];
    above.extend(said.lines);
    above.extend(said.proposed.filter(|_| is_at));
    let contact = Some(told.contact).filter(|contact| !contact.is_empty());
    let asked = contact.map(|contact| format!("{} {contact}.", said.asked));
    let works = Some(said.works).filter(|_| goes_on);
    let sender = Some(sender.to_owned()).filter(|sender| !sender.is_empty());
    let below = works.into_iter().chain(asked).chain(sender).collect();
    Written { subject: said.subject, above, link: told.link.to_owned(), below }
}

struct Facts<'a> {
    name: &'a str,
    role: &'a str,
    minutes: u64,
    until: String,
    at: Option<String>,
}

/// The sentences of a letter.
struct Said {
    subject: String,
    hello: String,
    lines: Vec<String>,
    proposed: Option<String>,
    works: String,
    /// What stands before whom they can ask.
    asked: &'static str,
}

fn english(kind: Kind, facts: &Facts<'_>) -> Said {
    let Facts { name, role, minutes, until, at } = facts;
    let what = format!(
        "It is held by voice in your browser, by a computer program and not by a person. It takes {minutes} \
         minutes at most, and you need nothing but a microphone and a quiet place."
    );
    let proposed = at.as_ref().map(|at| {
        format!("Proposed time: {at}. You may also begin at any other time while the link works.")
    });
    let works = format!("The link is for you alone and works until {until}.");
    let (subject, lines) = match kind {
        Kind::Invitation => (
            format!("Your interview: {role}"),
            vec![format!("You are invited to an interview for the role {role}."), what],
        ),
        Kind::Reminder => (
            format!("Reminder: your interview, {role}"),
            vec![format!("Your interview for the role {role} is still open."), what],
        ),
        Kind::Moved => (
            format!("Your interview: {role}"),
            vec![format!("There is a new time for your interview for the role {role}.")],
        ),
        Kind::CalledOff => (
            format!("Time called off: your interview, {role}"),
            vec![format!(
                "The time proposed for your interview for the role {role} is called off. You may still \
                 begin whenever it suits you while the link works."
            )],
        ),
        Kind::Withdrawn => (
            format!("Interview called off: {role}"),
            vec![format!(
                "Your invitation to an interview for the role {role} was taken back. The link that you \
                 have works no more."
            )],
        ),
    };
    let hello = format!("Hello {name},");
    Said { subject, hello, lines, proposed, works, asked: "Questions? Ask" }
}

fn german(kind: Kind, facts: &Facts<'_>) -> Said {
    let Facts { name, role, minutes, until, at } = facts;
    let what = format!(
        "Es wird im Browser gesprochen und von einem Computerprogramm geführt, nicht von einem Menschen. Es \
         dauert höchstens {minutes} Minuten; Sie brauchen nur ein Mikrofon und einen ruhigen Ort."
    );
    let proposed = at.as_ref().map(|at| {
        format!(
            "Vorgeschlagener Termin: {at}. Sie können auch zu jeder anderen Zeit beginnen, solange der Link \
             gilt."
        )
    });
    let works = format!("Der Link ist nur für Sie und gilt bis {until}.");
    let (subject, lines) = match kind {
        Kind::Invitation => (
            format!("Ihr Interview: {role}"),
            vec![format!("Sie sind zu einem Interview für die Stelle {role} eingeladen."), what],
        ),
        Kind::Reminder => (
            format!("Erinnerung: Ihr Interview, {role}"),
            vec![format!("Ihr Interview für die Stelle {role} ist noch offen."), what],
        ),
        Kind::Moved => (
            format!("Ihr Interview: {role}"),
            vec![format!("Für Ihr Interview für die Stelle {role} gibt es einen neuen Termin.")],
        ),
        Kind::CalledOff => (
            format!("Termin abgesagt: Ihr Interview, {role}"),
            vec![format!(
                "Der vorgeschlagene Termin für Ihr Interview für die Stelle {role} ist abgesagt. Sie können \
                 weiterhin beginnen, wann es Ihnen passt, solange der Link gilt."
            )],
        ),
        Kind::Withdrawn => (
            format!("Interview abgesagt: {role}"),
            vec![format!(
                "Ihre Einladung zu einem Interview für die Stelle {role} wurde zurückgenommen. Ihr Link gilt \
                 nicht mehr."
            )],
        ),
    };
    let hello = format!("Guten Tag {name},");
    Said { subject, hello, lines, proposed, works, asked: "Fragen? Wenden Sie sich an" }
}

fn italian(kind: Kind, facts: &Facts<'_>) -> Said {
    let Facts { name, role, minutes, until, at } = facts;
    let what = format!(
        "Si svolge a voce nel browser ed è condotto da un programma, non da una persona. Dura al massimo \
         {minutes} minuti; bastano un microfono e un luogo tranquillo."
    );
    let proposed = at.as_ref().map(|at| {
        format!(
            "Orario proposto: {at}. Può iniziare anche in qualsiasi altro momento finché il link è \
             valido."
        )
    });
    let works = format!("Il link è solo per Lei ed è valido fino a {until}.");
    let (subject, lines) = match kind {
        Kind::Invitation => (
            format!("Il Suo colloquio: {role}"),
            vec![format!("La invitiamo a un colloquio per la posizione {role}."), what],
        ),
        Kind::Reminder => (
            format!("Promemoria: il Suo colloquio, {role}"),
            vec![format!("Il Suo colloquio per la posizione {role} è ancora aperto."), what],
        ),
        Kind::Moved => (
            format!("Il Suo colloquio: {role}"),
            vec![format!("C'è un nuovo orario per il Suo colloquio per la posizione {role}.")],
        ),
        Kind::CalledOff => (
            format!("Orario annullato: il Suo colloquio, {role}"),
            vec![format!(
                "L'orario proposto per il Suo colloquio per la posizione {role} è annullato. Può comunque \
                 iniziare quando preferisce, finché il link è valido."
            )],
        ),
        Kind::Withdrawn => (
            format!("Colloquio annullato: {role}"),
            vec![format!(
                "Il Suo invito a un colloquio per la posizione {role} è stato ritirato. Il link non è più \
                 valido."
            )],
        ),
    };
    let hello = format!("Buongiorno {name},");
    Said { subject, hello, lines, proposed, works, asked: "Domande? Può rivolgersi a" }
}

impl Written {
    /// As plain text.
    pub(super) fn plain(&self) -> String {
        let link = Some(&self.link).filter(|link| !link.is_empty());
        let lines: Vec<_> = self.above.iter().chain(link).chain(&self.below).cloned().collect();
        format!("{}\n", lines.join("\n\n"))
    }

    /// As HTML.
    pub(super) fn html(&self, language: Language) -> String {
        let mut html = format!(
            "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
             <title>{}</title></head>\n<body>\n",
            language.code(),
            escaped(&self.subject)
        );
        for line in &self.above {
            html += &format!("<p>{}</p>\n", escaped(line));
        }
        if !self.link.is_empty() {
            let link = escaped(&self.link);
            html += &format!("<p><a href=\"{link}\">{link}</a></p>\n");
        }
        for line in &self.below {
            html += &format!("<p>{}</p>\n", escaped(line));
        }
        html + "</body></html>\n"
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\n', "<br>")
}

const ENGLISH: [&str; 19] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const GERMAN: [&str; 19] = [
    "Montag",
    "Dienstag",
    "Mittwoch",
    "Donnerstag",
    "Freitag",
    "Samstag",
    "Sonntag",
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
const ITALIAN: [&str; 19] = [
    "lunedì",
    "martedì",
    "mercoledì",
    "giovedì",
    "venerdì",
    "sabato",
    "domenica",
    "gennaio",
    "febbraio",
    "marzo",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "agosto",
    "settembre",
    "ottobre",
    "novembre",
    "dicembre",
];

/// A time as people read it; the zone is named, because the reader may be in another one.
fn time(language: Language, ms: i64, zone: &str) -> String {
    let Ok(at) = Timestamp::from_millisecond(ms) else { return String::new() };
    let known = TimeZone::get(zone).ok().filter(|_| !zone.is_empty());
    let named = if known.is_some() { zone } else { "UTC" };
    let at = at.to_zoned(known.unwrap_or(TimeZone::UTC));
    let names = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::Italian => &ITALIAN,
    };
    let (weekday, month) = (names[weekday(&at)], names[month(&at)]);
    let (day, year, clock) = (at.day(), at.year(), at.strftime("%H:%M"));
    match language {
        Language::English => format!("{weekday}, {day} {month} {year}, {clock} ({named})"),
        Language::German => format!("{weekday}, {day}. {month} {year}, {clock} Uhr ({named})"),
        Language::Italian => format!("{weekday} {day} {month} {year}, ore {clock} ({named})"),
    }
}

/// Where a day of the week stands among the names.
fn weekday(at: &Zoned) -> usize {
    usize::try_from(at.weekday().to_monday_zero_offset()).unwrap_or(0).min(6)
}

/// Where a month stands among the names.
fn month(at: &Zoned) -> usize {
    6 + usize::try_from(at.month()).unwrap_or(1).clamp(1, 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U03: a time is told in the reader's language and in the zone of who proposed it, with its name; a
    /// zone that nobody knows is UTC.
    #[test]
    fn times_are_told_with_their_zone() {
        let at = 1_796_302_800_000; // 2026-12-03 13:00 UTC
        assert_eq!(
            time(Language::English, at, "Europe/Berlin"),
            "Thursday, 3 December 2026, 14:00 (Europe/Berlin)"
        );
        assert_eq!(
            time(Language::German, at, "Europe/Berlin"),
            "Donnerstag, 3. Dezember 2026, 14:00 Uhr (Europe/Berlin)"
        );
        assert_eq!(
            time(Language::Italian, at, "No/Where"),
            "giovedì 3 dicembre 2026, ore 13:00 (UTC)"
        );
        assert!(time(Language::English, at, "").ends_with("(UTC)"));
        assert_eq!(time(Language::English, i64::MAX, ""), "");
    }

    /// U03: what a recruiter or a candidate typed is text in the HTML, whatever it holds.
    #[test]
    fn nothing_typed_is_markup() {
        assert_eq!(escaped("<a href=\"x\">&\n"), "&lt;a href=&quot;x&quot;&gt;&amp;<br>");
    }
}
