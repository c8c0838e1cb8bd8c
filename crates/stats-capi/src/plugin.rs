//! The plugin side in Rust: creates series in the host's registry.

use std::ffi::CString;

use stats_core::MarkEvent;

use crate::api::{API_VERSION, StatsApi};
use crate::{StatsSeries, StatsStatus};

/// A plugin in a dynamic library. [`export_plugin!`](crate::export_plugin) exports it. A panic in
/// one of its functions ends the process.
///
/// It counts with the series of its [`Host`]. A `static` counter in the plugin is in the plugin's
/// own core, which the host does not read. A mark in the host says so once, when
/// [`load`](Self::load) or a [`frame`](Self::frame) has used the first one.
pub trait Plugin: Send + Sized + 'static {
    /// Called once after the library is loaded.
    fn load(host: Host) -> Self;

    /// Called in each frame of the host.
    fn frame(&mut self);
}

/// The host of a plugin: its registry.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    api: &'static StatsApi,
}

impl Host {
    /// Returns the host of a table; `None` if the pointer is null or the version is another one.
    ///
    /// # Safety
    ///
    /// The pointer is null, or comes from `stats_api` in a library that is never unloaded while the
    /// plugin is loaded.
    #[must_use]
    pub unsafe fn new(api: *const StatsApi) -> Option<Self> {
        if api.is_null() {
            return None;
        }
        // SAFETY: it is not null, and every table begins with its version and size. They are read
        // without a reference to the table, because a table of another version may be smaller.
        let (version, size) = unsafe { ((*api).version, (*api).size) };
        let is_known = version == API_VERSION && size as usize >= size_of::<StatsApi>();
        is_known.then(|| {
            // SAFETY: it is not null, has all fields, and is never freed, as the caller guarantees.
            let api = unsafe { &*api };
            Self { api }
        })
    }

    /// Returns a counter of the host. Its value is the sum of a frame.
    #[must_use]
    pub fn counter(self, path: &str) -> Series {
        self.series(self.api.counter, path)
    }

    /// Returns an up-down counter of the host: a level that persists across frames.
    #[must_use]
    pub fn up_down_counter(self, path: &str) -> Series {
        self.series(self.api.up_down_counter, path)
    }

    /// Returns a gauge of the host: the value that was set last.
    #[must_use]
    pub fn gauge(self, path: &str) -> Series {
        self.series(self.api.gauge, path)
    }

    /// Returns a timer of the host.
    #[must_use]
    pub fn timer(self, path: &str) -> Series {
        self.series(self.api.timer, path)
    }

    /// Returns a histogram of the host.
    #[must_use]
    pub fn histogram(self, path: &str) -> Series {
        self.series(self.api.histogram, path)
    }

    /// Marks the current frame of the host.
    pub fn mark(self, name: &str, event: MarkEvent) {
        let event = match event {
            MarkEvent::Point => 0,
            MarkEvent::Begin => 1,
            MarkEvent::End => 2,
        };
        // SAFETY: the string ends with a NUL.
        let _ = unsafe { (self.api.mark)(c_text(name).as_ptr(), event) };
    }

    fn series(
        self,
        register: unsafe extern "C" fn(*const std::ffi::c_char, *mut StatsSeries) -> StatsStatus,
        path: &str,
    ) -> Series {
        let mut number = 0;
        // SAFETY: the string ends with a NUL, and the number can be written.
        let _ = unsafe { register(c_text(path).as_ptr(), &raw mut number) };
        Series { host: self, number }
    }
}

/// Returns the string up to its first NUL as a C string.
fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// A series in the registry of the host. Operations that its kind does not support do nothing.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    host: Host,
    number: StatsSeries,
}

impl Series {
    /// Sets the symbol of the unit, such as `B` or `ms`.
    pub fn unit(self, symbol: &str) -> Self {
        // SAFETY: the string ends with a NUL.
        let _ = unsafe { (self.host.api.set_unit)(self.number, c_text(symbol).as_ptr()) };
        self
    }

    /// Sets a one-sentence description.
    pub fn describe(self, description: &str) -> Self {
        // SAFETY: the string ends with a NUL.
        let _ = unsafe { (self.host.api.describe)(self.number, c_text(description).as_ptr()) };
        self
    }

    /// Sets the value above which a frame is over budget.
    pub fn budget(self, budget: f64) -> Self {
        let _ = (self.host.api.set_budget)(self.number, budget);
        self
    }

    /// Adds to a counter, a level or a gauge. A magnitude of 2⁵³ or more is refused: see
    /// [`stats_add`](crate::functions::stats_add).
    pub fn add(self, n: f64) {
        let _ = (self.host.api.add)(self.number, n);
    }

    /// Sets a gauge.
    pub fn set(self, value: f64) {
        let _ = (self.host.api.set)(self.number, value);
    }

    /// Adds a sample to a histogram, or a call of `value` milliseconds to a timer. Refuses the same
    /// values as [`add`](Self::add).
    pub fn record(self, value: f64) {
        let _ = (self.host.api.record)(self.number, value);
    }

    /// Times one call of `work` with a timer, even if it panics.
    pub fn time<R>(self, work: impl FnOnce() -> R) -> R {
        /// Ends the scope when it is dropped.
        struct Scope(Series);

        impl Drop for Scope {
            fn drop(&mut self) {
                let _ = (self.0.host.api.scope_end)(self.0.number);
            }
        }

        let is_begun = (self.host.api.scope_begin)(self.number) == StatsStatus::Ok;
        let _scope = is_begun.then(|| Scope(self));
        work()
    }
}
