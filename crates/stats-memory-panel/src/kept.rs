//! The snapshots that are kept, and which of them are looked at.

use std::sync::Arc;

use stats_core::Unit;

use super::facets::Facets;
use super::snapshot::MemorySnapshot;
use stats_analysis::format::value_text;
use stats_ui::text::one_line;

/// How many snapshots are kept.
pub(super) const MAX_SNAPSHOTS: usize = 16;
/// How much of a name is shown.
const NAME_CHARS: usize = 60;

/// A snapshot that is kept.
#[derive(Debug)]
pub(super) struct Kept {
    /// The how-manieth it is, from 1 on.
    pub(super) number: u32,
    /// As it is listed: `1: 12:04 - 813.4 MiB`.
    pub(super) label: String,
    /// The same without the size.
    pub(super) short: String,
    pub(super) snapshot: Arc<MemorySnapshot>,
    pub(super) facets: Facets,
}

/// The snapshots, oldest first; one is shown, and may be compared with an older one.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    list: Vec<Kept>,
    added: u32,
    shown: Option<u32>,
    /// Always less than `shown`: what is compared reads from then to now.
    before: Option<u32>,
}

impl Snapshots {
    pub(super) fn list(&self) -> &[Kept] {
        &self.list
    }

    /// Adds one and shows it; compared with the same as before. Of too many the oldest goes that is
    /// not looked at.
    pub(super) fn add(&mut self, name: &str, snapshot: MemorySnapshot, facets: Facets) {
        self.added += 1;
        let short = format!("{}: {}", self.added, one_line(name, NAME_CHARS));
        let label = format!(
            "{short} - {}",
            value_text(snapshot.bytes() as f64, Unit::Bytes)
        );
        self.list.push(Kept {
            number: self.added,
            label,
            short,
            snapshot: Arc::new(snapshot),
            facets,
        });
        self.shown = Some(self.added);
        if self.list.len() > MAX_SNAPSHOTS {
            let goes = self.list.iter().position(|kept| {
                Some(kept.number) != self.shown && Some(kept.number) != self.before
            });
            goes.map(|at| self.list.remove(at));
        }
    }

    /// Shows another one. The older of the two that are looked at is the one before; nothing is
    /// compared with itself.
    pub(super) fn show(&mut self, number: u32) {
        self.look_at(number, self.before);
    }

    /// Compares what is shown with another one, or with none.
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

    /// The number of the one that is shown.
    pub(super) fn shown_number(&self) -> Option<u32> {
        self.shown
    }

    /// The number of the one that it is compared with.
    pub(super) fn before_number(&self) -> Option<u32> {
        self.before
    }

    /// The one that is shown.
    pub(super) fn shown(&self) -> Option<&Kept> {
        self.find(self.shown)
    }

    /// The one that it is compared with.
    pub(super) fn before(&self) -> Option<&Kept> {
        self.find(self.before)
    }

    fn find(&self, number: Option<u32>) -> Option<&Kept> {
        self.list.iter().find(|kept| Some(kept.number) == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn sixteen_are_kept_and_what_is_looked_at_never_goes() {
        let mut random = Random::new(5);
        let mut snapshots = Snapshots::default();
        for added in 1..200_u32 {
            snapshots.add("x", MemorySnapshot::default(), Facets::default());
            let any = |random: &mut Random, list: &[Kept]| {
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
    fn what_is_compared_reads_from_then_to_now() {
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
