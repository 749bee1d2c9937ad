//! Whether the web app is ready to hold interviews. Anybody may ask, so the answer is yes or no; the log says
//! why not.

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use tokio::sync::Mutex;
use tracing::{info, warn};

/// How long an answer counts: however often we are asked, the room server is asked once in this time.
const KNOWN_FOR: Duration = Duration::from_secs(5);

/// What the room server has answered last.
#[derive(Default)]
pub(super) struct Readiness(Mutex<Option<Answer>>);

struct Answer {
    at: Instant,
    /// Why it is not ready, if it is not.
    wrong: Option<String>,
}

impl Readiness {
    /// Whether the room server answers. Asks it where the last answer is too old; those who come
    /// meanwhile wait for the same one.
    pub(super) async fn is_ready<E: Display>(
        &self,
        now: impl Fn() -> Instant,
        ask: impl Future<Output = Result<(), E>>,
    ) -> bool {
        let mut last = self.0.lock().await;
        let fresh = |answer: &&Answer| now().duration_since(answer.at) < KNOWN_FOR;
        if let Some(answer) = last.as_ref().filter(fresh) {
            return answer.wrong.is_none();
        }
        let wrong = ask.await.err().map(|why| why.to_string());
        let before = last.as_ref().and_then(|answer| answer.wrong.as_deref());
        match &wrong {
            Some(why) if before != Some(why.as_str()) => warn!(%why, "not ready"),
            None if before.is_some() => info!("ready again"),
            Some(_) | None => {}
        }
        let is_ready = wrong.is_none();
        *last = Some(Answer { at: now(), wrong });
        is_ready
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::clock;

    /// 13.4.5: however often strangers ask, the room server is asked once in five seconds.
    #[tokio::test]
    async fn the_room_server_is_asked_seldom() {
        let (begin, passed, asked) = (clock::instant(), Cell::new(0), Cell::new(0));
        let readiness = Readiness::default();
        let is_ready = async |at_ms: u64, said: Result<(), &'static str>| {
            passed.set(at_ms);
            let now = || begin + Duration::from_millis(passed.get());
            let ask = async {
                asked.set(asked.get() + 1);
                said
            };
            (readiness.is_ready(now, ask).await, asked.get())
        };
        assert_eq!(is_ready(0, Ok(())).await, (true, 1));
        for at_ms in [0, 1, 2_500, 4_999] {
            assert_eq!(is_ready(at_ms, Err("gone")).await, (true, 1), "{at_ms} ms");
        }
        assert_eq!(is_ready(5_000, Err("gone")).await, (false, 2));
        assert_eq!(is_ready(9_999, Ok(())).await, (false, 2));
        assert_eq!(is_ready(10_000, Ok(())).await, (true, 3));
    }
}
