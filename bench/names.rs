//! Names of products, places and people, each within a sentence, for `make bench-words WORDS_ARGS=--names`.

use anyhow::Context as _;
use futures_util::StreamExt as _;
use vivavoce::{
    audio::{Pcm48, resample::Down},
    config::Config,
    providers::registry::Registry,
};

/// Who says them: settings of the voice, and what it is called.
const VOICES: [(&str, &[(&str, &str)]); 3] = [
    ("hibari", &[("VIVAVOCE_SPEECH__TTS", "hibari")]),
    ("rms", &[("VIVAVOCE_SPEECH__TTS", "flite"), ("VIVAVOCE_PROVIDERS__FLITE__VOICE", "rms")]),
    ("awb", &[("VIVAVOCE_SPEECH__TTS", "flite"), ("VIVAVOCE_PROVIDERS__FLITE__VOICE", "awb")]),
];

/// A name, and a sentence with it.
pub(crate) const NAMES: [(&str, &str); 50] = [
    ("Kubernetes", "Before that I worked with Kubernetes for about three years."),
    ("PostgreSQL", "My last project was all about PostgreSQL and the people there."),
    ("Kafka", "I learned the most from Kafka when I was new."),
    ("Terraform", "The team around Terraform asked me to join them."),
    ("Grafana", "What I liked best was Grafana because it was so different."),
    ("Prometheus", "Before that I worked with Prometheus for about three years."),
    ("Snowflake", "My last project was all about Snowflake and the people there."),
    ("Databricks", "I learned the most from Databricks when I was new."),
    ("Salesforce", "The team around Salesforce asked me to join them."),
    ("Jenkins", "What I liked best was Jenkins because it was so different."),
    ("Ansible", "Before that I worked with Ansible for about three years."),
    ("Elasticsearch", "My last project was all about Elasticsearch and the people there."),
    ("Cassandra", "I learned the most from Cassandra when I was new."),
    ("Redis", "The team around Redis asked me to join them."),
    ("Datadog", "What I liked best was Datadog because it was so different."),
    ("Figma", "Before that I worked with Figma for about three years."),
    ("Jira", "My last project was all about Jira and the people there."),
    ("Confluence", "I learned the most from Confluence when I was new."),
    ("Tableau", "The team around Tableau asked me to join them."),
    ("Airflow", "What I liked best was Airflow because it was so different."),
    ("Siemens", "Before that I worked with Siemens for about three years."),
    ("Bosch", "My last project was all about Bosch and the people there."),
    ("Deloitte", "I learned the most from Deloitte when I was new."),
    ("Accenture", "The team around Accenture asked me to join them."),
    ("Zalando", "What I liked best was Zalando because it was so different."),
    ("Spotify", "Before that I worked with Spotify for about three years."),
    ("Klarna", "My last project was all about Klarna and the people there."),
    ("Novartis", "I learned the most from Novartis when I was new."),
    ("Unilever", "The team around Unilever asked me to join them."),
    ("Lufthansa", "What I liked best was Lufthansa because it was so different."),
    ("Leipzig", "Before that I worked with Leipzig for about three years."),
    ("Gdansk", "My last project was all about Gdansk and the people there."),
    ("Eindhoven", "I learned the most from Eindhoven when I was new."),
    ("Bangalore", "The team around Bangalore asked me to join them."),
    ("Hyderabad", "What I liked best was Hyderabad because it was so different."),
    ("Utrecht", "Before that I worked with Utrecht for about three years."),
    ("Zurich", "My last project was all about Zurich and the people there."),
    ("Thessaloniki", "I learned the most from Thessaloniki when I was new."),
    ("Wroclaw", "The team around Wroclaw asked me to join them."),
    ("Bordeaux", "What I liked best was Bordeaux because it was so different."),
    ("Priyanka", "Before that I worked with Priyanka for about three years."),
    ("Siobhan", "My last project was all about Siobhan and the people there."),
    ("Matthias", "I learned the most from Matthias when I was new."),
    ("Agnieszka", "The team around Agnieszka asked me to join them."),
    ("Oluwaseun", "What I liked best was Oluwaseun because it was so different."),
    ("Dimitrios", "Before that I worked with Dimitrios for about three years."),
    ("Nguyen", "My last project was all about Nguyen and the people there."),
    ("Fitzgerald", "I learned the most from Fitzgerald when I was new."),
    ("Kowalski", "The team around Kowalski asked me to join them."),
    ("Yamamoto", "What I liked best was Yamamoto because it was so different."),
];

/// A sentence that somebody has said.
pub(crate) struct Spoken {
    pub(crate) voice: &'static str,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) sound: Vec<i16>,
}

/// All sentences by all voices. `settings` are those of the bench.
pub(crate) fn spoken(settings: &[(String, String)]) -> anyhow::Result<Vec<Spoken>> {
    let mut all = Vec::new();
    for (voice, own) in VOICES {
        let own = own.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let config = Config::read(None, settings.iter().cloned().chain(own))?;
        let tts = Registry::build(&config.speech, &config.providers, 1)?.tts();
        for (name, text) in NAMES {
            let pieces = pollster::block_on(tts.synthesize(text).collect::<Vec<_>>());
            let mut down = Down::default();
            let mut sound = Vec::new();
            for piece in pieces {
                let piece: Pcm48 = piece.with_context(|| format!("{voice} cannot say `{text}`"))?;
                sound.extend(down.push(&piece).0);
            }
            all.push(Spoken { voice, name, text, sound });
        }
    }
    Ok(all)
}
