//! The snapshots of the panel, and which of them are shown and compared.

use std::sync::Arc;

use stats_core::Unit;

use super::facets::Facets;
use crate::snapshot::MemorySnapshot;
use crate::tree::Levels;
use stats_analysis::format::value_text;
use stats_ui::text::one_line;

/// The maximum number of snapshots.
const MAX_SNAPSHOTS: usize = 16;
/// The maximum number of characters of a name that are shown.
const NAME_CHARS: usize = 60;

/// A snapshot in the list.
#[derive(Debug)]
pub(super) struct ListedSnapshot {
    /// The snapshot's ordinal, starting at 1.
    pub(super) number: u32,
    /// The text in the list: `1: 12:04 - 813.4 MiB`.
    pub(super) label: String,
    /// The label without the size.
    pub(super) short: String,
    /// The mark at which it was taken; `None` if it was not taken at a mark.
    mark: Option<String>,
    pub(super) snapshot: Arc<MemorySnapshot>,
    pub(super) facets: Facets,
}

/// The snapshots, oldest first. One is shown, and may be compared with an older one.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    list: Vec<ListedSnapshot>,
    added: u32,
    shown: Option<u32>,
    /// The snapshot to compare with. Always less than `shown`: a comparison goes from the older to
    /// the newer snapshot.
    before: Option<u32>,
}

impl Snapshots {
    pub(super) fn list(&self) -> &[ListedSnapshot] {
        &self.list
    }

    /// Adds a snapshot and shows it, compared with the same snapshot as before. Beyond
    /// [`MAX_SNAPSHOTS`], drops the oldest snapshot that is neither shown nor compared.
    pub(super) fn add(&mut self, name: &str, snapshot: MemorySnapshot, facets: Facets) {
        self.push(name, None, snapshot, facets);
        self.shown = Some(self.added);
        self.drop_oldest();
    }

    /// Adds a snapshot that was taken at a mark. Shows it only if no other snapshot is shown.
    pub(super) fn add_at_mark(
        &mut self,
        name: &str,
        mark: String,
        snapshot: MemorySnapshot,
        facets: Facets,
    ) {
        self.push(&format!("{name} {mark}"), Some(mark), snapshot, facets);
        self.shown = self.shown.or(Some(self.added));
        self.drop_oldest();
    }

    /// Returns the two snapshots whose difference is the memory left behind between two marks: the
    /// previous one at the mark of the newest, or else at any mark, and the newest. `None` if there
    /// are fewer than two snapshots at marks.
    pub(super) fn left_behind(&self) -> Option<(u32, u32)> {
        let mut marked = self.list.iter().rev().filter(|kept| kept.mark.is_some());
        let now = marked.next()?;
        let before = marked
            .clone()
            .find(|kept| kept.mark == now.mark)
            .or_else(|| marked.next())?;
        Some((before.number, now.number))
    }

    fn push(&mut self, name: &str, mark: Option<String>, snapshot: MemorySnapshot, facets: Facets) {
        self.added += 1;
        let short = format!("{}: {}", self.added, one_line(name, NAME_CHARS));
        let label = format!(
            "{short} - {}",
            value_text(snapshot.bytes() as f64, Unit::Bytes)
        );
        self.list.push(ListedSnapshot {
            number: self.added,
            label,
            short,
            mark,
            snapshot: Arc::new(snapshot),
            facets,
        });
    }

    fn drop_oldest(&mut self) {
        if self.list.len() > MAX_SNAPSHOTS {
            let goes = self.list.iter().position(|kept| {
                Some(kept.number) != self.shown && Some(kept.number) != self.before
            });
            goes.map(|at| self.list.remove(at));
        }
    }

    /// Shows another snapshot. If it is older than the one it is compared with, the two swap
    /// places. A snapshot is not compared with itself.
    pub(super) fn show(&mut self, number: u32) {
        self.look_at(number, self.before);
    }

    /// Compares the shown snapshot with another one, or with none.
    pub(super) fn compare_with(&mut self, number: Option<u32>) {
        if let Some(shown) = self.shown {
            self.look_at(shown, number);
        }
    }

    fn look_at(&mut self, shown: u32, other: Option<u32>) {
        let other = other.filter(|&other| other != shown);
        self.shown = Some(other.map_or(shown, |other| other.max(shown)));
        self.before = other.map(|other| other.min(shown));
    }

    /// Returns the ordinal of the shown snapshot.
    pub(super) fn shown_number(&self) -> Option<u32> {
        self.shown
    }

    /// Returns the ordinal of the snapshot that the shown one is compared with.
    pub(super) fn before_number(&self) -> Option<u32> {
        self.before
    }

    pub(super) fn shown(&self) -> Option<&ListedSnapshot> {
        self.find(self.shown)
    }

