//! TODO

pub(crate) mod activity;
pub(crate) mod baseline;
pub(crate) mod fuzzy;
pub(crate) mod highlight;
pub(crate) mod needles;
pub(crate) mod query;
pub(crate) mod results;
pub(crate) mod scopes;
pub(crate) mod text;
pub(crate) mod units;
