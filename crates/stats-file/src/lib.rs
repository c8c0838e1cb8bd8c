//! Writes files as a whole, through links, and never replaces a device, a pipe or a folder.
//!
//! ```
//! use std::io::Write;
//! use stats_file::Target;
//!
//! # let folder = std::env::temp_dir().join(format!("stats-file-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("report.html");
//! let target = Target::of(&path)?; // a folder is refused here, before any work
//! let mut file = target.begin()?; // a new file beside it
//! file.write_all(b"<html>")?;
//! assert!(!path.exists());
//! file.complete()?; // replaces the target
//! assert!(path.exists());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`Target`] examines a path, and [`NewFile`] is the content on its way there.
//!
//! # Internals
//!
//! Links are followed one by one, not by the system, because the target of a link may not exist
//! yet, and because an open file such as `/dev/stdout` is a link, too.
//!
//! `abandoned.rs` removes what killed processes left.
#![forbid(unsafe_code)]

mod abandoned;
mod new_file;
mod target;

pub use new_file::NewFile;
pub use target::Target;
