//! The panel: the header, the tree and the panes, or the memory view.

use std::sync::Arc;

use egui::{CornerRadius, Rect, Stroke, StrokeKind, Ui, UiBuilder, vec2};
use stats_core::Source;

use crate::app::frame::Pass;
use crate::app::notice::Notice;
use crate::app::panel::first_steps_ui::{HEIGHT, MIN_AREA, first_steps_ui};
use crate::app::panel::header_ui::HeaderUi;
use crate::app::panel::help_ui::help_ui;
use crate::app::panel::settings_ui::{Costs, settings_ui};
use crate::app::panel::state::Sheet;
use crate::app::request::Request;
use crate::app::state::App;
use crate::data::selection::Selection;
use crate::input::action::Action;
use crate::input::key_hint::key_text;
use crate::panes::panes_ui::PanesUi;
use crate::tree::row_values::RowReader;
use crate::tree::ui::TreeUi;
use stats_ui::accessibility;
use stats_ui::pointer::pointer_pos;
use stats_ui::retained::paint_kept;
use stats_ui::shapes;
use stats_ui::theme::text_font;
use stats_ui::tooltip;

const HEADER: f32 = 34.0;
/// The width at the right edge of a sheet's first lines that is left to the button *Back*, in points.
pub(super) const BACK_WIDTH: f32 = 80.0;
/// The distance between a notice and the lower edge, which leaves the labels of the lowest axis
/// visible.
const NOTICE_BELOW: f32 = 40.0;
/// The distance between a notice and the upper edge, which places it on the strip of all frames.
const NOTICE_ABOVE: f32 = 12.0;
/// The distance between a notice and the edges at the sides.
const NOTICE_ASIDE: f32 = 18.0;
/// The height of the search box, and of the bar and filters of the memory view.
const SEARCH_BOX: f32 = 32.0;
const FILTERS: f32 = 64.0;
/// The minimum width of the panes for a notice to fit there, in points.
const MIN_FOR_NOTICE: f32 = 240.0;

/// The first pass that draws the panes, without their views.
const PANES_FROM: u8 = 2;

/// Draws the panel.
pub(crate) struct PanelUi<'a> {
    pub(crate) app: &'a mut App,
    pub(crate) source: &'a mut dyn Source,
    pub(crate) pass: &'a Pass,
    /// Whether the panel is inside a `Ui` of the host. Its header then mentions neither input nor
    /// closing.
    pub(crate) embedded: bool,
    /// Collects the clicks that affect other parts.
    pub(crate) requests: Vec<Request>,
}

