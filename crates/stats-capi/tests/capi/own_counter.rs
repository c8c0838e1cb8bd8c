//! A plugin that counts into its own core, from its second frame on.

use stats_capi::plugin::{Host, Plugin};
use stats_core::{Counter, Timer};

static HITS: Counter = Counter::new("own/hits");
static UPDATE: Timer = Timer::new("own/update");

/// The number of frames so far.
struct Own(u32);

impl Plugin for Own {
    fn load(host: Host) -> Self {
        host.counter("own/loads").add(1.0);
        Self(0)
    }

    fn frame(&mut self) {
        self.0 += 1;
        if self.0 > 1 {
            HITS.add(1);
            UPDATE.record_ms(1.0);
        }
    }
}

stats_capi::export_plugin!(Own);
