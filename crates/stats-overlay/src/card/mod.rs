//! The card of the newest finding: a hitch, a periodic stall, a leak or a slowdown.
//!
//! The HUD and the panes over the game show it below the graph of frame times. Its place is always
//! reserved, so that a finding moves nothing. It dims after ten seconds, and stays until the next
//! finding.
//!
//! In reading order:
//!
//! - `model`: the texts and the frame times of the card, kept until the finding changes;
//! - `ui`: paints them.

pub(crate) mod model;
pub(crate) mod ui;
