//! The levels at which the overlay rebuilds its numbers and graphs.

/// How often numbers and graphs are rebuilt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slowdown {
    /// In every frame.
    #[default]
    None,
    Every2nd,
    Every4th,
    Every8th,
}

impl Slowdown {
    const ALL: [Self; 4] = [Self::None, Self::Every2nd, Self::Every4th, Self::Every8th];

    /// Returns the number of frames per full frame.
    pub(super) const fn frames(self) -> u32 {
        1 << self as u32
    }

    /// Returns the next slower level.
    pub(super) fn more(self) -> Self {
        Self::ALL[(self as usize + 1).min(Self::ALL.len() - 1)]
    }

    /// Returns the next faster level.
    pub(super) fn less(self) -> Self {
        Self::ALL[(self as usize).saturating_sub(1)]
    }

    /// Returns `overlay 1.4 ms, over its budget of 1 ms: graphs every 4th frame`, given what a full
    /// frame costs and the budget; empty if nothing is slowed down.
    pub(super) fn text(self, full_ms: f64, budget_ms: f64) -> String {
        let nth = match self {
            Self::None => return String::new(),
            Self::Every2nd => "2nd",
            Self::Every4th => "4th",
            Self::Every8th => "8th",
        };
        let is_over = full_ms > budget_ms;
        let [mut full, budget] = [full_ms, budget_ms].map(|ms| (ms * 100.0).round());
        // The text never says that a time is over the same time.
        if is_over {
            full = full.max(budget + 1.0);
        } else if full_ms < budget_ms {
            full = full.min(budget - 1.0);
        }
        let of = if is_over { "over" } else { "again within" };
        format!(
            "overlay {} ms, {of} its budget of {} ms: graphs every {nth} frame",
            full / 100.0,
            budget / 100.0
        )
    }
}
