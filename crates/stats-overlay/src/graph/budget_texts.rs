//! The texts of the tags of budgets, kept until what they are made of changes.

use std::sync::Arc;

use egui::{Color32, Galley, Painter};
use stats_analysis::format::NumberStyle;
use stats_core::Unit;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::text_revision::text_revision;
use stats_ui::theme::small_font;

use crate::data::selection::SelectedSeries;
use crate::paint::reused_mesh::ReusedMesh;

/// What is kept of the tags of budgets.
#[derive(Debug, Default)]
pub(super) struct BudgetTags {
    /// The texts of each series that had a tag.
    pub(super) texts: Vec<Option<BudgetTexts>>,
    pub(super) mesh: ReusedMesh,
}

/// The texts of the tag of a series.
#[derive(Debug)]
pub(super) struct BudgetTexts {
    of: TextsOf,
    /// The name of the series.
    name: String,
    /// The words for a screen reader.
    pub(super) said: String,
    /// The text of the tag, in the color with which it is painted.
    pub(super) galley: Arc<Galley>,
}

/// What the texts are made of, beside the name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TextsOf {
    budget: f64,
    /// The number of further series with the same budget.
    more: usize,
    unit: Unit,
    is_sum: bool,
    room: Room,
    text_revision: u64,
}

/// The widths that a text may have, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Room {
    /// With the name of the series, or with the word for a budget.
    pub(super) with_words: f32,
    /// As the bare value.
    pub(super) bare: f32,
}

impl BudgetTexts {
    /// Returns the texts for a budget of a series, which is that of some `more` series. `kept` has the
    /// last ones of the series.
    pub(super) fn of<'a>(
        kept: &'a mut Option<Self>,
        painter: &Painter,
        selected: &SelectedSeries,
        (budget, more): (f64, usize),
        room: Room,
    ) -> &'a Self {
        let of = TextsOf {
            budget,
            more,
            unit: selected.unit(),
            is_sum: selected.is_histogram(),
            room,
            text_revision: text_revision(painter.ctx()),
        };
        let is_kept = |texts: &mut Self| texts.of == of && texts.name == selected.name;
        let kept_texts = kept.take_if(is_kept);
        kept.insert(kept_texts.unwrap_or_else(|| Self::new(painter, selected, of)))
    }

    fn new(painter: &Painter, selected: &SelectedSeries, of: TextsOf) -> Self {
        let style = NumberStyle::new(of.unit, of.budget, of.budget.fract() == 0.0);
        let value = style.text(of.budget);
        let word = format!("budget {value}");
        let more = match of.more {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let said = format!("{word} {}{more}", one_line(&selected.frame_name(), 40));
        let lay_out = |text: &str, room: f32| {
            let color = Color32::PLACEHOLDER;
            shapes::fitted(painter, text, small_font(), color, room.max(0.0))
        };
        // The color says whose budget it is, too.
        let whole = [&said, &word].into_iter().find_map(|text| {
            let galley = lay_out(text, of.room.with_words);
            (!galley.elided).then_some(galley)
        });
        Self {
            of,
            name: selected.name.clone(),
            galley: whole.unwrap_or_else(|| lay_out(&value, of.room.bare)),
            said,
        }
    }
}
