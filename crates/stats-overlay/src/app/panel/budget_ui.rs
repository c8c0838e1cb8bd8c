//! The sheet of budgets: a field for the budget of one series, and the list of all budgets that were
//! set by hand.

use egui::{Key, Label, Rect, RichText, ScrollArea, TextEdit, Ui};
use stats_analysis::budget::Budget;
use stats_analysis::format::exact_text;
use stats_core::{FRAME_TIME, Unit};
use stats_ui::accessibility;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, text_font};
use stats_ui::tooltip;
use stats_ui::tree::RowAction;

use crate::app::hand_budgets::HandBudgets;
use crate::app::panel::panel_ui::BACK_WIDTH;
use crate::app::request::Request;
use crate::input::settings::Settings;
use crate::paint::canvas::clipped_child;

/// The series whose budget is edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edited {
    pub(crate) path: String,
    pub(crate) unit: Unit,
    /// The budget that it has now.
    pub(crate) budget: Option<f64>,
    /// Its newest value, where stepping begins if it has no budget.
    pub(crate) newest: Option<f64>,
}

/// The state of the sheet.
#[derive(Debug, Default)]
pub(crate) struct BudgetSheet {
    edited: Edited,
    /// The text in the field.
    text: String,
    /// Why the text is no budget, or why the series can have none.
    error: Option<String>,
    takes_focus: bool,
}

impl BudgetSheet {
    /// Edits the budget of another series.
    pub(crate) fn edit(&mut self, edited: Edited) {
        let text = edited.budget.map(|budget| budget.to_string());
        *self = Self {
            text: text.unwrap_or_default(),
            edited,
            error: None,
            takes_focus: true,
        };
    }

    /// Says that a companion of the series `of` has no budget of its own.
    pub(crate) fn refuse(&mut self, path: &str, of: &str) {
        *self = Self::default();
        let (path, of) = (one_line(path, 60), one_line(of, 60));
        self.error = Some(format!(
            "{path} belongs to {of} and has no budget of its own. Set one for {of}."
        ));
    }

    /// Returns the series and the budget in the field. If the text is no budget, says why.
    pub(crate) fn entered(&mut self) -> Option<(String, f64)> {
        let Edited { path, unit, .. } = &self.edited;
        if path.is_empty() {
            return None;
        }
        let limits = Settings::BUDGET_MS;
        let typed = Budget::typed(&self.text, *unit).and_then(|budget| match path.as_str() {
            FRAME_TIME if !limits.contains(&budget) => Err(format!(
                "The frame budget is a time from {} ms to {} ms.",
                limits.start(),
                limits.end()
            )),
            _ => Ok(budget),
        });
        match typed {
            Ok(budget) => {
                self.error = None;
                Some((path.clone(), budget))
            }
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }

    /// Moves to the next greater or smaller number of two digits, because a pad cannot type a number.
    pub(crate) fn step(&mut self, row: RowAction) {
        let typed = Budget::typed(&self.text, self.edited.unit).ok();
        let from = typed.or(self.edited.newest).unwrap_or(0.0);
        let next = match row {
            RowAction::Up => next_number(from),
            RowAction::Down => -next_number(-from),
            _ => return,
        };
        self.error = None;
        self.text = next.to_string();
    }

    /// Draws the sheet into `rect`. `hand` has the budgets that were set by hand. Returns a click.
    pub(super) fn sheet_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        hand: &HandBudgets,
        rect: Rect,
    ) -> Option<Request> {
        let mut ui = clipped_child(ui, "budgets", rect);
        ui.horizontal(|ui| {
            ui.set_max_width((rect.width() - BACK_WIDTH).max(0.0));
            ui.label(RichText::new("Budgets").color(theme.accent));
        });
        ui.add_space(6.0);
        let mut request = self.field_ui(&mut ui, theme);
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            ui.label(RichText::new("Set by hand").color(theme.accent));
            let copy = ui.button("Copy for stats.toml");
            let help = "Copies all of them as text to paste into the file";
            if tooltip::with_text(copy, help).clicked() {
                request = Some(Request::CopyBudgets);
            }
        });
        ScrollArea::vertical()
            .auto_shrink([false, false])
            .show(&mut ui, |ui| {
                for (path, budget) in hand.iter() {
                    request = hand_ui(ui, path, budget).or(request.take());
                }
            });
        request
    }

    /// Draws the field for the budget of the edited series.
    fn field_ui(&mut self, ui: &mut Ui, theme: &Theme) -> Option<Request> {
        let mut request = None;
        if !self.edited.path.is_empty() {
            let path = one_line(&self.edited.path, 200);
            ui.add(Label::new(RichText::new(path).font(text_font())).truncate());
            ui.horizontal(|ui| {
                let field = TextEdit::singleline(&mut self.text)
                    .hint_text("no budget")
                    .desired_width(120.0);
                let field = ui.add(field);
                accessibility::name_field(ui.ctx(), field.id, "Budget");
                if std::mem::take(&mut self.takes_focus) {
                    field.request_focus();
                }
                let done = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                let unit = self.edited.unit.symbol();
                if !unit.is_empty() {
                    ui.label(RichText::new(unit).color(theme.weak));
                }
                for (name, row) in [("−", RowAction::Down), ("+", RowAction::Up)] {
                    if ui.small_button(name).clicked() {
                        self.step(row);
                    }
                }
                if ui.button("Set").clicked() || done {
                    let entered = self.entered();
                    request = entered.map(|(path, budget)| Request::SetBudget(path, Some(budget)));
                }
                if ui.button("Remove").clicked() {
                    self.text.clear();
                    request = Some(Request::SetBudget(self.edited.path.clone(), None));
                }
            });
        }
        match &self.error {
            Some(error) => _ = ui.label(RichText::new(error).color(theme.alert)),
            None => {
                let help = "A frame above this value is over budget. Write a number, or a number and \
                            its unit, such as 2 ms or 8 MiB.";
                ui.label(RichText::new(help).small().color(theme.weak));
            }
        }
        request
    }
}

