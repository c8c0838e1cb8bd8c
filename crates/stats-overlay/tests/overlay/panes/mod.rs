//! Several panes: where they are, when they pause, and the ways back.

mod panes;
mod pause;
mod ways_back;
