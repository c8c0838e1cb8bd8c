//! A frame, from the input to the picture.
//!
//! Each step uses the result of the previous one; none goes back:
//!
//! 1. *Input*: the overlay takes the toggle key. In full mode, it takes all other keys as well and
//!    turns them into actions; in the other modes, they go to the game.
//! 2. *State*: the overlay detects a change of source, watches series that have been registered
//!    since, pauses at a spike, and performs the actions of the program and of the keys. A hidden
//!    overlay stops here. It has allocated nothing, unless it looks for hitches.
//! 3. *Data*: [`App::read`] decides what to refresh in this pass, and reads it from the source:
//!    units and budgets, spikes and extremes, the listing of the tree.
//! 4. *Layout and paint*: the HUD, the panes over the game, or the panel with tree, panes and
//!    memory view. A view of a pane changes only its own state, and the visible and selected frames.
//!    It returns a click that affects other parts as a [`Request`].
//! 5. *Requests* are performed. The next frame shows their effect.

use egui::{Context, Id, Popup, Rect, Ui};
use stats_analysis::bottleneck::Limit;
use stats_core::Source;
use stats_ui::text_revision::{has_number_font, repeat_if_outdated};
use stats_ui::theme::Theme;

use crate::app::panel::full_screen::FullScreen;
use crate::app::panel::panel_ui::PanelUi;
use crate::app::refresh::Wanted;
use crate::app::request::Request;
use crate::app::state::App;
use crate::card::model::Card;
use crate::data::allowance::Allowance;
use crate::data::selection::Selection;
use crate::data::view::Data as _;
use crate::hud::numbers::{Hud, HudState, write_pace};
use crate::hud::ui::HudUi;
use crate::input::key_hint::set_bindings;
use crate::input::keyboard::{Pressed, take_keyboard, text_field};
use crate::input::mode::Mode;
use crate::input::press::Press;
use crate::panes::shared::Shared;
use crate::search::query::Query;
use crate::tree::search::TreeTiming;
use crate::watch::ui::WatchUi;

/// The number of frames before a pause whose scopes are kept for timelines.
const KEPT_SCOPES: u64 = 600;

/// The settings shared by everything painted in one pass.
pub(super) struct Pass {
    pub(super) theme: Theme,
    /// Whether to reread the numbers.
    pub(super) refresh: bool,
}

impl App {
    /// Runs one pass of the overlay over the host's picture. While the overlay is on screen,
    /// further calls in the same pass do nothing.
    pub(crate) fn show(&mut self, ctx: &Context, source: &mut dyn Source) {
        let taps = self.visibility.take_toggle_key(ctx, &self.settings);
        (0..taps).for_each(|_| _ = self.press(Press::ThreeFingers));
        let is_hidden = self.visibility.mode == Mode::Hidden;
        if !is_hidden && self.was_drawn_in_this_pass(ctx) {
            return;
        }
        let panel = if is_hidden {
            Id::NULL
        } else {
            Id::NULL.with(ctx.viewport_id())
        };
        let mut allowance = if is_hidden {
            Allowance::of_hidden_pass()
        } else {
            Allowance::of_pass()
        };
        self.settle(ctx, source, panel, false, &mut allowance);
        if self.visibility.mode != Mode::Hidden && !has_number_font(ctx) {
            return;
        }
        if self.visibility.begin_pass(ctx) {
            // Nothing from an earlier pass is still valid.
            self.refresh_rate.note_other_mode(self.visibility.mode);
            self.hud.forget_statistics();
            self.panel.text_fields.clear();
            self.panel.binding = None;
            if self.visibility.mode == Mode::Full {
                // Close a menu of the host: from here on, an open menu belongs to the panel.
                Popup::close_all(ctx);
            } else {
                self.tree.release();
            }
        }
        match self.visibility.mode {
            Mode::Hidden => return,
            Mode::Hud => {
                let pass = self.read(ctx, source, false);
                self.paint_hud(ctx, source, &pass);
            }
            Mode::Watch => {
                let pass = self.read(ctx, source, false);
                self.read_scopes(source);
                self.paint_watch(ctx, source, &pass);
            }
            Mode::Full => {
                let screen = FullScreen::new(ctx, self.settings.scale);
                self.take_bound_key(ctx);
                let (field, bindings) = (self.panel.text_field(ctx), &self.settings.bindings);
                let pressed = take_keyboard(ctx, screen.layer, field, bindings);
                self.perform_pressed(ctx, pressed, source);
                let pass = self.read_panel(ctx, source, &mut allowance);
                let requests = screen.show(ctx, |ui, rect| {
                    self.paint_panel(ui, rect, source, &pass, false)
                });
                self.perform_requests(ctx, requests, source);
                self.panel.set_text_field(ctx, text_field(ctx));
            }
        }
        repeat_if_outdated(ctx);
        if self.visibility.mode != Mode::Hidden {
            // The picture is live: it changes with every frame.
            ctx.request_repaint();
        }
    }

