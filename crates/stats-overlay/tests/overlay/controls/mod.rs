//! What the user sets and starts: keys, settings, recordings.

mod bindings;
mod first_steps;
mod recording;
mod settings;
mod touch;
