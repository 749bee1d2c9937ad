//! The book of an interview: what it uses of each provider (P04).
//!
//! Recognisers and voices are wrapped, also within a chain, so that what is counted is counted for the
//! provider that did the work; models count their own tokens.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{
    StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};

use super::{
    Away, Llm, Piece, ProviderError, Stt, SttOut, SttStream, Tts,
    interviewer::{Interviewer, JudgeTask, TalkTask},
    usage::{Amount, Source, Used, Vendor, count, summed},
};
use audio::{Pcm16, Pcm48};
use interview::{blueprint::Language, time::SessionTime};

/// The book of one interview: what it has used so far. Clones share it.
#[derive(Clone, Default)]
pub struct Book(Arc<Mutex<Pages>>);

#[derive(Default)]
struct Pages {
    counted: BTreeMap<Source, Amount>,
    /// The models of the interview, which count for themselves.
    models: Vec<Arc<dyn Interviewer>>,
}

impl Book {
    /// What was used so far, by provider.
    pub fn used(&self) -> Vec<Used> {
        let (counted, models) = {
            let pages = self.lock();
            (pages.counted.clone(), pages.models.clone())
        };
        let counted = counted.into_iter().map(|(source, amount)| Used { source, amount });
        let models = models.iter().filter_map(|model| model.model()?.spent());
        summed(counted.chain(models))
    }

    /// Returns a recogniser whose sound is counted here.
    pub(super) fn hearing(&self, source: &Source, stt: Arc<dyn Stt>) -> Arc<dyn Stt> {
        Arc::new(CountedStt { source: source.clone(), book: self.clone(), stt })
    }

    /// Returns a voice whose characters are counted here.
    pub(super) fn speaking(&self, source: &Source, tts: Arc<dyn Tts>) -> Arc<dyn Tts> {
        Arc::new(CountedTts { source: source.clone(), book: self.clone(), tts })
    }

    /// Keeps a model, to read later what it has counted.
    pub(super) fn thinking(&self, model: Arc<dyn Interviewer>) -> Arc<dyn Interviewer> {
        self.lock().models.push(model.clone());
        model
    }

    fn add(&self, source: &Source, amount: Amount) {
        let mut pages = self.lock();
        let sum = pages.counted.entry(source.clone()).or_default();
        *sum = sum.plus(amount);
    }

    fn lock(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A recogniser whose sound is counted.
struct CountedStt {
    source: Source,
    book: Book,
    stt: Arc<dyn Stt>,
}

impl Stt for CountedStt {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        self.open_for(&[], out)
    }

    fn open_for(
        &self,
        keyterms: &[String],
        out: SttOut,
    ) -> Result<Box<dyn SttStream>, ProviderError> {
        let stream = self.stt.open_for(keyterms, out)?;
        self.book.add(&self.source, Amount { calls: 1, ..Amount::default() });
        count(&self.source.provider, "calls", 1);
        Ok(Box::new(CountedStream {
            source: self.source.clone(),
            book: self.book.clone(),
            takes_all: !self.stt.takes_speech_alone(),
            speaks: false,
            uncounted: Duration::ZERO,
            stream,
        }))
    }

    fn hears(&self, language: Language) -> bool {
        self.stt.hears(language)
    }

    fn vendor(&self) -> Option<Vendor> {
        self.stt.vendor()
    }

    fn takes_speech_alone(&self) -> bool {
        self.stt.takes_speech_alone()
    }
}

/// A stream whose sound is counted, by the second.
struct CountedStream {
    source: Source,
    book: Book,
    takes_all: bool,
    /// Whether there is speech just now.
    speaks: bool,
    uncounted: Duration,
    stream: Box<dyn SttStream>,
}

impl CountedStream {
    fn count(&mut self, is_over: bool) {
        let whole = Duration::from_secs(self.uncounted.as_secs());
        let counted = if is_over { self.uncounted } else { whole };
        if counted.is_zero() {
            return;
        }
        self.uncounted -= counted;
        let heard_ms = u64::try_from(counted.as_millis()).unwrap_or(u64::MAX);
        self.book.add(&self.source, Amount { heard_ms, ..Amount::default() });
        count(&self.source.provider, "seconds", counted.as_secs());
    }
}

impl SttStream for CountedStream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        if self.takes_all || self.speaks {
            self.uncounted += sound.duration();
            self.count(false);
        }
        self.stream.push(at, sound);
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.speaks = true;
        self.stream.speech_started(at);
    }

    fn speech_paused(&mut self, at: SessionTime) {
        self.stream.speech_paused(at);
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        self.speaks = false;
        self.stream.speech_stopped(at);
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        self.stream.keyterms(keyterms);
    }

    fn settle(&mut self) {
        self.stream.settle();
    }

    fn away(&self) -> Option<Away> {
        self.stream.away()
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        self.count(true);
    }
}

/// A voice whose characters are counted.
struct CountedTts {
    source: Source,
    book: Book,
    tts: Arc<dyn Tts>,
}

impl Tts for CountedTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        let characters = self.tts.characters(text);
        let pieces = self.tts.synthesize(text);
        if characters == 0 {
            // Nothing is said, or its sound is there already: nobody is paid for it.
            return pieces;
        }
        let (source, book) = (self.source.clone(), self.book.clone());
        let segment = Segment { source, book, characters, state: Asked::Never };
        let counted = stream::unfold((segment, pieces), |(mut segment, mut pieces)| async move {
            if segment.state == Asked::Never {
                segment.state = Asked::Now;
            }
            let piece = pieces.next().await?;
            if segment.state == Asked::Now {
                segment.state = if piece.is_ok() { Asked::Spoken } else { Asked::Refused };
            }
            Some((piece, (segment, pieces)))
        });
        counted.fuse().boxed()
    }

    fn speaks(&self, language: Language) -> bool {
        self.tts.speaks(language)
    }

    fn vendor(&self) -> Option<Vendor> {
        self.tts.vendor()
    }

    fn characters(&self, text: &str) -> usize {
        self.tts.characters(text)
    }
}

/// A segment of a voice, which is counted when it is over: also one that was cancelled while its voice was
/// asked, as vendors take money for the text.
struct Segment {
    source: Source,
    book: Book,
    characters: usize,
    state: Asked,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Never,
    Now,
    Spoken,
    /// An error came before any sound.
    Refused,
}

impl Drop for Segment {
    fn drop(&mut self) {
        match self.state {
            Asked::Never | Asked::Refused => {}
            Asked::Now | Asked::Spoken => {
                let characters = self.characters as u64;
                self.book.add(&self.source, Amount { calls: 1, characters, ..Amount::default() });
                count(&self.source.provider, "calls", 1);
                count(&self.source.provider, "characters", characters);
            }
        }
    }
}

/// An interviewer that says what was used of its models, one by one.
pub(super) struct CountedInterviewer {
    /// The interviewer.
    pub(super) inner: Arc<dyn Interviewer>,
    /// The book in which its models are.
    pub(super) book: Book,
}

impl Interviewer for CountedInterviewer {
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>> {
        self.inner.talk(task)
    }

    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>> {
        self.inner.judge(task)
    }

    fn model(&self) -> Option<&dyn Llm> {
        self.inner.model()
    }

    fn is_spent(&self) -> bool {
        self.inner.is_spent()
    }

    fn learn_habits(&self) -> BoxFuture<'static, ()> {
        self.inner.learn_habits()
    }

    fn used(&self) -> Vec<Used> {
        self.book.used()
    }
}

#[cfg(test)]
mod tests;
