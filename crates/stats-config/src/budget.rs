//! Reads a budget from `stats.toml`: a number, or a text with a unit.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use stats_analysis::budget::Budget;

/// A budget that serde reads.
pub(crate) struct Written(pub(crate) Budget);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BudgetVisitor).map(Self)
    }
}

struct BudgetVisitor;

impl Visitor<'_> for BudgetVisitor {
    type Value = Budget;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a budget")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Budget, E> {
        Budget::try_from(value).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Budget, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Budget, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Budget, E> {
        text.parse().map_err(E::custom)
    }
}
