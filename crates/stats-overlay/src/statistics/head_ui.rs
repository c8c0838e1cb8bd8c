//! Above the figures of the frame times: which frames they are of, and boxes that leave out those
//! of spans.
//!
//! Nothing moves while frames are counted: the line is always one, and a box is as wide as it can
//! become.

use egui::{Rect, Sense, TextStyle, Ui, Vec2, pos2, vec2};

use crate::statistics::rows::frames_text;
use crate::statistics::ui::StatisticsUi;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};

/// The height of a line and of a box.
const LINE: f32 = 20.0;
/// Between boxes.
const GAP: f32 = 10.0;
/// How much of a name is in a box, and how much is said of what is left out.
const NAME_CHARS: usize = 60;
const LEFT_OUT_CHARS: usize = 160;

impl StatisticsUi<'_> {
    /// Which frames these are, and which of them are left out.
    pub(crate) fn title_ui(&self, ui: &mut Ui) {
        let (theme, view) = (self.pane.theme, &*self.view);
        let help = "All figures are of these frames: of those on screen, or of the selected ones. Frame 0 began when the recorder was made, \
                    whoever's recorder it is, and may have all in it that went by while the program loaded: it counts here only where it \
                    is selected. Graphs, legends, tables and what is copied or saved have it.";
        let (line, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
        let width = shapes::text_in(ui.painter(), line, &view.title, text_font(), theme.text);
        response.on_hover_text(help);
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

    /// A box for each span by whose frames the figures can do without.
    pub(crate) fn marks_ui(&mut self, ui: &mut Ui) {
        if self.view.spans.is_empty() {
            return;
        }
        let (excluded, mut flow) = (&mut self.settings.excluded_marks, BoxFlow::new(ui));
        for span in &self.view.spans {
            let name = one_line(&span.name, NAME_CHARS);
            let text = |frames: u64| format!("without {name} ({})", frames_text(frames as usize));
            let mut without = excluded.contains(&span.name);
            let rect = flow.place(box_width(ui, text(self.view.frames.max(2))));
            // Of its own width, so that what is beside the words is not part of it.
            let mut place = ui.new_child(
                egui::UiBuilder::new()
                    .id_salt(("without", &span.name))
                    .max_rect(rect),
            );
            if place.checkbox(&mut without, text(span.frames)).changed() {
                excluded.retain(|name| *name != span.name);
                excluded.extend(without.then(|| span.name.clone()));
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
    }
}

/// How wide a box with this text is.
fn box_width(ui: &Ui, text: String) -> f32 {
    let spacing = ui.spacing();
    let galley = ui.painter().layout_no_wrap(
        text,
        TextStyle::Button.resolve(ui.style()),
        egui::Color32::WHITE,
    );
    spacing.icon_width + spacing.icon_spacing + galley.size().x
}

/// Boxes one after the other, in as many lines as it takes.
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

    /// Where the next one stands; in no less than a whole line where it is wider than that.
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

    /// Of all lines so far.
    fn height(&self) -> f32 {
        self.next.y + LINE
    }
}
