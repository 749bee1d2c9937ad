//! What sends the mails that wait: one after another, and those that failed again later.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::{Shared, blocking::blocking, problem::Problem};
use crate::{
    blueprint::{Blueprint, Language},
    clock::unix_millis,
    database::{Indexed, Mail, MailKind, NewMail, State},
    mail::{Appointment, Kind, Letter, Mailer, NotSent, Told},
    store::{InterviewId, Launch, LinkToken},
};

/// The queue is looked at this often, beside the moments when something is put into it.
const LOOK_EVERY: Duration = Duration::from_secs(5);
const SHORTEST_WAIT: Duration = Duration::from_millis(10);

/// Sends what waits until `stop`, where mail is set.
pub(super) fn keep(shared: &Arc<Shared>, stop: CancellationToken) {
    let Some(mailer) = shared.site.services.mail.clone() else { return };
    let shared = shared.clone();
    let sending = async move {
        loop {
            let wait = shared.send_what_waits(&mailer).await.unwrap_or_else(|why| {
                error!(why = why.message, "mail was not sent");
                LOOK_EVERY
            });
            tokio::select! {
                () = shared.live.mail.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    };
    tokio::spawn(stop.run_until_cancelled_owned(sending));
}

/// What a letter is made of.
struct Draft {
    row: Indexed,
    launch: Launch,
    language: Language,
    role: String,
    contact: String,
    appointment: Option<Appointment>,
    link: String,
}

impl Shared {
    /// Sends what is due; how long to wait until more may be.
    async fn send_what_waits(&self, mailer: &Mailer) -> Result<Duration, Problem> {
        let before = i64::try_from(mailer.remind_before().as_millis()).unwrap_or(i64::MAX);
        if before > 0 {
            for due in self.database.to_remind(before).await? {
                let (interview, zone) = (due.interview.as_str(), due.zone.as_str());
                let (kind, about_at) = (MailKind::Reminder, Some(due.about_at));
                self.database.queue_mail(NewMail { interview, kind, zone, about_at }).await?;
            }
        }
        // Nobody else tries it in the meantime, and after a crash it is tried again.
        let hold = mailer.send_limit().saturating_mul(2);
        while let Some(mail) = self.database.take_mail(in_time(hold)).await? {
            self.deliver(mailer, &mail).await?;
            self.tell_of(&mail.interview).await?;
        }
        let next = self.database.next_mail_at().await?.and_then(|at| u64::try_from(at).ok());
        let wait = next.map(|at| Duration::from_millis(at.saturating_sub(unix_millis())));
        Ok(wait.map_or(LOOK_EVERY, |wait| wait.clamp(SHORTEST_WAIT, LOOK_EVERY)))
    }

    async fn deliver(&self, mailer: &Mailer, mail: &Mail) -> Result<(), Problem> {
        let (interview, kind) = (mail.interview.as_str(), mail.kind.name());
        let Some(draft) = self.draft(mailer, mail).await? else {
            info!(interview, kind, "mail is not needed any more");
            return Ok(self.database.drop_waiting_mails(interview).await?);
        };
        match mailer.send(&draft.letter(mail)).await {
            Ok(()) => {
                info!(interview, kind, "mail sent");
                self.database.mail_sent(&mail.id).await?;
            }
            Err(NotSent::Never(why)) => {
                warn!(interview, kind, why, "mail refused");
                self.database.mail_failed(&mail.id, &why).await?;
            }
            Err(NotSent::Later(why)) => {
                let tries = u32::try_from(mail.tries).unwrap_or(u32::MAX);
                warn!(interview, kind, tries, why, "mail not sent");
                match mailer.retry_in(tries) {
                    Some(wait) => {
                        self.database.put_mail_off(&mail.id, in_time(wait), &why).await?;
                    }
                    None => self.database.mail_failed(&mail.id, &why).await?,
                }
            }
        }
        Ok(())
    }

    /// What a mail is made of; `None` when it says nothing any more.
    async fn draft(&self, mailer: &Mailer, mail: &Mail) -> Result<Option<Draft>, Problem> {
        let Ok(id) = mail.interview.parse::<InterviewId>() else { return Ok(None) };
        if self.database.indexed(&mail.interview).await?.is_none() {
            return Ok(None);
        }
        // Nobody may have looked at the list since the candidate came.
        self.reindex(id).await?;
        let Some(row) = self.database.indexed(&mail.interview).await? else { return Ok(None) };
        let is_wanted = match mail.kind {
            MailKind::CalledOff => matches!(row.state, State::Invited | State::Cancelled),
            MailKind::Invitation | MailKind::Reminder | MailKind::Moved => {
                row.state == State::Invited
            }
        };
        let Some(launch) = self.store.launch(id).await?.filter(|_| is_wanted) else {
            return Ok(None);
        };
        let inputs = self.store.inputs(id).await?;
        let role = inputs.context.role.clone();
        let language = blocking(move || {
            Ok(Blueprint::load(&inputs.files).map_or(Language::default(), |read| read.language))
        })
        .await?;
        let appointment = self.database.appointment(&mail.interview).await?;
        let appointment =
            appointment.filter(|it| it.taken_back == (mail.kind == MailKind::CalledOff));
        let link = match launch.cancelled {
            true => String::new(),
            false => mailer.address_of(&format!("/i/{}", self.link_for_mail(id).await?.reveal())),
        };
        Ok(Some(Draft {
            contact: self.form_of(id).await?.terms.contact,
            row,
            launch,
            language,
            role,
            appointment: appointment.map(|it| Appointment { at: it.at, sequence: it.sequence }),
            link,
        }))
    }

    /// A link of its own for a mail. Its secret is in the mail alone.
    async fn link_for_mail(&self, id: InterviewId) -> Result<LinkToken, Problem> {
        let _one_after_another = self.live.links.lock().await;
        let launch = self.store.launch(id).await?.ok_or_else(super::no_interview)?;
        let token = LinkToken::random(id);
        self.store.relaunch(id, &launch.with_mailed(&token)).await?;
        Ok(token)
    }
}

impl Draft {
    fn letter<'a>(&'a self, mail: &'a Mail) -> Letter<'a> {
        let kind = match mail.kind {
            MailKind::Invitation => Kind::Invitation,
            MailKind::Reminder => Kind::Reminder,
            MailKind::Moved => Kind::Moved,
            MailKind::CalledOff if self.launch.cancelled => Kind::Withdrawn,
            MailKind::CalledOff => Kind::CalledOff,
        };
        Letter {
            id: &mail.id,
            interview: &mail.interview,
            kind,
            language: self.language,
            told: Told {
                name: &self.row.name,
                email: &self.row.email,
                role: &self.role,
                contact: &self.contact,
                link: &self.link,
                expires_at: i64::try_from(self.launch.expires_at).unwrap_or(i64::MAX),
                length_limit: Duration::from_secs(self.launch.length_limit_s),
                zone: &mail.zone,
            },
            appointment: self.appointment.clone(),
        }
    }
}

fn in_time(wait: Duration) -> i64 {
    let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    i64::try_from(unix_millis().saturating_add(wait)).unwrap_or(i64::MAX)
}
