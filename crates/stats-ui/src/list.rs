//! A list of rows that scrolls, and costs only what is on screen.
//!
//! A list has a row for each series, allocation or frame: a million rows of 22 points. Positions in
//! single precision are then whole points apart. So a [`List`] keeps its offset in double
//! precision, and a [`View`] places rows relative to the top of the screen, each exactly below the
//! previous one. The wheel, the bar and the fingers are those of egui's scroll area.
//!
//! A list also has a cursor: the row on which keys act. The view that shows the list knows what the
//! row means, and finds it again when rows come and go.

use std::ops::Range;

use egui::{Painter, Rect, ScrollArea, Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::theme::Theme;
use crate::tree::RowAction;

/// The state of a list between passes.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The index of the row on which keys act.
    pub cursor: Option<usize>,
    /// Whether the cursor moved, so that its row must be moved into view.
    pub has_moved: bool,
    /// The distance from the first row to the top of the view, in points.
    offset: f64,
    /// The offset of egui's scroll area; `None` if it has to be told.
    area: Option<AreaOffset>,
    /// The height of the view and of all rows in the previous pass, in points.
    height: (f32, f64),
}

/// An offset as egui's scroll area has it. Far down in a long list, the area limits it to an end of
/// the list that is some points off.
#[derive(Clone, Copy, Debug)]
struct AreaOffset {
    /// The offset of the list that it stands for.
    of: f32,
    offset: f32,
    /// The number of passes since the list moved by itself, up to 2. The area is told in the second
    /// pass: an offset beyond the end that the list had before would make it spring back.
    age: u8,
}

/// The part of a list that is on screen.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The place of the view. If the list is wider, the place of the whole width.
    pub rect: Rect,
    offset: f64,
}

impl List {
    /// Returns the distance from the first row to the top of the view, in points.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// Scrolls to a distance from the first row, in points. The list does not scroll past its ends.
    pub fn scroll_to(&mut self, offset: f64) {
        self.offset = offset.max(0.0);
    }

    /// Moves a part into a view of this height, by as little as possible. A part that is higher
    /// than the view begins at its top. Both are in points.
    pub fn reveal(&mut self, part: Range<f64>, height: f32) {
        let lowest = (part.end - f64::from(height)).min(part.start);
        self.scroll_to(self.offset.min(part.start).max(lowest));
    }

    /// Moves the cursor to a row, which is moved into view.
    pub fn put_cursor(&mut self, at: usize) {
        (self.cursor, self.has_moved) = (Some(at), true);
    }

    /// Returns the row to which an action moves the cursor, among `count` rows of the height `row`.
    /// A page is one row shorter than the view. Without a cursor, moves begin at the first row, and
    /// moves up at the last. `None` if the action does not move the cursor, or without rows.
    pub fn target(&self, action: RowAction, count: usize, row: f32) -> Option<usize> {
        let last = count.checked_sub(1)?;
        let page = ((self.height.0 / row) as isize).max(2) - 1;
        let delta = match action {
            RowAction::Up => -1,
            RowAction::Down => 1,
            RowAction::PageUp => -page,
            RowAction::PageDown => page,
            RowAction::Start => return Some(0),
            RowAction::End => return Some(last),
            RowAction::Open | RowAction::Close | RowAction::Activate => return None,
        };
        Some(match self.cursor {
            Some(at) => at.saturating_add_signed(delta).min(last),
            None if delta < 0 => last,
            None => 0,
        })
    }

