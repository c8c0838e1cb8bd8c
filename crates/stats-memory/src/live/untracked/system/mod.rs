//! What a system tells about the memory of the process. Each of the files with the name of a system
//! has the same items. `smaps` reads the list of Linux.

#[cfg(any(target_os = "macos", target_os = "ios"))]
mod apple;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod smaps;
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "macos",
    target_os = "ios",
    windows
)))]
mod unknown;
#[cfg(windows)]
mod windows;

#[cfg(any(target_os = "macos", target_os = "ios"))]
pub(super) use apple::{TOLD, heap, is_told, mappings};
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::{TOLD, heap, is_told, mappings};
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "macos",
    target_os = "ios",
    windows
)))]
pub(super) use unknown::{TOLD, heap, is_told, mappings};
#[cfg(windows)]
pub(super) use windows::{TOLD, heap, is_told, mappings};
