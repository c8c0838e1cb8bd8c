//! A program with the recorder sees its metrics in the frames of a recorder of the core.

#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod values;