    /// Shows the part on screen of a list that is `height` points high. A list that has a `width`
    /// also scrolls sideways, and is at least as wide as `rect`. `draw` draws the rows.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        (width, height): (f32, f64),
        draw: &mut dyn FnMut(&mut Ui, &View),
    ) {
        let mut part = ui.new_child(UiBuilder::new().id_salt("list").max_rect(rect));
        part.spacing_mut().item_spacing = Vec2::ZERO;
        let height_before = std::mem::replace(&mut self.height, (rect.height(), height)).1;
        if height <= f64::from(rect.height()) && width <= rect.width() {
            // A scroll area takes time and allocates. The ids of the rows are the same without it.
            (self.offset, self.area) = (0.0, None);
            let mut all = part.new_child(UiBuilder::new().max_rect(rect));
            return draw(&mut all, &View::at(rect, 0.0));
        }
        if height < height_before {
            let end = height - f64::from(rect.height());
            self.offset = self.offset.min(end.max(0.0));
        }
        let mut area = ScrollArea::new([width > 0.0, true])
            .id_salt("rows")
            .auto_shrink([false, false])
            .animated(false);
        let given = self.offset as f32;
        let before = self.area.filter(|area| area.of == given);
        let age = before.map_or(0, |area| (area.age + 1).min(2));
        match age {
            0 => ui.ctx().request_repaint(),
            1 => area = area.vertical_scroll_offset(given),
            _ => {}
        }
        area.show_viewport(&mut part, |ui, viewport| {
            ui.set_min_size(vec2(width, height as f32));
            if let Some(before) = before.filter(|_| age == 2) {
                let delta = viewport.top() - before.offset;
                let is_limit = before.age < 2 && delta.abs() <= 2.0 * f32::EPSILON * given;
                self.offset += if is_limit { 0.0 } else { f64::from(delta) };
            }
            self.area = Some(AreaOffset {
                of: self.offset as f32,
                offset: viewport.top(),
                age,
            });
            self.height.0 = viewport.height();
            let corner = pos2(ui.max_rect().left(), rect.top());
            let size = vec2(width.max(viewport.width()), viewport.height());
            let top = f64::from(rect.top());
            let offset = top - pixels(top - self.offset, ui.pixels_per_point());
            draw(ui, &View::at(Rect::from_min_size(corner, size), offset));
        });
    }
}

/// Returns the nearest distance that is a whole number of pixels: texts begin at whole pixels.
fn pixels(points: f64, pixels_per_point: f32) -> f64 {
    let scale = f64::from(pixels_per_point);
    (points * scale).round() / scale
}

impl View {
    /// Creates the view of a list that is scrolled to `offset`, in points.
    pub fn at(rect: Rect, offset: f64) -> Self {
        Self { rect, offset }
    }

    /// Returns the distance from the first row to the top of the view, in points.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// Returns the rows on screen, among `count` rows of the height `row`.
    pub fn rows(&self, row: f32, count: usize) -> Range<usize> {
        let row = f64::from(row);
        let end = self.offset + f64::from(self.rect.height());
        let end = ((end / row).ceil().max(0.0) as usize).min(count);
        ((self.offset / row).floor().max(0.0) as usize).min(end)..end
    }

    /// Returns the place of a part that is `top` points below the first row.
    pub fn place(&self, top: f64, height: f32) -> Rect {
        let y = f64::from(self.rect.top()) + (top - self.offset);
        let corner = pos2(self.rect.left(), y as f32);
        Rect::from_min_size(corner, vec2(self.rect.width(), height))
    }

    /// Returns the place of a row, among rows of the height `row`.
    pub fn row(&self, at: usize, row: f32) -> Rect {
        self.place(at as f64 * f64::from(row), row)
    }

    /// Returns the number of whole rows above a position on screen; negative above the first row.
    pub fn row_at(&self, y: f32, row: f32) -> f64 {
        let below = f64::from(y) - f64::from(self.rect.top()) + self.offset;
        (below / f64::from(row)).floor()
    }
}

