//! What a plugin in Rust exports.

use std::ptr;
use std::sync::Mutex;

use stats_core::{ENABLED, FRAME_TIME, MarkEvent};

use crate::StatsApi;
use crate::api::API;
use crate::plugin::{Host, Plugin};

/// Exports a type that implements [`Plugin`] from a dynamic library, for `LoadedPlugin` of the
/// host: the functions `stats_plugin_load`, `stats_plugin_frame` and `stats_plugin_unload`.
#[macro_export]
macro_rules! export_plugin {
    ($plugin:ty) => {
        static STATS_PLUGIN: $crate::ExportedPlugin<$plugin> = $crate::ExportedPlugin::unloaded();

        /// Loads the plugin. Returns whether it knows the table of the host.
        ///
        /// # Safety
        ///
        /// See `stats_capi::plugin::Host::new`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn stats_plugin_load(api: *const $crate::StatsApi) -> bool {
            // SAFETY: guaranteed by the host.
            unsafe { STATS_PLUGIN.load(api) }
        }

        /// Runs a frame of the plugin.
        #[unsafe(no_mangle)]
        pub extern "C" fn stats_plugin_frame() {
            STATS_PLUGIN.frame();
        }

        /// Drops the plugin.
        #[unsafe(no_mangle)]
        pub extern "C" fn stats_plugin_unload() {
            STATS_PLUGIN.unload();
        }
    };
}

/// The plugin that [`export_plugin!`](crate::export_plugin) exports.
#[derive(Debug)]
pub struct ExportedPlugin<P>(Mutex<Option<Loaded<P>>>);

/// A plugin between load and unload.
#[derive(Debug)]
struct Loaded<P> {
    host: Host,
    plugin: P,
    /// The generation of the plugin's own core when its series were listed last; `None` if they
    /// are those of the host, or if the host was told.
    listed: Option<u64>,
}

impl<P: Plugin> ExportedPlugin<P> {
    /// Returns a plugin that is not loaded.
    #[must_use]
    pub const fn unloaded() -> Self {
        Self(Mutex::new(None))
    }

    /// Loads the plugin. Returns whether it knows the table of the host.
    ///
    /// # Safety
    ///
    /// See [`Host::new`].
    #[must_use]
    pub unsafe fn load(&self, api: *const StatsApi) -> bool {
        // SAFETY: guaranteed by the caller.
        let host = unsafe { Host::new(api) };
        if let (Some(host), Ok(mut loaded)) = (host, self.0.lock()) {
            let mut new = Loaded {
                host,
                plugin: P::load(host),
                // The address of the table, not of a function in it: a library may export the same
                // functions as its host, and the system then gives both of them one address.
                listed: (!ptr::eq(api, &raw const API)).then_some(0),
            };
            new.tell_of_own_series();
            *loaded = Some(new);
        }
        host.is_some()
    }

    /// Runs a frame of the plugin.
    pub fn frame(&self) {
        if let Ok(mut loaded) = self.0.lock()
            && let Some(loaded) = loaded.as_mut()
        {
            loaded.plugin.frame();
            loaded.tell_of_own_series();
        }
    }

    /// Drops the plugin.
    pub fn unload(&self) {
        if let Ok(mut loaded) = self.0.lock() {
            *loaded = None;
        }
    }
}

impl<P> Loaded<P> {
    /// Marks a frame of the host, once, if the plugin has series in its own core. One load as long
    /// as there are none.
    fn tell_of_own_series(&mut self) {
        let generation = stats_core::generation();
        if !ENABLED || self.listed.is_none_or(|listed| listed == generation) {
            return;
        }
        self.listed = Some(generation);
        if let Some(sentence) = own_series() {
            self.host.mark(&sentence, MarkEvent::Point);
            self.listed = None;
        }
    }
}

/// Says how many series the program has in this core; `None` if it has none. The path comes last,
/// because the end of a long mark is cut.
fn own_series() -> Option<String> {
    let (mut count, mut first) = (0, None);
    stats_core::for_each_series(|series| {
        if series.path != FRAME_TIME && !series.path.starts_with("stats/") {
            count += 1;
            first.get_or_insert(series.path);
        }
    });
    first.map(|first| {
        format!(
            "a plugin has {count} series in its own stats-core {}, not in the host's, so nobody sees \
             them: create each with `Host::counter` or the like. The first: {first}",
            stats_core::VERSION
        )
    })
}
