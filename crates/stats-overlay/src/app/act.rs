//! Performs each [`Action`].
//!
//! Only text fields change what Space and Esc do. In all other cases, Space pauses, and Esc undoes
//! one step. `App::back` lists the steps in order.

use egui::{Context, Popup};
use stats_analysis::track::Track;
use stats_core::Source;

use crate::app::memory::MemoryView;
use crate::app::notice::Notice;
use crate::app::panel::state::Sheet;
use crate::app::state::App;
use crate::data::selection::Selection;
use crate::data::view::Data;
use crate::input::action::{Action, Reach};
use crate::input::mode::Mode;
use crate::input::pane_view::PaneView;
use crate::panes::budget_offer_ui::budget_text;
use crate::persist::saved::MAX_PANES;
use crate::view::Performed;

/// The factor by which a zoom step changes the number of visible frames.
const ZOOM: f64 = 1.25;
/// The distance of a pan step, as a share of the visible frames.
const PAN: f64 = 0.1;

/// The actions that switch to a mode.
const MODES: [(Action, Mode); 4] = [
    (Action::Hide, Mode::Hidden),
    (Action::ShowHud, Mode::Hud),
    (Action::ShowWatch, Mode::Watch),
    (Action::ShowFull, Mode::Full),
];

impl App {
    /// Performs an action. While the memory view is on screen, it receives the actions on rows, and
    /// actions on the panes below it do nothing.
    pub(super) fn perform(&mut self, ctx: &Context, action: Action, source: &mut dyn Source) {
        if self.memory.is_seen {
            match action.reach() {
                Reach::Overlay => {}
                Reach::Panes => return,
                Reach::Rows(action) => {
                    // A sheet covers the rows.
                    if self.panel.sheet.is_none() {
                        self.memory.perform(action);
                    }
                    return;
                }
            }
        }
        match action {
            Action::CycleMode
            | Action::ShowHud
            | Action::ShowWatch
            | Action::ShowFull
            | Action::Hide => {
                self.visibility.mode = self.mode_after(action).unwrap_or(self.visibility.mode);
            }
            Action::Back => self.back(ctx),
            Action::ToggleHelp => self.panel.toggle(Sheet::Help),
            Action::ToggleSettings => self.panel.toggle(Sheet::Settings),
            Action::ToggleProblems => self.panel.toggle(Sheet::Problems),
            Action::ToggleMemory => self.toggle_memory(MemoryView::toggle),
            Action::ToggleVideoMemory => self.toggle_memory(MemoryView::toggle_video),
            Action::TakeMemorySnapshot => self.take_memory_snapshot(false),
            Action::CompareMemory => self.take_memory_snapshot(true),
            Action::SaveMemoryDump => self.memory.save(&self.export.folder, &mut self.notice),
            Action::ToggleRecording => self.recording.toggle(&mut self.notice),
            Action::SaveRecent => self.recording.save_recent(&mut self.notice),
            Action::TogglePause => self.set_paused(!self.playback.is_paused(), Some(source)),
            Action::StepForward => self.step(1, source),
            Action::StepBackward => self.step(-1, source),
            Action::NextSpike => self.go_to_spike(true, source),
            Action::PreviousSpike => self.go_to_spike(false, source),
            Action::NextOverBudget => self.go_to_over_budget(true, source),
            Action::PreviousOverBudget => self.go_to_over_budget(false, source),
            Action::AcceptBudget => self.accept_budget(),
            Action::EditBudget => self.toggle_budgets(source),
            Action::ZoomIn | Action::ZoomOut | Action::PanLeft | Action::PanRight => {
                // A view with an axis of its own moves that one.
                if !self.perform_in_pane(ctx, action, source) {
                    self.move_frames(action, source);
                }
            }
            Action::ResetView => self.reset_view(),
            Action::ClearHistory => self.clear_history(source),
            Action::ToggleView(view) => {
                if view == PaneView::Timeline {
                    self.look_at_hitch(source);
                }
                self.panes.active_mut().toggle(view);
            }
            Action::NextRange | Action::ToggleLog | Action::ToggleStacked => {
                self.perform_in_pane(ctx, action, source);
            }
            Action::ToggleSeconds => self.settings.seconds = !self.settings.seconds,
            Action::AddPane => _ = self.add_pane(),
            Action::RemovePane => self.panes.remove(self.panes.active_at()),
            Action::NextPane => self.panes.activate_next(1),
            Action::PreviousPane => self.panes.activate_next(-1),
            Action::MovePaneUp => self.panes.move_active(-1),
            Action::MovePaneDown => self.panes.move_active(1),
            Action::Search => self.tree.search_box.focus(),
            Action::Rows(row) if self.panel.sheet == Some(Sheet::Budgets) => {
                self.edit_number(row);
            }
            Action::Rows(row) => {
                // During a search, the keys act on its results.
                let is_searching = !self.tree.search_box.text.is_empty();
                if is_searching || !self.perform_in_pane(ctx, action, source) {
                    let selection = &mut self.panes.active_mut().selection;
                    self.tree.perform(row, selection);
                }
            }
            Action::Explain => self.explain(source),
            Action::GoToHitch => self.go_to_hitch(source),
            Action::MarkMoment => self.mark_moment("", source),
            Action::FindTogether => self.find_together(),
            Action::MarkBaseline => self.mark_baseline(source),
            Action::ClearBaseline => self.clear_baseline(),
            Action::TogglePin => self.toggle_pin(),
            Action::ToggleFavorite => self.tree.toggle_favorite_at_cursor(),
            Action::CopyTsv => self.copy_tsv(source),
            Action::SaveCsv => self.save_csv(source),
            Action::CopyView => self.copy_view(),
        }
    }

