//! The panel: everything the full overlay shows, over the whole screen or in a panel of the host.
//!
//! The header is on top. Below it, the tree is on the left, and the panes or a sheet (help,
//! settings, problems, budgets) are on the right. The memory view replaces both. Files that end in `_ui`
//! draw. A widget changes only the state of its own part; any other click becomes a
//! [`Request`](crate::app::request::Request).
//!
//! In reading order:
//!
//! - `state`: what the panel remembers;
//! - `full_screen`, `embedded`: the panel over the whole screen, and in a `Ui` of the host;
//! - `panel_ui`: its layout;
//! - `header_ui`, `title_ui`, `problems_ui`: the header, the title in it, and the problems that the core reports;
//! - `first_steps_ui`: the cards of the first steps;
//! - `split_ui`: the line between the tree and the panes;
//! - `help_ui`, `settings_ui` with `bindings_ui`, `budget_ui`: the sheets.

mod bindings_ui;
pub(super) mod budget_ui;
pub(super) mod embedded;
mod first_steps_ui;
pub(super) mod full_screen;
mod header_ui;
mod help_ui;
pub(super) mod panel_ui;
mod problems_ui;
mod settings_ui;
mod split_ui;
pub(super) mod state;
mod title_ui;
