//! An MCP server for programs that read: openings, interviews, transcripts and reports, with an API key.
//!
//! It changes nothing and starts nothing: a report that was not made yet is not made for it. Each interview
//! that is read of is in the audit trail. A request stands for itself: there are no sessions.

use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
        Tool, ToolAnnotations,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Shared, problem::Problem, progress::progress, report::subject, row::StateView, who::Who,
};
use crate::{
    assess::{Assessed, Evidence},
    assessor::Assessor,
    database::{self, Act, Purpose, Query, Sort},
    journal::{Line, Speaker},
    store::InterviewId,
};

const REQUEST_MAX_BYTES: usize = 64 * 1024;
const ROWS_MAX: usize = 50;
const TURNS_MAX: usize = 200;
/// Interviews that are searched for a quote, the newest first.
const SEARCHED_MAX: i64 = 50;
const QUOTES_MAX: usize = 30;
const WORDS_MAX_CHARS: usize = 200;

/// What answers under `/mcp`.
pub(super) fn service(
    shared: Arc<Shared>,
    assessor: Arc<Assessor>,
) -> StreamableHttpService<Desk, NeverSessionManager> {
    let mut config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        // The guard before it knows our names.
        .disable_allowed_hosts();
    config.max_request_body_bytes = REQUEST_MAX_BYTES;
    let desk = Desk { shared, assessor };
    StreamableHttpService::new(move || Ok(desk.clone()), Arc::default(), config)
}

