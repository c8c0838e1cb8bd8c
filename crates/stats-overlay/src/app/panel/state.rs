//! The state of the panel itself: the open sheet, the split of the width, and the cached style.

use egui::{Context, Id, ViewportIdMap};
use stats_ui::theme::StyleCache;

use crate::app::panel::budget_ui::BudgetSheet;
use crate::app::panel::embedded::EmbeddedPanels;
use crate::app::panel::problems_ui::Problems;
use crate::app::panel::split_ui::Split;
use crate::input::action::Action;

/// A page that covers the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sheet {
    Help,
    Settings,
    Problems,
    Budgets,
}

/// The state of the panel between passes.
#[derive(Debug, Default)]
pub(crate) struct PanelState {
    /// The open sheet.
    pub(crate) sheet: Option<Sheet>,
    /// The text field that had the keyboard at the end of the last pass, by viewport.
    pub(crate) text_fields: ViewportIdMap<Id>,
    pub(crate) split: Split,
    pub(crate) problems: Problems,
    pub(crate) budget: BudgetSheet,
    /// The action of the settings that waits for the press to bind.
    pub(crate) binding: Option<Action>,
    pub(crate) embedded: EmbeddedPanels,
    pub(super) style: StyleCache,
    /// The mean frame time and the frame rate of the last second, as of the last refresh.
    pub(crate) pace: [String; 2],
    /// The number of passes that drew the panel, up to 255.
    pub(super) passes: u8,
}

impl PanelState {
    /// Opens a sheet, or closes it if it is open.
    pub(crate) fn toggle(&mut self, sheet: Sheet) {
        self.sheet = (self.sheet != Some(sheet)).then_some(sheet);
    }

    /// Returns the text field that had the keyboard at the end of this viewport's last pass.
    pub(crate) fn text_field(&self, ctx: &Context) -> Option<Id> {
        self.text_fields.get(&ctx.viewport_id()).copied()
    }

    /// Remembers the text field that has the keyboard at the end of this pass.
    pub(crate) fn set_text_field(&mut self, ctx: &Context, field: Option<Id>) {
        let viewport = ctx.viewport_id();
        match field {
            Some(field) => self.text_fields.insert(viewport, field),
            None => self.text_fields.remove(&viewport),
        };
    }
}
