//! A frame budget that a software adapter can keep: it draws ten times slower than a graphics card,
//! and a budget that no frame keeps would mark all of them.

/// The number of frames between two looks at the frame times.
pub(super) const EVERY: u64 = 30;
/// The number of frames that determine the budget.
pub(super) const FRAMES: usize = 120;
/// A frame of this many typical frames is over budget.
const SLACK: f64 = 1.5;

/// Returns the budget for these frame times, a multiple of 10 ms. Returns `None` if that is not more
/// than the budget of today: a budget that sinks again would mark the frames of a moment ago.
pub(super) fn budget(mut times_ms: Vec<f64>, today_ms: Option<f64>) -> Option<f64> {
    times_ms.sort_by(f64::total_cmp);
    let typical_ms = times_ms.get(times_ms.len() / 2)?;
    let budget_ms = (typical_ms * SLACK / 10.0).ceil() * 10.0;
    (budget_ms > today_ms?).then_some(budget_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_rises_to_what_typical_frames_keep_and_never_sinks() {
        let of = |times_ms: &[f64], today_ms| budget(times_ms.to_vec(), today_ms);
        assert_eq!(of(&[40.0, 44.0, 300.0], Some(33.0)), Some(70.0));
        assert_eq!(of(&[10.0; 9], Some(33.0)), None);
        assert_eq!(of(&[44.0; 9], Some(70.0)), None);
        assert_eq!(of(&[44.0; 9], None), None, "the player removed the budget");
        assert_eq!(of(&[], Some(33.0)), None);
    }
}
