//! A program that installs the source sees puffin's scopes in the frames of a recorder.

#[cfg(feature = "enabled")]
mod frames;
#[cfg(feature = "enabled")]
mod installing;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod turns;
