//! A plugin in a dynamic library, loaded with `--plugin` and reloaded when its file changes.
//! `examples/plugin` is one.
#![expect(unsafe_code, reason = "loading a plugin runs its code")]

use std::path::Path;

use stats_capi::{LoadedPlugin, take_marks};

use crate::overlay::Overlay;

/// The number of frames between two checks of the file.
const CHECK_EVERY: u32 = 30;

/// The plugin of the command line, if there is one.
#[derive(Debug)]
pub(crate) struct Plugins {
    plugin: Option<LoadedPlugin>,
    frame: u32,
}

impl Plugins {
    /// Loads the plugin at `path`, if there is one.
    pub(crate) fn new(path: Option<&Path>) -> Result<Self, String> {
        // SAFETY: the user vouches that the file is a plugin. The game runs it only on this thread.
        let load = |path| unsafe { LoadedPlugin::load(path) };
        let plugin = path.map(load).transpose();
        Ok(Self {
            plugin: plugin.map_err(|error| error.to_string())?,
            frame: 0,
        })
    }

    /// Runs a frame of the plugin, and passes its marks on.
    pub(crate) fn frame(&mut self, overlay: &mut Overlay) {
        let Some(plugin) = &mut self.plugin else {
            return;
        };
        self.frame += 1;
        if self.frame.is_multiple_of(CHECK_EVERY) {
            // SAFETY: as above.
            match unsafe { plugin.reload_if_changed() } {
                Ok(true) => eprintln!("game: the plugin was reloaded"),
                Ok(false) => {}
                Err(error) => eprintln!("game: {error}; the old plugin stays loaded"),
            }
        }
        plugin.frame();
        take_marks(|name, event| overlay.mark(name, event));
    }
}
