//! A frame budget that a software adapter can meet. It draws ten times slower than a graphics card,
//! and a budget that no frame meets would mark all frames.

/// The number of frames between two checks of the frame times.
pub(super) const EVERY: u64 = 30;
/// The number of frames that determine the budget.
pub(super) const FRAMES: usize = 120;
/// A frame is over budget if it takes this many times as long as a typical one.
const SLACK: f64 = 1.5;
/// The part of a frame that the overlay may take: 1 ms of a frame of 1/60 s. While all cores draw,
/// its work is slower, too.
pub(super) const OVERLAY_PART: f64 = 0.06;

/// Returns the budget for these frame times, a multiple of 10 ms. Returns `None` unless that is
/// above the current budget: lowering the budget again would mark recent frames.
pub(super) fn budget(mut times_ms: Vec<f64>, current_ms: Option<f64>) -> Option<f64> {
    times_ms.sort_by(f64::total_cmp);
    let typical_ms = times_ms.get(times_ms.len() / 2)?;
    let budget_ms = (typical_ms * SLACK / 10.0).ceil() * 10.0;
    (budget_ms > current_ms?).then_some(budget_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_rises_until_typical_frames_meet_it_and_never_falls() {
        let of = |times_ms: &[f64], current_ms| budget(times_ms.to_vec(), current_ms);
        assert_eq!(of(&[40.0, 44.0, 300.0], Some(33.0)), Some(70.0));
        assert_eq!(of(&[10.0; 9], Some(33.0)), None);
        assert_eq!(of(&[44.0; 9], Some(70.0)), None);
        assert_eq!(of(&[44.0; 9], None), None, "the player removed the budget");
        assert_eq!(of(&[], Some(33.0)), None);
    }
}
