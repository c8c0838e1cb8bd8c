//! A source for tests of the tree: paths that a test adds one by one, without values.

use std::ops::Range;

use stats_core::source::WatchList;
use stats_core::{Frame, FrameSlice, SeriesId, SeriesInfo, SeriesKind, Source, Unit, Watch};

use crate::data::selection::Selection;
use crate::tree::panel::{TreePanel, TreeTiming};

/// Series in the order in which they were registered.
#[derive(Debug, Default)]
pub(super) struct Paths {
    series: Vec<(String, SeriesKind, Unit)>,
    /// The series of each change.
    changes: Vec<usize>,
    /// Whether the source reports what changed.
    reports_changes: bool,
    watches: WatchList<()>,
}

impl Paths {
    pub(crate) fn of(paths: &[&str]) -> Self {
        let mut source = Self {
            reports_changes: true,
            ..Self::default()
        };
        paths
            .iter()
            .for_each(|path| source.add(path, SeriesKind::Counter));
        source
    }

    pub(crate) fn add(&mut self, path: &str, kind: SeriesKind) {
        self.changes.push(self.series.len());
        self.series.push((path.to_owned(), kind, Unit::Count));
    }

    fn set_unit(&mut self, at: usize, unit: Unit) {
        self.changes.push(at);
        self.series[at].2 = unit;
    }

    pub(crate) fn len(&self) -> usize {
        self.series.len()
    }

    fn info(&self, at: usize) -> SeriesInfo<'_> {
        let (path, kind, unit) = &self.series[at];
        let mut info = SeriesInfo::new(SeriesId::new(at as u32 * 2), path, *kind, *unit);
        info.calls = (*kind == SeriesKind::Timer).then(|| SeriesId::new(at as u32 * 2 + 1));
        info
    }
}

impl Source for Paths {
    fn generation(&self) -> u64 {
        self.changes.len() as u64
    }

    fn for_each_series(&self, visit: &mut dyn FnMut(SeriesInfo<'_>)) {
        (0..self.series.len()).for_each(|at| visit(self.info(at)));
    }

    fn for_each_change(&self, since: u64, visit: &mut dyn FnMut(SeriesInfo<'_>)) -> bool {
        if self.reports_changes {
            self.changes[since as usize..]
                .iter()
                .for_each(|&at| visit(self.info(at)));
        }
        self.reports_changes
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        self.series
            .iter()
            .position(|(other, ..)| other == path)
            .map(|at| SeriesId::new(at as u32 * 2))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.watches.watch(id, || ())
    }

    fn history(&self, _: &Watch, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }

    fn peek(&mut self, _: SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> Range<u64> {
        0..0
    }

    fn frame(&self, _: u64) -> Option<Frame> {
        None
    }

    fn frame_times(&self, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }
}

/// Returns a panel that shows these paths, with only the frame time selected.
pub(super) fn panel_of(source: &mut Paths) -> (TreePanel, Selection) {
    let (mut panel, selection) = (TreePanel::default(), Selection::new());
    update(&mut panel, source, &selection);
    (panel, selection)
}

/// Updates a panel that is not paused.
pub(crate) fn update(panel: &mut TreePanel, source: &mut Paths, selection: &Selection) {
    let timing = TreeTiming {
        now_secs: 0.0,
        refresh_secs: 0.1,
        is_paused: false,
    };
    panel.update(source, selection, timing);
}

/// Returns the paths of all rows, in order; headings are empty.
pub(super) fn row_paths(panel: &TreePanel) -> Vec<&str> {
    panel
        .rows()
        .iter()
        .map(|&row| panel.row_path(row).unwrap_or_default())
        .collect()
}

mod tests {
    use super::{Paths, panel_of, row_paths, update};
    use crate::tree::panel::TreePanel;
    use crate::tree::rows::Row;
    use stats_core::{SeriesKind, Unit};
    use stats_testing::Random;

    /// Returns everything that a panel shows.
    fn picture(panel: &TreePanel) -> Vec<String> {
        let line = |&row: &Row| {
            let path = panel.row_path(row).unwrap_or_default();
            let Row::Node(node) = row else {
                return format!("{row:?} {path}");
            };
            let (of, listing) = (panel.tree().node(node), panel.listing());
            let unit = of
                .entry
                .map(|entry| (listing.entry(entry).unit, listing.entry(entry).kind));
            let in_it = panel.paths_below(node).collect::<Vec<_>>();
            let selected = panel.folder_selected(node);
            format!(
                "{} {path} {} {} {unit:?} {selected:?} {in_it:?}",
                of.depth,
                panel.tree().label(listing, node),
                of.series_below()
            )
        };
        panel.rows().iter().map(line).collect()
    }

    #[test]
    fn reading_changes_one_by_one_gives_the_same_rows_as_reading_everything() {
        let mut random = Random::new(21);
        for round in 0..60 {
            let mut source = Paths::of(&["a", "b/a"]);
            let (mut panel, mut selection) = panel_of(&mut source);
            panel.search_box.text =
                ["", "", "a", "re -b", "unit:ms"][random.below(5) as usize].to_owned();
            for step in 0..30 {
                for _ in 0..random.below(if step == 20 { 150 } else { 5 }) {
                    let kind = [SeriesKind::Counter, SeriesKind::Counter, SeriesKind::Timer]
                        [random.below(3) as usize];
                    let path = random.path() + ["", "/calls", "/x"][random.below(3) as usize];
                    if stats_core::Source::find(&source, &path).is_none() {
                        source.add(&path, kind);
                    }
                }
                if random.below(3) == 0 {
                    source.set_unit(
                        random.below(source.len() as u64) as usize,
                        Unit::Milliseconds,
                    );
                }
                if random.below(4) == 0 {
                    selection.set(&random.path(), true);
                    selection.resolve(&mut source);
                }
                update(&mut panel, &mut source, &selection);
                let mut whole = TreePanel::default();
                whole.search_box.text.clone_from(&panel.search_box.text);
                update(&mut whole, &mut source, &selection);
                assert_eq!(
                    picture(&panel),
                    picture(&whole),
                    "round {round}, step {step}"
                );
            }
        }
    }

    #[test]
    fn a_source_that_does_not_report_changes_is_read_again() {
        let mut source = Paths::of(&["a"]);
        source.reports_changes = false;
        let (mut panel, selection) = panel_of(&mut source);
        source.add("b", SeriesKind::Counter);
        update(&mut panel, &mut source, &selection);
        assert_eq!(row_paths(&panel)[1..], ["a", "b"]);
    }
}
