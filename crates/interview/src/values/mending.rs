//! Corrections: "no, wait", "nein", "anzi". What follows is the value, or mends the end of what was before.

use crate::values::{
    Reading,
    lexer::{Kind, Token},
    lexicon::Lexicon,
};

/// Reads a value with what mends it. `one` reads it in one go; `mended` puts what was said and what mends it
/// together, if that can be told.
pub(super) fn read(
    tokens: &[Token],
    lexicon: &Lexicon,
    one: impl Fn(&[Token]) -> Reading,
    mended: impl Fn(&[Token], &[Token]) -> Option<Vec<Token>>,
) -> Reading {
    let restart = tokens.iter().rposition(|token| token.kind == Kind::Restart);
    let tokens = &tokens[restart.map_or(0, |place| place + 1)..];
    let is_correction = |token: &Token| token.kind == Kind::Correction;
    let ends_open = restart.is_some() || tokens.iter().any(is_correction);
    let mut said: Vec<Token> = Vec::new();
    let (mut is_mended, mut is_open) = (restart.is_some(), ends_open);
    for part in tokens.split(is_correction) {
        is_open = !has_value(part, lexicon);
        if is_open {
            continue;
        }
        if !has_value(&said, lexicon) {
            said = part.to_vec();
            continue;
        }
        is_mended = true;
        said = match mended(&said, part) {
            Some(mended) => mended,
            None if matches!(one(part), Reading::Whole(_)) => part.to_vec(),
            None => return Reading::Unclear,
        };
    }
    let reading = match (said.is_empty(), is_open) {
        // "No, wait": more has to come, unless nothing was there yet.
        (true, true) if ends_open => return Reading::Unclear,
        (true, _) => one(tokens),
        (false, true) => return Reading::Unfinished,
        (false, false) => one(&said),
    };
    if is_mended { reading.unsure() } else { reading }
}

/// Whether words say more than that a value comes.
fn has_value(tokens: &[Token], lexicon: &Lexicon) -> bool {
    tokens.iter().any(|token| match &token.kind {
        Kind::Mark | Kind::Filler => false,
        Kind::Word(word) => !lexicon.is_lead(word),
        Kind::Letter(_)
        | Kind::Digits(_)
        | Kind::Sign(_)
        | Kind::Oh
        | Kind::TrunkZero
        | Kind::Times(_)
        | Kind::Written(_)
        | Kind::Correction
        | Kind::Restart
        | Kind::Extension
        | Kind::Garbled => true,
    })
}
