//! The tracks of the selected series. A track has the spikes, the spans over budget and the pyramid
//! of extremes of one history.
//!
//! A hidden overlay searches only the series that may pause the views, and catches up on the others
//! at 2,000 frames per pass.

use stats_analysis::track::Track;
use stats_core::{FrameSlice, Source};
use std::collections::HashMap;

use crate::data::selection::{FRAME_TIME, SelectedSeries};

/// The number of frames, over all series, that a pass searches for spikes. The search takes about
/// 0.2 ms. A long history that was just selected takes several passes.
pub(super) const ALLOWANCE: usize = 2000;

/// The tracks of all series on screen, by path.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracks {
    /// Each track with the pass that last updated it.
    by_path: HashMap<String, (Track, u64)>,
    pass: u64,
}

impl Tracks {
    /// Adds the new frames of the selected series to their tracks, and drops all other tracks. A
    /// path that is selected more than once has one track. Call it once a pass, unless the overlay
    /// is hidden.
    pub(super) fn update_all<'a>(
        &mut self,
        source: &dyn Source,
        selected: impl IntoIterator<Item = &'a SelectedSeries>,
        mut allowance: usize,
    ) {
        self.pass += 1;
        for selected in selected {
            let window = selected.history(source);
            self.update(&selected.path, window, selected.limit(), &mut allowance);
        }
        self.by_path.retain(|_, (_, pass)| *pass == self.pass);
    }

    /// Adds the new frames of one series to its track. Values above `limit` are over budget.
    /// Searches at most `allowance` frames for spikes, and reduces `allowance` by the number
    /// searched.
    pub(super) fn update(
        &mut self,
        path: &str,
        window: FrameSlice<'_>,
        limit: Option<f64>,
        allowance: &mut usize,
    ) {
        let (track, pass) = match self.by_path.get_mut(path) {
            Some(entry) => entry,
            None => self.by_path.entry(path.to_owned()).or_insert_with(|| {
                // Frame 0 of the frame time began when the recorder was created.
                let first = u64::from(path == FRAME_TIME);
                (Track::starting_at(first), self.pass)
            }),
        };
        *pass = self.pass;
        track.update(window, limit, allowance);
    }

    pub(super) fn get(&self, path: &str) -> Option<&Track> {
        self.by_path.get(path).map(|(track, _)| track)
    }

    /// Drops all tracks. Call it before another source is read.
    pub(super) fn clear(&mut self) {
        self.by_path.clear();
    }
}

// These tests need counters that count.
#[cfg(all(test, feature = "enabled"))]
mod tests {
    use std::time::Duration;

    use stats_core::Recorder;

    use super::*;
    use crate::data::selection::Selection;

    /// Returns a recorder of frames of 10 ms, except frame 0 and those in `slow`.
    fn recorded(frames: u64, slow: &[u64]) -> Recorder {
        let mut recorder = Recorder::new();
        let mut end_ms = 5000;
        for frame in 0..frames {
            end_ms += if slow.contains(&frame) { 90 } else { 10 };
            recorder.end_frame_at(Duration::from_millis(end_ms));
        }
        recorder
    }

    #[test]
    fn slow_frames_are_found_and_the_first_frame_does_not_count() {
        let mut recorder = recorded(300, &[5, 150, 280]);
        let mut selection = Selection::new();
        selection.resolve(&mut recorder, &Default::default());
        let mut tracks = Tracks::default();
        tracks.update_all(&recorder, selection.selected(), ALLOWANCE);
        let track = tracks.get(FRAME_TIME).unwrap();
        assert!(
            track.spikes.spikes().eq([150, 280]),
            "{:?}",
            track.spikes.spikes().collect::<Vec<_>>()
        );
        let window = recorder.frame_times(usize::MAX);
        assert!((track.spikes.verdict(150).unwrap().times().unwrap() - 9.0).abs() < 1e-6);
        let mut over_budget = Tracks::default();
        over_budget.update(FRAME_TIME, window, Some(50.0), &mut 1000);
        let track = over_budget.get(FRAME_TIME).unwrap();
        let spans: Vec<_> = track.over_budget.within(0..300).collect();
        assert_eq!(spans, [5..6, 150..151, 280..281], "without frame 0");
    }

    #[test]
    fn all_series_share_one_allowance_and_deselected_series_are_dropped() {
        let mut recorder = recorded(1500, &[]);
        let mut selection = Selection::new();
        selection.resolve(&mut recorder, &Default::default());
        let mut tracks = Tracks::default();
        tracks.update("another", recorder.frame_times(usize::MAX), None, &mut 100);
        tracks.update_all(
            &recorder,
            selection.selected().iter().chain(selection.selected()),
            ALLOWANCE,
        );
        assert!(tracks.get("another").is_none());
        assert_eq!(tracks.get(FRAME_TIME).unwrap().spikes.seen_until(), 1500);
        selection.set(FRAME_TIME, false);
        tracks.update_all(&recorder, selection.selected(), ALLOWANCE);
        assert!(tracks.get(FRAME_TIME).is_none());
    }
}
