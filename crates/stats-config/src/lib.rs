//! Reads `stats.toml`, the single file with the performance targets of a game.
//!
//! ```
//! use stats_config::Config;
//! use stats_core::Unit;
//!
//! let config = Config::parse(r#"
//!     exclude = ["loading*"]
//!
//!     [budgets]
//!     "ai/**" = "2 ms"
//!
//!     [gate]
//!     may_fail = ["frame/median"]
//! "#).expect("no mistake");
//! assert_eq!(config.budget("ai/pathfinding", Unit::Milliseconds), Some(2.0));
//! assert_eq!(config.budget("ai/agents", Unit::Count), None);
//! config.apply_budgets(); // for the overlay, and for captures
//! config.define_series().expect("they fit"); // those of the section `[series]`
//! ```
//!
//! [`Config::find`] looks for the file in a folder and the folders above it. The command `stats`
//! reads the same file. [`Config`] describes its fields.
//!
//! # Features
//!
//! - `enabled` (default): without it, [`Config::apply_budgets`] and
//!   [`Config::define_series`] do nothing.
//!
//! # Internals
//!
//! `config.rs` describes the file, `budget.rs` (whose words are in stats-analysis), `pattern.rs` and
//! `values.rs` are the types of its fields, and `config_error.rs` adds the line and the fix to the
//! messages of the toml crate, with the name that `nearest.rs` finds for a wrong one.
//!
//! - **A crate of its own**, because a game should read its budgets without arrow and parquet, and
//!   the overlay should not depend on TOML.
//! - **Budgets go into the registry of the core** (`stats_core::set_budgets`), as a function from a
//!   path and a unit to a number. Series that are registered later get theirs before they are
//!   listed, and not at registration, because a series gets its unit afterward.
//! - **A budget without a unit judges one unit**: that of the series that it matches. If it matches series
//!   of several units, the command fails. A program reports a problem, and applies the budget to none of
//!   them, whatever the order in which they are registered.
//! - **A budget in the file replaces the one in the code** without a report of a clash, because it
//!   is the later decision.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod budget;
mod config;
mod config_error;
mod nearest;
mod pattern;
mod values;

pub use config::{Config, Gate, Scenario};
pub use config_error::ConfigError;
pub use nearest::nearest;
pub use pattern::Pattern;
pub use stats_analysis::budget::Budget;
pub use values::{Percent, Seconds};