    /// Moves to the frame of the selected hitch, or selects the frames of an explanation, if the active
    /// pane lists hitches. The timeline then selects the culprit.
    fn look_at_hitch(&mut self, source: &dyn Source) {
        let pane = self.panes.active();
        let selected = pane.views.hitches.selected;
        if let (PaneView::Hitches, Some(row)) = (pane.view, selected) {
            let frames = self.hitches.found().frames_of(row);
            if !frames.is_empty() {
                self.select_culprit(row);
                let is_range = frames.end - frames.start > 1;
                self.frame_axis.selected_range = is_range.then(|| frames.clone());
                self.look_at(frames.start, source);
            }
        }
    }

    /// Performs an action on a view of the active pane. Returns false if none has it.
    fn perform_in_pane(&mut self, ctx: &Context, action: Action, source: &mut dyn Source) -> bool {
        let theme = self.theme(ctx);
        let (mut shared, panes) = self.with_shared(source, (&theme, false));
        match panes.active_mut().perform(action, &mut shared) {
            Performed::No => return false,
            Performed::Yes => {}
            Performed::With(request) => self.perform_for_pane(ctx, request, source),
        }
        true
    }

    /// Returns the mode that an action switches to; `None` if it does not change the mode.
    pub(crate) fn mode_after(&self, action: Action) -> Option<Mode> {
        if action == Action::CycleMode {
            return Some(self.settings.next_mode(self.visibility.mode));
        }
        let leads = MODES.iter().find(|(of, _)| *of == action);
        leads.map(|(_, mode)| *mode)
    }

    /// Undoes one step: closes or clears whatever is topmost. If nothing is left to undo, does
    /// nothing: a key pressed once too often must not reach the game.
    fn back(&mut self, ctx: &Context) {
        _ = self.close_menu(ctx)
            || self.leave_text_field(ctx)
            || (!self.memory.is_open && self.tree.search_box.clear())
            || self.panel.sheet.take().is_some()
            || std::mem::take(&mut self.memory.is_open)
            || self.deselect();
    }