/// Draws one budget of the list.
fn hand_ui(ui: &mut Ui, path: &str, budget: f64) -> Option<Request> {
    let mut request = None;
    ui.horizontal(|ui| {
        let remove = ui.small_button("Remove");
        accessibility::describe_button(ui.ctx(), remove.id, || format!("Remove budget of {path}"));
        if remove.clicked() {
            request = Some(Request::SetBudget(path.to_owned(), None));
        }
        let edit = ui.small_button("Edit");
        accessibility::describe_button(ui.ctx(), edit.id, || format!("Edit budget of {path}"));
        if edit.clicked() {
            request = Some(Request::EditBudget(path.to_owned()));
        }
        ui.label(exact_text(budget, Unit::Count));
        ui.add(Label::new(one_line(path, 200)).truncate());
    });
    request
}

/// Returns the next greater number with two significant digits; for 0, one.
fn next_number(from: f64) -> f64 {
    if from == 0.0 || !from.is_finite() {
        return 1.0;
    }
    let mut exponent = from.abs().log10().floor() as i32 - 1;
    // Division by a power of ten is exact for more numbers than multiplication by its inverse.
    let scaled = |number: f64, by: i32| match by {
        0.. => number * 10f64.powi(by),
        _ => number / 10f64.powi(-by),
    };
    let mut digits = scaled(from, -exponent);
    // Toward zero, a power of ten is followed by a number of the next smaller size.
    if from < 0.0 && digits > -10.0 - 1e-9 {
        exponent -= 1;
        digits = scaled(from, -exponent);
    }
    // A number that is a rounding error below a whole one counts as that.
    let next = (digits + 1e-9).floor() + 1.0;
    let next = scaled(next, exponent);
    if next.is_finite() { next } else { from }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(path: &str, unit: Unit, budget: Option<f64>) -> BudgetSheet {
        let mut sheet = BudgetSheet::default();
        sheet.edit(Edited {
            path: path.to_owned(),
            unit,
            budget,
            newest: Some(3.15),
        });
        sheet
    }

    #[test]
    fn steps_lead_through_all_numbers_of_two_digits_and_back() {
        let mut number = 0.0098;
        let mut seen = vec![number];
        for _ in 0..400 {
            let next = next_number(number);
            assert!(next > number, "{number}");
            assert!(next.to_string().len() <= 6, "{next}");
            let back = -next_number(-next);
            assert!(
                (back - number).abs() < number * 1e-9,
                "{number} {next} {back}"
            );
            number = next;
            seen.push(number);
        }
        assert!(
            seen.contains(&0.01) && seen.contains(&1.0) && seen.contains(&99.0),
            "{seen:?}"
        );
        for odd in [0.0, f64::MAX, f64::MIN_POSITIVE, -f64::MAX] {
            assert!(next_number(odd).is_finite());
        }
    }

    #[test]
    fn a_pad_steps_from_the_budget_or_from_the_newest_value() {
        let mut of = sheet("a", Unit::Milliseconds, Some(2.0));
        of.step(RowAction::Up);
        assert_eq!(of.entered(), Some(("a".to_owned(), 2.1)));
        of.step(RowAction::Down);
        of.step(RowAction::Down);
        assert_eq!(of.entered(), Some(("a".to_owned(), 1.9)));
        let mut of = sheet("a", Unit::Milliseconds, None);
        assert_eq!(of.entered(), None, "an empty field");
        assert!(of.error.is_some());
        of.step(RowAction::Up);
        assert_eq!(
            (of.entered(), of.error),
            (Some(("a".to_owned(), 3.2)), None)
        );
    }

    #[test]
    fn the_frame_budget_has_the_limits_of_the_settings() {
        for (text, is_fine) in [
            ("16.7 ms", true),
            ("0", false),
            ("-1", false),
            ("1 h", false),
        ] {
            let mut of = sheet(FRAME_TIME, Unit::Milliseconds, None);
            of.text = text.to_owned();
            assert_eq!(of.entered().is_some(), is_fine, "{text}");
            assert_eq!(of.error.is_none(), is_fine, "{text}");
        }
    }
}
