//! The voices of Azure Speech, by one call over HTTP for each segment.
//!
//! By its REST interface, not by the WebSocket of its client: a segment is a whole sentence already, and its
//! sound is streamed as it is made. The text is sent as SSML, in which it is only ever text: see [`ssml`].
//!
//! After <https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech>.

use std::{path::PathBuf, sync::Arc, time::Duration};

use futures_util::stream::BoxStream;

use super::{
    ProviderError, Tts,
    http::{Access, Header, Names, Site},
    kind::{Kind, Offer, Place, Provider},
    tts_http::{Content, HttpVoice},
    tts_wire::{Limits, WireVoice, works},
};
use crate::settings::{Secret, Section, rules, settings};
use audio::Pcm48;
use interview::blueprint::Language;

/// The language that is written where a voice's name does not begin with one.
const LOCALE_DEFAULT: &str = "en-US";

settings! {
    /// A voice of Azure Speech.
    pub struct Settings {
        /// Where it is, with the region of the key; `/cognitiveservices/v1` is added to its path, its query
        /// is kept.
        base_url: url::Url = "https://westeurope.tts.speech.microsoft.com", rules::HTTP_URL;
        /// The voice's name, as Azure knows it; it begins with its language, `Multilingual` ones speak many.
        voice: String = "en-US-AvaMultilingualNeural",
            rules::name("the name of a voice such as de-DE-KatjaNeural");
        /// Containers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "AZURE_SPEECH_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// From a segment's request to its first sound, one retry included.
        first_byte_limit: Duration = "3s", rules::DURATION;
        /// Between two pieces of its sound.
        stall_limit: Duration = "3s", rules::DURATION;
        /// All the time that the server is waited for, for one segment.
        segment_limit: Duration = "60s", rules::DURATION;
    }
}

/// The kind of providers that use Azure's voices.
pub const KIND: Kind = Kind {
    name: "azure-speech",
    doc: "Azure Speech speaks.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Place::server(&name, &settings, check);
        let tts = Offer::<dyn Tts>::new(place, move |_| Ok(Arc::new(AzureTts::new(&name, &open)?)));
        Provider { tts: Some(tts), ..Provider::new(settings) }
    },
};

/// Checks the server by speaking a real sentence.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let began = AzureTts::new(&name, &settings)?.voice.check().await?;
    Ok(works(&settings.voice, "Azure Speech", &settings.base_url, began))
}

/// A voice of Azure Speech. All interviews share the connections and the cached sound.
#[derive(Clone)]
pub struct AzureTts {
    voice: WireVoice,
    name: String,
}

impl AzureTts {
    /// Returns the voice of a provider. Reads the key and the certificate; makes no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let names = Names::new(&KIND, name, "voice", ", with the region of the key,", &["voice"]);
        let suspects = names.suspects.clone();
        let site = Site::new(&Access {
            names,
            base_url: &config.base_url,
            path: "/cognitiveservices/v1",
            query: &[],
            model: &config.voice,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Named("ocp-apim-subscription-key"),
            ca_file: config.ca_file.as_deref(),
        })?;
        let site =
            Arc::new(site.with_header("x-microsoft-outputformat", "raw-24khz-16bit-mono-pcm"));
        let limits = Limits {
            first_byte: config.first_byte_limit,
            stall: config.stall_limit,
            segment: config.segment_limit,
        };
        let speaker = config.voice.clone();
        let body = Box::new(move |text: &str| ssml(&speaker, text));
        let protocol = HttpVoice { site: site.clone(), suspects, content: Content::Ssml, body };
        let voice = WireVoice::new(site, protocol, &config.voice, limits);
        Ok(Self { voice, name: config.voice.clone() })
    }
}

impl Tts for AzureTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        self.voice.synthesize(text)
    }

    fn speaks(&self, language: Language) -> bool {
        // What does not begin with a language is a voice of one's own.
        self.name.to_lowercase().contains("multilingual")
            || locale(&self.name).is_none_or(|locale| locale.starts_with(language.code()))
    }
}

