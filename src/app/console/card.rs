//! The machine's sound card, through the crate `cpal`: which devices there are, and their sound in and out.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use cpal::{
    BufferSize, Device, ErrorKind, FromSample, Sample, SampleFormat, SizedSample, StreamConfig,
    SupportedBufferSize, SupportedStreamConfig,
    traits::{DeviceTrait, HostTrait, StreamTrait},
};

use crate::{
    app::{
        Failed,
        out::{PLAIN, STRONG, say, table},
    },
    clock::Clock,
    session::{Broken, Ends, Format, Loudspeaker, Microphone},
};

/// Periods of a card a second that we ask for: 20 ms each.
const PERIODS: u32 = 50;
/// So many errors in a row, without any sound between them, are no difficulty but a failure.
const ERRORS_MAX: u32 = 50;
/// Rates between which we can resample.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=768_000;

/// A microphone and a loudspeaker that are about to be used.
pub(super) struct Chosen {
    input: Side,
    output: Side,
}

/// Sound flows while this is held.
#[must_use]
pub(super) struct Streams {
    _input: cpal::Stream,
    _output: cpal::Stream,
}

struct Side {
    device: Device,
    supported: SupportedStreamConfig,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Input,
    Output,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input => "microphone",
            Self::Output => "loudspeaker",
        })
    }
}

impl Kind {
    fn option(self) -> &'static str {
        match self {
            Self::Input => "--input",
            Self::Output => "--output",
        }
    }

    fn is_of(self, device: &Device) -> bool {
        match self {
            Self::Input => device.supports_input(),
            Self::Output => device.supports_output(),
        }
    }

    fn config(self, device: &Device) -> Result<SupportedStreamConfig, cpal::Error> {
        match self {
            Self::Input => device.default_input_config(),
            Self::Output => device.default_output_config(),
        }
    }
}

/// Prints the devices there are; fails if there is none at all.
pub(super) fn list() -> Result<(), Failed> {
    let host = host()?;
    let devices = devices(&host)?;
    let names: Vec<_> = devices.iter().map(|device| (id(device), device.to_string())).collect();
    if !names.iter().any(|(id, name)| is_for_people(id, name, &names)) {
        return Err(Failed(
            "there is no sound card: connect one, and see that you may use it (on Linux: the group `audio`)"
                .to_owned(),
        ));
    }
    for kind in [Kind::Input, Kind::Output] {
        say(STRONG, &format!("{kind}s, for {}", kind.option()));
        let of_kind = devices.iter().filter(|device| kind.is_of(device));
        let names: Vec<_> = of_kind.map(|device| (id(device), device.to_string())).collect();
        let meant = names.iter().filter(|(id, name)| is_for_people(id, name, &names));
        let rows: Vec<_> = meant.map(|(id, name)| vec![id.clone(), name.clone()]).collect();
        match rows.is_empty() {
            true => say(PLAIN, "  none"),
            false => {
                table(&rows).lines().for_each(|line| say(PLAIN, &format!("  {line}")));
            }
        }
    }
    Ok(())
}

/// ALSA's ways to a card that convert nothing, to some of its channels, through a filter, and to nowhere.
const ALSA_PARTS: [&str; 23] = [
    "center_lfe",
    "dmix",
    "dshare",
    "dsnoop",
    "front",
    "hdmi",
    "hw",
    "iec958",
    "lavrate",
    "modem",
    "null",
    "oss",
    "phoneline",
    "rear",
    "samplerate",
    "side",
    "spdif",
    "speex",
    "speexrate",
    "sysdefault",
    "upmix",
    "usbstream",
    "vdownmix",
];

/// Whether a person may mean the device, among `all`: each card once, and what stands for the system's
/// choice.
fn is_for_people(id: &str, name: &str, all: &[(String, String)]) -> bool {
    let (kind, card) = id.split_once(':').unwrap_or((id, ""));
    if ALSA_PARTS.contains(&kind) || kind.starts_with("surround") {
        return false;
    }
    // ALSA names each card's default beside its devices, and its devices a second time, by number.
    let is_numbered =
        |card: &str| card.trim_start_matches("CARD=").starts_with(|c: char| c.is_ascii_digit());
    let is_named = |(other, called): &(String, String)| {
        called == name && other.strip_prefix("plughw:").is_some_and(|card| !is_numbered(card))
    };
    match kind {
        "default" => card.is_empty(),
        "plughw" => !is_numbered(card) || !all.iter().any(is_named),
        _ => true,
    }
}

