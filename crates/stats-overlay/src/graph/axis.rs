//! The numbers along the axis of values.
//!
//! Every graph has some, however low it is. Where each series has its own range, they are those of
//! the first series that has values; a bar beside the axis has the color of that series, and a
//! tooltip names it.

use egui::{Rect, Sense, Ui};
use egui_plot::{GridInput, GridMark, PlotTransform, log_grid_spacer};

use super::ui::GraphUi;
use super::view::{Ranges, Shown};
use crate::paint::canvas::Canvas;
use stats_analysis::axis::{Mapping, log_marks, on_axis};
use stats_ui::accessibility;
use stats_ui::text::one_line;

/// The width of the bar in the color of the axis' series, in points.
const BAR: f32 = 3.0;

/// Returns the place of the series whose range the axis shows: the first with values, or else the
/// first.
pub(super) fn series_of_axis(shown: &[Shown]) -> Option<usize> {
    let seen = |at: &usize| !shown[*at].hidden;
    let with_values = |at: &usize| seen(at) && shown[*at].summary.is_some();
    let places = 0..shown.len();
    places
        .clone()
        .find(with_values)
        .or_else(|| places.clone().find(seen))
}

impl GraphUi<'_> {
    /// Paints a bar in the color of the series whose range the axis shows, if the series have
    /// different ranges.
    pub(super) fn axis_series_ui(
        &self,
        ui: &Canvas,
        transform: &PlotTransform,
        shown: &[Shown],
        ranges: Ranges,
    ) {
        let Some(at) = named_axis(shown, ranges) else {
            return;
        };
        let (bar, selected) = (bar(transform), &self.pane.selected[at]);
        ui.painter()
            .rect_filled(bar, 0.0, self.pane.theme.series(selected.slot));
        accessibility::describe(ui.ctx(), ui.make_persistent_id("value axis"), bar, || {
            let name = one_line(&selected.name, 120);
            ("value axis".to_owned(), format!("of {name}"))
        });
    }

    /// Names that series under the pointer.
    pub(super) fn axis_tip_ui(
        &self,
        ui: &Ui,
        transform: &PlotTransform,
        shown: &[Shown],
        ranges: Ranges,
    ) {
        let Some(at) = named_axis(shown, ranges) else {
            return;
        };
        let axis = bar(transform).with_min_x(ui.max_rect().left());
        let id = ui.make_persistent_id("value axis tip");
        ui.interact(axis, id, Sense::hover()).on_hover_ui(|ui| {
            let name = one_line(&self.pane.selected[at].name, 120);
            ui.label(format!(
                "Values of {name}. Each series has its own range; the legend shows them all."
            ));
        });
    }
}

/// Returns the place of the series that the axis names: it has a range of its own.
fn named_axis(shown: &[Shown], ranges: Ranges) -> Option<usize> {
    let series = shown.iter().filter(|shown| !shown.hidden).count();
    series_of_axis(shown).filter(|_| ranges == Ranges::Own && series > 1)
}

fn bar(transform: &PlotTransform) -> Rect {
    let plot = transform.frame();
    plot.with_max_x(plot.left()).with_min_x(plot.left() - BAR)
}

/// Returns the marks of the axis: powers of `base`, or finer marks if a low axis or a narrow range
/// would have fewer than two numbers.
pub(crate) fn marks(input: GridInput, mapping: Mapping, base: i64) -> Vec<GridMark> {
    let (bottom, top) = input.bounds;
    let inside = |mark: &GridMark| (bottom..=top).contains(&mark.value);
    let least = input.base_step_size;
    let marks: Vec<GridMark> = match mapping {
        Mapping::Linear => log_grid_spacer(base)(GridInput {
            bounds: input.bounds,
            base_step_size: least,
        }),
        Mapping::Log => log_marks(input.bounds)
            .map(|(value, step_size)| GridMark { value, step_size })
            .collect(),
    };
    // A mark of a logarithmic axis has a number if its step is wide enough.
    let numbered = |mark: &GridMark| inside(mark) && mark.step_size >= least;
    if marks.iter().filter(|mark| numbered(mark)).count() > 1 {
        return marks;
    }
    let finer: Vec<GridMark> = match mapping {
        Mapping::Linear => multiples(input.bounds, round_step(least, base))
            .map(|value| GridMark {
                value,
                step_size: round_step(least, base),
            })
            .collect(),
        Mapping::Log => {
            let (low, high) = (10f64.powf(bottom), 10f64.powf(top));
            let step = round_step(least * (high - low) / (top - bottom), 10);
            let values = multiples((low, high), step).filter(|&value| value > 0.0);
            values
                .map(|value| GridMark {
                    value: on_axis(Mapping::Log, value),
                    step_size: least,
                })
                .collect()
        }
    };
    if finer.iter().any(inside) {
        return finer;
    }
    // The axis is too low for a round number, so it has the one at its lower edge.
    vec![GridMark {
        value: bottom,
        step_size: top - bottom,
    }]
}

