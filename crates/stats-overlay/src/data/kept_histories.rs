//! The histories of series that were deselected in the last minute, so that a wrong click loses
//! nothing.
//!
//! A history ends with its last watch. The watches here outlive the selection: a series that is
//! selected again within a minute has the same values as if it had always been selected. Presets
//! and removed panes need no extra code.

use stats_analysis::sort::sort_by;
use stats_core::{Source, Watch};

use crate::data::selection::Selection;

/// How long the history of a deselected series continues, in seconds.
const KEPT_SECS: f64 = 60.0;
/// The maximum memory of the histories of deselected series: 256 histories of 4,096 frames.
const KEPT_BYTES: u64 = 8 << 20;
/// The memory that a frame takes in a history.
const FRAME_BYTES: u64 = 8;

/// Watches of all selected series, and of those deselected in the last minute.
#[derive(Debug, Default)]
pub(crate) struct KeptHistories {
    selected: Vec<Watch>,
    /// The deselected series and the times when they were deselected, earliest first.
    deselected: Vec<(Watch, f64)>,
    /// The revision of the last update.
    seen: (u64, usize),
}

impl KeptHistories {
    /// Takes over the current selections if `revision` changed. Drops histories that are too old,
    /// and the oldest ones if there are too many. Call it once a pass.
    pub(crate) fn update<'a>(
        &mut self,
        source: &dyn Source,
        revision: (u64, usize),
        selections: impl Iterator<Item = &'a Selection>,
        now_secs: f64,
    ) {
        if std::mem::replace(&mut self.seen, revision) != revision {
            self.replace(selections, now_secs);
        }
        if !self.deselected.is_empty() {
            self.shrink(source, now_secs);
        }
    }

    /// Forgets everything about one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        *self = Self::default();
    }

    /// Takes over another set of selected series.
    fn replace<'a>(&mut self, selections: impl Iterator<Item = &'a Selection>, now_secs: f64) {
        let mut selected: Vec<Watch> = selections
            .flat_map(Selection::selected)
            .filter_map(|selected| selected.watch.clone())
            .collect();
        sort_by(&mut selected, |a, b| a.id().cmp(&b.id()));
        selected.dedup_by_key(|watch| watch.id());
        let is_selected = |watch: &Watch| {
            let found = selected.binary_search_by_key(&watch.id(), Watch::id);
            found.is_ok()
        };
        self.deselected.retain(|(watch, _)| !is_selected(watch));
        let before = std::mem::take(&mut self.selected).into_iter();
        let gone = before.filter(|watch| !is_selected(watch));
        self.deselected.extend(gone.map(|watch| (watch, now_secs)));
        self.selected = selected;
    }

    /// Drops histories that are too old, and the oldest ones while there are too many.
    fn shrink(&mut self, source: &dyn Source, now_secs: f64) {
        let frames = source.frames();
        let each = FRAME_BYTES * (frames.end - frames.start).max(1);
        let most = usize::try_from(KEPT_BYTES / each).unwrap_or(usize::MAX);
        let too_many = self.deselected.len().saturating_sub(most);
        self.deselected.drain(..too_many);
        self.deselected
            .retain(|(_, since)| (0.0..KEPT_SECS).contains(&(now_secs - since)));
    }
}

