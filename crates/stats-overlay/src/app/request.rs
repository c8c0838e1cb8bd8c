//! Clicks that affect more than the clicked widget.
//!
//! A widget changes only the state of its own view, and returns any other change as a [`Request`].
//! Requests are performed after painting, so that no picture mixes the states before and after a
//! click.

use egui::Context;
use stats_core::Source;

use crate::app::first_steps::FirstStep;
use crate::app::panel::state::Sheet;
use crate::app::state::App;
use crate::input::action::Action;
use crate::tree::request::TreeRequest;
use crate::view::PaneRequest;

/// An operation to perform after the pass is painted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Request {
    /// Perform an action, as its key does.
    Perform(Action),
    ShowPreset(String),
    /// Save the panes as a preset with this name.
    KeepPreset(String),
    /// Add a note to the newest moment.
    NoteMoment(String),
    /// Show what answers a question of a new user, or only dismiss the questions.
    FirstStep(Option<FirstStep>),
    /// Open the sheet of budgets for a series.
    EditBudget(String),
    /// Set the budget of a series, or remove the one that was set by hand.
    SetBudget(String, Option<f64>),
    /// Copy the budgets for `stats.toml`.
    CopyBudgets,
    Tree(TreeRequest),
    Pane(PaneRequest),
}

impl App {
    /// Performs the requests of a pass, and hands copied text to the system.
    pub(super) fn perform_requests(
        &mut self,
        ctx: &Context,
        requests: Vec<Request>,
        source: &mut dyn Source,
    ) {
        for request in requests {
            match request {
                Request::Perform(action) => self.perform(ctx, action, source),
                Request::ShowPreset(name) => _ = self.show_preset(&name),
                Request::KeepPreset(name) => self.keep_preset(&name),
                Request::NoteMoment(note) => self.note_moment(&note, source),
                Request::FirstStep(step) => self.take_first_step(ctx, step, source),
                Request::EditBudget(path) => self.edit_budget(&path, source),
                Request::SetBudget(path, budget) => self.set_budget(&path, budget),
                Request::CopyBudgets => self.copy_budgets(source),
                Request::Tree(request) => self.perform_for_tree(request, source),
                Request::Pane(request) => self.perform_for_pane(ctx, request, source),
            }
        }
        if std::mem::take(&mut self.frame_axis.wants_newest) {
            self.reset_view();
        }
        self.export.flush_clipboard(ctx);
    }

    fn perform_for_tree(&mut self, request: TreeRequest, source: &mut dyn Source) {
        match request {
            TreeRequest::Pin { path, on } => self.panes.pinned.set(&path, on),
            TreeRequest::EditBudget { path } => self.edit_budget(&path, source),
            TreeRequest::FindTogether { path } => self.find_together_with(&path),
            TreeRequest::AddFormula { path, formula } => self.add_formula(&path, &formula, source),
            TreeRequest::RemoveFormula { path } => self.remove_formula(&path),
            TreeRequest::NewPane { paths } => {
                if self.add_pane() {
                    let selection = &mut self.panes.active_mut().selection;
                    paths.iter().for_each(|path| selection.set(path, true));
                }
            }
        }
    }

    pub(super) fn perform_for_pane(
        &mut self,
        ctx: &Context,
        request: PaneRequest,
        source: &mut dyn Source,
    ) {
        match request {
            PaneRequest::Perform(action) => self.perform(ctx, action, source),
            PaneRequest::LookAt(frame) => self.look_at(frame, source),
            PaneRequest::Deselect(path) => self.panes.active_mut().selection.set(&path, false),
            PaneRequest::EditBudget(path) => self.edit_budget(&path, source),
            PaneRequest::Show { paths, frames } => self.show_series(&paths, &frames, source),
            PaneRequest::LeaveOut { mark, is_left_out } => {
                let excluded = &mut self.settings.excluded_marks;
                excluded.retain(|name| *name != mark);
                excluded.extend(is_left_out.then_some(mark));
            }
            PaneRequest::DismissBudget => self.budget_offer.dismiss(),
            PaneRequest::OpenSettings => self.panel.sheet = Some(Sheet::Settings),
        }
    }
}
