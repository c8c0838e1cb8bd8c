//! What a program sees that installs the source: puffin's own scopes, in frames of a recorder.

#[cfg(feature = "enabled")]
mod frames;
#[cfg(feature = "enabled")]
mod installing;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod turns;
