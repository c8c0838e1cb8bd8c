//! What a system tells about threads. Each of the files with the name of a system has the same
//! functions.

#[cfg(any(target_os = "macos", target_os = "ios"))]
mod apple;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod no_other_thread;
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "macos",
    target_os = "ios",
    all(windows, any(target_arch = "x86", target_arch = "x86_64"))
)))]
mod unknown;
#[cfg(all(windows, any(target_arch = "x86", target_arch = "x86_64")))]
mod windows;

#[cfg(any(target_os = "macos", target_os = "ios"))]
pub(crate) use apple::own_totals;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use linux::{OtherThread, forks, own_totals, peak_bytes, process_ms};
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) use no_other_thread::{OtherThread, forks};
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "macos",
    target_os = "ios",
    all(windows, any(target_arch = "x86", target_arch = "x86_64"))
)))]
pub(crate) use unknown::own_totals;
#[cfg(all(windows, any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) use windows::own_totals;
