//! The frames whose scopes a view wants, and which of them come first.

use std::cmp::Reverse;
use std::ops::Range;

/// The frames by which the scopes of the newest frame may come later.
pub(crate) const MAX_LATE: u64 = 256;

/// The frames whose scopes a view wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WantedFrames {
    pub(crate) all: Range<u64>,
    /// The frame that the view shows, and the one that it shows next. If not all frames have room,
    /// those near one of them come first.
    pub(crate) most: [u64; 2],
}

impl From<Range<u64>> for WantedFrames {
    /// The newest frames come first.
    fn from(all: Range<u64>) -> Self {
        let newest = all.end.saturating_sub(1);
        Self {
            all,
            most: [newest; 2],
        }
    }
}

/// A frame after how much it is wanted: the distance from the frame that a view wants most, and its
/// index. Of two at one distance, the newer one comes first: a view that follows the newest frame
/// shows it next.
pub(crate) type Ranked = (u64, Reverse<u64>);

/// Lists each frame that a view wants once, the most wanted first.
pub(crate) fn rank(wanted: &[WantedFrames], ranked: &mut Vec<Ranked>) {
    ranked.clear();
    for (at, one) in wanted.iter().enumerate() {
        let is_listed = |index: &u64| wanted[..at].iter().any(|other| other.all.contains(index));
        // In descending order, as a view ranks them that wants the newest frame most.
        let new = one.all.clone().rev().filter(|index| !is_listed(index));
        ranked.extend(new.map(|index| (distance(wanted, index), Reverse(index))));
    }
    ranked.sort_unstable();
}

fn distance(wanted: &[WantedFrames], index: u64) -> u64 {
    let views = wanted.iter().filter(|one| one.all.contains(&index));
    let distances = views.flat_map(|one| one.most.map(|most| most.abs_diff(index)));
    distances.min().unwrap_or(u64::MAX)
}
