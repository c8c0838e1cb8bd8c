//! The flight recorder: keeps the scopes of the last seconds and of the last hitches.

use stats_core::{Source, are_spans_collected};

use crate::app::state::App;

/// The number of frames on each side of a hitch whose scopes are kept with it.
const AROUND: u64 = 3;

/// What the flight recorder keeps.
#[derive(Debug, Default)]
pub(crate) struct FlightRecorder {
    /// Whether the program or the environment wants it, whatever the settings say.
    is_wanted: bool,
    /// The hitch that was kept last.
    last_hitch: Option<u64>,
    /// The bytes of the scopes that are kept.
    bytes: usize,
}

impl FlightRecorder {
    /// Returns the flight recorder that the environment variable `STATS_FLIGHT_RECORDER` asks for.
    pub(crate) fn from_env() -> Self {
        let value = std::env::var_os("STATS_FLIGHT_RECORDER").unwrap_or_default();
        Self {
            is_wanted: !value.is_empty() && value != "0",
            ..Self::default()
        }
    }

    /// Returns the bytes of the scopes that are kept; 0 while it is off.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl App {
    /// Returns whether the scopes of the last seconds are kept, with or without a view of them.
    pub(crate) fn has_flight_recorder(&self) -> bool {
        self.settings.flight_recorder || self.flight.is_wanted
    }

    /// Keeps collecting scopes, while the flight recorder is on or a recording runs, and keeps those
    /// of a new hitch.
    pub(super) fn record_flight(&mut self, source: &mut dyn Source) {
        // A recording collects scopes anyway, unless its options say no.
        let is_recording = || {
            let status = self.recording.status();
            are_spans_collected() && status.is_some_and(|status| status.running.is_some())
        };
        if !self.has_flight_recorder() && !is_recording() {
            self.flight.bytes = 0;
            return;
        }
        self.keep_new_hitch(source);
    }

    /// Keeps the scopes of the newest hitch, if it is new. Collects scopes for the next frames, so
    /// call it only while somebody wants them.
    pub(crate) fn keep_new_hitch(&mut self, source: &mut dyn Source) {
        let Some(timeline) = source.timeline(&[]) else {
            return;
        };
        let hitch = self.hitches.found().newest_hitch().map(|(frame, _)| frame);
        if let Some(frame) = hitch.filter(|_| hitch != self.flight.last_hitch) {
            timeline.keep(frame.saturating_sub(AROUND)..frame + AROUND + 1);
            self.flight.last_hitch = hitch;
        }
        self.flight.bytes = timeline.bytes();
    }
}
