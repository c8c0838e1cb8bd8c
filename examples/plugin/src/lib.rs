//! A plugin for the demo game. It counts into the game's registry:
//!
//! ```sh
//! cargo build -p plugin
//! cargo run --release -p game -- --plugin target/debug/libplugin.so
//! ```
//!
//! Change it and rebuild it, and the running game reloads it. The series below `plugin/` keep their
//! histories.

use stats_capi::plugin::{Host, Plugin, Series};

/// The state of the plugin.
struct Weather {
    drops: Series,
    wind: Series,
    update: Series,
    frame: u32,
}

impl Plugin for Weather {
    fn load(host: Host) -> Self {
        host.counter("plugin/loads").add(1.0);
        Self {
            drops: host
                .counter("plugin/rain-drops")
                .describe("drops that fell in the frame"),
            wind: host.gauge("plugin/wind").unit("m/s"),
            update: host.timer("plugin/update").budget(1.0),
            frame: 0,
        }
    }

    fn frame(&mut self) {
        self.frame += 1;
        self.update.time(|| {
            let phase = f64::from(self.frame) / 60.0;
            self.wind.set(8.0 + 3.0 * phase.sin());
            self.drops.add((100.0 * (1.0 + phase.sin())).round());
        });
    }
}

stats_capi::export_plugin!(Weather);
