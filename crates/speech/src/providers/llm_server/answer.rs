//! An answer of a model while it is received: a dialect puts words, parts of calls and counts in, as its
//! events have them; whole pieces come out.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;

use crate::providers::{Call, Piece, Usage, http::Refusal};
use interview::guard::thoughts::{Thoughts, json_in};

/// The fault of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::providers) enum Broken {
    /// The server reports an error in the middle of its answer.
    Error(Refusal),
    /// The answer is not of the expected form.
    Garbage,
    /// The model thinks in its text, as its server shows only now: a part was passed on as words.
    ThoughtAloud,
    /// The provider's filter stopped the answer, or the model refused to give one.
    Filtered,
}

/// A part of a tool call. Each vendor gives some of the fields.
#[derive(Clone, Debug, Default)]
pub(in crate::providers) struct CallPart {
    /// The number of the call within the answer.
    pub(in crate::providers) index: Option<u64>,
    /// The id of the call.
    pub(in crate::providers) id: Option<String>,
    /// The name of the tool.
    pub(in crate::providers) name: Option<String>,
    /// The next piece of the arguments.
    pub(in crate::providers) arguments: Option<Value>,
}

/// An answer while it is received.
#[derive(Debug, Default)]
pub(in crate::providers) struct Answer {
    words: VecDeque<String>,
    thoughts: Thoughts,
    /// What is known of its words and thoughts.
    known: Seen,
    calls: Vec<OpenCall>,
    usage: Option<Usage>,
    end: End,
    /// The thoughts that the server keeps apart from the words.
    apart: Option<Thinking>,
    /// The bytes of text and calls so far, from which the tokens are estimated if the server does not count.
    bytes: usize,
}

/// What is known of the way in which a model's text begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::providers) enum Habit {
    /// It has not ended a reply yet: its text may begin with a thought that has no opening mark, because the
    /// server's template has written that mark already.
    Unknown,
    /// Its text begins with words, or with a mark.
    #[default]
    Speaks,
    /// Its text begins with a thought without a mark.
    ThinksUnmarked,
}

/// The way in which a model shows that it thinks before it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::providers) enum Thinking {
    /// In its text, between marks.
    Marked,
    /// In its text, with a mark behind it alone.
    Unmarked,
    /// In fields or blocks of their own.
    Apart,
    /// In tokens that the server counts.
    Counted,
}

/// The end of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum End {
    #[default]
    Open,
    /// The model has ended it.
    Whole,
    /// The model had used its tokens.
    CutOff,
}

/// What was seen of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seen {
    #[default]
    Nothing,
    /// Words that can still be taken back.
    Words,
    /// Words, of which some were passed on.
    PassedOn,
    /// Words that were passed on and then turned out to be a thought.
    Betrayed,
}

#[derive(Debug, Default)]
struct OpenCall {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: String,
}

impl Answer {
    /// Returns an answer of a model with this habit. Unless it is known to speak, its words are held until a
    /// thought before them has ended, or they have.
    pub(in crate::providers) fn of(habit: Habit) -> Self {
        let thoughts = match habit {
            Habit::Unknown | Habit::ThinksUnmarked => Thoughts::presumed(),
            Habit::Speaks => Thoughts::default(),
        };
        Self { thoughts, ..Self::default() }
    }

    /// Adds words. The thoughts in them are left out.
    pub(in crate::providers) fn say(&mut self, words: String) {
        self.bytes += words.len();
        let read = self.thoughts.push(&words);
        if read.takes_back {
            self.words.clear();
            self.known = match self.known {
                Seen::Nothing | Seen::Words => Seen::Nothing,
                Seen::PassedOn | Seen::Betrayed => Seen::Betrayed,
            };
        }
        self.add(read.words);
    }

    /// Handles a thought that the server keeps apart from the words.
    pub(in crate::providers) fn think(&mut self) {
        self.apart = Some(Thinking::Apart);
    }

    /// Handles the number of tokens of thoughts that the server has counted, shown or not.
    pub(in crate::providers) fn count_thoughts(&mut self, tokens: u64) {
        if tokens > 0 {
            self.apart = self.apart.or(Some(Thinking::Counted));
        }
    }

