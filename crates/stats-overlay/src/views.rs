//! All state of the overlay's views, and what happens in a frame: keys, numbers, then HUD or panel.

use std::sync::Arc;

use egui::{Context, Key, Modifiers, Rect, Style, Ui, Vec2, vec2};
use stats_core::Source;

use crate::data::{Data, Frozen, Live, Snapshot};
use crate::graph_view::GraphView;
use crate::hud_ui::Hud;
use crate::panel_ui::PanelUi;
use crate::selection::{Selection, Ticked};
use crate::table_ui::TableView;
use crate::theme::Theme;
use crate::tree_panel::TreePanel;

/// Numbers are written anew ten times a second: faster could not be read.
const REFRESH_SECS: f64 = 0.1;
/// How often the registry is asked for problems.
const PROBLEMS_SECS: f64 = 1.0;

/// The size of an embedded panel that has no bounds and no visible part that has.
const ENDLESS: Vec2 = vec2(600.0, 400.0);

/// How much of the overlay is on screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Nothing; frames are still recorded. The default.
    #[default]
    Hidden,
    /// Frame time, frame rate and the ticked counters in a corner. It takes no input but the toggle key.
    Hud,
    /// Tree, graph and table over the whole screen. It has the keyboard and the pointer.
    Full,
}

impl Mode {
    /// What the toggle key leads to: hidden, HUD, full, hidden.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Hidden => Self::Hud,
            Self::Hud => Self::Full,
            Self::Full => Self::Hidden,
        }
    }
}

/// How the ticked counters are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// Lines over an axis of frames. The default.
    #[default]
    Graph,
    /// A line of numbers for each frame.
    Table,
}

/// The state of the views.
#[derive(Debug)]
pub(crate) struct Views {
    pub(crate) mode: Mode,
    pub(crate) key: Option<Key>,
    pub(crate) view: View,
    pub(crate) selection: Selection,
    pub(crate) paused: Option<Snapshot>,
    /// Paused by a call that came without a source; the snapshot is taken with the next frame.
    pub(crate) pause_pending: bool,
    pub(crate) tree: TreePanel,
    pub(crate) graph: GraphView,
    pub(crate) table: TableView,
    /// The share of the panel's width that the tree has.
    pub(crate) tree_share: f32,
    pub(crate) problems: Vec<String>,
    /// The mode that was drawn last.
    drawn: Mode,
    /// Whether the toggle key is down, and what it types has not come yet.
    key_types: bool,
    /// The generation of the source's listing, and how many frames it had.
    seen: (u64, u64),
    hud: Hud,
    refreshed_secs: f64,
    refresh_pass: Option<u64>,
    problems_secs: f64,
    style: Option<(bool, Arc<Style>)>,
}

impl Views {
    pub(crate) fn new() -> Self {
        Self {
            mode: Mode::Hidden,
            key: Some(Key::F3),
            view: View::Graph,
            selection: Selection::new(),
            paused: None,
            pause_pending: false,
            tree: TreePanel::default(),
            graph: GraphView::default(),
            table: TableView::default(),
            tree_share: 0.28,
            problems: Vec::new(),
            drawn: Mode::Hidden,
            key_types: false,
            seen: (0, 0),
            hud: Hud::default(),
            refreshed_secs: f64::NEG_INFINITY,
            refresh_pass: None,
            problems_secs: f64::NEG_INFINITY,
            style: None,
        }
    }

    /// Everything that happens in one pass of a host that shows the overlay over its own picture.
    pub(crate) fn show(&mut self, ctx: &Context, source: &mut dyn Source) {
        self.take_toggle_key(ctx);
        self.settle(source);
        if self.mode == Mode::Full && self.drawn != Mode::Full {
            // What the host's widgets were being dragged by is the panel's from now on.
            ctx.stop_dragging();
        }
        self.drawn = self.mode;
        match self.mode {
            Mode::Hidden => {}
            Mode::Hud => self.show_hud(ctx, source),
            Mode::Full => crate::panel_ui::show_full(self, ctx, source),
        }
        if self.mode != Mode::Hidden {
            // The picture is live: it changes with every frame.
            ctx.request_repaint();
        }
    }

    /// Draws tree and view into a panel of the host.
    pub(crate) fn embed(&mut self, ui: &mut Ui, source: &mut dyn Source) {
        self.settle(source);
        let rect = bounded(ui.available_rect_before_wrap(), ui.clip_rect());
        ui.allocate_rect(rect, egui::Sense::hover());
        let mut panel = ui.new_child(egui::UiBuilder::new().id_salt("stats overlay").max_rect(rect));
        PanelUi { views: self, source, embedded: true }.panel_ui(&mut panel, rect);
        ui.ctx().request_repaint();
    }

