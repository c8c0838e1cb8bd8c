//! The memory view as a part of the overlay.
//!
//! The view itself is a [`MemoryPanel`] for each kind of memory. This file decides when the view is
//! open and which kind it shows, tells it about marks even while it is closed, and reports saved
//! dumps.

use std::path::Path;

use egui::{Rect, Ui};

use crate::app::memory_use::MemoryUse;
use crate::app::notice::Notice;
use crate::input::action::RowsAction;
use stats_core::Source;
pub(in crate::app) use stats_memory_panel::NO_DUMP_MESSAGE;
use stats_memory_panel::{MemoryKind, MemoryPanel, NO_VIDEO_DUMP_MESSAGE, PanelRequest};
use stats_ui::theme::Theme;

/// The memory view, and whether it is on screen.
#[derive(Debug)]
pub(crate) struct MemoryView {
    /// The memory that the program allocates.
    pub(crate) panel: MemoryPanel,
    /// The memory of the graphics device.
    pub(crate) video: MemoryPanel,
    /// The memory of the process and of the system.
    system: MemoryUse,
    /// The panel that the view shows.
    kind: MemoryKind,
    /// Whether the view replaces the tree and the panes.
    pub(super) is_open: bool,
    /// Whether the view, or a sheet over it, was drawn since the last [`settle`](Self::settle).
    pub(super) was_drawn: bool,
    /// Whether the view is on screen, so that keys act on it.
    pub(super) is_seen: bool,
    /// The first frame whose marks have not been followed yet.
    unmarked: u64,
}

impl Default for MemoryView {
    fn default() -> Self {
        Self {
            panel: MemoryPanel::new(),
            video: MemoryPanel::of(MemoryKind::Video),
            system: MemoryUse::default(),
            kind: MemoryKind::Main,
            is_open: false,
            was_drawn: false,
            is_seen: false,
            unmarked: 0,
        }
    }
}

impl MemoryView {
    /// Returns whether a function that writes dumps is set, for any kind of memory.
    pub(super) fn has_source(&self) -> bool {
        self.panel.has_dump() || self.video.has_dump()
    }

    /// Shows the memory of the program, or the panes. If the program tells only about its video
    /// memory, shows that.
    pub(super) fn toggle(&mut self, _: &mut Notice) {
        self.toggle_kind(if self.has_only_video() {
            MemoryKind::Video
        } else {
            MemoryKind::Main
        });
    }

    fn has_only_video(&self) -> bool {
        self.video.has_dump() && !self.panel.has_dump()
    }

    /// Shows the kind of memory that the program tells about, if it tells about one only.
    fn choose_kind(&mut self) {
        if self.has_only_video() {
            self.kind = MemoryKind::Video;
        }
    }

    /// Shows the video memory, or the panes.
    pub(super) fn toggle_video(&mut self, _: &mut Notice) {
        self.toggle_kind(MemoryKind::Video);
    }

    fn toggle_kind(&mut self, kind: MemoryKind) {
        self.is_open = !self.is_open || self.kind != kind;
        self.kind = kind;
    }

    /// Shows the view and starts taking a snapshot, unless one is being taken. If `compare`, the
    /// snapshot is compared with the previous one. Without a function that writes dumps, warns and
    /// returns false.
    pub(super) fn take(&mut self, compare: bool, notice: &mut Notice) -> bool {
        self.choose_kind();
        let has_source = self.shown().has_dump();
        if has_source {
            self.is_open = true;
            if compare {
                self.shown_mut().compare_with_now();
            } else {
                self.shown_mut().take_snapshot();
            }
        } else {
            self.warn_of_missing_dump(notice);
        }
        has_source
    }

    /// Performs an action on the rows of the view.
    pub(super) fn perform(&mut self, action: RowsAction) {
        match action {
            RowsAction::Search => self.shown_mut().focus_name_filter(),
            RowsAction::Row(action) => self.shown_mut().perform(action),
        }
    }