/// The devices of these names; without one, the one that the system prefers.
pub(super) fn choose(input: Option<&str>, output: Option<&str>) -> Result<Chosen, Failed> {
    let host = host()?;
    Ok(Chosen {
        input: side(&host, Kind::Input, input)?,
        output: side(&host, Kind::Output, output)?,
    })
}

fn host() -> Result<cpal::Host, Failed> {
    // ALSA says on standard error what is missing, several times. For this thread it goes into a buffer
    // instead.
    #[cfg(target_os = "linux")]
    let _ = alsa::Output::local_error_handler();
    let mut why = Failed("there is no sound system".into());
    // Where a sound server runs it comes first.
    for id in cpal::available_hosts() {
        match cpal::host_from_id(id) {
            Ok(host) => return Ok(host),
            Err(error) => {
                why = Failed(format!("the system's sound cannot be reached: {error}"));
            }
        }
    }
    Err(why)
}

fn devices(host: &cpal::Host) -> Result<Vec<Device>, Failed> {
    let devices = host.devices();
    let devices =
        devices.map_err(|error| Failed(format!("sound devices cannot be listed: {error}")))?;
    Ok(devices.collect())
}

fn id(device: &Device) -> String {
    device.id().map(|id| id.id().to_owned()).unwrap_or_default()
}

fn side(host: &cpal::Host, kind: Kind, name: Option<&str>) -> Result<Side, Failed> {
    let device = match name {
        Some(name) => named(devices(host)?, kind, name)?,
        None => match kind {
            Kind::Input => host.default_input_device(),
            Kind::Output => host.default_output_device(),
        }
        .ok_or_else(|| none(kind, "the system names none"))?,
    };
    let supported = kind.config(&device).map_err(|error| match name {
        Some(name) => Failed(format!("the {kind} `{name}` cannot be used: {error}")),
        None => none(kind, &error.to_string()),
    })?;
    let rate = supported.sample_rate();
    if !RATES.contains(&rate) {
        return Err(Failed(format!(
            "the {kind} `{device}` runs at {rate} Hz, which is not between {} and {} Hz: choose \
                another one with {}",
            RATES.start(),
            RATES.end(),
            kind.option()
        )));
    }
    Ok(Side { device, supported, kind })
}

fn none(kind: Kind, why: &str) -> Failed {
    let why = why.trim_end_matches('.');
    Failed(format!(
        "there is no {kind} to be used ({why}): connect one, or choose one of `vivavoce console \
            --list-devices` with {}",
        kind.option()
    ))
}

/// The device of that id or name, or the only one whose id or name has it in it.
fn named(devices: Vec<Device>, kind: Kind, name: &str) -> Result<Device, Failed> {
    let names = devices.iter().map(|device| (id(device), device.to_string()));
    let names: Vec<_> = names.collect();
    let found = find(&names, name, |n| kind.is_of(&devices[n])).map_err(|problem| {
        Failed(format!(
            "{} {name}: {problem}; see `vivavoce console --list-devices`",
            kind.option()
        ))
    })?;
    Ok(devices.into_iter().nth(found).expect("it was found among them"))
}

/// The index of what is meant among ids and names.
fn find(
    names: &[(String, String)],
    wanted: &str,
    fits: impl Fn(usize) -> bool,
) -> Result<usize, String> {
    let lower = wanted.to_lowercase();
    let is = |(id, name): &(String, String)| id == wanted || name == wanted;
    let has = |(id, name): &(String, String)| {
        id.to_lowercase().contains(&lower) || name.to_lowercase().contains(&lower)
    };
    let among = |test: &dyn Fn(&(String, String)) -> bool| -> Vec<usize> {
        (0..names.len()).filter(|n| test(&names[*n]) && fits(*n)).collect()
    };
    // Several entries of one name are ways to the same device.
    match (among(&is).as_slice(), among(&has).as_slice()) {
        ([first, ..], _) | ([], [first]) => Ok(*first),
        ([], []) => Err("there is no such device".to_owned()),
        ([], several) => {
            let ids = several.iter().map(|n| names[*n].0.as_str()).collect::<Vec<_>>().join(", ");
            Err(format!("that may be any of {ids}"))
        }
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, output) = (self.input(), self.output());
        write!(
            f,
            "Microphone: {}, {} Hz. Loudspeaker: {}, {} Hz",
            self.input.device, input.rate, self.output.device, output.rate
        )
    }
}

