//! What can be chosen by name.

/// Declares an enum whose variants are named in the configuration.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            pub(crate) const EXPECTED: &str = concat!("one of", $(" `", $text, "`"),+);

            pub(crate) fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

choice! {
    /// What decides whether one more interview fits (W03).
    Admission {
        /// Free slots, and CPU that is left on the machine.
        SlotsAndCpu = "slots-and-cpu",
        /// Free slots alone: for a machine that does other things, too.
        Slots = "slots",
    }
}
choice! {
    /// Which ways media may take.
    IceTransportPolicy {
        /// UDP; where that does not get through, TCP and the server's relays.
        All = "all",
        /// The server's relays alone.
        Relay = "relay",
    }
}
choice! {
    /// Where candidates agree to be recorded.
    ConsentTaken {
        /// On our own page, before they start.
        Page = "page",
        /// Wherever candidates come from who were asked nothing on our page.
        Elsewhere = "elsewhere",
    }
}
choice! {
    /// Detectors of voice.
    Vad {
        /// Silero where its file is, else Earshot.
        Auto = "auto",
        /// The small network of the crate `earshot`.
        Earshot = "earshot",
        /// The classifier of libfvad.
        WebRtc = "webrtc",
        /// The network of Silero, from a file.
        Silero = "silero",
    }
}
choice! {
    /// What hears in the sound whether somebody has finished.
    TurnDetection {
        /// Smart Turn where its file is, else nothing.
        Auto = "auto",
        /// The network Smart Turn, from a file.
        SmartTurn = "smart-turn",
        /// Nothing: words and silence alone tell.
        Off = "off",
    }
}
choice! {
    /// Recognisers of speech.
    Stt {
        /// Moonshine where its files are, else PocketSphinx.
        Auto = "auto",
        /// Moonshine tiny, in this process, by its files.
        Moonshine = "moonshine",
        /// Debian's PocketSphinx, in this process.
        PocketSphinx = "pocketsphinx",
        /// Deepgram, streaming.
        Deepgram = "deepgram",
        /// Hears what it was told: for tests and load.
        Scripted = "scripted",
    }
}
choice! {
    /// What thinks of the next words.
    Llm {
        /// Our own scripted interviewer: no key, no network.
        Scripted = "scripted",
        /// A server that speaks OpenAI's chat completions.
        OpenAi = "openai",
    }
}
choice! {
    /// How a key to a model's server is sent.
    KeyHeader {
        /// `Authorization: Bearer KEY`.
        Bearer = "bearer",
        /// `api-key: KEY`, as Azure has it.
        ApiKey = "api-key",
    }
}
choice! {
    /// Voices.
    Tts {
        /// Hibari where its files are, else Flite.
        Auto = "auto",
        /// Hibari, in this process, by its files.
        Hibari = "hibari",
        /// Debian's flite, in this process.
        Flite = "flite",
        /// A server that speaks OpenAI's speech.
        OpenAi = "openai",
        /// Hums: for tests and load.
        Scripted = "scripted",
    }
}
choice! {
    /// Voices of Hibari.
    HibariVoice {
        /// American, female; the one that `make models` fetches.
        Heart = "heart",
        /// American, male.
        Fenrir = "fenrir",
        /// American, female.
        Kore = "kore",
    }
}

impl HibariVoice {
    /// Whether its file has to be fetched by hand: who chooses such a voice has asked for it by its name.
    pub fn is_fetched_by_hand(self) -> bool {
        self != Self::Heart
    }

    /// The place of its file among the models.
    pub fn path(self) -> &'static str {
        match self {
            Self::Heart => "hibari/hibari.onnx",
            Self::Fenrir => "hibari/am_fenrir_v2.int8.onnx",
            Self::Kore => "hibari/af_kore.int8.onnx",
        }
    }
}

choice! {
    /// How a line of the log looks.
    LogFormat {
        /// For a terminal.
        Human = "human",
        /// One JSON object a line.
        Json = "json",
    }
}
