//! How the benches measure, and how they print.
//!
//! Machines are shared and clocks wander, so no figure stands alone: what is compared runs in turn,
//! round after round in one process, and what is reported is the median over the rounds of the
//! ratio *within* a round.

mod contest;
mod table;

pub use contest::{Contest, Outcome, ROUNDS};
pub use table::{Bar, Table};
