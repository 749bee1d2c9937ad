//! A LiveKit server's API: rooms, participants, data and agent dispatch, and the tokens for all of it.

mod api;
mod dispatch;
mod keys;
mod orders;
mod patience;
mod url;

pub use self::{
    api::{Api, ApiError, Dispatch, Occupant},
    dispatch::{Call, Watched, call_until_begun},
    keys::{ApiKeys, Role, TokenError},
    orders::Orders,
    url::{http_url, is_loopback, ws_url},
};
pub use crate::recipient::To;