    /// Closes the open menu, or the list of words below the search box. Returns whether either was
    /// open.
    fn close_menu(&mut self, ctx: &Context) -> bool {
        let is_open = Popup::is_any_open(ctx);
        Popup::close_all(ctx);
        is_open || (!self.memory.is_open && self.tree.search_box.close_hint())
    }

    /// Takes the keyboard focus from a text field. If that is the search box, also clears it.
    /// Returns whether a text field had the focus.
    fn leave_text_field(&mut self, ctx: &Context) -> bool {
        let Some(field) = self.panel.text_fields.remove(&ctx.viewport_id()) else {
            return false;
        };
        ctx.memory_mut(|memory| memory.surrender_focus(field));
        if !self.memory.is_open {
            self.tree.search_box.clear_if_typed();
        }
        true
    }

    /// Shows a kind of memory, or the panes. If a sheet covers the memory view, closes only the
    /// sheet.
    fn toggle_memory(&mut self, toggle: fn(&mut MemoryView, &mut Notice)) {
        if self.panel.sheet.take().is_none() || !self.memory.is_open {
            toggle(&mut self.memory, &mut self.notice);
        }
    }

    /// Takes a memory snapshot, and shows the memory view without a sheet over it. If `compare`,
    /// the view shows the changes since the previous snapshot.
    fn take_memory_snapshot(&mut self, compare: bool) {
        if self.memory.take(compare, &mut self.notice) {
            self.panel.sheet = None;
        }
    }

    /// Pins the series under the cursor to the HUD; a folder stands for all series in it. If all
    /// are pinned already, unpins them.
    fn toggle_pin(&mut self) {
        let paths = self.tree.cursor_paths();
        let on = paths.iter().any(|path| !self.panes.pinned.contains(path));
        for path in &paths {
            self.panes.pinned.set(path, on);
        }
    }

    /// Adds a pane. Returns false, and shows a notice, if there are [`MAX_PANES`] already.
    pub(super) fn add_pane(&mut self) -> bool {
        let fits = self.panes.add();
        if !fits {
            self.notice.warn(format!(
                "There are already {MAX_PANES} panes. Remove one to add another."
            ));
        }
        fits
    }

    /// Pauses, and moves `by` frames from the marked frame. The first step marks the newest frame.
    fn step(&mut self, by: i64, source: &dyn Source) {
        self.set_paused(true, Some(source));
        let held = self.active_data(source).frames();
        if held.is_empty() {
            return;
        }
        let next = match self.frame_axis.stepped {
            Some(at) => at.saturating_add_signed(by),
            None if by < 0 => held.end - 1,
            None => (held.end - 1).saturating_add_signed(by),
        };
        self.look_at(next.clamp(held.start, held.end - 1), source);
    }

    /// Moves to the next or the previous spike of the active pane, and pauses there.
    fn go_to_spike(&mut self, forward: bool, source: &dyn Source) {
        let find = |track: &Track, from| match forward {
            true => track.spikes.next_after(from),
            false => track.spikes.before(from),
        };
        self.go_to_next(forward, "spike", find, source);
    }

    /// Moves to the beginning of the next or the previous span over budget of the active pane, and
    /// pauses there.
    fn go_to_over_budget(&mut self, forward: bool, source: &dyn Source) {
        let find = |track: &Track, from| match forward {
            true => track.over_budget.next_after(from),
            false => track.over_budget.before(from),
        };
        self.go_to_next(forward, "frames over budget", find, source);
    }

    /// Moves to the nearest frame that `find` returns for a series of the active pane, and pauses
    /// there. `what` names such a frame in the notice that there is none.
    fn go_to_next(
        &mut self,
        forward: bool,
        what: &str,
        find: impl Fn(&Track, u64) -> Option<u64>,
        source: &dyn Source,
    ) {
        let found = self.nearest(source, forward, find);
        let side = if forward { "later" } else { "earlier" };
        self.go_to(found, &format!("No {side} {what} in this pane"), source);
    }

