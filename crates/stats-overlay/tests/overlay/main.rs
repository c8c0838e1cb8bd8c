//! What a user of the overlay sees, by behaviour.

mod host;

#[cfg(feature = "enabled")]
mod pictures;
#[cfg(feature = "enabled")]
mod toggle;
