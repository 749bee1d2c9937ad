//! How a line of the log looks: fields of the event, then of its spans; `pii.*` only if wanted.

use std::fmt;

use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span,
};
use tracing_subscriber::{
    field::RecordFields,
    fmt::{
        FmtContext, FormatEvent, FormatFields, FormattedFields,
        format::Writer,
        time::{FormatTime, SystemTime},
    },
    registry::LookupSpan,
};

use crate::config::LogFormat;

/// Formats events and the fields of spans; the latter are kept as JSON.
pub(super) struct Lines {
    pub(super) format: LogFormat,
    pub(super) personal: bool,
}

impl Lines {
    fn collect(&self, fields: &impl RecordFields) -> Map<String, Value> {
        let mut collector = Collector { personal: self.personal, fields: Map::new() };
        fields.record(&mut collector);
        collector.fields
    }
}

impl<'w> FormatFields<'w> for Lines {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'w>, fields: R) -> fmt::Result {
        write!(writer, "{}", Value::Object(self.collect(&fields)))
    }

    fn add_fields(
        &self,
        current: &'w mut FormattedFields<Self>,
        fields: &span::Record<'_>,
    ) -> fmt::Result {
        let mut all = parsed(&current.fields);
        all.extend(self.collect(fields));
        current.fields = Value::Object(all).to_string();
        Ok(())
    }
}

impl<S> FormatEvent<S, Self> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, Self>,
        writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = self.collect(&event);
        let message = fields.remove("message");
        for span in context.event_scope().into_iter().flatten() {
            if let Some(of_span) = span.extensions().get::<FormattedFields<Self>>() {
                parsed(&of_span.fields).into_iter().for_each(|(name, value)| {
                    fields.entry(name).or_insert(value);
                });
            }
        }
        let message = message.as_ref().and_then(Value::as_str).unwrap_or_default();
        match self.format {
            LogFormat::Human => write_human(writer, event, message, &fields),
            LogFormat::Json => write_json(writer, event, message, fields),
        }
    }
}

fn write_human(
    mut writer: Writer<'_>,
    event: &Event<'_>,
    message: &str,
    fields: &Map<String, Value>,
) -> fmt::Result {
    SystemTime.format_time(&mut writer)?;
    let about = event.metadata();
    write!(writer, " {:5} {}: {message}", about.level(), about.target())?;
    for (name, value) in fields {
        match value {
            Value::String(text) => write!(writer, " {name}={}", shown(text))?,
            _ => write!(writer, " {name}={value}")?,
        }
    }
    writeln!(writer)
}

/// A value as one word that a terminal only shows: what others chose may hold escape sequences, which would
/// recolour or hide lines.
fn shown(text: &str) -> String {
    if !text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return text.to_owned();
    }
    // JSON escapes what is below a blank, and nothing of what terminals obey beyond it.
    let quoted = Value::String(text.to_owned()).to_string();
    quoted.replace(char::is_control, "\u{fffd}")
}

fn write_json(
    mut writer: Writer<'_>,
    event: &Event<'_>,
    message: &str,
    mut fields: Map<String, Value>,
) -> fmt::Result {
    let mut time = String::new();
    SystemTime.format_time(&mut Writer::new(&mut time))?;
    let about = event.metadata();
    for (name, value) in [
        ("time", time.as_str()),
        ("level", about.level().as_str()),
        ("target", about.target()),
        ("message", message),
    ] {
        fields.insert(name.into(), value.into());
    }
    writeln!(writer, "{}", Value::Object(fields))
}

fn parsed(json: &str) -> Map<String, Value> {
    serde_json::from_str(json).unwrap_or_default()
}

struct Collector {
    personal: bool,
    fields: Map<String, Value>,
}

impl Collector {
    fn put(&mut self, field: &Field, value: Value) {
        if self.personal || !field.name().starts_with("pii.") {
            self.fields.insert(field.name().into(), value);
        }
    }
}

impl Visit for Collector {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value stays within its line and tells a terminal nothing.
    #[test]
    fn a_value_is_only_shown() {
        for (text, expected) in [
            ("plain", "plain"),
            ("two words", r#""two words""#),
            ("a\nWARN: b", r#""a\nWARN: b""#),
            ("\u{1b}[2Kgone", r#""\u001b[2Kgone""#),
            ("\u{9b}2Kgone", "\"\u{fffd}2Kgone\""),
            ("\u{7f}\u{7f}", "\"\u{fffd}\u{fffd}\""),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}
