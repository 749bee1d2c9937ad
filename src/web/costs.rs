//! What an interview has used of its providers and what that costs, for the recruiter's page.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Shared, problem::Problem};
use crate::{
    providers::usage::{Amount, Used, Work},
    store::InterviewId,
    usage::{Cost, Price, Prices, Purpose, Sheet},
};

/// A millionth of the currency: figures are rounded to it.
const MICRO: f64 = 1e6;

/// What an interview has cost so far, with what was written about it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Cost)]
pub(super) struct CostView {
    /// The currency of all prices.
    currency: String,
    /// What was used, by purpose and provider.
    items: Vec<CostItem>,
    /// The sum of what has a price.
    total: f64,
    /// Items of vendors whose price is not known: they are not in the sum.
    unpriced: usize,
}

/// What was used of one provider for one purpose.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CostItem {
    purpose: CostPurpose,
    work: CostWork,
    /// The provider's name in the settings.
    provider: String,
    /// The vendor behind it, as prices name it; nothing for what runs in the program itself, which costs
    /// nothing for each call.
    vendor: Option<CostVendor>,
    used: UsedAmount,
    /// Nothing where no price is known, or nobody is paid.
    cost: Option<f64>,
    price: Option<CostPrice>,
}

/// What something was used for.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum CostPurpose {
    Interview,
    Plan,
    Summary,
    Report,
    Practice,
}

/// What a provider does.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum CostWork {
    Hearing,
    Thinking,
    Speaking,
}

/// A model of a vendor.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CostVendor {
    kind: String,
    model: String,
}

/// How much was used.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct UsedAmount {
    calls: u64,
    /// Calls whose tokens are estimated, because the server did not count them.
    estimated_calls: u64,
    /// Tokens of requests, with those from the vendor's cache.
    input_tokens: u64,
    cached_tokens: u64,
    output_tokens: u64,
    /// Milliseconds of sound.
    heard_ms: u64,
    characters: u64,
}

/// The price of a model.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CostPrice {
    rates: Vec<CostRate>,
    /// Where it was read.
    source: String,
    /// When.
    date: String,
}

/// The price of a unit.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CostRate {
    /// As in the file of prices, such as `per_minute`.
    unit: String,
    price: f64,
}

/// What an interview has used of its providers, and what that costs by the prices of the settings; also while
/// it goes on.
#[utoipa::path(
    get, path = "/api/interviews/{id}/cost", operation_id = "getCost",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = CostView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_cost(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<CostView>, Problem> {
    let id = shared.find(&id).await?.id;
    Ok(Json(cost(&shared, id).await?))
}

/// What an interview has cost so far.
pub(super) async fn cost(shared: &Shared, id: InterviewId) -> Result<CostView, Problem> {
    let sheet = Sheet::of(&*shared.store, id).await?;
    Ok(CostView::new(&sheet, &shared.site.services.prices))
}

impl CostView {
    fn new(sheet: &Sheet, prices: &Prices) -> Self {
        let mut view =
            Self { currency: prices.currency.clone(), items: Vec::new(), total: 0.0, unpriced: 0 };
        let purposes = sheet.by_purpose().into_iter();
        let all =
            purposes.flat_map(|(purpose, used)| used.into_iter().map(move |used| (purpose, used)));
        for (purpose, used) in all {
            let cost = match prices.cost(&used) {
                Cost::RunsHere => None,
                Cost::Known(cost) => {
                    view.total += cost;
                    Some(rounded(cost))
                }
                Cost::Unknown => {
                    view.unpriced += 1;
                    None
                }
            };
            let price = prices.of(&used.source).filter(|_| cost.is_some()).map(CostPrice::from);
            view.items.push(CostItem::new(purpose, used, cost, price));
        }
        view.total = rounded(view.total);
        view
    }

    /// A line for each item.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |item: &CostItem| {
            let (cost, vendor) = (item.cost, item.vendor.as_ref());
            let cost = match (cost, vendor) {
                (Some(cost), _) => format!("{cost:.4} {}", self.currency),
                (None, Some(_)) => "no price known".to_owned(),
                (None, None) => "runs in the program itself".to_owned(),
            };
            let model = vendor.map(|vendor| format!(" ({})", vendor.model)).unwrap_or_default();
            format!("{}{model}: {}; {cost}", item.provider, item.used.in_words())
        };
        self.items.iter().map(line).collect()
    }

    /// The sum, in words.
    pub(super) fn sum(&self) -> String {
        let unpriced = match self.unpriced {
            0 => String::new(),
            n => format!(", and {n} of which no price is known"),
        };
        format!("{:.4} {}{unpriced}", self.total, self.currency)
    }
}

impl CostItem {
    fn new(purpose: Purpose, used: Used, cost: Option<f64>, price: Option<CostPrice>) -> Self {
        let Used { source, amount } = used;
        let Amount { calls, estimated_calls, heard_ms, characters, .. } = amount;
        let Amount { input_tokens, cached_tokens, output_tokens, .. } = amount;
        Self {
            purpose: match purpose {
                Purpose::Interview => CostPurpose::Interview,
                Purpose::Plan => CostPurpose::Plan,
                Purpose::Summary => CostPurpose::Summary,
                Purpose::Report => CostPurpose::Report,
                Purpose::Practice => CostPurpose::Practice,
            },
            work: match source.work {
                Work::Hearing => CostWork::Hearing,
                Work::Thinking => CostWork::Thinking,
                Work::Speaking => CostWork::Speaking,
            },
            provider: source.provider,
            vendor: source
                .vendor
                .map(|vendor| CostVendor { kind: vendor.kind, model: vendor.model }),
            used: UsedAmount {
                calls,
                estimated_calls,
                input_tokens,
                cached_tokens,
                output_tokens,
                heard_ms,
                characters,
            },
            cost,
            price,
        }
    }
}

impl UsedAmount {
    fn in_words(&self) -> String {
        let Self { input_tokens, output_tokens, heard_ms, characters, .. } = self;
        let mut words = Vec::new();
        if input_tokens + output_tokens > 0 {
            words.push(format!("{input_tokens} tokens read and {output_tokens} written"));
        }
        if *heard_ms > 0 {
            words.push(format!("{:.1} minutes heard", *heard_ms as f64 / 60_000.0));
        }
        if *characters > 0 {
            words.push(format!("{characters} characters spoken"));
        }
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    }
}

impl From<&Price> for CostPrice {
    fn from(price: &Price) -> Self {
        let rate = |(unit, price): (&'static str, f64)| CostRate { unit: unit.to_owned(), price };
        Self {
            rates: price.rates().into_iter().map(rate).collect(),
            source: price.source.clone(),
            date: price.date.clone(),
        }
    }
}

fn rounded(cost: f64) -> f64 {
    (cost * MICRO).round() / MICRO
}