    /// Warns that no function writes dumps, unless the view on screen says so already.
    fn warn_of_missing_dump(&self, notice: &mut Notice) {
        if !self.is_seen {
            notice.warn(match self.kind {
                MemoryKind::Video => NO_VIDEO_DUMP_MESSAGE,
                _ => NO_DUMP_MESSAGE,
            });
        }
    }

    /// Starts saving a dump, unless one is being saved. Without a function that writes dumps,
    /// warns.
    pub(super) fn save(&mut self, folder: &Path, notice: &mut Notice) {
        self.choose_kind();
        if self.shown().has_dump() {
            self.shown_mut().save_dump(folder);
        } else {
            self.warn_of_missing_dump(notice);
        }
    }

    /// Adds completed snapshots, even if the view is off screen, and reports saved dumps. Called
    /// once a pass.
    pub(super) fn settle(&mut self, notice: &mut Notice, now_secs: f64) {
        self.is_seen = std::mem::take(&mut self.was_drawn) && self.is_open;
        for panel in [&mut self.panel, &mut self.video] {
            panel.set_time(now_secs);
            panel.update();
            match panel.poll_saved_dump() {
                Some(Ok(path)) => {
                    notice.say(format!("Saved the memory dump as {}", path.display()));
                }
                Some(Err(error)) => notice.warn(error.to_string()),
                None => {}
            }
        }
    }

    /// Tells the view if a marked span began or ended in the current frame or since the last call.
    /// Called once a pass, even while the overlay is hidden. Of several such marks, the one with
    /// the longest name counts: "loading The Hollow" says more than "loading".
    pub(super) fn follow_marks(&mut self, source: &dyn Source) {
        let now = source.frames().end;
        let takes = self.panel.takes_at_marks() || self.video.takes_at_marks();
        // Another source may have fewer frames.
        if !takes || self.unmarked > now + 1 {
            self.unmarked = now;
        }
        if !takes {
            return;
        }
        // A host may end the frame before it shows the overlay, so include the previous frame.
        self.unmarked = self.unmarked.max(now.saturating_sub(1));
        let new = self.unmarked..=now;
        let events = source.marks().iter().filter(|mark| !mark.is_point);
        let events = events.flat_map(|mark| {
            let (first, last) = (mark.frames.start, mark.frames.end.saturating_sub(1));
            [(&mark.name, first, "begins"), (&mark.name, last, "ends")]
        });
        let events = events.filter(|(_, frame, _)| new.contains(frame));
        if let Some((name, frame, event)) = events.max_by_key(|(name, ..)| name.len()) {
            let mark = format!("{name} {event}");
            self.panel.mark(&mark);
            self.video.mark(&mark);
            self.unmarked = frame + 1;
        }
    }

    /// Draws the view into `rect`. Returns whether the user asks to save a dump.
    pub(super) fn memory_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        rect: Rect,
        source: &mut dyn Source,
    ) -> bool {
        let has_switch = self.video.has_dump() || self.kind == MemoryKind::Video;
        let peek = |path: &str| {
            let id = source.find(path)?;
            source.peek(id)
        };
        let system = self.system.text(peek, ui.input(|input| input.time));
        let (panel, other) = match self.kind {
            MemoryKind::Video => (&mut self.video, &mut self.panel),
            _ => (&mut self.panel, &mut self.video),
        };
        panel.set_switch(has_switch);
        panel.set_system_note(system);
        let request = panel.overlay_ui(ui, theme, rect);
        // One choice for both kinds, as in `StatsOverlay::set_memory_snapshots_at_marks`.
        other.set_takes_at_marks(panel.takes_at_marks());
        match request {
            Some(PanelRequest::Back) => self.is_open = false,
            Some(PanelRequest::Show(kind)) => self.kind = kind,
            _ => {}
        }
        request == Some(PanelRequest::SaveDump)
    }

    fn shown(&self) -> &MemoryPanel {
        match self.kind {
            MemoryKind::Video => &self.video,
            _ => &self.panel,
        }
    }

    fn shown_mut(&mut self) -> &mut MemoryPanel {
        match self.kind {
            MemoryKind::Video => &mut self.video,
            _ => &mut self.panel,
        }
    }
}