/// Returns the language with which a voice's name begins: `de-DE` of `de-DE-KatjaNeural`.
fn locale(voice: &str) -> Option<&str> {
    let mut hyphens = voice.match_indices('-').map(|(at, _)| at);
    let (first, second) = (hyphens.next()?, hyphens.next()?);
    let is_language = (2..=3).contains(&first)
        && voice[..first].bytes().all(|byte| byte.is_ascii_lowercase())
        && voice[first + 1..second].bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_language.then(|| &voice[..second])
}

/// Returns the document that asks a voice to say a text. Neither can leave its place in it, whatever it
/// contains.
fn ssml(voice: &str, text: &str) -> String {
    let locale = escaped(locale(voice).unwrap_or(LOCALE_DEFAULT));
    let (voice, text) = (escaped(voice), escaped(text));
    format!(
        "<speak version=\"1.0\" xmlns=\"http://www.w3.org/2001/10/synthesis\" xml:lang=\"{locale}\">\
            <voice name=\"{voice}\">{text}</voice></speak>"
    )
}

/// Returns a text as it is written within XML. What no XML may contain is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what a voice says of a document, if it is one of ours: its markup must be exactly ours.
    fn spoken(document: &str, voice: &str) -> String {
        let head = format!(
            "<speak version=\"1.0\" xmlns=\"http://www.w3.org/2001/10/synthesis\" xml:lang=\"en-US\">\
                <voice name=\"{voice}\">"
        );
        let said = document.strip_prefix(&head).expect("our beginning");
        let said = said.strip_suffix("</voice></speak>").expect("our end");
        assert!(!said.contains(['<', '>', '"', '\'']), "{said} has markup");
        let without = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"]
            .iter()
            .fold(said.to_owned(), |said, entity| said.replace(entity, ""));
        assert!(!without.contains('&'), "{said} has entities of its own");
        let letters =
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
        letters.iter().fold(said.to_owned(), |said, (entity, letter)| said.replace(entity, letter))
    }

    /// P06: no text leaves its place in the document, and each is said as it is but for what XML cannot
    /// contain.
    #[test]
    fn hostile_text_stays_text() {
        for text in [
            "</voice></speak>",
            "<audio src=\"https://example.org/x.wav\"/>",
            "<break time='999s'/>",
            "]]><![CDATA[<voice name='x'>",
            "<!ENTITY x SYSTEM \"file:///etc/passwd\"> &x; &#60;audio&#62; &lt;",
            "<!-- --> <?xml version=\"1.0\"?>",
            "Łukasz & 日本 'n' 😀",
        ] {
            assert_eq!(spoken(&ssml("a", text), "a"), text);
        }
        let odd = "a\0b\u{1}c\u{8}d\u{85}e\u{ffff}f\u{fffe}g\nh";
        assert_eq!(spoken(&ssml("a", odd), "a"), "abcdefg h");
        let voice = "x\"><audio src='y'/>";
        let written = "x&quot;&gt;&lt;audio src=&apos;y&apos;/&gt;";
        assert_eq!(spoken(&ssml(voice, "hello"), written), "hello");
    }

    /// The language of a document is that with which the voice's name begins.
    #[test]
    fn a_voice_has_a_language() {
        for (voice, language) in [
            ("de-DE-KatjaNeural", Some("de-DE")),
            ("en-US-Ava:DragonHDLatestNeural", Some("en-US")),
            ("fil-PH-AngeloNeural", Some("fil-PH")),
            ("our-own", None),
            ("MyVoice-one-two", None),
            ("", None),
            ("--", None),
            ("é-é-é", None),
        ] {
            assert_eq!(locale(voice), language, "{voice}");
        }
        assert!(ssml("de-DE-KatjaNeural", "Ja.").contains("xml:lang=\"de-DE\""));
    }
}
