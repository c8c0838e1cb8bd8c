//! A frame budget that a software adapter can meet. It draws ten times slower than a graphics card,
//! and a budget that no frame meets would mark all frames.
use stats_overlay::Settings;

/// The number of frames between two checks of the frame times.
pub(super) const EVERY: u64 = 30;
/// The number of frames that determine the budget.
pub(super) const FRAMES: usize = 120;
/// A frame is over budget if it takes this many times as long as a typical one.
const SLACK: f64 = 1.5;
/// The part of a frame that the overlay may take: 1 ms of a frame of 1/60 s. While all cores draw,
/// its work is slower, too.
const OVERLAY_PART: f64 = 0.06;

/// The budgets of the frame and of the overlay that the player has, in milliseconds, and those that the
/// game set instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paced {
    own: Budgets,
    set: Budgets,
}

#[derive(Clone, Copy, Debug)]
struct Budgets {
    frame_ms: Option<f64>,
    overlay_ms: f64,
}

impl Budgets {
    fn of(settings: &Settings) -> Self {
        Self {
            frame_ms: settings.frame_budget_ms,
            overlay_ms: settings.overlay_budget_ms,
        }
    }
}

impl Paced {
    /// Raises the budgets of the player to a frame budget and its part, unless they are larger.
    pub(super) fn raise(settings: &mut Settings, ms: f64) -> Self {
        let own = Budgets::of(settings);
        if own.frame_ms.is_some_and(|own_ms| own_ms < ms) {
            settings.frame_budget_ms = Some(ms);
            settings.overlay_budget_ms = own.overlay_ms.max(ms * OVERLAY_PART);
        }
        let set = Budgets::of(settings);
        Self { own, set }
    }

    /// Sets the budgets of the player again. Those that the player changed meanwhile stay.
    pub(super) fn undo(self, settings: &mut Settings) {
        if settings.frame_budget_ms == self.set.frame_ms {
            settings.frame_budget_ms = self.own.frame_ms;
        }
        if settings.overlay_budget_ms == self.set.overlay_ms {
            settings.overlay_budget_ms = self.own.overlay_ms;
        }
    }
}

/// Returns the budget for these frame times: a multiple of 10 ms, but at least `own_ms`. Returns
/// `None` unless it exceeds the current one, or is at most half of it: a budget that follows each
/// change would mark recent frames.
pub(super) fn budget(mut times_ms: Vec<f64>, current_ms: f64, own_ms: f64) -> Option<f64> {
    times_ms.sort_by(f64::total_cmp);
    let typical_ms = times_ms.get(times_ms.len() / 2)?;
    let budget_ms = ((typical_ms * SLACK / 10.0).ceil() * 10.0).max(own_ms);
    (budget_ms > current_ms || budget_ms <= current_ms / 2.0).then_some(budget_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_follows_typical_frames_and_never_falls_below_that_of_the_player() {
        let of = |times_ms: &[f64], current_ms| budget(times_ms.to_vec(), current_ms, 33.0);
        assert_eq!(of(&[40.0, 44.0, 300.0], 33.0), Some(70.0));
        assert_eq!(of(&[10.0; 9], 33.0), None);
        assert_eq!(of(&[44.0; 9], 70.0), None);
        assert_eq!(of(&[], 33.0), None);
        // A slow minute, such as while something else was compiled.
        assert_eq!(of(&[200.0; 9], 70.0), Some(300.0));
        assert_eq!(of(&[104.0; 9], 300.0), None, "more than half of it");
        assert_eq!(of(&[44.0; 9], 300.0), Some(70.0));
        assert_eq!(of(&[10.0; 9], 300.0), Some(33.0));
    }
}