/// What programs can read.
#[derive(Clone)]
pub(super) struct Desk {
    shared: Arc<Shared>,
    assessor: Arc<Assessor>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Which {
    opening: Option<String>,
    state: Option<StateView>,
    search: Option<String>,
    skip: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfInterview {
    interview: String,
    #[serde(default)]
    from_turn: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    words: String,
    #[serde(default)]
    opening: Option<String>,
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = Implementation::new("vivavoce", env!("CARGO_PKG_VERSION"));
        config.instructions = Some(
            "Interviews that were held by voice. Quotes are the candidates' own words, found in the \
             transcripts by code. Decisions about people are made by people, not here."
                .to_owned(),
        );
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let parts = context.extensions.get::<Parts>();
        let who = parts.and_then(|parts| parts.extensions.get::<Who>()).cloned();
        let Some(who) = who else {
            return Err(ErrorData::invalid_request("nobody asks", None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let said = match request.name.as_ref() {
            "list_openings" => self.openings(read(arguments)?).await,
            "list_interviews" => self.interviews(read(arguments)?).await,
            "get_transcript" => self.transcript(&who, read(arguments)?).await,
            "get_report" => self.report(&who, read(arguments)?).await,
            "search_quotes" => self.quotes(&who, read(arguments)?).await,
            _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
        };
        Ok(match said {
            Ok(said) => {
                let mut result =
                    CallToolResult::success(vec![ContentBlock::text(said.to_string())]);
                result.structured_content = Some(said);
                result
            }
            Err(problem) => CallToolResult::error(vec![ContentBlock::text(problem.message)]),
        }
        .into())
    }
}

fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, ErrorData> {
    serde_json::from_value(arguments).map_err(|why| {
        ErrorData::invalid_params(format!("the arguments do not fit the tool: {why}"), None)
    })
}

impl Desk {
    async fn openings(&self, Nothing {}: Nothing) -> Result<Value, Problem> {
        let rows = self.shared.opening_rows().await?;
        let more = rows.len() > ROWS_MAX;
        let rows: Vec<_> = rows.into_iter().take(ROWS_MAX).collect();
        Ok(json!({ "openings": rows, "more": more }))
    }

    async fn interviews(&self, which: Which) -> Result<Value, Problem> {
        let skip = i64::try_from(which.skip).unwrap_or(i64::MAX);
        let query = Query {
            state: which.state.map(database::State::from),
            needs: None,
            opening: which.opening,
            search: which.search.unwrap_or_default(),
            sort: Sort::MadeAt,
            descending: true,
            max: ROWS_MAX as i64,
            skip,
        };
        let rows = self.shared.database.list(&query).await?;
        let row = |row: database::Indexed| {
            json!({
                "interview": row.id, "candidate": row.name, "state": row.state.name(),
                "opening": row.opening, "made_at": row.made_at, "decision": row.beside.verdict,
                "simulated": row.purpose == Purpose::Simulated,
                "trial": row.purpose == Purpose::Trial,
            })
        };
        let count = rows.len();
        let rows: Vec<_> = rows.into_iter().map(row).collect();
        let next = (count == ROWS_MAX).then(|| which.skip.saturating_add(count));
        Ok(json!({ "interviews": rows, "next_skip": next }))
    }

    async fn transcript(&self, who: &Who, of: OfInterview) -> Result<Value, Problem> {
        let lines = self.lines(&of.interview).await?;
        self.audit(who, &of.interview, "transcript").await?;
        let count = lines.len();
        let turn = |(n, line): (usize, Line)| {
            json!({
                "turn": n, "speaker": speaker(&line), "text": line.marked(),
                "stage": line.stage, "at_ms": line.at_ms,
            })
        };
        let turns = lines.into_iter().enumerate().skip(of.from_turn).take(TURNS_MAX).map(turn);
        let turns: Vec<_> = turns.collect();
        let next = of.from_turn.saturating_add(turns.len());
        let next = (next < count).then_some(next);
        Ok(json!({ "interview": of.interview, "turns": turns, "next_from_turn": next }))
    }

    async fn report(&self, who: &Who, of: OfInterview) -> Result<Value, Problem> {
        let found = self.shared.find(&of.interview).await?;
        self.audit(who, &of.interview, "report").await?;
        let (state, _) = progress(&*self.shared.store, found.id).await?;
        let read = subject(&self.shared, found.id);
        let report = match state.is_over() {
            true => self.assessor.as_it_stands(&found, read).await?,
            false => None,
        };
        let Some(report) = report else {
            return Ok(json!({ "interview": of.interview, "state": "none" }));
        };
        let report = self.shared.with_levels(found.id, report).await?;
        let quote = |evidence: &Evidence| {
            json!({
                "quote": evidence.quote, "turn": evidence.turn,
                "start_ms": evidence.start_ms, "end_ms": evidence.end_ms,
            })
        };
        let criterion = |one: &Assessed| {
            json!({
                "name": one.name, "about": one.about, "verdict": one.verdict, "level": one.level,
                "reason": one.reason,
                "quotes": one.evidence.iter().map(quote).collect::<Vec<_>>(),
            })
        };
        Ok(json!({
            "interview": of.interview, "state": report.state,
            "criteria": report.criteria.iter().map(criterion).collect::<Vec<_>>(),
            "quality": report.basis.header.quality,
        }))
    }

    /// What candidates said with all of these words, as it stands in their transcripts.
    async fn quotes(&self, who: &Who, asked: Words) -> Result<Value, Problem> {
        let words: Vec<_> =
            asked.words.to_lowercase().split_whitespace().map(str::to_owned).collect();
        if words.is_empty() || asked.words.chars().count() > WORDS_MAX_CHARS {
            let message = "Write one to a few words to look for, 200 characters at most.";
            return Err(Problem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, message));
        }
        let query = Query {
            state: Some(database::State::Completed),
            opening: asked.opening,
            descending: true,
            max: SEARCHED_MAX,
            ..Query::default()
        };
        let mut quotes = Vec::new();
        let rows = self.shared.database.list(&query).await?;
        let rows: Vec<_> =
            rows.into_iter().filter(|row| row.purpose == Purpose::Candidate).collect();
        let searched = rows.len();
        for row in rows {
            let found: Vec<_> = self
                .lines(&row.id)
                .await?
                .into_iter()
                .enumerate()
                .filter(|(_, line)| line.speaker == Speaker::Candidate)
                .filter(|(_, line)| {
                    let said = line.text.to_lowercase();
                    words.iter().all(|word| said.contains(word))
                })
                .collect();
            if found.is_empty() {
                continue;
            }
            self.audit(who, &row.id, "quotes").await?;
            quotes.extend(found.into_iter().map(|(n, line)| {
                json!({
                    "interview": row.id, "candidate": row.name, "turn": n, "quote": line.marked(),
                    "at_ms": line.at_ms,
                })
            }));
            if quotes.len() >= QUOTES_MAX {
                break;
            }
        }
        let more = quotes.len() > QUOTES_MAX;
        quotes.truncate(QUOTES_MAX);
        Ok(json!({ "quotes": quotes, "interviews_searched": searched, "more": more }))
    }

    async fn lines(&self, interview: &str) -> Result<Vec<Line>, Problem> {
        let id: InterviewId = self.shared.find(interview).await?.id;
        let (_, transcript) = progress(&*self.shared.store, id).await?;
        Ok(transcript.map(|transcript| transcript.lines).unwrap_or_default())
    }

    async fn audit(&self, who: &Who, interview: &str, what: &str) -> Result<(), Problem> {
        self.shared.audit(who, Act::ReadByMcp, interview, what).await
    }
}

fn speaker(line: &Line) -> &'static str {
    match line.speaker {
        Speaker::Interviewer => "interviewer",
        Speaker::Candidate => "candidate",
    }
}

fn tools() -> Vec<Tool> {
    let tool = |name: &'static str, about: &'static str, properties: Value, required: Value| {
        let schema = json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false,
        });
        let schema: JsonObject = schema.as_object().cloned().unwrap_or_default();
        let reads = ToolAnnotations::new().read_only(true);
        Tool::new(name, about, Arc::new(schema)).with_annotations(reads)
    };
    let interview = json!({"type": "string", "description": "An id, as list_interviews has it."});
    let opening = json!({"type": "string", "description": "An id, as list_openings has it."});
    vec![
        tool(
            "list_openings",
            "The openings (roles to fill), with how many candidates of each are how far.",
            json!({}),
            json!([]),
        ),
        tool(
            "list_interviews",
            "Interviews, the newest first, 50 at a time: candidate, state, what people decided. One that is \
             simulated is about no person.",
            json!({
                "opening": opening,
                "state": {"type": "string", "enum": database::State::ALL.map(database::State::name)},
                "search": {"type": "string", "description": "Words in name, role or title."},
                "skip": {"type": "integer", "minimum": 0, "description": "next_skip of the answer before."},
            }),
            json!([]),
        ),
        tool(
            "get_transcript",
            "What was said in an interview, 200 turns at a time.",
            json!({
                "interview": interview,
                "from_turn": {"type": "integer", "minimum": 0,
                    "description": "next_from_turn of the answer before."},
            }),
            json!(["interview"]),
        ),
        tool(
            "get_report",
            "What an interview shows of each criterion, with quotes that code has found in the transcript. \
             A report that was not made yet is not made.",
            json!({"interview": interview}),
            json!(["interview"]),
        ),
        tool(
            "search_quotes",
            "What candidates said with all of these words, in the newest 50 completed interviews.",
            json!({"words": {"type": "string", "maxLength": WORDS_MAX_CHARS}, "opening": opening}),
            json!(["words"]),
        ),
    ]
}