/// Paints the background of a row under the pointer, and the frame of the cursor's row, with this
/// opacity.
pub fn highlight(painter: &Painter, row: Rect, theme: &Theme, pointed: bool, cursor: Option<f32>) {
    let rect = row.shrink2(vec2(2.0, 0.0));
    if pointed {
        painter.rect_filled(rect, 3.0, theme.hover);
    }
    if let Some(opacity) = cursor {
        let stroke = Stroke::new(1.0, theme.accent.gamma_multiply(opacity));
        painter.rect_stroke(rect, 3.0, stroke, StrokeKind::Inside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Context, Event, Modifiers, MouseWheelUnit, RawInput};
    use stats_testing::Random;

    const ROW: f32 = 22.0;
    const VIEW: Rect = Rect {
        min: pos2(10.0, 30.3),
        max: pos2(210.0, 250.3),
    };

    /// Runs a pass. Returns the places of the rows on screen.
    fn pass(
        ctx: &Context,
        list: &mut List,
        count: usize,
        events: Vec<Event>,
    ) -> Vec<(usize, Rect)> {
        let mut rows = Vec::new();
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0))),
            events,
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            let height = count as f64 * f64::from(ROW);
            rows.clear();
            list.show(ui, VIEW, (0.0, height), &mut |_, view| {
                let visible = view.rows(ROW, count);
                rows.extend(visible.map(|at| (at, view.row(at, ROW))));
            });
        });
        output.textures_delta.clear();
        rows
    }

    #[test]
    fn rows_are_exactly_below_each_other_anywhere_in_a_list_of_any_length() {
        let (ctx, mut random) = (Context::default(), Random::new(4));
        for round in 0..300 {
            let count = 1 + random.below([8, 40, 1_000_000][round % 3]) as usize;
            let mut list = List::default();
            list.put_cursor(random.below(count as u64) as usize);
            let at = list.cursor.unwrap();
            let part = at as f64 * f64::from(ROW)..(at + 1) as f64 * f64::from(ROW);
            list.reveal(part.clone(), VIEW.height());
            for pass_number in 0..5 {
                let rows = pass(&ctx, &mut list, count, Vec::new());
                let (first, last) = (rows[0], rows[rows.len() - 1]);
                for pair in rows.windows(2) {
                    assert_eq!(pair[0].0 + 1, pair[1].0);
                    let gap = pair[1].1.top() - pair[0].1.bottom();
                    assert!(gap.abs() < 1e-3, "{gap} between rows of {count}");
                }
                let of_pixel = first.1.top() - first.1.top().round();
                assert!(of_pixel.abs() < 1e-3 || count <= 10, "{first:?}");
                assert!(first.1.top() < VIEW.top() + 1.0, "{first:?}");
                assert!(last.0 + 1 == count || last.1.bottom() >= VIEW.bottom() - 1.0);
                let cursor = rows.iter().find(|(row, _)| *row == at).unwrap().1;
                assert!(
                    cursor.top() >= VIEW.top() - 1.0 && cursor.bottom() <= VIEW.bottom() + 1.0,
                    "row {at} of {count} is at {cursor:?} in pass {pass_number}"
                );
            }
        }
    }

    #[test]
    fn a_list_scrolls_with_the_wheel_and_shows_its_end_when_rows_are_removed() {
        let (ctx, mut list) = (Context::default(), List::default());
        let wheel = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, -900.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        };
        let point = Event::PointerMoved(VIEW.center());
        pass(&ctx, &mut list, 1000, vec![point]);
        pass(&ctx, &mut list, 1000, vec![wheel]);
        (0..60).for_each(|_| _ = pass(&ctx, &mut list, 1000, Vec::new()));
        assert!((list.offset() - 900.0).abs() < 1.0, "{}", list.offset());
        let rows = pass(&ctx, &mut list, 20, Vec::new());
        assert_eq!((rows[0].0, rows[rows.len() - 1].0), (10, 19));
        let rows = pass(&ctx, &mut list, 3, Vec::new());
        assert_eq!((rows.len(), list.offset()), (3, 0.0));
        assert_eq!(pass(&ctx, &mut list, 1000, Vec::new())[0].0, 0);
    }

    #[test]
    fn moves_stop_at_both_ends_and_pages_keep_a_row() {
        let mut list = List {
            height: (10.0 * ROW, 0.0),
            ..List::default()
        };
        let to = |list: &List, action| list.target(action, 30, ROW);
        assert_eq!(to(&list, RowAction::Down), Some(0));
        assert_eq!(to(&list, RowAction::Up), Some(29));
        for (action, from, wanted) in [
            (RowAction::Up, 0, 0),
            (RowAction::Down, 29, 29),
            (RowAction::PageDown, 3, 12),
            (RowAction::PageUp, 12, 3),
            (RowAction::PageDown, 28, 29),
            (RowAction::Start, 7, 0),
            (RowAction::End, 7, 29),
        ] {
            list.put_cursor(from);
            assert_eq!(to(&list, action), Some(wanted), "{action:?}");
        }
        assert_eq!(to(&list, RowAction::Open), None);
        assert_eq!(list.target(RowAction::Down, 0, ROW), None);
    }

    #[test]
    fn a_part_is_revealed_by_the_smallest_move() {
        let mut list = List::default();
        for (part, wanted) in [
            (50.0..70.0, 0.0),
            (90.0..120.0, 20.0),
            (10.0..30.0, 10.0),
            (10.0..500.0, 10.0),
            (300.0..500.0, 300.0),
        ] {
            list.reveal(part.clone(), 100.0);
            assert_eq!(list.offset(), wanted, "{part:?}");
        }
    }
}