    /// Forgets what belongs to one source before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.selection.detach();
        self.tree.detach();
        self.paused = None;
        self.seen = (0, 0);
        self.refreshed_secs = f64::NEG_INFINITY;
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.is_some() || self.pause_pending
    }

    pub(crate) fn set_paused(&mut self, paused: bool, source: Option<&dyn Source>) {
        if paused == self.is_paused() {
            return;
        }
        self.pause_pending = paused && source.is_none();
        self.paused = source.filter(|_| paused).map(|source| {
            let ticked = self.selection.ticked();
            Snapshot::take(&Live { source, ticked }, ticked)
        });
        self.refreshed_secs = f64::NEG_INFINITY;
    }

    /// The style of the overlay's own widgets for a theme, made once.
    pub(crate) fn style(&mut self, theme: &Theme) -> Arc<Style> {
        match &self.style {
            Some((dark, style)) if *dark == theme.dark => Arc::clone(style),
            _ => {
                let style = theme.style();
                self.style = Some((theme.dark, Arc::clone(&style)));
                style
            }
        }
    }

    /// Whether numbers are to be read anew in this pass; asks only once for all views drawn in it.
    pub(crate) fn refreshes(&mut self, ctx: &Context) -> bool {
        let (now_secs, pass) = (ctx.input(|input| input.time), ctx.cumulative_pass_nr());
        let since = now_secs - self.refreshed_secs;
        if !(0.0..REFRESH_SECS).contains(&since) {
            self.refreshed_secs = now_secs;
            self.refresh_pass = Some(pass);
            if !self.is_paused() {
                self.tree.texts.clear();
            }
        }
        self.read_problems(now_secs);
        self.refresh_pass == Some(pass)
    }

    fn read_problems(&mut self, now_secs: f64) {
        let since = now_secs - self.problems_secs;
        if !(0.0..PROBLEMS_SECS).contains(&since) {
            self.problems_secs = now_secs;
            self.problems = stats_core::problems().iter().map(ToString::to_string).collect();
        }
    }

    /// Notices another source, and applies what was asked for without one at hand.
    fn settle(&mut self, source: &mut dyn Source) {
        let seen = (source.generation(), source.frames().end);
        // Neither ever goes back in one source.
        if seen.0 < self.seen.0 || seen.1 < self.seen.1 {
            self.detach();
        }
        self.seen = seen;
        self.selection.resolve(source);
        if std::mem::take(&mut self.pause_pending) {
            self.set_paused(true, Some(source));
        }
    }

    fn take_toggle_key(&mut self, ctx: &Context) {
        let Some(key) = self.key else { return };
        let types = &mut self.key_types;
        let pressed = ctx.input_mut(|input| {
            let mut pressed = 0_usize;
            input.events.retain(|event| match event {
                egui::Event::Key { key: of, pressed: down, repeat, modifiers, .. } => {
                    let ours = *of == key && *modifiers == Modifiers::NONE;
                    pressed += usize::from(ours && *down && !repeat);
                    *types = ours && *down;
                    !ours
                }
                // What a printable key types follows its press; on the web a frame later.
                egui::Event::Text(_) => !std::mem::take(types),
                _ => true,
            });
            pressed
        });
        for _ in 0..pressed % 3 {
            self.mode = self.mode.next();
        }
    }

    fn show_hud(&mut self, ctx: &Context, source: &dyn Source) {
        let refresh = self.refreshes(ctx);
        self.selection.read_facts(source, refresh);
        let theme = theme_of(ctx);
        let (ticked, state) = (self.selection.ticked(), (self.selection.revision(), self.is_paused()));
        with_data(self.paused.as_ref(), source, ticked, |data| {
            if refresh || !self.hud.fits(state) {
                self.hud.refresh(data, ticked, state);
            }
            self.hud.hud_ui(ctx, &theme, data, ticked);
        });
    }
}

/// Calls `draw` with the snapshot, or with the source where there is none.
pub(crate) fn with_data<R>(
    paused: Option<&Snapshot>,
    source: &dyn Source,
    ticked: &[Ticked],
    draw: impl FnOnce(&dyn Data) -> R,
) -> R {
    match paused {
        Some(snapshot) => draw(&Frozen { snapshot, ticked }),
        None => draw(&Live { source, ticked }),
    }
}

/// `rect`, as large as what is visible where it has no end or where nothing is left (below the fold of a scroll area); where
/// that has no end either, as large as [`ENDLESS`].
fn bounded(rect: Rect, clip: Rect) -> Rect {
    let extent = |left: f32, visible: f32, otherwise: f32| {
        let visible = if visible.is_finite() { visible.max(0.0) } else { otherwise };
        if left.is_finite() && left >= 1.0 { left } else { visible }
    };
    let width = extent(rect.width(), clip.width(), ENDLESS.x);
    Rect::from_min_size(rect.min, vec2(width, extent(rect.height(), clip.height(), ENDLESS.y)))
}

pub(crate) fn theme_of(ctx: &Context) -> Theme {
    Theme::new(ctx.global_style().visuals.dark_mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, pos2};

    #[test]
    fn an_embedded_panel_has_an_end() {
        let (inside, clip) =
            (Rect::from_min_size(pos2(5.0, -90.0), vec2(300.0, 200.0)), Rect::from_min_size(Pos2::ZERO, vec2(320.0, 240.0)));
        assert_eq!(bounded(inside, clip), inside);
        let endless = Rect::from_min_max(inside.min, pos2(inside.right(), f32::INFINITY));
        assert_eq!(bounded(endless, clip).size(), vec2(300.0, 240.0));
        assert_eq!(bounded(inside.with_max_y(inside.top()), clip).size(), vec2(300.0, 240.0));
        assert_eq!(bounded(Rect::EVERYTHING.with_min_x(0.0).with_min_y(0.0), Rect::EVERYTHING).size(), ENDLESS);
    }
}