impl Chosen {
    /// How the microphone's sound comes.
    pub(super) fn input(&self) -> Format {
        self.input.format()
    }

    /// How the loudspeaker wants its sound.
    pub(super) fn output(&self) -> Format {
        self.output.format()
    }

    /// Lets sound flow.
    pub(super) fn start(&self, ends: Ends, clock: Clock) -> Result<Streams, Failed> {
        let Ends { microphone, loudspeaker, broken } = ends;
        let input = listening(&self.input, microphone, clock, broken.clone())?;
        let output = speaking(&self.output, loudspeaker, broken)?;
        for (stream, side) in [(&input, &self.input), (&output, &self.output)] {
            stream.play().map_err(|error| side.failed(&error))?;
        }
        Ok(Streams { _input: input, _output: output })
    }
}

impl Side {
    fn format(&self) -> Format {
        Format { rate: self.supported.sample_rate(), channels: self.supported.channels() }
    }

    /// The device's own, in short periods where it has them.
    fn config(&self) -> StreamConfig {
        let mut config = self.supported.config();
        let period = config.sample_rate / PERIODS;
        config.buffer_size = match self.supported.buffer_size() {
            SupportedBufferSize::Range { min, max } if (*min..=*max).contains(&period) => {
                BufferSize::Fixed(period)
            }
            SupportedBufferSize::Range { .. } | SupportedBufferSize::Unknown => BufferSize::Default,
        };
        config
    }

    fn failed(&self, error: &cpal::Error) -> Failed {
        let Self { device, kind, .. } = self;
        Failed(format!("the {kind} `{device}` does not start: {error}"))
    }

    fn unknown(&self) -> Failed {
        let Self { device, kind, supported } = self;
        let (format, option) = (supported.sample_format(), kind.option());
        Failed(format!(
            "the {kind} `{device}` has samples of the kind {format}, which is not known here: \
                choose another one with {option}"
        ))
    }

    /// What to do with an error of a running stream: it goes on after most of them. `errors` counts them, and
    /// is set back by whoever gets sound.
    fn on_error<F: FnMut() + Send>(
        &self,
        broken: Broken,
        errors: Arc<AtomicU32>,
        mut lost: F,
    ) -> impl FnMut(cpal::Error) + Send + use<F> {
        let name = format!("the {} `{}`", self.kind, self.device);
        move |error| match error.kind() {
            ErrorKind::DeviceNotAvailable | ErrorKind::StreamInvalidated => {
                broken.tell(format!("{name} has failed: {error}"));
            }
            ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {
                tracing::warn!(%error, "{name} has changed");
            }
            _ => {
                lost();
                tracing::debug!(%error, "{name} has lost sound");
                if errors.fetch_add(1, Ordering::Relaxed) == ERRORS_MAX {
                    broken.tell(format!("{name} has failed: {error}"));
                }
            }
        }
    }
}

/// Calls a function for the type of a sample format.
macro_rules! for_format {
    ($side:expr, $function:ident($($argument:expr),*)) => {
        match $side.supported.sample_format() {
            SampleFormat::I8 => $function::<i8>($side, $($argument),*),
            SampleFormat::I16 => $function::<i16>($side, $($argument),*),
            SampleFormat::I24 => $function::<cpal::I24>($side, $($argument),*),
            SampleFormat::I32 => $function::<i32>($side, $($argument),*),
            SampleFormat::I64 => $function::<i64>($side, $($argument),*),
            SampleFormat::U8 => $function::<u8>($side, $($argument),*),
            SampleFormat::U16 => $function::<u16>($side, $($argument),*),
            SampleFormat::U24 => $function::<cpal::U24>($side, $($argument),*),
            SampleFormat::U32 => $function::<u32>($side, $($argument),*),
            SampleFormat::U64 => $function::<u64>($side, $($argument),*),
            SampleFormat::F32 => $function::<f32>($side, $($argument),*),
            SampleFormat::F64 => $function::<f64>($side, $($argument),*),
            _ => Err($side.unknown()),
        }
    };
}

fn listening(
    side: &Side,
    microphone: Microphone,
    clock: Clock,
    broken: Broken,
) -> Result<cpal::Stream, Failed> {
    for_format!(side, listen(microphone, clock, broken))
}

fn speaking(side: &Side, loudspeaker: Loudspeaker, broken: Broken) -> Result<cpal::Stream, Failed> {
    for_format!(side, speak(loudspeaker, broken))
}

