//! The panes: sets of series, each shown in one of several views.
//!
//! All panes show the same frames. One struct, [`Shared`](shared::Shared), contains the state that
//! they share. The layout passes it to each pane, and the pane passes it to its view as a
//! [`PaneContext`](crate::view::PaneContext). The state of a single pane is in its
//! [`Pane`](pane::Pane). A pane returns a click that changes more than the panes as a
//! [`PaneRequest`](crate::view::PaneRequest).
//!
//! In reading order:
//!
//! - `views`: the state of each view of a pane;
//! - `pane`: one pane, its series and its views;
//! - `list`: the list of panes, the active one, the counters pinned to the HUD;
//! - `colors`: one color for a series in all panes;
//! - `saved`: the conversion of panes to their saved form and back;
//! - `shared`: the state that a pane receives;
//! - `panes_ui`: the layout: the strip, the panes, the borders between them;
//! - `budget_offer_ui`: the line that offers another frame budget;
//! - `slowed_ui`: what the overlay itself takes, while it refreshes graphs less often;
//! - `pane_ui`: the bar and the view of one pane.

pub(crate) mod budget_offer_ui;
pub(crate) mod colors;
pub(crate) mod list;
pub(crate) mod pane;
mod pane_ui;
pub(crate) mod panes_ui;
pub(crate) mod saved;
pub(crate) mod shared;
pub(crate) mod slowed_ui;
pub(crate) mod views;
