//! The budgets of groups.

use egui::{Color32, Painter, Rect, pos2, vec2};

use super::figures::bytes_text;
use crate::snapshot::MemorySnapshot;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};

/// The width of a bar, in points.
const BAR: f32 = 44.0;
/// The width of the sign for an exceeded budget, in points.
const SIGN: f32 = 12.0;

/// How much of its budget a group uses, on all threads and regardless of the filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupBudget {
    group: String,
    bytes: u64,
    budget_bytes: u64,
}

impl GroupBudget {
    /// Returns the groups of a snapshot that have a budget, including those without memory.
    pub(super) fn all(snapshot: &MemorySnapshot) -> Vec<Self> {
        let bytes = |group: &str| {
            let found = snapshot.groups().find(|(name, _)| *name == group);
            found.map_or(0, |(_, bytes)| bytes)
        };
        let budgets = snapshot.budgets();
        budgets
            .map(|(group, budget_bytes)| Self {
                group: group.to_owned(),
                bytes: bytes(group),
                budget_bytes,
            })
            .collect()
    }

    /// Returns the budget of a group; `None` if it has none.
    pub(super) fn of<'a>(all: &'a [Self], group: &str) -> Option<&'a Self> {
        all.iter().find(|budget| budget.group == group)
    }

    fn is_above(&self, percent: u128) -> bool {
        u128::from(self.bytes) * 100 > u128::from(self.budget_bytes) * percent
    }

    /// Returns the words for its state, which changes above the budget and above nine tenths of it,
    /// as in `stats-memory`.
    fn state(&self) -> &'static str {
        if self.is_above(100) {
            ": over budget"
        } else if self.is_above(90) {
            ": near the budget"
        } else {
            ""
        }
    }

    /// Returns `84 % of budget`. Rounds away from 100 %, which is exact.
    fn share_text(&self) -> String {
        let percent = self.bytes as f64 * 100.0 / (self.budget_bytes as f64).max(1.0);
        let whole = if self.is_above(100) {
            percent.ceil()
        } else {
            percent.floor()
        };
        format!("{whole:.0} % of budget")
    }

    /// Returns the text for the tooltip and for screen readers.
    pub(super) fn line(&self) -> String {
        format!(
            "the whole group has {} of {}, {}{}",
            bytes_text(self.bytes),
            bytes_text(self.budget_bytes),
            self.share_text(),
            self.state()
        )
    }

    /// Draws the bar and the share, if there is room. A sign marks an exceeded budget without
    /// color.
    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, rect: Rect) {
        if rect.width() < BAR {
            return;
        }
        let color = self.color(theme);
        let bar = Rect::from_min_size(pos2(rect.left(), rect.center().y - 2.0), vec2(BAR, 4.0));
        let share = (self.bytes as f64 / (self.budget_bytes as f64).max(1.0)).min(1.0) as f32;
        shapes::share_bar(painter, (bar, 1.0), share, color, theme);
        let mut text = rect.with_min_x((bar.right() + 6.0).min(rect.right()));
        if self.is_above(100) {
            let center = pos2(text.left() + SIGN / 2.0, rect.center().y);
            painter.add(shapes::over_budget_sign(center, color));
            text = text.with_min_x((text.left() + SIGN + 2.0).min(rect.right()));
        }
        let text_color = if self.is_above(90) { color } else { theme.weak };
        shapes::text_in(painter, text, &self.share_text(), small_font(), text_color);
    }

    fn color(&self, theme: &Theme) -> Color32 {
        if self.is_above(90) {
            theme.alert
        } else {
            theme.accent
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_group_is_near_its_budget_above_90_percent_and_over_it_above_100() {
        let text = |bytes: u64| {
            let dump = format!(
                "address,thread,group,bytes,scope|stack,name,g=1000|idle=0\n0x1,a,g,{},s,n\n0x2,b,g,400,s,n\n",
                bytes - 400
            );
            let all = GroupBudget::all(&read(&dump));
            assert!(GroupBudget::of(&all, "h").is_none());
            assert_eq!(
                GroupBudget::of(&all, "idle").unwrap().share_text(),
                "0 % of budget"
            );
            GroupBudget::of(&all, "g").unwrap().share_text()
        };
        assert_eq!(text(999), "99 % of budget");
        assert_eq!(text(1000), "100 % of budget");
        assert_eq!(text(1001), "101 % of budget");
        assert_eq!(text(2030), "203 % of budget");
        let line = |bytes: u64| {
            let dump = format!("address,,,bytes,,,g=2048\n,,g,{bytes},,,1\n");
            GroupBudget::all(&read(&dump))[0].line()
        };
        assert_eq!(
            line(1024),
            "the whole group has 1.00 KiB of 2.00 KiB, 50 % of budget"
        );
        assert!(line(1843).ends_with("89 % of budget"));
        assert!(line(1844).ends_with("90 % of budget: near the budget"));
        assert!(line(2049).ends_with("101 % of budget: over budget"));
    }
}
