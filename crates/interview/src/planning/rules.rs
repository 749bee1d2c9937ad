//! A plan without a model: the sentences of the documents that most likely hide a decision, each quoted in a
//! question of the blueprint's file.

use std::collections::BTreeMap;

use crate::{
    blueprint::{
        Agent, Blueprint, Context, DOCUMENT_NAME, DOCUMENT_QUOTE, Document, Kind, Planned, Urgency,
    },
    interview::understanding::{duplicate::is_duplicate, words::sentences},
    planning::{MadeBy, Plan, QUESTION_CHARS_MAX, signature, wrong_question},
};

/// So many questions at most, and so many of them that have to be asked.
const MADE_MAX: usize = 8;
const URGENT_MAX: usize = 4;
/// So many sentences of a document are looked at in turn.
const QUOTES_MAX: usize = 100;
/// A quote that can be said in one breath.
const QUOTE_WORDS: std::ops::RangeInclusive<usize> = 4..=22;
/// Of a quote so many characters in a hundred are neither letters, digits nor blanks: more is code.
const MARKS_PERCENT_MAX: usize = 12;

/// Marks of code, which nobody says.
const CODE: [char; 8] = ['=', '{', '}', '<', '>', '|', '\\', '#'];

/// A sentence of a document.
struct Quote<'a> {
    document: usize,
    name: &'a str,
    text: String,
    weight: u32,
}

pub(super) fn plan(blueprint: &Blueprint, context: &Context) -> Plan {
    // A plan is what is said: its topics have no variables of the file left.
    let filled = blueprint.filled(context);
    let own = filled.agents.iter().find(|agent| !agent.kind.topics().is_empty());
    Plan {
        signature: signature(blueprint, context),
        by: MadeBy::Rules,
        questions: questions(blueprint, context),
        topics: own.map(|agent| agent.kind.topics().to_vec()).unwrap_or_default(),
        summaries: BTreeMap::new(),
    }
}

fn questions(blueprint: &Blueprint, context: &Context) -> Vec<Planned> {
    let templates = |agent: &'_ Agent| match &agent.kind {
        Kind::Backlog { from_documents, .. } => from_documents.clone(),
        Kind::Scripted
        | Kind::Questions
        | Kind::Closing
        | Kind::Topics(_)
        | Kind::Offer
        | Kind::Form => Vec::new(),
    };
    let templates: Vec<String> = blueprint.agents.iter().flat_map(templates).collect();
    if templates.is_empty() {
        return Vec::new();
    }
    let mut planned: Vec<Planned> = Vec::new();
    for quote in chosen(&context.documents) {
        let template = &templates[planned.len() % templates.len()];
        let text = template.replace(DOCUMENT_NAME, quote.name).replace(DOCUMENT_QUOTE, &quote.text);
        let is_again = is_duplicate(&text, planned.iter().map(|known| known.text.as_str()));
        if is_again || wrong_question(&text, QUESTION_CHARS_MAX).is_some() {
            continue;
        }
        let is_urgent = planned.len() < URGENT_MAX && quote.weight > 1;
        let priority = if is_urgent { Urgency::P0 } else { Urgency::P1 };
        planned.push(Planned { id: format!("plan-{}", planned.len() + 1), text, priority });
    }
    planned
}

/// The weightiest sentences, each document in its turn, so that none is left out.
fn chosen(documents: &[Document]) -> Vec<Quote<'_>> {
    let mut quotes: Vec<Quote<'_>> = Vec::new();
    for (place, document) in documents.iter().enumerate() {
        let mut of_one = quotes_of(place, document);
        // The first one of equals comes first.
        of_one.sort_by_key(|quote| std::cmp::Reverse(quote.weight));
        quotes.extend(of_one.into_iter().take(QUOTES_MAX));
    }
    let mut chosen: Vec<Quote<'_>> = Vec::new();
    let mut place = 0;
    while chosen.len() < MADE_MAX && !quotes.is_empty() {
        let turn = place % documents.len();
        place += 1;
        let Some(next) = quotes.iter().position(|quote| quote.document == turn) else { continue };
        let quote = quotes.remove(next);
        if !is_duplicate(&quote.text, chosen.iter().map(|known| known.text.as_str())) {
            chosen.push(quote);
        }
    }
    chosen.sort_by_key(|quote| std::cmp::Reverse(quote.weight));
    chosen
}

fn quotes_of(place: usize, document: &Document) -> Vec<Quote<'_>> {
    let lines = document.text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let all = lines.flat_map(sentences).filter_map(|sentence| {
        let text = said(sentence);
        let words = text.split_whitespace().count();
        let is_sayable = QUOTE_WORDS.contains(&words) && is_prose(&text);
        is_sayable.then(|| Quote {
            document: place,
            name: &document.name,
            weight: weight(&text),
            text,
        })
    });
    all.collect()
}