fn listen<T>(
    side: &Side,
    mut microphone: Microphone,
    clock: Clock,
    broken: Broken,
) -> Result<cpal::Stream, Failed>
where
    T: SizedSample,
    i16: FromSample<T>,
{
    let gap = microphone.gap();
    let errors = Arc::<AtomicU32>::default();
    let on_error = side.on_error(broken, errors.clone(), move || gap.tell());
    let mut samples = Vec::new();
    let heard = move |data: &[T], _: &cpal::InputCallbackInfo| {
        errors.store(0, Ordering::Relaxed);
        samples.clear();
        samples.extend(data.iter().map(|sample| i16::from_sample(*sample)));
        microphone.push(clock.now(), &samples);
    };
    let stream = side.device.build_input_stream(side.config(), heard, on_error, None);
    stream.map_err(|error| side.failed(&error))
}

fn speak<T>(
    side: &Side,
    mut loudspeaker: Loudspeaker,
    broken: Broken,
) -> Result<cpal::Stream, Failed>
where
    T: SizedSample + FromSample<i16>,
{
    // What it missed is counted where it is filled.
    let errors = Arc::<AtomicU32>::default();
    let on_error = side.on_error(broken, errors.clone(), || {});
    let mut samples = Vec::new();
    let wanted = move |data: &mut [T], _: &cpal::OutputCallbackInfo| {
        errors.store(0, Ordering::Relaxed);
        samples.resize(data.len(), 0);
        loudspeaker.fill(&mut samples);
        for (out, sample) in data.iter_mut().zip(&samples) {
            *out = T::from_sample(*sample);
        }
    };
    let stream = side.device.build_output_stream(side.config(), wanted, on_error, None);
    stream.map_err(|error| side.failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the many names that ALSA has for a card those are listed that a person may mean, one for each
    /// device.
    #[test]
    fn names_that_nobody_means_are_not_listed() {
        let names = [
            ("null", "Discard all samples"),
            ("default", "Default ALSA Output"),
            ("pulse", "PulseAudio Sound Server"),
            ("hw:CARD=PCH,DEV=0", "HDA Intel PCH, ALC257"),
            ("plughw:CARD=PCH,DEV=0", "HDA Intel PCH, ALC257"),
            ("plughw:CARD=0,DEV=0", "HDA Intel PCH, ALC257"),
            ("plughw:CARD=1,DEV=0", "Loopback"),
            ("default:CARD=PCH", "HDA Intel PCH, ALC257"),
            ("surround51:CARD=PCH,DEV=0", "HDA Intel PCH, ALC257"),
            ("usbstream:CARD=PCH", "HDA Intel PCH"),
            ("alsa_input.usb-Yeti-00.analog-stereo", "Yeti"),
        ];
        let names = names.map(|(id, name)| (id.to_owned(), name.to_owned()));
        let listed = names.iter().filter(|(id, name)| is_for_people(id, name, &names));
        let listed: Vec<_> = listed.map(|(id, _)| id.as_str()).collect();
        let meant = [
            "default",
            "pulse",
            "plughw:CARD=PCH,DEV=0",
            "plughw:CARD=1,DEV=0",
            "alsa_input.usb-Yeti-00.analog-stereo",
        ];
        assert_eq!(listed, meant);
    }

    /// A device is meant by its id, its name, or a part of either that no other has; else it is said what may
    /// be meant.
    #[test]
    fn devices_are_found_by_name() {
        let names = [
            ("hw:CARD=PCH,DEV=0", "HDA Intel PCH, ALC257"),
            ("plughw:CARD=PCH,DEV=0", "HDA Intel PCH, ALC257"),
            ("hw:CARD=Webcam,DEV=0", "Webcam C920, USB Audio"),
            ("null", "Discard all samples"),
        ];
        let names = names.map(|(id, name)| (id.to_owned(), name.to_owned()));
        let all = |wanted| find(&names, wanted, |_| true);
        assert_eq!(all("null"), Ok(3));
        assert_eq!(all("HDA Intel PCH, ALC257"), Ok(0));
        assert_eq!(all("c920"), Ok(2));
        assert_eq!(all("hw:CARD=PCH,DEV=0"), Ok(0));
        assert_eq!(all("bluetooth"), Err("there is no such device".to_owned()));
        let several = "that may be any of hw:CARD=PCH,DEV=0, plughw:CARD=PCH,DEV=0";
        assert_eq!(all("alc"), Err(several.to_owned()));
        assert_eq!(find(&names, "alc", |n| n == 1), Ok(1), "only one is a microphone");
    }
}
