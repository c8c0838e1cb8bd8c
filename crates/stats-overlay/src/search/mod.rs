//! The search for counters: from typed text to results.
//!
//! An index of all paths in lower case is searched for the text. That takes about a millisecond for
//! 100,000 paths, and is spread over several frames if there are more. Words such as `changed` or
//! `over-budget` search for behavior. They need the newest value of every series, which a survey
//! collects only while the query contains such a word. `spiking` takes its values from the search for
//! hitches.
//!
//! In reading order:
//!
//! - `formula`: the typed text, if it is a formula;
//! - `query`: the typed text, split into terms, words and units;
//! - `needles`, `units`, `teams`: the terms, the units and the teams of a query, as they are compared;
//! - `results`: the index, and the search in it;
//! - `fuzzy`: similar paths, if the text finds little;
//! - `activity`: the behavior of each series;
//! - `spiking`: the series that spiked, ranked;
//! - `together`: the series that moved together with another one, ranked;
//! - `highlight`: the parts of a path that matched;
//! - `scopes`: searches for the callees and callers of a scope.

pub(crate) mod activity;
pub(crate) mod formula;
pub(crate) mod fuzzy;
mod highlight;
mod needles;
pub(crate) mod query;
pub(crate) mod results;
pub(crate) mod scopes;
pub(crate) mod spiking;
pub(crate) mod teams;
pub(crate) mod together;
mod units;
