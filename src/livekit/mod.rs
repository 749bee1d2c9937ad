//! What both worker and web need of a LiveKit server: keys, tokens, addresses, its API.

mod api;
mod keys;
pub mod tls;
mod url;
mod watch;

pub use self::{
    api::{Api, ApiError, Dispatch, Occupant},
    keys::{ApiKeys, Role, TokenError},
    url::{http_url, is_loopback, ws_url},
    watch::{Call, Watched, call_until_begun},
};
