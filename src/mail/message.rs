use lettre::{
    Address, Message,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};

use super::{NotSent, calendar, letter::Letter, words};

impl Letter<'_> {
    /// The message: plain text, the same as HTML, and where there is an appointment its calendar entry.
    pub(super) fn message(
        &self,
        from: &Mailbox,
        reply_to: Option<&Mailbox>,
    ) -> Result<Message, NotSent> {
        let address: Address = self.told.email.parse().map_err(|_| {
            NotSent::Never("The candidate's address is none that mail can go to.".to_owned())
        })?;
        let to = Mailbox::new(Some(self.told.name.to_owned()), address);
        let written = words::written(self, from.name.as_deref().unwrap_or_default());
        let mut message = Message::builder()
            .from(from.clone())
            .to(to.clone())
            .subject(written.subject.clone())
            .message_id(Some(format!("<{}@{}>", self.id, from.email.domain())))
            .date_now()
            .raw_header(automatic());
        if let Some(reply_to) = reply_to {
            message = message.reply_to(reply_to.clone());
        }
        let texts = MultiPart::alternative()
            .singlepart(SinglePart::plain(written.plain()))
            .singlepart(SinglePart::html(written.html(self.language)));
        let event = calendar::event(self, &written, (from, &to));
        let body = match event {
            None => texts,
            Some((method, text)) => {
                let kind = |kind: &str| {
                    ContentType::parse(&format!("{kind}; charset=utf-8; method={method}"))
                        .expect("a kind of content")
                };
                let part = SinglePart::builder().header(kind("text/calendar")).body(text.clone());
                let file = Attachment::new("interview.ics".to_owned());
                MultiPart::mixed()
                    .multipart(texts.singlepart(part))
                    .singlepart(file.body(text, kind("application/ics")))
            }
        };
        message.multipart(body).map_err(|_| {
            NotSent::Never(
                "The message cannot be written. Check the candidate's address.".to_owned(),
            )
        })
    }
}

/// Holiday notices and the like are not to answer it (RFC 3834).
fn automatic() -> HeaderValue {
    let name = HeaderName::new_from_ascii_str("Auto-Submitted");
    HeaderValue::new(name, "auto-generated".to_owned())
}
