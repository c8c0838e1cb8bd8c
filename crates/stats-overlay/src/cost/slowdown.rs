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

    /// Returns `overlay over its 1 ms: graphs every 4th frame`; empty if nothing is slowed down.
    pub(super) fn text(self, budget_ms: f64) -> String {
        let nth = match self {
            Self::None => return String::new(),
            Self::Every2nd => "2nd",
            Self::Every4th => "4th",
            Self::Every8th => "8th",
        };
        format!(
            "overlay over its {} ms: graphs every {nth} frame",
            (budget_ms * 100.0).round() / 100.0
        )
    }
}