impl PanelUi<'_> {
    /// Draws the panel into `rect`. Returns the clicks that affect other parts.
    pub(crate) fn panel_ui(mut self, ui: &mut Ui, rect: Rect) -> Vec<Request> {
        let style = self.app.panel.style.get(&self.pass.theme);
        ui.set_style(Arc::clone(&style));
        // Menus and tooltips take the style of the context.
        let (ctx, theme) = (ui.ctx().clone(), ui.ctx().theme());
        let style_of_host = ctx.style_of(theme);
        ctx.set_style_of(theme, style);
        self.parts_ui(ui, rect);
        ctx.set_style_of(theme, style_of_host);
        self.requests
    }

    /// Draws the parts. egui rasterizes a glyph when it is first drawn, which can take 0.1 ms, so
    /// the panes appear only in the second pass, and their views in the third. The search box takes
    /// letters from the first pass on.
    fn parts_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let passes = self.app.panel.passes.saturating_add(1);
        self.app.panel.passes = passes;
        self.background_ui(ui, rect);
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        let (header, rest) = rect.split_top_bottom_at_y(rect.top() + HEADER.min(rect.height()));
        self.header_ui(ui, header);
        let rest = rest.shrink2(vec2(1.0, 1.0));
        if self.app.memory.is_open {
            self.memory_ui(ui, rest.shrink2(vec2(6.0, 5.0)));
            let filters = rest.with_max_y(rest.top() + FILTERS);
            self.notice_ui(ui, rest, filters);
        } else {
            let (tree, view) = self.app.panel.split.split_ui(ui, &self.pass.theme, rest);
            self.tree_ui(ui, tree);
            if passes < PANES_FROM {
                return;
            }
            self.right_ui(ui, view.shrink2(vec2(6.0, 5.0)));
            let search_box = tree.with_max_y(tree.top() + SEARCH_BOX);
            // Unlike the tree and the legend, the strip of all frames has no numbers to cover.
            let has_room = view.width() >= MIN_FOR_NOTICE;
            self.notice_ui(ui, if has_room { view } else { rest }, search_box);
        }
    }

    fn background_ui(&self, ui: &Ui, rect: Rect) {
        let theme = &self.pass.theme;
        let (corner, sheet) = if self.embedded {
            (0, theme.sheet.to_opaque())
        } else {
            (6, theme.sheet)
        };
        let header = rect.with_max_y(rect.top() + HEADER.min(rect.height()));
        let key = (rect, corner, *theme);
        paint_kept(
            ui.painter(),
            ui.make_persistent_id("ground"),
            key,
            |painter| {
                let edge = Stroke::new(1.0, theme.line);
                let all = CornerRadius::same(corner);
                painter.rect(rect, all, sheet, edge, StrokeKind::Inside);
                let radius = CornerRadius {
                    nw: 5,
                    ne: 5,
                    sw: 0,
                    se: 0,
                };
                painter.rect_filled(header.shrink(1.0), radius, theme.bar);
                painter.hline(header.x_range(), header.bottom(), edge);
            },
        );
    }

    fn header_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let app = &mut *self.app;
        let found = app.hitches.found();
        let finds = app.settings.hitches && found.can_tell();
        let first = app.playback.first_frame();
        HeaderUi {
            theme: &self.pass.theme,
            program: &app.program,
            pace: &app.panel.pace,
            verdict: found.shown_headline(first).filter(|_| finds),
            embedded: self.embedded,
            key: app.settings.key,
            playback: &app.playback,
            newest: self.source.frames().end,
            follows: app.frame_axis.follows(),
            has_memory: app.memory.has_source(),
            is_memory_open: app.memory.is_open,
            recording: app.recording.status(),
            problems: &app.panel.problems,
            presets: &mut app.presets,
            moments: &mut app.moments,
            requests: &mut self.requests,
        }
        .header_ui(ui, rect);
    }

    /// Draws the memory view, or a sheet that covers it.
    fn memory_ui(&mut self, ui: &mut Ui, rect: Rect) {
        self.app.memory.was_drawn = true;
        if self.app.panel.sheet.is_some() {
            self.right_ui(ui, rect);
            return;
        }
        let Self {
            app, pass, source, ..
        } = self;
        if (app.memory).memory_ui(ui, &pass.theme, rect, &mut **source) {
            self.requests.push(Request::Perform(Action::SaveMemoryDump));
        }
    }

    fn tree_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let inner = rect.shrink2(vec2(4.0, 5.0));
        if inner.width() < 20.0 || inner.height() < 20.0 {
            return;
        }
        let mut ui = ui.new_child(UiBuilder::new().id_salt("tree").max_rect(inner));
        let app = &mut *self.app;
        let (selection, pinned) = app.panes.active_and_pinned_mut();
        let mut reader = RowReader {
            source: self.source,
            paused: app.playback.snapshot(),
        };
        let requests = TreeUi {
            theme: &self.pass.theme,
            panel: &mut app.tree,
            selection,
            pinned,
            has_formula: &|path| app.formulas.contains(path),
            requests: Vec::new(),
        }
        .tree_ui(&mut ui, inner, &mut reader);
        self.requests
            .extend(requests.into_iter().map(Request::Tree));
    }

    /// Draws the right side: a sheet, or the panes.
    fn right_ui(&mut self, ui: &mut Ui, rect: Rect) {
        if rect.width() < 30.0 || rect.height() < 30.0 {
            return;
        }
        let mut ui = ui.new_child(UiBuilder::new().id_salt("right").max_rect(rect));
        let (app, theme) = (&mut *self.app, &self.pass.theme);
        match app.panel.sheet {
            Some(Sheet::Help) => help_ui(&mut ui, theme, &app.settings, rect),
            Some(Sheet::Problems) => app.panel.problems.sheet_ui(&mut ui, theme, rect),
            Some(Sheet::Budgets) => {
                let clicked = (app.panel.budget).sheet_ui(&mut ui, theme, &app.budgets, rect);
                self.requests.extend(clicked);
            }
            Some(Sheet::Settings) => {
                let shown = app.panes.selections().flat_map(Selection::paths);
                let costs = Costs {
                    frame_ms: app.refresh_rate.cost.cost_ms(),
                    flight_bytes: app.flight.bytes(),
                };
                let (settings, binding) = (&mut app.settings, &mut app.panel.binding);
                settings_ui(&mut ui, theme, settings, binding, shown, costs, rect);
            }
            None => {
                let mut rect = rect;
                let has_room = rect.size().min(MIN_AREA) == MIN_AREA;
                if app.settings.first_steps && has_room && !self.embedded {
                    let clicked = first_steps_ui(&ui, theme, rect);
                    self.requests.extend(clicked.map(Request::FirstStep));
                    rect.min.y += HEIGHT;
                }
                let (has_views, pass) = (app.panel.passes > PANES_FROM, self.pass);
                let (shared, panes) = app.with_shared(self.source, (theme, pass.refresh));
                let request = PanesUi {
                    shared,
                    panes,
                    has_views,
                }
                .panes_ui(&mut ui, rect);
                self.requests.extend(request.map(Request::Pane));
                return;
            }
        }
        if back_ui(&mut ui, rect) {
            app.panel.sheet = None;
        }
    }

    /// Draws the notice over everything else in `rect`, but not over `search` if there is another
    /// place.
    fn notice_ui(&mut self, ui: &Ui, rect: Rect, search: Rect) {
        let theme = &self.pass.theme;
        let Some((text, alert)) = self.app.notice.shown(ui.input(|input| input.time)) else {
            return;
        };
        let color = if alert { theme.alert } else { theme.text };
        let galley = ui.painter().layout(
            text.to_owned(),
            text_font(),
            color,
            (rect.width() - 2.0 * NOTICE_ASIDE - 24.0).max(40.0),
        );
        let size = galley.size() + vec2(24.0, 12.0);
        let area = Rect::from_min_max(
            rect.min + vec2(NOTICE_ASIDE, NOTICE_ABOVE),
            rect.max - vec2(NOTICE_ASIDE, NOTICE_BELOW),
        );
        let plate = Notice::place(size, area, pointer_pos(ui), search);
        shapes::plate(ui.painter(), plate, 5.0, theme.bar, color);
        ui.painter()
            .galley(plate.min + vec2(12.0, 6.0), galley, color);
        accessibility::describe(ui.ctx(), ui.make_persistent_id("notice"), plate, || {
            ("Notice".to_owned(), text.to_owned())
        });
    }
}

/// Draws the button that closes a sheet. Returns whether it was clicked.
fn back_ui(ui: &mut Ui, rect: Rect) -> bool {
    let corner = rect
        .with_min_x(rect.right() - 70.0)
        .with_max_y(rect.top() + 24.0);
    let back = ui.put(corner, egui::Button::new("Back"));
    let key = key_text(ui.ctx(), Action::Back);
    tooltip::with_text(back, &key).clicked()
}
