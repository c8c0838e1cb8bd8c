//! The head of the statistics view: the frames that the figures cover, and checkboxes that exclude
//! spans.
//!
//! Nothing moves while the number of frames grows: the title takes one line, and a checkbox
//! reserves its maximum width.

use egui::{Rect, Sense, TextStyle, Ui, Vec2, pos2, vec2};

use crate::paint::canvas::Canvas;
use crate::statistics::row::frames_text;
use crate::statistics::ui::StatisticsUi;
use crate::view::PaneRequest;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};
use stats_ui::tooltip;

/// The height of the title and of a checkbox, in points.
const LINE: f32 = 20.0;
/// The gap between checkboxes, in points.
const GAP: f32 = 10.0;
/// The maximum number of characters of a name in a checkbox, and of the description of excluded
/// frames.
const NAME_CHARS: usize = 60;
const LEFT_OUT_CHARS: usize = 160;
const TITLE_HELP: &str = "All figures cover the frames on screen, or the selected frames. Frame 0 \
                          began when the recorder was created and may include the program's loading \
                          time, so it counts here only if it is selected. Graphs, tables and exports \
                          include it.";

impl StatisticsUi<'_> {
    /// Shows which frames are covered and which are left out, at the top of `free`.
    pub(super) fn title_ui(&self, canvas: &Canvas<'_>, free: &mut Rect) {
        let (theme, view, painter) = (self.pane.theme, &*self.view, canvas.painter());
        let line = take_top(free, LINE);
        if canvas.row(line, LINE).is_none() {
            return;
        }
        let width = shapes::text_in(painter, line, &view.title, text_font(), theme.text);
        let id = canvas.make_persistent_id("frames");
        if let Some(response) = canvas.interact(line, id.with("help"), Sense::hover()) {
            tooltip::with_text(response, TITLE_HELP);
        }
        if !view.left_out.is_empty() {
            let rest = line.with_min_x((line.left() + width + GAP).min(line.right()));
            let left_out = one_line(&view.left_out, LEFT_OUT_CHARS);
            shapes::text_at_end(painter, rest, &left_out, text_font(), theme.alert);
        }
        accessibility::describe(canvas.ctx(), id, line, || {
            let left_out = if view.left_out.is_empty() { "" } else { "; " };
            (
                "Frames".to_owned(),
                format!("{}{left_out}{}", view.title, view.left_out),
            )
        });
    }

    /// Shows a checkbox for each span that can be excluded, at the top of `free`. Returns a change
    /// of one of them. Over a game, there are no checkboxes.
    pub(super) fn marks_ui(&self, canvas: &mut Canvas<'_>, free: &mut Rect) -> Option<PaneRequest> {
        let ui = canvas.ui().filter(|_| !self.view.spans.is_empty())?;
        let excluded = &self.pane.settings.excluded_marks;
        let (mut flow, mut changed) = (BoxFlow::new(*free), None);
        for span in &self.view.spans {
            let name = one_line(&span.name, NAME_CHARS);
            let text = |frames: u64| format!("without {name} ({})", frames_text(frames as usize));
            let mut without = excluded.contains(&span.name);
            let rect = flow.place(box_width(ui, text(self.view.frames.max(2))));
            // As wide as its text, so that the space beside it is not clickable.
            let mut place = ui.new_child(
                egui::UiBuilder::new()
                    .id_salt(("without", &span.name))
                    .max_rect(rect),
            );
            if place.checkbox(&mut without, text(span.frames)).changed() {
                changed = Some(PaneRequest::LeaveOut {
                    mark: span.name.clone(),
                    is_left_out: without,
                });
            }
        }
        if self.view.more_spans {
            let (more, weak) = ("and more spans", self.pane.theme.weak);
            let galley = shapes::laid_out(ui.painter(), more, small_font(), weak);
            let rect = flow.place(galley.size().x + 1.0);
            shapes::text_in(ui.painter(), rect, more, small_font(), weak);
        }
        take_top(free, flow.height());
        changed
    }
}

/// Takes a line from the top of `free`.
fn take_top(free: &mut Rect, height: f32) -> Rect {
    let (line, rest) = free.split_top_bottom_at_y(free.top() + height);
    *free = rest;
    line
}

/// Returns the width of a checkbox with this text.
fn box_width(ui: &Ui, text: String) -> f32 {
    let spacing = ui.spacing();
    let galley = ui.painter().layout_no_wrap(
        text,
        TextStyle::Button.resolve(ui.style()),
        egui::Color32::WHITE,
    );
    spacing.icon_width + spacing.icon_spacing + galley.size().x
}

/// Places checkboxes one after the other, and wraps lines.
struct BoxFlow {
    area: Rect,
    next: Vec2,
}

impl BoxFlow {
    fn new(area: Rect) -> Self {
        let next = Vec2::ZERO;
        Self { area, next }
    }

    /// Returns the rectangle of the next checkbox. A checkbox wider than a line gets a line of its
    /// own.
    fn place(&mut self, width: f32) -> Rect {
        let width = width.min(self.area.width());
        if self.next.x > 0.0 && self.next.x + width > self.area.width() {
            self.next = vec2(0.0, self.next.y + LINE);
        }
        let min = pos2(
            self.area.left() + self.next.x,
            self.area.top() + self.next.y,
        );
        self.next.x += width + GAP;
        Rect::from_min_size(min, vec2(width, LINE))
    }

    /// Returns the height of all lines so far.
    fn height(&self) -> f32 {
        self.next.y + LINE
    }
}
