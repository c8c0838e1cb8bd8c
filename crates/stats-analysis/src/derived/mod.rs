//! Series that are computed from others: quotients, sums, rates, moving means.
//!
//! A [`Formula`] is a text. [`Definitions`] name formulas, and refuse circles. An [`Evaluation`]
//! computes a formula frame by frame. [`define`](fn@define) adds a series to the running program.
//!
//! - `formula`, `parse`, `formula_error`: the text;
//! - `definitions`: names, and the order of what needs each other;
//! - `evaluation`: the values;
//! - `define`: series of a running program.

mod define;
mod definitions;
mod evaluation;
mod formula;
mod formula_error;
mod parse;
#[cfg(test)]
mod tests;

pub use define::{define, define_in};
pub use definitions::{DefinitionError, Definitions, MAX_DERIVED};
pub use evaluation::Evaluation;
pub use formula::{Formula, MAX_WINDOW};
pub use formula_error::FormulaError;
