//! Settings, each declared once: type, default, doc line, allowed values, and well-known environment
//! variables.
//!
//! [`settings!`] declares a struct whose fields are the settings of one section. The same line gives the
//! default, the code that reads the setting and says what is wrong with it, and the entry in
//! `config/default.toml`. All problems are found at once, each with its file and line or its variable. The
//! libraries for settings stop at the first problem and do not know its line.

mod reader;
pub mod rules;
mod subnet;
mod written;

use std::fmt;

pub use reader::{Near, Reader, Section, check_keys, near};
pub use rules::Rule;
pub use subnet::Subnet;
pub use written::{Place, Problem, Setting, Table, Tables, variable};

/// Declares a section of settings:
///
/// ```text
/// settings! {
///     /// The agent worker.
///     pub struct Worker {
///         /// Interviews at a time on two cores.
///         slots: usize = 8, WHOLE;
///         /// Where the server is.
///         url: String = "ws://127.0.0.1:7880", WEBSOCKET, also "LIVEKIT_URL";
///     }
/// }
/// ```
///
/// The default is written as in TOML; after it stands the [`Rule`] that reads the setting.
#[macro_export]
macro_rules! settings {
    ($(#[doc = $of:literal])+ pub struct $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $default:literal, $rule:expr
            $(, also $variable:literal)*;)*
    }) => {
        $(#[doc = $of])+
        #[derive(Clone, Debug)]
        pub struct $name { $($(#[doc = $doc])+ pub $field: $type,)* }

        impl $crate::settings::Section for $name {
            const DOC: &str = concat!($($of),+);
            const FIELDS: &[$crate::settings::Field] = &[$($crate::settings::Field {
                key: stringify!($field),
                doc: concat!($($doc),+),
                default: stringify!($default),
                kind: $rule.kind,
                expected: $rule.expected,
                variables: &[$($variable),*],
            }),*];

            fn read(reader: &mut $crate::settings::Reader<'_>) -> Self {
                Self { $($field: reader.read(stringify!($field), stringify!($default), &$rule),)* }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $crate::settings::Reader::read_defaults()
            }
        }
    };
}
pub use settings;

/// Declares an enum whose variants have names in the settings.
#[macro_export]
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Reads one of the names.
            pub const RULE: $crate::settings::Rule<Self> = $crate::settings::Rule {
                kind: $crate::settings::Kind::Text,
                expected: concat!("one of", $(" `", $text, "`"),+),
                parse: |text| match text { $($text => Some(Self::$variant),)+ _ => None },
            };
        }
    };
}
pub use choice;

/// The declaration of a setting.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name within the section.
    pub key: &'static str,
    /// The doc line.
    pub doc: &'static str,
    /// The default, as TOML.
    pub default: &'static str,
    /// The type of the value in TOML.
    pub kind: Kind,
    /// The allowed values, for messages.
    pub expected: &'static str,
    /// Environment variables that set it, beside its own.
    pub variables: &'static [&'static str],
}

/// The type of a value in TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `"…"`
    Text,
    /// `"…"` or `["…", "…"]`
    Texts,
    /// `["…", "…"]`, in a file.
    List,
    /// `8`
    Whole,
    /// `1.0`, or a whole number.
    Number,
    /// `true` or `false`
    Flag,
    /// A date or time. No setting allows one.
    Date,
    /// A table in the place of a value.
    Table,
}

impl Kind {
    /// Returns the name of the type in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Texts => "a text or a list of texts",
            Self::List => "a list",
            Self::Whole => "a whole number",
            Self::Number => "a number",
            Self::Flag => "true or false",
            Self::Date => "a date",
            Self::Table => "a section",
        }
    }

    /// Whether a setting of this type may have a value that is `written` in a file as that type.
    fn admits(self, written: Self) -> bool {
        self == written
            || matches!(
                (self, written),
                (Self::Number, Self::Whole) | (Self::Texts, Self::Text | Self::List)
            )
    }
}

/// A text that never appears in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text itself, for signing.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "unset" } else { "secret" })
    }
}