    /// Returns whether the overlay was already drawn in this pass of the viewport. egui draws an
    /// embedded viewport in the pass of its parent.
    fn was_drawn_in_this_pass(&self, ctx: &Context) -> bool {
        let id = Id::NULL.with(("stats overlay drawn", ctx.viewport_id()));
        let this = (ctx.cumulative_pass_nr(), std::ptr::from_ref(self).addr());
        ctx.data_mut(|data| {
            let last: &mut (u64, usize) = data.get_temp_mut_or_default(id);
            std::mem::replace(last, this) == this
        })
    }

    /// Runs one pass of the panel inside a `Ui` of the host. The host keeps the keyboard.
    pub(crate) fn embed(&mut self, ui: &mut Ui, source: &mut dyn Source) {
        let ctx = ui.ctx().clone();
        let (mut ui, rect) = self.panel.embedded.begin(ui);
        let mut allowance = Allowance::of_pass();
        let panel = ui.make_persistent_id("panel");
        self.settle(&ctx, source, panel, true, &mut allowance);
        if !has_number_font(&ctx) {
            return;
        }
        self.take_bound_key(&ctx);
        let pass = self.read_panel(&ctx, source, &mut allowance);
        let requests = self.paint_panel(&mut ui, rect, source, &pass, true);
        self.perform_requests(&ctx, requests, source);
        repeat_if_outdated(&ctx);
        ctx.request_repaint();
    }

    /// Adopts a frame budget and a refresh rate that the program or its host set for all readers. The
    /// user may then change them.
    fn adopt_frame_budget(&mut self) {
        let set_hz = stats_core::refresh_hz();
        if set_hz != self.adopted_refresh_hz {
            self.adopted_refresh_hz = set_hz;
            self.settings.display_hz = set_hz.or(self.settings.display_hz);
            self.settings = self.settings.clamped();
        }
        let set_ms = stats_core::frame_budget_ms();
        if set_ms != self.adopted_budget_ms {
            self.adopted_budget_ms = set_ms;
            self.settings.frame_budget_ms = set_ms.or(self.settings.frame_budget_ms);
            self.settings = self.settings.clamped();
        }
    }

    /// Brings the state up to date with the source, and performs the program's requests. `panel`
    /// identifies the panel of this pass; it is `Id::NULL` if nothing is drawn. `is_embedded` says
    /// whether the panel is in a `Ui` of the host.
    fn settle(
        &mut self,
        ctx: &Context,
        source: &mut dyn Source,
        panel: Id,
        is_embedded: bool,
        allowance: &mut Allowance,
    ) {
        let is_hidden = panel == Id::NULL;
        let now_secs = ctx.input(|input| input.time);
        self.memory.settle(&mut self.notice, now_secs);
        self.memory.follow_marks(source);
        self.recording.settle(&mut self.notice);
        self.notice.note_time(now_secs);
        if self.playback.note_source(source) {
            self.detach();
            self.playback.note_source(source);
        }
        // Do this before resolving series: a new history begins with the values of the newest
        // frames.
        self.visibility.note(now_secs, is_embedded);
        self.take_hitches(source, now_secs, is_hidden, allowance);
        self.hitches.load_picture(ctx);
        self.record_flight(source);
        self.free_unseen(now_secs, allowance);
        self.continue_marking(source);
        self.adopt_frame_budget();
        let budget_ms = self.settings.frame_budget_ms;
        for selection in self.panes.selections_mut() {
            selection.set_frame_budget(budget_ms);
            selection.resolve(source, self.hitches.recent());
        }
        let (revision, selections) = (self.panes.revision(), self.panes.selections());
        (self.kept_histories).update(source, revision, selections, now_secs);
        self.panes.assign_colors(self.settings.palette);
        self.pause_at_spike(source, now_secs);
        if std::mem::take(&mut self.playback.is_pending) {
            self.refresh_rate.cost.set_full();
            self.set_paused(true, Some(source));
        }
        self.frame_axis.begin_pass(panel);
        let is_paused = self.playback.is_paused();
        self.frame_axis.note_frames(source.frames().end, is_paused);
        if !self.queue.is_empty() {
            self.refresh_rate.cost.set_full();
            self.hud.forget_statistics();
            self.playback.show_newest(source);
        }
        for at in 0..self.queue.len() {
            self.perform(ctx, self.queue[at], source);
        }
        self.queue.clear();
        self.mark_asked_moments(source);
        self.export.flush_clipboard(ctx);
    }

