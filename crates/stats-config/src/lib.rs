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
//! ```
//!
//! [`Config::find`] looks for the file in a folder and the folders above it. The command `stats`
//! reads the same file. [`Config`] describes its fields.
//!
//! # Features
//!
//! - `enabled` (default): without it, [`Config::apply_budgets`] does nothing.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod budget;
mod config;
mod config_error;
mod nearest;
mod pattern;
mod values;

pub use budget::Budget;
pub use config::{Config, Gate, Scenario};
pub use config_error::ConfigError;
pub use nearest::nearest;
pub use pattern::Pattern;
pub use values::{Percent, Seconds};
