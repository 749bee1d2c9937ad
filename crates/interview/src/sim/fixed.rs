//! Faults that somebody fixed; all others are drawn.

use serde::Deserialize;

use super::faults::{Faults, Hearing, Mind, Network, Temper, Voice};

/// What is not drawn from the seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    temper: Option<Temper>,
    hearing: Option<Hearing>,
    mind: Option<Mind>,
    voice: Option<Voice>,
    network: Option<Network>,
}

impl Fixed {
    /// Understands `mind=loops,voice=slow`; else one sentence that lists what is known.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut fields = serde_json::Map::new();
        for pair in text.split(',') {
            let (what, how) = pair.split_once('=').ok_or_else(|| {
                format!(
                    "`{pair}` is no fault: write what goes wrong and how, such as mind=loops; {}",
                    Self::wrong("", "")
                )
            })?;
            let (what, how) = (what.trim().to_owned(), how.trim());
            if fields.contains_key(&what) {
                return Err(format!("`{what}` stands twice: a candidate has one of each"));
            }
            // Each alone, so that the sentence names what is wrong.
            if Self::alone(&what, how).is_err() {
                return Err(format!("`{pair}` is no fault: {}", Self::wrong(&what, how)));
            }
            fields.insert(what, how.into());
        }
        serde_json::from_value(fields.into()).map_err(|error| error.to_string())
    }

    fn alone(what: &str, how: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_value(serde_json::json!({ what: how }))
    }

    /// What could stand in the place of a mistake: the derived error ends in it.
    fn wrong(what: &str, how: &str) -> String {
        let error = Self::alone(what, how).err().map(|error| error.to_string()).unwrap_or_default();
        let known = error.split_once("expected ").map_or("", |(_, known)| known);
        let known = known.trim_start_matches("one of ").replace('`', "");
        match error.starts_with("unknown field") {
            true => format!("what can go wrong is {known}"),
            false => format!("what `{what}` can be is {known}"),
        }
    }

    /// What was drawn, but for what is fixed.
    pub(super) fn over(self, drawn: Faults) -> Faults {
        Faults {
            temper: self.temper.unwrap_or(drawn.temper),
            hearing: self.hearing.unwrap_or(drawn.hearing),
            mind: self.mind.unwrap_or(drawn.mind),
            voice: self.voice.unwrap_or(drawn.voice),
            network: self.network.unwrap_or(drawn.network),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faults are named as they are in the code, and a mistake is one sentence that lists the known ones.
    #[test]
    fn faults_are_parsed_by_name() {
        let fixed = Fixed::parse("mind=loops, voice=slow,temper=one_word").unwrap();
        assert_eq!((fixed.mind, fixed.voice), (Some(Mind::Loops), Some(Voice::Slow)));
        assert_eq!((fixed.temper, fixed.network), (Some(Temper::OneWord), None));
        for (bad, wrong) in [
            ("mind=sleepy", "`mind=sleepy` is no fault: what `mind` can be is good, obedient, "),
            (
                "mind=good,mood=bad",
                "`mood=bad` is no fault: what can go wrong is temper, hearing, ",
            ),
            ("loops", "such as mind=loops; what can go wrong is temper, hearing, "),
            ("mind=good,mind=mute", "stands twice"),
            ("", "such as mind=loops; what can go wrong is temper, hearing, "),
        ] {
            let said = Fixed::parse(bad).unwrap_err();
            assert!(said.contains(wrong), "{said}");
        }
    }
}