    /// Moves to a frame and pauses there. If no frame was found, shows the notice `missing`.
    fn go_to(&mut self, found: Option<u64>, missing: &str, source: &dyn Source) {
        match found {
            Some(frame) => self.look_at(frame, source),
            None => self.notice.say(missing),
        }
    }

    /// Brings all tracks up to date, and searches those of the active pane. `find` searches one
    /// track after or before a frame: the marked frame, or else the end of the recording.
    fn nearest(
        &mut self,
        source: &dyn Source,
        forward: bool,
        find: impl Fn(&Track, u64) -> Option<u64>,
    ) -> Option<u64> {
        let shown = self.panes.selections().flat_map(Selection::selected);
        self.playback.finish_tracks(source, shown);
        let data = self.active_data(source);
        let held = data.frames();
        let from = self.frame_axis.stepped.unwrap_or(held.end);
        let count = self.panes.active().selection.selected().len();
        let tracks = (0..count).filter_map(|at| data.track(at));
        let found = if forward {
            let from = from.max(held.start.saturating_sub(1));
            tracks.filter_map(|track| find(track, from)).min()
        } else {
            tracks.filter_map(|track| find(track, from)).max()
        };
        // A track also contains frames that were cleared.
        found.filter(|frame| held.contains(frame))
    }

    /// Sets the frame budget to the offered one.
    fn accept_budget(&mut self) {
        let Some(offer) = self.budget_offer.get() else {
            return self.notice.say("No budget is offered");
        };
        self.settings.frame_budget_ms = Some(offer.budget_ms);
        self.budget_offer.clear();
        self.notice.say(format!(
            "The frame budget is now {}. You can change it in the settings.",
            budget_text(offer.budget_ms)
        ));
    }

    /// Marks a frame in all panes, and moves it into view, which pauses: otherwise it would soon leave
    /// the view.
    pub(super) fn look_at(&mut self, frame: u64, source: &dyn Source) {
        self.set_paused(true, Some(source));
        let held = self.active_data(source).frames();
        self.frame_axis.stepped = Some(frame);
        self.frame_axis.reveal(frame, &held);
        self.panes.each_view(|view| view.reveal(frame));
    }

    /// Zooms or moves the frames that all panes share.
    fn move_frames(&mut self, action: Action, source: &dyn Source) {
        match action {
            Action::ZoomIn => self.zoom(ZOOM, source),
            Action::ZoomOut => self.zoom(1.0 / ZOOM, source),
            Action::PanLeft => self.pan(-PAN, source),
            Action::PanRight => self.pan(PAN, source),
            _ => {}
        }
    }

    /// Zooms around the marked frame, or around the middle if none is marked.
    fn zoom(&mut self, factor: f64, source: &dyn Source) {
        let held = self.active_data(source).frames();
        let (left, right) = self.frame_axis.visible(&held);
        let marked = self.frame_axis.marked().map(|frame| frame as f64);
        let around = marked.unwrap_or((left + right) / 2.0);
        self.frame_axis.zoom(factor, around, &held);
    }

    /// Moves by a share of the visible frames.
    fn pan(&mut self, share: f64, source: &dyn Source) {
        let held = self.active_data(source).frames();
        self.frame_axis
            .pan(self.frame_axis.visible_span(&held) * share, &held);
    }

    /// Resumes, and follows the newest frames, with automatic ranges of values and nothing
    /// selected.
    pub(super) fn reset_view(&mut self) {
        self.set_paused(false, None);
        self.deselect();
        self.frame_axis.reset();
        self.panes.each_view(|view| {
            view.follow();
            view.unzoom();
        });
    }

    /// Hides everything recorded so far, which the source keeps, and resumes paused views.
    fn clear_history(&mut self, source: &dyn Source) {
        self.playback.clear(source);
        self.reset_view();
        self.notice.say("Cleared all frames recorded so far");
    }

    /// Returns the visible data of the active pane's series.
    pub(super) fn active_data<'a>(&'a self, source: &'a dyn Source) -> impl Data + 'a {
        self.playback
            .data(source, self.panes.active().selection.selected())
    }
}
