//! Ranges of frames that a reader asks for.

use std::ops::Range;

/// Puts ranges of frames in order, joins those without a frame between them, and leaves out empty ones:
/// for implementors of [`Source::timeline`](crate::Source::timeline).
///
/// ```
/// let mut ranges = vec![90..100, 5..5, 20..30, 30..31, 10..15, 95..98, 92..101];
/// stats_core::timeline::join_ranges(&mut ranges);
/// assert_eq!(ranges, [10..15, 20..31, 90..101]);
/// ```
pub fn join_ranges(ranges: &mut Vec<Range<u64>>) {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let is_joined = next.start <= range.end;
        if is_joined {
            range.end = range.end.max(next.end);
        }
        is_joined
    });
}