    fn add(&mut self, words: String) {
        if self.known == Seen::Nothing && !words.trim().is_empty() {
            self.known = Seen::Words;
        }
        if !words.is_empty() {
            self.words.push_back(words);
        }
    }

    /// Adds a part of a call to the call that it belongs to, or begins one.
    pub(in crate::providers) fn call(&mut self, part: CallPart) {
        let CallPart { index, id, name, arguments } = part;
        let name = name.filter(|name| !name.is_empty());
        let id = id.filter(|id| !id.is_empty());
        let known = self.calls.iter_mut().rev().find(|call| {
            // Ollama gives all calls of a reply the same index, others give none: then the id separates
            // them.
            let is_other = id.is_some() && call.id.is_some() && call.id != id;
            let begins = index.is_none() && id.is_none() && name.is_some();
            call.index == index && !is_other && !begins
        });
        let call = match known {
            Some(call) => call,
            None => self.calls.push_mut(OpenCall { index, ..OpenCall::default() }),
        };
        call.id = call.id.take().or(id);
        if call.name.is_empty() {
            call.name = name.unwrap_or_default();
        }
        let more = match arguments {
            Some(Value::String(text)) => text,
            None | Some(Value::Null) => String::new(),
            // Some servers do not send the arguments as text.
            Some(other) => other.to_string(),
        };
        self.bytes += call.name.len() + more.len();
        call.arguments.push_str(&more);
    }

    /// Takes the tokens that the server has counted so far.
    pub(in crate::providers) fn count(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// Handles that the model has reported the end of its answer.
    pub(in crate::providers) fn finish(&mut self) {
        if self.end == End::Open {
            self.end = End::Whole;
        }
        let rest = self.thoughts.finish();
        self.add(rest);
    }

    /// Handles that the model was stopped because it had used its tokens: its text may have ended within a
    /// thought.
    pub(in crate::providers) fn finish_cut_off(&mut self) {
        self.end = End::CutOff;
        let rest = self.thoughts.cut_off();
        self.add(rest);
    }

    /// Whether there are words or calls. A model that only thinks aloud has given none.
    pub(in crate::providers) fn has_begun(&self) -> bool {
        self.known != Seen::Nothing || !self.calls.is_empty()
    }

    /// Returns how the model thinks before it speaks, if the server shows it.
    pub(in crate::providers) fn thinking(&self) -> Option<Thinking> {
        match (self.thoughts.was_unmarked(), self.thoughts.was_seen()) {
            (true, _) => Some(Thinking::Unmarked),
            (false, true) => Some(Thinking::Marked),
            (false, false) => self.apart,
        }
    }

    /// Whether these are whole words without a thought that has no opening mark: the model has none.
    pub(in crate::providers) fn shows_that_it_speaks(&self) -> bool {
        let has_words = match self.known {
            Seen::Words | Seen::PassedOn => true,
            Seen::Nothing | Seen::Betrayed => false,
        };
        has_words && self.end == End::Whole && !self.thoughts.was_unmarked()
    }

    /// Returns the fault that words were passed on which turned out to be a thought.
    pub(in crate::providers) fn betrayed(&self) -> Result<(), Broken> {
        match self.known {
            Seen::Betrayed => Err(Broken::ThoughtAloud),
            Seen::Nothing | Seen::Words | Seen::PassedOn => Ok(()),
        }
    }

    /// Whether the model has reported the end of its answer.
    pub(in crate::providers) fn has_finished(&self) -> bool {
        self.end != End::Open
    }

    /// Whether the model was stopped because it had used its tokens.
    pub(in crate::providers) fn was_cut_off(&self) -> bool {
        self.end == End::CutOff
    }

    /// Returns the tokens that the server counted.
    pub(in crate::providers) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Returns the number of bytes of the answer so far.
    pub(in crate::providers) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the words that came since the last call of this function.
    pub(in crate::providers) fn take_words(&mut self) -> impl Iterator<Item = Piece> + '_ {
        if self.known == Seen::Words {
            self.known = Seen::PassedOn;
        }
        self.words.drain(..).map(Piece::Text)
    }

