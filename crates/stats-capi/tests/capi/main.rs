//! The C interface, from Rust, from a C program, and from plugins.

#[cfg(feature = "enabled")]
mod c;
#[cfg(feature = "enabled")]
mod functions;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(all(feature = "enabled", feature = "load"))]
mod plugins;
