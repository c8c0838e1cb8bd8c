//! The values that a recorder keeps.

use stats_core::{Recorder, Watch, WatchGroup};

/// Returns all values in the history of a watch.
pub(crate) fn values(recorder: &Recorder, watch: &Watch) -> Vec<f64> {
    let history = recorder.history(watch, usize::MAX);
    let kept = recorder.frames();
    // Frames at both ends of those that are kept, and two clones of the watch.
    let begin = kept.start.saturating_sub(2)..kept.start + 3;
    let mut both: WatchGroup = [watch.clone(), watch.clone()].into_iter().collect();
    for frame in begin.chain(kept.end.saturating_sub(9)..kept.end + 2) {
        let value = history.at(frame).unwrap_or(f64::NAN).to_bits();
        assert_eq!(bits_in(recorder, frame, &mut both), [value; 2], "{frame}");
    }
    history.iter().collect()
}

/// Returns the bits of the values of a frame that are read together.
pub(crate) fn bits_in(recorder: &Recorder, frame: u64, group: &mut WatchGroup) -> Vec<u64> {
    let mut bits = Vec::new();
    recorder.values_in(frame, group, |values| {
        bits.extend(values.iter().map(|value| value.to_bits()));
    });
    bits
}

/// Returns all values in the history of a watch; `None` for an unknown one.
pub(crate) fn known(recorder: &Recorder, watch: &Watch) -> Vec<Option<f64>> {
    let _ = values(recorder, watch);
    let history = recorder.history(watch, usize::MAX);
    history.frames().map(|frame| history.at(frame)).collect()
}
