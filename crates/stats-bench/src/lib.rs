//! How the benches of this workspace measure and report.
//!
//! A figure in nanoseconds means little on a shared machine whose clock speed varies. So the
//! benches measure ratios, which vary less: a [`Contest`] runs all contenders in turn, round after
//! round in one process, and reports the median over the rounds of the ratio *within* a round.
//!
//! A [`Table`] collects the results, each with the [`Bar`] that it has to meet, and prints them as
//! Markdown. `scripts/benchmarks` runs the benches and writes their tables to `docs/benchmarks.md`.
//!
//! ```
//! use stats_bench::{Bar, Contest, Table};
//!
//! let values: Vec<u32> = (0..10_000).collect();
//! let outcome = Contest::new()
//!     .with(10_000, || assert!(values.iter().max().is_some()))
//!     .with(10_000, || assert!(values.iter().sum::<u32>() > 0))
//!     .run();
//! let mut table = Table::default();
//! let ns = [outcome.ns(0), outcome.ns(1)];
//! table.row("maximum / sum", &ns, outcome.ratio(0, 1), "×", Bar::AtMost(1_000.0));
//! assert!(table.to_string().contains("| maximum / sum |"));
//! ```
#![forbid(unsafe_code)]

mod contest;
mod table;

pub use contest::{Contest, Outcome, ROUNDS};
pub use table::{Bar, Table};