/// A sentence without the marks of a list or of emphasis around it; of the row of a table its cells alone.
fn said(sentence: &str) -> String {
    let cells: Option<Vec<_>> = sentence.split("; ").map(|cell| cell.split_once(": ")).collect();
    if let Some(cells) = cells.filter(|cells| cells.len() > 1) {
        return cells.into_iter().map(|(_, value)| value.trim()).collect::<Vec<_>>().join(", ");
    }
    let text = sentence.trim_start_matches(['-', '*', '•', '>', ' ', '"']);
    let text = text.trim_end_matches(['.', '"', ';', ':', ' ', '?', '!']);
    text.replace(['`', '*', '"'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether it is words and not code.
fn is_prose(text: &str) -> bool {
    if text.contains(CODE) {
        return false;
    }
    let marks = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count();
    marks * 100 <= text.chars().count() * MARKS_PERCENT_MAX
}

/// A number was decided by somebody, and who has a name knows more.
fn weight(text: &str) -> u32 {
    let has_number = text.chars().any(|c| c.is_ascii_digit());
    let mut words = text.split_whitespace().skip(1);
    let has_name = words.any(|word| word.starts_with(char::is_uppercase));
    1 + 2 * u32::from(has_number) + u32::from(has_name)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn blueprint() -> Blueprint {
        let stage = "+++\ntitle = \"Open\"\nkind = \"backlog\"\nstage_limit = \"10m\"\n\
            silence_limit = \"20s\"\nquestions = [\"What else?\"]\nbridge = \"Hello.\"\n\
            nudges = [\"Well?\", \"Yes?\"]\n\
            from_documents = [\"{{ document.quote }}: who decided that in {{ document.name }}?\"]\n\
            +++\n\nAsk.\n";
        let head = "title = \"T\"\ninterviewer = \"Alba\"\nstages = [\"open\"]\n";
        let files = [("blueprint.toml", head), ("open.md", stage)];
        let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        Blueprint::load(&files).expect("it is one")
    }

    fn document(name: &str, text: &str) -> Document {
        Document { name: name.to_owned(), text: text.to_owned(), ..Document::default() }
    }

    /// K05: questions quote the documents by name, numbers first; code and headings are quoted by nobody.
    #[test]
    fn questions_quote_the_documents() {
        let model = "# Loss model in four lines\n\nIt runs on every working day of the week.\n- The loss \
            threshold is 0.3. A line `with` some *more* words in it.\n    \
            SEASON = {1: 1.0, 2: 1.0, 3: 0.97}";
        let people = "name: Marta Keller; role: head of risk and of models";
        let context = Context {
            documents: vec![document("model.md", model), document("people.csv", people)],
            ..Context::default()
        };
        let plan = Plan::by_rules(&blueprint(), &context);
        let texts: Vec<_> = plan.questions.iter().map(|q| (q.text.as_str(), q.priority)).collect();
        let asked = |name: &str, quote: &str| format!("{quote}: who decided that in {name}?");
        let expected = [
            (asked("model.md", "The loss threshold is 0.3"), Urgency::P0),
            (asked("people.csv", "Marta Keller, head of risk and of models"), Urgency::P0),
            (asked("model.md", "It runs on every working day of the week"), Urgency::P1),
            (asked("model.md", "A line with some more words in it"), Urgency::P1),
        ];
        let expected: Vec<_> = expected.iter().map(|(text, p)| (text.as_str(), *p)).collect();
        assert_eq!(texts, expected);
        assert_eq!(plan.questions[3].id, "plan-4");
        let none = Plan::by_rules(&blueprint(), &Context::default());
        assert_eq!(none.questions, []);
    }

    /// K05: of a long document no more is asked than an interview can hold, and all documents are asked
    /// about.
    #[test]
    fn no_document_is_left_out() {
        let long = "Invoices above 500 euros wait for Paul.\nThe night run starts at 3 on weekdays.\n\
            Twelve branches send 40 files each.\nOld ledgers stay for 10 years in Lyon.\n\
            Every refund needs 2 signatures since then.\nMarta keeps 7 keys of the archive.\n\
            Exports to Rome stop after 90 minutes.\nThe spare server has 16 disks inside.\n\
            Nobody restarts it before 6 in winter.\n";
        let context = Context {
            documents: vec![
                document("long.txt", long),
                document("b.txt", "Lyon sends a file by mail."),
            ],
            ..Context::default()
        };
        let plan = Plan::by_rules(&blueprint(), &context);
        assert_eq!(plan.questions.iter().filter(|q| q.priority == Urgency::P0).count(), URGENT_MAX);
        assert!(plan.questions.len() <= MADE_MAX);
        assert!(plan.questions.iter().any(|q| q.text.contains("b.txt")), "{:?}", plan.questions);
    }
}