    /// Frees the memory of what left the screen a few seconds ago. The memory of a long listing
    /// takes several passes.
    fn free_unseen(&mut self, now_secs: f64, allowance: &mut Allowance) {
        if self.visibility.lost_panes(now_secs) {
            self.hitches.forget_recent();
            self.tree.free();
            self.panes.free_pictures();
            self.scopes.forget();
            if self.visibility.mode == Mode::Hidden {
                self.hud = Hud::default();
                self.card = Card::default();
            }
        }
        self.tree.continue_freeing(allowance);
        let while_hidden = self.settings.hitches_while_hidden || self.has_flight_recorder();
        let looks_for_hitches = self.settings.hitches && while_hidden;
        if !self.visibility.was_seen(now_secs) && !looks_for_hitches {
            self.hitches.rest();
        }
    }

    /// Performs the actions of the keys pressed in this pass, and shows a pasted view.
    fn perform_pressed(&mut self, ctx: &Context, pressed: Pressed, source: &mut dyn Source) {
        for action in pressed.actions {
            self.perform(ctx, action, source);
        }
        // A paste replaces the panes, so ignore it while the memory view covers them.
        if let Some(text) = pressed.pasted.filter(|_| !self.memory.is_open) {
            self.paste(&text);
        }
    }

    /// Decides what to refresh in this pass, and reads the source for everything on screen. If
    /// `listens`, the overlay has the user's input.
    fn read(&mut self, ctx: &Context, source: &dyn Source, listens: bool) -> Pass {
        let wanted = Wanted::of(&self.panes, &self.frame_axis, &self.playback, source);
        let refresh = (self.refresh_rate).settle(ctx, wanted, self.settings.refresh_hz, listens);
        if refresh.is_due && !self.playback.is_paused() {
            self.tree.forget_values();
        }
        for selection in self.panes.selections_mut() {
            selection.read_facts(source, refresh.numbers);
        }
        if self.refresh_rate.cost.is_full() {
            let shown = self.panes.selections().flat_map(Selection::selected);
            self.playback.update(source, shown);
        }
        Pass {
            theme: self.theme(ctx),
            refresh: refresh.numbers,
        }
    }

    /// Reads the scopes of the frames that the views of the panes want.
    fn read_scopes(&mut self, source: &mut dyn Source) {
        let held = self.playback.data(source, &[]).frames();
        self.wanted_scopes.clear();
        let panes = self.panes.list().iter();
        self.wanted_scopes.extend(panes.filter_map(|pane| {
            let view = pane.views.get(pane.view);
            view.wanted_scopes(&self.frame_axis, &held)
        }));
        if !self.wanted_scopes.is_empty() {
            self.keep_new_hitch(source);
        }
        // While the views are paused, the source goes on, and would drop the frames that they show.
        let kept = (self.playback.is_paused() && !self.wanted_scopes.is_empty())
            .then(|| held.end.saturating_sub(KEPT_SCOPES)..held.end);
        self.scopes.read(source, &self.wanted_scopes, kept);
        self.scopes.read_times(source, self.hitches.recent());
    }

    /// Works like [`read`](Self::read), and also reads what only the panel shows, such as the
    /// tree's listing.
    fn read_panel(
        &mut self,
        ctx: &Context,
        source: &mut dyn Source,
        allowance: &mut Allowance,
    ) -> Pass {
        set_bindings(ctx, &self.settings.bindings);
        let pass = self.read(ctx, source, true);
        self.read_scopes(source);
        let now_secs = ctx.input(|input| input.time);
        self.panel.problems.read(now_secs);
        // Skip frame 0: it began when the recorder was created, not when a frame ended.
        let first = self.playback.first_frame().max(1);
        let times_ms = source.frame_times(usize::MAX).within(first..u64::MAX);
        self.budget_offer
            .update(times_ms, self.settings.frame_budget_ms, now_secs);
        if pass.refresh || self.panel.pace[1].is_empty() {
            let data = self.playback.data(source, &[]);
            write_pace(data.frame_times(), &mut self.panel.pace);
        }
        let timing = TreeTiming {
            now_secs,
            refresh_secs: 1.0 / f64::from(self.settings.refresh_hz),
            is_paused: self.playback.snapshot().is_some(),
        };
        self.rank_moved(source, pass.refresh);
        let selection = &self.panes.active().selection;
        let hitches = self.settings.hitches.then_some(&self.hitches);
        (self.tree).update(source, hitches, selection, timing, allowance);
        self.rank_together(source);
        pass
    }