// These tests need counters that count.
#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
    use stats_core::{Recorder, counter};
    use stats_testing::Random;

    /// A recorder of the selected series among `scope/0` to `scope/<count - 1>`, and a recorder of
    /// all of them.
    struct Program {
        recorder: Recorder,
        all: Recorder,
        watches: Vec<Watch>,
        paths: Vec<String>,
        selections: [Selection; 2],
        kept: KeptHistories,
        now_secs: f64,
    }

    impl Program {
        fn new(scope: &str, count: usize) -> Self {
            let paths: Vec<String> = (0..count).map(|at| format!("{scope}/{at}")).collect();
            let mut all = Recorder::new();
            let watches = paths.iter().map(|path| all.watch(counter(path).id()));
            Self {
                watches: watches.collect(),
                recorder: Recorder::new(),
                all,
                paths,
                selections: [Selection::empty(), Selection::empty()],
                kept: KeptHistories::default(),
                now_secs: 5.0,
            }
        }

        fn settle(&mut self) {
            for selection in &mut self.selections {
                selection.resolve(&mut self.recorder, &Default::default());
            }
            let newest = self.selections.iter().map(Selection::revision).max();
            let revision = (newest.unwrap_or_default(), self.selections.len());
            let selections = self.selections.iter();
            (self.kept).update(&self.recorder, revision, selections, self.now_secs);
        }

        fn end_frame(&mut self, random: &mut Random) {
            for path in &self.paths {
                counter(path).add(random.below(100) as f64);
            }
            self.recorder.end_frame();
            self.all.end_frame();
            self.now_secs += 1.0;
        }

        fn select(&mut self, selection: usize, at: usize, on: bool) {
            self.selections[selection].set(&self.paths[at], on);
        }
    }

    #[test]
    fn a_series_selected_again_within_a_minute_has_the_values_of_one_always_selected() {
        let (mut random, mut program) = (Random::new(11), Program::new("kept/random", 6));
        // When each series was last selected; at first, all are.
        let mut last = [0.0; 6];
        (0..6).for_each(|at| program.select(at % 2, at, true));
        program.settle();
        for _ in 0..3000 {
            for (at, last) in last.iter_mut().enumerate() {
                let path = program.paths[at].clone();
                if program.selections.iter().any(|of| of.contains(&path)) {
                    *last = program.now_secs;
                }
                // Selected again long before the minute is over, sometimes in another pane.
                let is_late = program.now_secs - *last > 40.0;
                if is_late || random.below(20) == 0 {
                    let on = is_late || random.below(2) == 0;
                    program.select(random.below(2) as usize, at, on);
                }
            }
            program.settle();
            for selected in program.selections.iter().flat_map(Selection::selected) {
                let at = program.paths.iter().position(|path| *path == selected.path);
                let watch = selected.watch.as_ref().unwrap();
                let (shown, all) = (
                    program.recorder.history(watch, usize::MAX),
                    program
                        .all
                        .history(&program.watches[at.unwrap()], usize::MAX),
                );
                assert!(shown.first_frame() == all.first_frame() && shown.iter().eq(all.iter()));
            }
            program.end_frame(&mut random);
        }
    }

    #[test]
    fn a_history_ends_a_minute_after_its_series_was_deselected() {
        let (mut random, mut program) = (Random::new(3), Program::new("kept/minute", 2));
        program.select(0, 0, true);
        program.select(1, 0, true);
        program.settle();
        program.select(0, 0, false);
        program.settle();
        (0..100).for_each(|_| program.end_frame(&mut random));
        program.settle();
        program.select(1, 0, false);
        program.settle();
        for second in 0..KEPT_SECS as u64 {
            assert_eq!(
                program.recorder.watched(),
                1,
                "{second} s after the last pane"
            );
            program.end_frame(&mut random);
            program.settle();
        }
        assert_eq!(program.recorder.watched(), 0);
        // A clock that goes back also ends a history.
        program.select(0, 1, true);
        program.settle();
        program.select(0, 1, false);
        program.settle();
        program.now_secs = 0.0;
        program.settle();
        assert_eq!(program.recorder.watched(), 0);
    }

    #[test]
    fn the_histories_of_deselected_series_are_bounded_and_the_oldest_goes_first() {
        let mut program = Program::new("kept/bounded", 700);
        (0..4096).for_each(|_| program.recorder.end_frame());
        for at in 0..700 {
            program.select(0, at, true);
            program.settle();
            program.select(0, at, false);
            program.settle();
        }
        assert_eq!(
            program.kept.deselected.len() as u64,
            KEPT_BYTES / (4096 * 8)
        );
        let last = program.kept.deselected.last().unwrap().0.id();
        assert_eq!(last, counter("kept/bounded/699").id());
        program.kept.detach();
        program.recorder.end_frame();
        assert_eq!(program.recorder.watched(), 0);
    }
}