    /// Returns the tool calls as the model wrote them, in the order in which they began. To be called once,
    /// at the end.
    pub(in crate::providers) fn take_calls(&mut self) -> Vec<Piece> {
        let mut ids = BTreeSet::new();
        let calls = std::mem::take(&mut self.calls).into_iter().enumerate();
        let calls = calls.map(|(n, OpenCall { id, name, arguments, .. })| {
            // Some servers give no id but require one later; all of them take nine letters and digits.
            let id = id.filter(|id| !ids.contains(id)).unwrap_or_else(|| format!("call{n:05}"));
            ids.insert(id.clone());
            // Some models write an empty text for no arguments.
            let arguments = if arguments.is_empty() { "{}".to_owned() } else { arguments };
            Piece::Call(Call { id, name, arguments })
        });
        calls.collect()
    }

    /// Returns an answer in JSON as a whole: the object in its words, whatever stands around it, or else the
    /// arguments of the call that the model was made to give the answer in.
    pub(in crate::providers) fn into_document(mut self) -> Option<String> {
        let rest = self.thoughts.finish();
        self.add(rest);
        let said = self.words.drain(..).collect::<String>();
        let text = json_in(&said).to_owned();
        let called = || self.calls.into_iter().next().map(|call| call.arguments);
        Some(text).filter(|text| !text.is_empty()).or_else(called)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn part(part: &Value) -> CallPart {
        let text = |key: &str| part.get(key).and_then(Value::as_str).map(str::to_owned);
        let index = part.get("index").and_then(Value::as_u64);
        CallPart { index, id: text("id"), name: text("name"), arguments: part.get("args").cloned() }
    }

    fn calls(parts: &[Value]) -> Vec<Call> {
        let mut answer = Answer::default();
        parts.iter().for_each(|one| answer.call(part(one)));
        let pieces = answer.take_calls().into_iter().map(|piece| match piece {
            Piece::Call(call) => call,
            other => panic!("{other:?} is no call"),
        });
        pieces.collect()
    }

    fn said(parts: &[Value]) -> Vec<(String, String)> {
        calls(parts).into_iter().map(|call| (call.name, call.arguments)).collect()
    }

    fn call(name: &str, arguments: &str) -> (String, String) {
        (name.to_owned(), arguments.to_owned())
    }

    /// P04: calls are separated by index; by id where all have the same index or none; by name where there
    /// is nothing else.
    #[test]
    fn calls_are_put_together_from_their_pieces() {
        let wanted = [call("f", r#"{"a":1}"#), call("g", r#"{"b":2}"#)];
        let by_index = [
            json!({"index": 0, "id": "x", "name": "f", "args": ""}),
            json!({"index": 1, "id": "y", "name": "g", "args": "{\"b\""}),
            json!({"index": 0, "args": "{\"a\":1}"}),
            json!({"index": 1, "id": "", "name": null, "args": ":2}"}),
        ];
        assert_eq!(said(&by_index), wanted);
        let by_id = [
            json!({"index": 0, "id": "x", "name": "f", "args": "{\"a\":"}),
            json!({"index": 0, "id": "x", "name": "f", "args": "1}"}),
            json!({"index": 0, "id": "y", "name": "g", "args": "{\"b\":2}"}),
        ];
        assert_eq!(said(&by_id), wanted);
        let by_name = [
            json!({"name": "f", "args": "{\"a\":"}),
            json!({"args": "1}"}),
            json!({"name": "g", "args": {"b": 2}}),
        ];
        assert_eq!(said(&by_name), wanted);
    }

    /// H08: incomplete calls are passed on as they are; no arguments become an empty object.
    #[test]
    fn torn_calls_are_handed_on() {
        let parts = [
            json!({"index": 0, "name": "f", "args": "{\"a\":"}),
            json!({"index": 1, "name": "g"}),
            json!({"index": 2}),
        ];
        assert_eq!(said(&parts), [call("f", r#"{"a":"#), call("g", "{}"), call("", "{}")]);
    }

    /// H08: every call of a reply has an id of its own, whatever the server gave.
    #[test]
    fn calls_have_ids_of_their_own() {
        let ids = [Some("x"), None, Some("x"), Some("")].into_iter().enumerate();
        let parts: Vec<Value> =
            ids.map(|(index, id)| json!({ "index": index, "id": id, "name": "f" })).collect();
        let ids = calls(&parts).into_iter().map(|call| call.id).collect::<Vec<_>>();
        assert_eq!(ids, ["x", "call00001", "call00002", "call00003"]);
    }

    /// P04: a document is found within its fence, and in the call that was asked for.
    #[test]
    fn documents_are_found() {
        let document = |words: &str, call: Option<&str>| {
            let mut answer = Answer::default();
            answer.say(words.to_owned());
            let arguments = call.map(|text| Value::String(text.to_owned()));
            if arguments.is_some() {
                answer.call(CallPart { arguments, ..CallPart::default() });
            }
            answer.into_document()
        };
        let wanted = Some(r#"{"a":1}"#.to_owned());
        assert_eq!(document("```json\n{\"a\":1}\n```", None), wanted);
        assert_eq!(document(" {\"a\":1}\n", None), wanted);
        assert_eq!(document("", Some(r#"{"a":1}"#)), wanted);
        assert_eq!(document("<think>\n{\"a\":2}?</think>\n{\"a\":1}", None), wanted);
        assert_eq!(document("Let me see.</think>Here is the JSON:\n{\"a\":1}", None), wanted);
        assert_eq!(document("", None), None);
    }

    /// P04: a thought is no word of a reply. If its beginning was passed on as words, the reply is at fault.
    #[test]
    fn thoughts_are_no_words() {
        let said = |answer: &mut Answer| answer.take_words().collect::<Vec<_>>();
        let mut marked = Answer::default();
        marked.say("<think>She seems".to_owned());
        assert_eq!((said(&mut marked), marked.has_begun()), (vec![], false));
        marked.say(" nervous.</think>I see.".to_owned());
        assert_eq!(said(&mut marked), [Piece::Text("I see.".to_owned())]);
        assert_eq!((marked.thinking(), marked.betrayed()), (Some(Thinking::Marked), Ok(())));
        let mut unmarked = Answer::default();
        unmarked.say("She seems nervous.".to_owned());
        assert_eq!(said(&mut unmarked).len(), 1);
        unmarked.say("</think>I see.".to_owned());
        assert_eq!(unmarked.betrayed(), Err(Broken::ThoughtAloud));
        assert_eq!(unmarked.thinking(), Some(Thinking::Unmarked));
        for habit in [Habit::ThinksUnmarked, Habit::Unknown] {
            let mut held = Answer::of(habit);
            held.say("She seems nervous.".to_owned());
            assert!(said(&mut held).is_empty());
            held.say("</think>I see.".to_owned());
            assert_eq!(said(&mut held), [Piece::Text("I see.".to_owned())]);
            held.finish();
            assert!(!held.shows_that_it_speaks());
        }
    }

    /// P04: words of a model that may think without a mark are words once it has ended, and none if it was
    /// cut off: nothing is learnt from those.
    #[test]
    fn words_are_held_until_they_have_ended() {
        for (finish, words, speaks) in [
            (Answer::finish as fn(&mut Answer), vec![Piece::Text("I see.".to_owned())], true),
            (Answer::finish_cut_off as fn(&mut Answer), vec![], false),
        ] {
            let mut answer = Answer::of(Habit::Unknown);
            answer.say("I see.".to_owned());
            assert_eq!(answer.take_words().count(), 0);
            finish(&mut answer);
            answer.finish();
            assert_eq!(answer.take_words().collect::<Vec<_>>(), words);
            assert_eq!((answer.shows_that_it_speaks(), answer.has_begun()), (speaks, speaks));
            assert_eq!(answer.was_cut_off(), !speaks);
        }
    }
}
