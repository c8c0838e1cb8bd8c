//! The state of the panel itself: what covers the panes, how the width is split, cached styles.

use std::sync::Arc;

use egui::{Id, Style};
use stats_ui::theme::Theme;

use crate::app::panel::embedded::EmbeddedPanels;
use crate::app::panel::problems_ui::Problems;
use crate::app::panel::split_ui::Split;

/// A page that covers the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sheet {
    Help,
    Settings,
    Problems,
}

/// What the panel remembers from pass to pass.
#[derive(Debug, Default)]
pub(crate) struct PanelState {
    /// The page that covers the panes.
    pub(crate) sheet: Option<Sheet>,
    /// The text field that had the keyboard when the last pass ended.
    pub(crate) text_field: Option<Id>,
    pub(crate) split: Split,
    pub(crate) problems: Problems,
    pub(crate) embedded: EmbeddedPanels,
    /// The style of the widgets, and the theme that it was built for.
    style: Option<(Theme, Arc<Style>)>,
}

impl PanelState {
    /// Opens a sheet, or closes it if it is open.
    pub(crate) fn toggle(&mut self, sheet: Sheet) {
        self.sheet = (self.sheet != Some(sheet)).then_some(sheet);
    }

    /// Returns the style of the widgets for a theme. It is built once.
    pub(super) fn style(&mut self, theme: &Theme) -> Arc<Style> {
        match &self.style {
            Some((of, style)) if of == theme => Arc::clone(style),
            _ => {
                let style = theme.style();
                self.style = Some((*theme, Arc::clone(&style)));
                style
            }
        }
    }
}