/// Returns the smallest step that is not below `least`: 1, 2 or 5 times a power of ten, or 1 or 2
/// times a power of four.
fn round_step(least: f64, base: i64) -> f64 {
    let power = (base as f64).powf(least.log(base as f64).floor());
    let parts: &[f64] = if base == 10 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0, 2.0]
    };
    let mut steps = parts.iter().map(|part| part * power);
    steps
        .find(|step| *step >= least)
        .unwrap_or(power * base as f64)
}

/// Returns the multiples of `step` within a range, at most a hundred.
fn multiples((bottom, top): (f64, f64), step: f64) -> impl Iterator<Item = f64> {
    let first = (bottom / step).ceil();
    let values = (0..100).map(move |number| (first + f64::from(number)) * step);
    values.take_while(move |value| *value <= top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::view::Shown;
    use stats_testing::Random;

    #[test]
    fn every_axis_has_numbers() {
        let mut random = Random::new(8);
        for round in 0..20_000 {
            let size = 10f64.powi(random.below(40) as i32 - 9);
            let bottom = size * random.below(1000) as f64 / 300.0;
            let span = size * (1 + random.below(1000)) as f64 / 100.0;
            let height = (30 + random.below(600)) as f64;
            let (mapping, bounds) = if round % 2 == 0 {
                (Mapping::Linear, (bottom, bottom + span))
            } else {
                let low = random.below(900) as f64 / 100.0 - 3.0;
                (
                    Mapping::Log,
                    (low, low + (1 + random.below(900)) as f64 / 100.0),
                )
            };
            let base_step_size = (bounds.1 - bounds.0) * 28.0 / height;
            for base in [4, 10] {
                let input = GridInput {
                    bounds,
                    base_step_size,
                };
                let marks = marks(input, mapping, base);
                let numbers = marks.iter().filter(|mark| {
                    (bounds.0..=bounds.1).contains(&mark.value)
                        && mark.step_size >= base_step_size * (1.0 - 1e-9)
                });
                assert!(numbers.count() > 0, "{mapping:?} {bounds:?} {height}");
                assert!(marks.len() < 1500, "{} marks", marks.len());
            }
        }
    }

    #[test]
    fn a_low_axis_has_more_than_its_zero() {
        let input = GridInput {
            bounds: (0.0, 60.0),
            base_step_size: 60.0 * 28.0 / 110.0,
        };
        let values: Vec<f64> = marks(input, Mapping::Linear, 10)
            .iter()
            .map(|mark| mark.value)
            .collect();
        assert_eq!(values, [0.0, 20.0, 40.0, 60.0]);
    }

    #[test]
    fn the_axis_is_that_of_the_first_series_with_values() {
        let shown = |has_values: bool, hidden| Shown {
            summary: has_values.then(Default::default),
            range: (0.0, 1.0),
            budget_near: false,
            hidden,
            frames: (0, 0),
        };
        assert_eq!(series_of_axis(&[]), None);
        assert_eq!(
            series_of_axis(&[shown(false, false), shown(true, false)]),
            Some(1)
        );
        assert_eq!(
            series_of_axis(&[shown(true, true), shown(false, false)]),
            Some(1)
        );
    }
}
