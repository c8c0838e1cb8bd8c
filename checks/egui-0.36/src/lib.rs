//! Checks that the overlay works with egui 0.36; see `tests`.
