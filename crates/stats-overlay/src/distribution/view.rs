//! What of the distribution view outlives a frame: what was chosen, and the distributions until
//! they are made anew.

use std::ops::Range;

use egui::Ui;

use crate::data::timeline::Timeline;
use crate::data::view::Data;
use crate::distribution::row::Row;
use crate::paint::choice_ui::choice;
use stats_analysis::distribution::ValueScale;
use stats_ui::theme::Theme;

/// With less room than this for them, in points, choices are in a menu.
const LEAST_FOR_CHOICES: f32 = 330.0;

/// Everything about the distribution view that outlives a frame.
#[derive(Debug, Default)]
pub(crate) struct DistributionView {
    /// How values are spread along their axis.
    pub(crate) choice: ValueScale,
    /// Whether bars are as high as the logarithm of their counts.
    pub(crate) log_counts: bool,
    /// Whether of a histogram the values per frame are shown rather than its samples.
    pub(crate) per_frame: bool,
    /// Series by series.
    pub(crate) rows: Vec<Row>,
    /// What they are of; `None` at first.
    of: Option<RowsOf>,
    /// Another one whenever rows are to be made anew; 0 is none.
    stamp: u64,
    /// Whether there is a histogram among the series.
    has_samples: bool,
    /// Kept for its memory.
    pub(crate) scratch: Vec<f64>,
}

/// What distributions are made of. Frames that are followed go on by themselves: what they are is
/// read anew with the numbers.
#[derive(Clone, Debug, PartialEq)]
struct RowsOf {
    revision: u64,
    selected: Option<Range<u64>>,
    left: Option<f64>,
    span: f64,
    choice: ValueScale,
    per_frame: bool,
}

impl DistributionView {
    /// Settles whether rows are to be made anew: where numbers are, or where they are of other
    /// series or frames. Returns their stamp.
    pub(crate) fn begin(
        &mut self,
        data: &dyn Data,
        timeline: &Timeline,
        count: usize,
        revision: u64,
        refresh: bool,
    ) -> u64 {
        let selected = timeline.selected_range.clone();
        let of = RowsOf {
            revision,
            selected,
            left: timeline.left,
            span: timeline.span,
            choice: self.choice,
            per_frame: self.per_frame,
        };
        let is_other = self.of.as_ref() != Some(&of);
        if self
            .of
            .as_ref()
            .is_none_or(|before| before.revision != revision)
        {
            self.rows.clear();
            self.rows.resize_with(count, Row::default);
            self.has_samples = false;
        }
        if is_other || refresh {
            self.stamp += 1;
            self.of = Some(of);
            // A histogram stays one.
            self.has_samples =
                self.has_samples || (0..count).any(|at| data.distribution(at).is_some());
        }
        self.stamp
    }

    /// What is chosen above the pane.
    pub(crate) fn choices_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        let least = LEAST_FOR_CHOICES + if self.has_samples { 140.0 } else { 0.0 };
        if ui.available_width() < least {
            ui.menu_button("Axes", |ui| self.all_choices_ui(ui, theme));
        } else {
            self.all_choices_ui(ui, theme);
        }
    }

    fn all_choices_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        if self.has_samples {
            for (per_frame, name, help) in [
                (
                    false,
                    "Samples",
                    "Of a histogram, every sample of the run under way",
                ),
                (
                    true,
                    "Per frame",
                    "Of a histogram, too, the values of the frames on screen: the sums of their samples",
                ),
            ] {
                if choice(ui, theme, name, self.per_frame == per_frame)
                    .on_hover_text(help)
                    .clicked()
                {
                    self.per_frame = per_frame;
                }
            }
            ui.add_space(10.0);
        }
        for (of, name, help) in [
            (
                ValueScale::Auto,
                "Auto",
                "Logarithmic values where all are above 0 and span more than two decades (L)",
            ),
            (ValueScale::Linear, "Linear", "Linear values (L)"),
            (
                ValueScale::Log,
                "Log",
                "Logarithmic values, to both sides of 0 where there are any (L)",
            ),
        ] {
            if choice(ui, theme, name, self.choice == of)
                .on_hover_text(help)
                .clicked()
            {
                self.choice = of;
            }
        }
        ui.add_space(10.0);
        if choice(ui, theme, "Log counts", self.log_counts)
            .on_hover_text("Bars as high as the logarithm of their counts")
            .clicked()
        {
            self.log_counts = !self.log_counts;
        }
    }

    /// The next spread of values: by themselves, linear, logarithmic.
    pub(crate) fn choose_next(&mut self) {
        self.choice = match self.choice {
            ValueScale::Auto => ValueScale::Linear,
            ValueScale::Linear => ValueScale::Log,
            ValueScale::Log => ValueScale::Auto,
        };
    }
}
