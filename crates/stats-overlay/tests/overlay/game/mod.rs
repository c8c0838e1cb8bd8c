//! The overlay over a running game: the HUD, the watched panes, and which of the two has the input.

mod click_through;
mod hosts;
mod hud;
mod toggle;
mod watch;
mod watch_input;