    /// Returns the snapshot that the shown one is compared with.
    pub(super) fn before(&self) -> Option<&ListedSnapshot> {
        self.find(self.before)
    }

    /// Returns the snapshots between the two that are compared, oldest first.
    pub(super) fn between(&self) -> Vec<Arc<MemorySnapshot>> {
        let is_between = |kept: &&ListedSnapshot| {
            self.before.is_some_and(|before| before < kept.number)
                && self.shown.is_some_and(|shown| kept.number < shown)
        };
        let kept = self.list.iter().filter(is_between);
        kept.map(|kept| Arc::clone(&kept.snapshot)).collect()
    }

    /// Returns whether a snapshot on screen distinguishes threads.
    pub(super) fn has_threads(&self) -> bool {
        self.on_screen().any(|kept| kept.facets.has_threads())
    }

    /// Returns the levels that all snapshots on screen have. In a comparison with a dump of sums,
    /// which has neither threads nor sizes, every thread and every size would be new.
    pub(super) fn available_levels(&self) -> Levels {
        // An empty dump does not restrict the levels.
        let all = |has: fn(&Facets) -> bool| {
            self.on_screen()
                .all(|kept| kept.snapshot.entries() == 0 || has(&kept.facets))
        };
        Levels {
            threads: all(Facets::has_threads),
            sizes: all(|facets| facets.has_sizes),
            ..Levels::default()
        }
    }

    /// Returns the snapshots on screen: the shown one, and the one it is compared with.
    pub(super) fn on_screen(&self) -> impl Iterator<Item = &ListedSnapshot> {
        [self.shown(), self.before()].into_iter().flatten()
    }

    fn find(&self, number: Option<u32>) -> Option<&ListedSnapshot> {
        self.list.iter().find(|kept| Some(kept.number) == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn the_last_sixteen_snapshots_and_those_on_screen_are_kept() {
        let mut random = Random::new(5);
        let mut snapshots = Snapshots::default();
        for added in 1..200_u32 {
            snapshots.add("x", MemorySnapshot::default(), Facets::default());
            let any = |random: &mut Random, list: &[ListedSnapshot]| {
                list[random.below(list.len() as u64) as usize].number
            };
            match random.below(4) {
                0 => snapshots.show(any(&mut random, &snapshots.list)),
                1 => snapshots.compare_with(Some(any(&mut random, &snapshots.list))),
                2 => snapshots.compare_with(None),
                _ => {}
            }
            assert_eq!(snapshots.list().len(), (added as usize).min(MAX_SNAPSHOTS));
            assert!(snapshots.shown().is_some());
            assert_eq!(snapshots.before().is_some(), snapshots.before.is_some());
            assert!(snapshots.before < snapshots.shown);
        }
    }

    #[test]
    fn memory_left_behind_is_the_difference_between_two_snapshots_at_a_mark() {
        let mut snapshots = Snapshots::default();
        let mut at = |mark: &str| {
            let (snapshot, facets) = (MemorySnapshot::default(), Facets::default());
            if mark.is_empty() {
                snapshots.add("by hand", snapshot, facets);
            } else {
                snapshots.add_at_mark("0:01", mark.to_owned(), snapshot, facets);
            }
            (snapshots.left_behind(), snapshots.shown)
        };
        assert_eq!(at("menu"), (None, Some(1)), "the first one is shown");
        assert_eq!(at("cave"), (Some((1, 2)), Some(1)), "the others are not");
        assert_eq!(at(""), (Some((1, 2)), Some(3)));
        assert_eq!(at("menu"), (Some((1, 4)), Some(3)));
        assert_eq!(at("menu"), (Some((4, 5)), Some(3)));
        assert_eq!(at("plain"), (Some((5, 6)), Some(3)), "at any mark");
        assert_eq!(snapshots.list()[1].short, "2: 0:01 cave");
    }

    #[test]
    fn a_comparison_goes_from_the_older_to_the_newer_snapshot() {
        let mut snapshots = Snapshots::default();
        (0..3).for_each(|_| snapshots.add("12:04", MemorySnapshot::default(), Facets::default()));
        assert_eq!(snapshots.shown().unwrap().label, "3: 12:04 - 0 B");
        snapshots.show(1);
        snapshots.compare_with(Some(3));
        assert_eq!((snapshots.before, snapshots.shown), (Some(1), Some(3)));
        snapshots.show(1);
        assert_eq!(
            (snapshots.before, snapshots.shown),
            (None, Some(1)),
            "not with itself"
        );
        snapshots.compare_with(Some(2));
        snapshots.show(3);
        assert_eq!((snapshots.before, snapshots.shown), (Some(1), Some(3)));
    }
}
