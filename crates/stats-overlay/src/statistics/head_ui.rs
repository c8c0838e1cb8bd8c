//! The head of the statistics view: the frames that the figures cover, and checkboxes that exclude
//! spans.
//!
//! Nothing moves while the number of frames grows: the title takes one line, and a checkbox
//! reserves its maximum width.

use egui::{Rect, Sense, TextStyle, Ui, Vec2, pos2, vec2};

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

impl StatisticsUi<'_> {
    /// Shows which frames are covered and which are left out.
    pub(super) fn title_ui(&self, ui: &mut Ui) {
        let (theme, view) = (self.pane.theme, &*self.view);
        let help = "All figures cover the frames on screen, or the selected frames. Frame 0 began \
                    when the recorder was created and may include the program's loading time, so it \
                    counts here only if it is selected. Graphs, tables and exports include it.";
        let (line, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
        let width = shapes::text_in(ui.painter(), line, &view.title, text_font(), theme.text);
        tooltip::with_text(response, help);
        if !view.left_out.is_empty() {
            let free = line.with_min_x((line.left() + width + GAP).min(line.right()));
            shapes::text_at_end(
                ui.painter(),
                free,
                &one_line(&view.left_out, LEFT_OUT_CHARS),
                text_font(),
                theme.alert,
            );
        }
        accessibility::describe(ui.ctx(), ui.make_persistent_id("frames"), line, || {
            let left_out = if view.left_out.is_empty() { "" } else { "; " };
            (
                "Frames".to_owned(),
                format!("{}{left_out}{}", view.title, view.left_out),
            )
        });
    }

    /// Shows a checkbox for each span that can be excluded. Returns a change of one of them.
    pub(super) fn marks_ui(&self, ui: &mut Ui) -> Option<PaneRequest> {
        if self.view.spans.is_empty() {
            return None;
        }
        let (excluded, mut flow) = (&self.pane.settings.excluded_marks, BoxFlow::new(ui));
        let mut changed = None;
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
            let more = "and more spans";
            let rect = flow.place(
                ui.painter()
                    .layout_no_wrap(more.to_owned(), small_font(), self.pane.theme.weak)
                    .size()
                    .x
                    + 1.0,
            );
            shapes::text_in(ui.painter(), rect, more, small_font(), self.pane.theme.weak);
        }
        ui.allocate_space(vec2(ui.available_width(), flow.height()));
        changed
    }
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
    fn new(ui: &Ui) -> Self {
        Self {
            area: ui.available_rect_before_wrap(),
            next: Vec2::ZERO,
        }
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
