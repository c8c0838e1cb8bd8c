//! What holds in every view.

mod agreement;
mod hostile;
mod hostile_views;
mod kept;
mod pictures;
mod refresh;
mod steady;
mod tooltips;
mod zoom;
