//! The program's recordings of its run: the keys that control them, and the notices about them.

use std::sync::Arc;

use stats_analysis::format::value_text;
use stats_core::{RecordedLength, RecordingControl, RecordingStatus, Unit};

use crate::app::notice::Notice;

/// The notice for a program that does not record.
#[cfg(target_family = "wasm")]
pub(crate) const NO_RECORDING: &str = "Nothing is recorded in a browser.";
#[cfg(not(target_family = "wasm"))]
pub(crate) const NO_RECORDING: &str =
    "This program does not record. It must call StatsOverlay::set_recording.";
/// The notice for a program that keeps no frames.
const NOTHING_KEPT: &str =
    "The last frames are not kept. Set RecordingOptions::recent or STATS_CAPTURE_RECENT=60.";

/// The recordings of the program.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) control: Option<Arc<dyn RecordingControl>>,
}

impl Recording {
    /// Starts or stops recording.
    pub(super) fn toggle(&self, notice: &mut Notice) {
        match &self.control {
            Some(control) => control.toggle(),
            None => notice.warn(NO_RECORDING),
        }
    }

    /// Saves the last frames.
    pub(super) fn save_recent(&self, notice: &mut Notice) {
        match &self.control {
            Some(control) if control.status().recent.is_some() => control.save_recent(),
            Some(_) => notice.warn(NOTHING_KEPT),
            None => notice.warn(NO_RECORDING),
        }
    }

    /// Marks the current frame of the recordings. Returns whether the program records.
    pub(super) fn mark_point(&self, name: &str) -> bool {
        self.control.as_ref().is_some_and(|control| {
            control.mark_point(name);
            let status = control.status();
            status.running.is_some() || status.recent.is_some()
        })
    }

    /// Leaves the time in which the host slept out of the recordings.
    pub(crate) fn restart_frame(&self) {
        if let Some(control) = &self.control {
            control.restart_frame();
        }
    }

    /// Shows a notice when a recording is complete or has failed. Called once a pass.
    pub(super) fn settle(&self, notice: &mut Notice) {
        let saved = self
            .control
            .as_ref()
            .and_then(|control| control.poll_saved());
        match saved {
            Some(Ok(path)) => notice.say(format!("Saved the recording as {}", path.display())),
            Some(Err(error)) => notice.warn(error),
            None => {}
        }
    }

    /// Returns the state of the recordings; `None` if the program does not record.
    pub(super) fn status(&self) -> Option<RecordingStatus> {
        self.control.as_ref().map(|control| control.status())
    }
}

/// Returns the button's text: what a click does, and how much has been recorded.
pub(super) fn button_text(status: RecordingStatus) -> String {
    match status.running {
        Some(length) => format!("Stop: {}", length_text(length)),
        None if status.completing > 0 => "Saving".to_owned(),
        None => "Record".to_owned(),
    }
}

/// Returns the button's tooltip.
pub(super) fn button_hint(status: RecordingStatus) -> String {
    let key = "Records all series until it is pressed again (V)";
    match status.recent {
        Some(length) => format!(
            "{key}. The last frames can be saved (Shift+E): {}",
            length_text(length)
        ),
        None => key.to_owned(),
    }
}

fn length_text(length: RecordedLength) -> String {
    let bytes = value_text(length.bytes as f64, Unit::Bytes);
    format!("{:.0} s, {bytes}", length.seconds)
}
