//! Recognisers in a chain: when one fails, the next hears the last sound again (P02, P03).
//!
//! A stream stays with its recogniser until that has failed: it refuses us, it is away for longer than the
//! limit, or it is away when speech has ended and its words are wanted. The next one gets all sound of the
//! last 10 s that has no final transcript yet.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use super::{
    Gate, Limits, Link, Order, Pass,
    ledger::{Fact, Ledger, Replay},
    lock, note_failover,
};
use crate::{
    clock::Clock,
    providers::{Away, ProviderError, Retry, Stt, SttOut, SttStream, http::permanent_error},
};
use audio::Pcm16;
use interview::{blueprint::Language, time::SessionTime};

/// A recogniser that is away for a shorter time has only to connect again, though its words are wanted.
const BLIP: Duration = Duration::from_millis(500);

/// Several recognisers, of which the first that works hears.
pub(in crate::providers) struct SttChain {
    links: Arc<[Link<dyn Stt>]>,
    away_limit: Duration,
}

impl SttChain {
    pub(in crate::providers) fn new(links: Vec<Link<dyn Stt>>, limits: Limits) -> Self {
        Self { links: links.into(), away_limit: limits.stt_away }
    }
}

impl Stt for SttChain {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        self.open_for(&[], out)
    }

    fn open_for(
        &self,
        keyterms: &[String],
        out: SttOut,
    ) -> Result<Box<dyn SttStream>, ProviderError> {
        let line = Line {
            links: self.links.clone(),
            clock: Clock::start(),
            ledger: Arc::default(),
            out: Arc::new(out),
            keyterms: keyterms.to_vec(),
        };
        let mut order = Order::new(&line.links);
        let mut failed: Option<(usize, ProviderError)> = None;
        while let Some((n, pass)) = order.next(&line.links) {
            note_taken_over(&line.links, failed.as_ref(), n);
            match line.open(n, pass, 0) {
                Ok(ear) => {
                    return Ok(Box::new(Stream { line, ear, away_limit: self.away_limit }));
                }
                Err(error) => failed = Some((n, error)),
            }
        }
        let none = || permanent_error("the chain has no recogniser".to_owned());
        Err(failed.map_or_else(none, |(_, error)| error))
    }

    fn hears(&self, language: Language) -> bool {
        self.links.iter().all(|link| link.provider.hears(language))
    }
}

/// What a candidate's stream needs to open the stream of a recogniser.
struct Line {
    links: Arc<[Link<dyn Stt>]>,
    clock: Clock,
    ledger: Arc<Mutex<Ledger>>,
    out: Arc<SttOut>,
    keyterms: Vec<String>,
}

/// The recogniser that hears.
struct Ear {
    n: usize,
    stream: Box<dyn SttStream>,
    pass: Arc<Mutex<Pass>>,
    /// Whether it was reported to have failed, though it still hears.
    has_failed: bool,
}

impl Line {
    /// Opens the stream of a recogniser. Its transcripts count from `generation` on.
    fn open(&self, n: usize, pass: Pass, generation: u32) -> Result<Ear, ProviderError> {
        let pass = Arc::new(Mutex::new(pass));
        let (ledger, out, clock, told) =
            (self.ledger.clone(), self.out.clone(), self.clock, pass.clone());
        let heard: SttOut = Box::new(move |transcript| {
            // The listener gets transcripts in the order of the ledger: `out` never blocks.
            let mut ledger = lock(&ledger);
            if ledger.generation() == generation {
                lock(&told).worked();
            }
            if let Some(transcript) = ledger.hear(generation, clock.now(), transcript) {
                out(transcript);
            }
        });
        match self.links[n].provider.open_for(&self.keyterms, heard) {
            Ok(stream) => Ok(Ear { n, stream, pass, has_failed: false }),
            Err(error) => {
                lock(&pass).failed(&error);
                Err(error)
            }
        }
    }
}

fn note_taken_over(links: &[Link<dyn Stt>], failed: Option<&(usize, ProviderError)>, n: usize) {
    if let Some((before, why)) = failed {
        let (from, to): (&Gate, &Gate) = (&links[*before].gate, &links[n].gate);
        note_failover(from, to, why);
    }
}

/// The stream of one candidate.
struct Stream {
    line: Line,
    ear: Ear,
    away_limit: Duration,
}

