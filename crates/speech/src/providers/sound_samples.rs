//! Bare samples of whatever a server answers with: bare ones as they are, and files of sound decoded, if that
//! can be. What it is is told by the first bytes; the type that the server names counts only against it.

use std::{
    io::{self, Read},
    sync::Arc,
    time::Duration,
};

use futures_util::{
    StreamExt, TryStreamExt, future,
    stream::{self, BoxStream},
};
use tokio::{sync::mpsc, task};
use tokio_tungstenite::tungstenite::Bytes;

use super::{
    ProviderError,
    http::{Site, permanent_error, transient_error},
    sound_decoder::decode,
    sound_files::{FILE_BYTES_MAX, File, Told, tell},
};

/// The sample rate that every vendor is asked for: 16 bits, little endian, one channel.
pub(super) const RATE: u32 = 24_000;
/// The most bytes of a segment: two minutes of sound. A longer answer is taken for endless.
pub(super) const BYTES_MAX: usize = 120 * 2 * RATE as usize;
/// The pieces that are decoded ahead of whoever plays them.
const PIECES_MAX: usize = 8;

/// A server's answer.
pub(super) struct Answer {
    /// The type of file that the server says it is; `None` for bare samples, or if it says nothing.
    pub(super) claims: Option<String>,
    pub(super) parts: Parts,
}

/// What a vendor sends for one segment.
pub(super) type Parts = BoxStream<'static, Result<Part, ProviderError>>;

/// A piece of what a vendor sends.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Part {
    /// Samples at [`RATE`], or a piece of a file. May end in the middle of a sample; may be empty.
    pub(super) sound: Bytes,
    /// The end of the words that are spoken by then, if the vendor tells.
    pub(super) aligned: Option<Aligned>,
}

/// The end of words within the sound of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aligned {
    /// After the beginning of the segment.
    FromBeginning(Duration),
    /// After the beginning of the part that it comes with.
    FromHere(Duration),
}

/// Returns the samples of an answer, at [`RATE`]. Nothing is passed on before it is known what it is.
pub(super) async fn samples(site: &Arc<Site>, answer: Answer) -> Result<Parts, ProviderError> {
    let Answer { claims, parts } = answer;
    let mut parts = parts.fuse();
    let (mut begun, mut begin, mut told) = (Vec::new(), Vec::new(), Told::Unknown);
    while told == Told::Unknown
        && let Some(part) = parts.try_next().await?
    {
        let missing = FILE_BYTES_MAX.saturating_sub(begin.len());
        begin.extend(part.sound.iter().take(missing));
        told = tell(&begin);
        begun.push(part);
    }
    let parts = stream::iter(begun).map(Ok).chain(parts).boxed();
    match (told, claims) {
        (Told::File(file), _) => Ok(decoded(site, file, parts)),
        (Told::Samples | Told::Unknown, Some(kind)) if !begin.is_empty() => {
            Err(no_samples(site, &kind))
        }
        (Told::Samples | Told::Unknown, _) => Ok(parts),
    }
}

fn no_samples(site: &Site, what: &str) -> ProviderError {
    permanent_error(format!(
        "{} answers with {what}, not with bare samples at {RATE} Hz; set it to send `pcm`, or take a \
            server that can",
        site.place
    ))
}

/// Decodes a file on a thread of its own while it comes: what is broken in it may keep a decoder busy, and a
/// decoder that panics is one that fails. To drop the stream ends the thread.
fn decoded(site: &Arc<Site>, file: File, parts: Parts) -> Parts {
    let (bytes, source) = mpsc::unbounded_channel();
    let (sound, sounds) = mpsc::channel(PIECES_MAX);
    let source = Source { pieces: source, piece: Bytes::new() };
    let decoder = task::spawn_blocking(move || {
        decode(file, source, RATE, |samples| sound.blocking_send(samples).is_ok())
    });
    let sounds = stream::unfold(sounds, |mut sounds: mpsc::Receiver<Vec<i16>>| async {
        let samples = sounds.recv().await?;
        let sound: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        Some((Ok(Part { sound: sound.into(), aligned: None }), sounds))
    });
    let place = site.clone();
    let failed = stream::once(decoder).filter_map(move |ended| {
        let why = match ended {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(why),
            Err(_) => Some("its decoder failed".to_owned()),
        };
        let error =
            |why| no_samples(&place, &format!("{} that cannot be decoded ({why})", file.name()));
        future::ready(why.map(|why| Err(error(why))))
    });
    stream::select(fed(site.clone(), parts, bytes), sounds.chain(failed)).boxed()
}

/// Passes the bytes of a file on to its decoder. Where a file's samples are is in the file, so the times of
/// words are not needed.
fn fed(
    site: Arc<Site>,
    parts: Parts,
    bytes: mpsc::UnboundedSender<Bytes>,
) -> BoxStream<'static, Result<Part, ProviderError>> {
    let next = async |(site, mut parts, bytes, left): (
        Arc<Site>,
        Parts,
        mpsc::UnboundedSender<_>,
        usize,
    )| {
        let Some(Part { sound, .. }) = parts.try_next().await? else { return Ok(None) };
        let Some(left) = left.checked_sub(sound.len()) else {
            return Err(transient_error(format!("the answer of {} does not end", site.place)));
        };
        // A decoder that has ended says itself why.
        let _ = bytes.send(sound);
        Ok(Some((Part::default(), (site, parts, bytes, left))))
    };
    stream::try_unfold((site, parts, bytes, BYTES_MAX), next).boxed()
}

/// The bytes of a file for a thread that waits for them.
struct Source {
    pieces: mpsc::UnboundedReceiver<Bytes>,
    /// What is left of the last piece.
    piece: Bytes,
}

impl Read for Source {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            let Some(piece) = self.pieces.blocking_recv() else { return Ok(0) };
            self.piece = piece;
        }
        let read = bytes.len().min(self.piece.len());
        bytes[..read].copy_from_slice(&self.piece.split_to(read));
        Ok(read)
    }
}
