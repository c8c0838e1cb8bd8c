//! The panel: everything the full overlay shows, over the whole screen or in a panel of the host.
//!
//! The header is on top. Below it, the tree is on the left and the panes are on the right, unless
//! the memory view or a sheet (help, settings) covers them. Files that end in `_ui` draw. A widget
//! changes the state of its own part; any other click becomes a
//! [`Request`](crate::app::request::Request).
//!
//! In reading order:
//!
//! - `state`: what the panel remembers;
//! - `full_screen`, `embedded`: where the panel is;
//! - `panel_ui`: its layout;
//! - `header_ui`, `problems_ui`: the header, and what the core rejected;
//! - `split_ui`: the line between the tree and the panes;
//! - `help_ui`, `settings_ui`: the sheets.

pub(super) mod embedded;
pub(super) mod full_screen;
mod header_ui;
mod help_ui;
pub(super) mod panel_ui;
mod problems_ui;
mod settings_ui;
mod split_ui;
pub(super) mod state;