impl Stream {
    /// Looks whether the recogniser is there, and takes the next one if it has failed.
    fn check(&mut self) {
        let Some(away) = self.ear.stream.away() else {
            self.ear.has_failed = false;
            return self.release();
        };
        let mut order = self.others();
        if !order.has_next(&self.line.links) {
            return self.release();
        }
        let awaits_final = {
            let mut ledger = lock(&self.line.ledger);
            ledger.away();
            ledger.awaits_final()
        };
        let limit = if awaits_final { self.away_limit.min(BLIP) } else { self.away_limit };
        if away.why.retry == Retry::Never || away.lasts >= limit {
            self.fail_over(&mut order, &away);
        }
    }

    /// Passes on what was withheld: there is no better recogniser, or no need for one.
    fn release(&self) {
        let mut ledger = lock(&self.line.ledger);
        for transcript in ledger.there(self.line.clock.now()) {
            (self.line.out)(transcript);
        }
    }

    /// Returns the recognisers but the one that hears.
    fn others(&self) -> Order {
        let mut order = Order::new(&self.line.links);
        order.0.retain(|n| *n != self.ear.n);
        order
    }

    /// Opens the next recogniser and lets it hear again what has no final transcript. If none can be opened,
    /// this one goes on.
    fn fail_over(&mut self, order: &mut Order, away: &Away) {
        if !std::mem::replace(&mut self.ear.has_failed, true) {
            lock(&self.ear.pass).failed(&away.why);
        }
        let generation = lock(&self.line.ledger).generation() + 1;
        let mut failed = (self.ear.n, away.why.clone());
        while let Some((n, pass)) = order.next_admitted(&self.line.links) {
            note_taken_over(&self.line.links, Some(&failed), n);
            match self.line.open(n, pass, generation) {
                Ok(ear) => {
                    self.ear = ear;
                    return self.hear_again(away.lasts);
                }
                Err(error) => failed = (n, error),
            }
        }
    }

    fn hear_again(&mut self, away_for: Duration) {
        let now = self.line.clock.now();
        let since = SessionTime::ZERO + now.since(SessionTime::ZERO + away_for);
        let (Replay { sound, facts }, too_old) = {
            let mut ledger = lock(&self.line.ledger);
            let (replay, too_old) = ledger.next(since);
            too_old.iter().cloned().for_each(|transcript| (self.line.out)(transcript));
            (replay, too_old.len())
        };
        tracing::debug!(pieces = sound.len(), too_old, "the next recogniser hears the last sound");
        let mut facts = facts.into_iter().peekable();
        for (at, sound) in &sound {
            self.ear.stream.push(*at, sound);
            let end = *at + sound.duration();
            while let Some((_, fact)) = facts.next_if(|(told, _)| *told <= end) {
                self.ear.tell(fact);
            }
        }
        facts.for_each(|(_, fact)| self.ear.tell(fact));
    }
}

impl Ear {
    fn tell(&mut self, fact: Fact) {
        match fact {
            Fact::Started(at) => self.stream.speech_started(at),
            Fact::Stopped(at) => self.stream.speech_stopped(at),
        }
    }
}

impl SttStream for Stream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        lock(&self.line.ledger).push(at, sound);
        self.ear.stream.push(at, sound);
        self.check();
    }

    fn speech_started(&mut self, at: SessionTime) {
        lock(&self.line.ledger).started(at);
        self.ear.stream.speech_started(at);
    }

    fn speech_paused(&mut self, at: SessionTime) {
        self.ear.stream.speech_paused(at);
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        lock(&self.line.ledger).stopped(at);
        self.ear.stream.speech_stopped(at);
        self.check();
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        self.line.keyterms = keyterms.to_vec();
        self.ear.stream.keyterms(keyterms);
    }

    /// Waits for the transcripts. As no sound passes meanwhile, a recogniser that is away has failed.
    fn settle(&mut self) {
        self.ear.stream.settle();
        for _ in 1..self.line.links.len() {
            let Some(away) = self.ear.stream.away() else { break };
            let mut order = self.others();
            self.fail_over(&mut order, &away);
            self.ear.stream.settle();
        }
        self.check();
    }

    fn away(&self) -> Option<Away> {
        self.ear.stream.away()
    }
}

#[cfg(test)]
mod tests;