    /// Brings the card of the newest finding up to date, and the text that takes its place.
    fn update_card(&mut self, ctx: &Context, source: &dyn Source, pass: &Pass) {
        let found = self.hitches.found();
        let to_learn = found.to_learn().filter(|_| self.settings.hitches);
        if pass.refresh || to_learn.is_none() {
            if self.hud.to_learn != to_learn || self.hud.empty.is_empty() {
                self.hud.empty = to_learn.map_or_else(
                    || "No frame took much longer than usual".to_owned(),
                    |to_learn| to_learn.text(),
                );
            }
            self.hud.to_learn = to_learn;
        }
        let (first, now_secs) = (self.playback.first_frame(), ctx.input(|input| input.time));
        if pass.refresh || self.card.is_outdated(found, first) {
            let data = self.playback.data(source, &[]);
            let slot_of = |path: &str| self.panes.slot_of(path);
            (self.card).update(found, first, data.frame_times(), now_secs, slot_of);
        }
        self.card.draw_more();
    }

    fn paint_hud(&mut self, ctx: &Context, source: &dyn Source, pass: &Pass) {
        self.update_card(ctx, source, pass);
        let first = self.playback.first_frame();
        let has_card = self.settings.hitches && self.hitches.found().can_tell();
        let headline = self.hitches.found().headline(first);
        let selection = &self.panes.pinned;
        let pinned = selection.selected();
        let notice = self.notice.shown(ctx.input(|input| input.time));
        HudUi {
            theme: &pass.theme,
            hud: &mut self.hud,
            data: &self.playback.data(source, pinned),
            pinned,
            state: HudState {
                revision: selection.revision(),
                paused: self.playback.is_paused(),
                frame_budget_ms: self.settings.frame_budget_ms,
                has_statistics: self.settings.hud_statistics,
                limit: self
                    .hitches
                    .limit()
                    .filter(|limit| *limit != Limit::Unknown),
                examined_from: self.hitches.found().examined_from(),
            },
            card: &self.card,
            headline: headline.filter(|_| has_card),
            is_hitch: &|frame| has_card && self.hitches.found().has_hitch(frame),
            notice,
            has_card,
            top: &self.hitches.top,
            slot_of: &|path| self.panes.slot_of(path),
            settings: &self.settings,
            refresh: pass.refresh,
        }
        .hud_ui(ctx);
    }

    fn paint_watch(&mut self, ctx: &Context, source: &dyn Source, pass: &Pass) {
        self.update_card(ctx, source, pass);
        let has_card = self.settings.hitches && self.hitches.found().can_tell();
        let cost = &self.refresh_rate.cost;
        let notice = self.notice.shown(ctx.input(|input| input.time));
        // The search box is not on screen.
        let no_search = Query::default();
        WatchUi {
            shared: Shared {
                theme: &pass.theme,
                playback: &self.playback,
                source,
                scopes: &self.scopes,
                frame_axis: &mut self.frame_axis,
                settings: &self.settings,
                hitches: self.hitches.found(),
                limit: self.hitches.frame_limit(),
                baseline: &self.baseline,
                search: &no_search,
                // An offer needs a click, which goes to the game.
                budget_offer: None,
                cost,
                refresh: pass.refresh,
            },
            panes: &mut self.panes,
            card: has_card.then_some((&self.card, self.hud.empty.as_str())),
            note: notice,
        }
        .watch_ui(ctx);
    }

    fn paint_panel(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        source: &mut dyn Source,
        pass: &Pass,
        embedded: bool,
    ) -> Vec<Request> {
        PanelUi {
            app: self,
            source,
            pass,
            embedded,
            requests: Vec::new(),
        }
        .panel_ui(ui, rect)
    }
}
