//! What each [`Action`] does to the views.

use stats_core::Source;

use crate::app::views::{Sheet, Views, with_data};
use crate::data::selection::Selection;
use crate::data::view::Data;
use crate::input::action::Action;
use crate::input::mode::Mode;
use crate::persist::saved::MAX_PANES;

/// How many times fewer frames one step of zooming shows.
const ZOOM: f64 = 1.25;
/// The share of the visible frames that one step of moving moves by.
const PAN: f64 = 0.1;

impl Views {
    /// Does it, with the source that is drawn.
    pub(crate) fn perform(&mut self, action: Action, source: &mut dyn Source) {
        if self.memory.perform(action, self.sheet.is_some()) {
            return;
        }
        match action {
            Action::CycleMode => self.mode = self.mode.next(),
            Action::Hide => self.mode = Mode::Hidden,
            Action::Back => self.back(),
            Action::ToggleHelp => self.toggle(Sheet::Help),
            Action::ToggleSettings => self.toggle(Sheet::Settings),
            Action::ToggleMemory => self.toggle_memory(),
            Action::TakeMemorySnapshot => self.take_memory_snapshot(false),
            Action::CompareMemory => self.take_memory_snapshot(true),
            Action::SaveMemoryDump => self.memory.save(&self.export_folder, &mut self.notice),
            Action::TogglePause => self.set_paused(!self.is_paused(), Some(source)),
            Action::StepForward => self.step(1, source),
            Action::StepBackward => self.step(-1, source),
            Action::NextSpike => self.jump(true, source),
            Action::PreviousSpike => self.jump(false, source),
            Action::ZoomIn | Action::ZoomOut | Action::PanLeft | Action::PanRight => {
                self.travel(action, source)
            }
            Action::ResetView => self.reset_view(),
            Action::ClearHistory => self.clear_history(source),
            _ => self.perform_on_panes(action, source),
        }
    }

    fn perform_on_panes(&mut self, action: Action, source: &mut dyn Source) {
        match action {
            Action::ToggleTable => self.panes.active_mut().toggle_table(),
            Action::ToggleDistribution => self.panes.active_mut().toggle_distribution(),
            Action::ToggleStatistics => self.panes.active_mut().toggle_statistics(),
            Action::NextRange => self.panes.active_mut().graph.choose_next(),
            Action::ToggleLog => self.panes.active_mut().toggle_log(),
            Action::ToggleStacked => self.panes.active_mut().graph.toggle_stacked(),
            Action::AddPane => _ = self.add_pane(),
            Action::RemovePane => self.panes.remove(self.panes.active_at()),
            Action::NextPane => self.panes.activate_next(1),
            Action::PreviousPane => self.panes.activate_next(-1),
            Action::MovePaneDown => self
                .panes
                .reorder(self.panes.active_at(), self.panes.active_at() + 1),
            Action::MovePaneUp => self.panes.reorder(
                self.panes.active_at(),
                self.panes.active_at().saturating_sub(1),
            ),
            Action::CopyTsv => self.copy_tsv(source),
            Action::SaveCsv => self.save_csv(source),
            Action::CopyView => self.copy_view(),
            _ => self.perform_on_tree(action),
        }
    }

    /// Shows a sheet, or puts it away.
    fn toggle(&mut self, sheet: Sheet) {
        self.sheet = (self.sheet != Some(sheet)).then_some(sheet);
    }

    /// Shows the memory view, also where a sheet lies over it, or goes back to the panes.
    fn toggle_memory(&mut self) {
        if self.sheet.take().is_none() || !self.memory.is_open {
            self.memory.toggle();
        }
    }

    /// Takes a snapshot in the memory view, and shows that one, also where a sheet lies over it.
    fn take_memory_snapshot(&mut self, compare: bool) {
        if self.memory.take(compare, &mut self.notice) {
            self.sheet = None;
        }
    }

    /// Undoes one thing: the keyboard in the tree, a sheet, the memory view, the selected range,
    /// and at last the overlay itself.
    fn back(&mut self) {
        if std::mem::take(&mut self.tree.has_keyboard) || self.sheet.take().is_some() {
            return;
        }
        if std::mem::take(&mut self.memory.is_open) {
            return;
        }
        if !self.deselect() {
            self.mode = Mode::Hidden;
        }
    }

    /// Adds a pane; false, and said, where no more fit.
    pub(crate) fn add_pane(&mut self) -> bool {
        let fits = self.panes.add();
        if !fits {
            self.notice.warn(format!(
                "There are {MAX_PANES} panes: no more fit. Remove one first."
            ));
        }
        fits
    }

    /// One frame on or back from the one stepped to last; at first the newest. Pauses.
    fn step(&mut self, by: i64, source: &mut dyn Source) {
        self.set_paused(true, Some(source));
        let held = self.data_of_active(source, |data| data.frames());
        if held.is_empty() {
            return;
        }
        let at = self.linked.stepped.unwrap_or(held.end - 1);
        let next = if self.linked.stepped.is_none() && by < 0 {
            at
        } else {
            at.saturating_add_signed(by)
        };
        self.look_at(next.clamp(held.start, held.end - 1), source);
    }

    /// Moves to the next or the previous spike of the active pane. Pauses, so that what is looked
    /// at stays.
    fn jump(&mut self, on: bool, source: &mut dyn Source) {
        let from = self.linked.stepped;
        self.finish_tracks(source);
        let count = self.panes.active().selection.selected().len();
        let found = self.data_of_active(source, |data| {
            // A track knows of frames that were cleared away.
            let held = data.frames();
            let from = from.unwrap_or(held.end);
            let spikes = (0..count)
                .filter_map(|at| data.track(at))
                .map(|track| &track.spikes);
            if on {
                spikes
                    .filter_map(|spikes| spikes.next_after(from.max(held.start.saturating_sub(1))))
                    .min()
            } else {
                spikes.filter_map(|spikes| spikes.before(from)).max()
            }
            .filter(|frame| held.contains(frame))
        });
        match found {
            Some(frame) => {
                self.set_paused(true, Some(source));
                self.look_at(frame, source);
            }
            None => self.notice.say(if on {
                "No later spike in this pane"
            } else {
                "No earlier spike in this pane"
            }),
        }
    }

    /// Marks a frame in all panes, and moves it into view.
    pub(crate) fn look_at(&mut self, frame: u64, source: &dyn Source) {
        let held = self.data_of_active(source, |data| data.frames());
        self.linked.stepped = Some(frame);
        self.linked.reveal(frame, &held);
        for pane in self.panes.list_mut() {
            pane.table.reveal = Some(frame);
        }
    }

    /// Finds the spikes of all frames there are, however many have not been looked at yet.
    fn finish_tracks(&mut self, source: &dyn Source) {
        match &mut self.paused {
            Some(snapshot) => snapshot.catch_up(usize::MAX),
            None => self.tracks.update_all(
                source,
                self.panes.selections().flat_map(Selection::selected),
                usize::MAX,
            ),
        }
    }

    /// Zooms or moves by one step, around the frame that is marked or else the middle.
    fn travel(&mut self, action: Action, source: &dyn Source) {
        let held = self.data_of_active(source, |data| data.frames());
        let linked = &mut self.linked;
        let (left, right) = linked.visible(&held);
        let around = linked
            .marked()
            .map_or((left + right) / 2.0, |frame| frame as f64);
        match action {
            Action::ZoomIn => linked.zoom(ZOOM, around, &held),
            Action::ZoomOut => linked.zoom(1.0 / ZOOM, around, &held),
            Action::PanLeft => linked.pan(-linked.span * PAN, &held),
            _ => linked.pan(linked.span * PAN, &held),
        }
    }

    /// Back to the newest frames and to ranges of values that follow from the data, nothing
    /// selected.
    pub(crate) fn reset_view(&mut self) {
        self.deselect();
        self.linked.reset();
        self.panes
            .list_mut()
            .iter_mut()
            .for_each(|pane| pane.graph.unzoom());
    }

    /// Shows nothing of what was recorded until now. The source keeps it; what is paused goes on.
    fn clear_history(&mut self, source: &mut dyn Source) {
        self.set_paused(false, Some(source));
        self.frames = source.frames().end..u64::MAX;
        self.reset_view();
        self.notice.say("All frames so far are forgotten");
    }

    /// Calls `read` with the data of the active pane.
    pub(crate) fn data_of_active<R>(
        &self,
        source: &dyn Source,
        read: impl FnOnce(&dyn Data) -> R,
    ) -> R {
        let selected = self.panes.active().selection.selected();
        with_data(
            self.paused.as_ref(),
            source,
            selected,
            &self.tracks,
            self.frames.clone(),
            read,
        )
    }
}
