//! The HUD: frame time, frame rate and the ticked series in a corner, painted without a single widget.
//!
//! Nothing in it can be hovered, clicked or focused, so the game below gets every event.

use egui::{Align2, Color32, Context, CornerRadius, Id, LayerId, Order, Painter, Rect, Stroke, StrokeKind, pos2, vec2};
use stats_core::Unit;

use crate::access;
use crate::color::{preferred_slot, series_color};
use crate::data::Data;
use crate::format::{NO_VALUE, value_text, whole_text};
use crate::names::one_line;
use crate::pace::pace;
use crate::paint;
use crate::selection::{FRAME_TIME, Ticked};
use crate::series_shape::{LineStyle, Scale, series_shape};
use crate::theme::{Theme, number_font, small_font, text_font};
use crate::thin::{Bucket, bucket_width, thin};

/// Frames in the small graph, and those that the worst frame is looked for in.
const FRAMES: u64 = 230;
const WIDTH: f32 = 252.0;
const PADDING: f32 = 9.0;
const GRAPH_HEIGHT: f32 = 40.0;
const LINE: f32 = 17.0;

/// The numbers of the HUD as they are shown until they are refreshed.
#[derive(Debug, Default)]
pub(crate) struct Hud {
    time: String,
    rate: String,
    worst: String,
    worst_frame: Option<u64>,
    /// Whether they stand still.
    paused: bool,
    /// The ticked series that they are of.
    revision: u64,
    values: Vec<String>,
}

impl Hud {
    /// Reads the numbers anew.
    pub(crate) fn refresh(&mut self, data: &dyn Data, ticked: &[Ticked], (revision, paused): (u64, bool)) {
        *self = Self { paused, revision, ..Self::default() };
        let times = data.frame_times();
        let end = times.frames().end;
        let recent = pace(times);
        let lately = pace(times.within(end.saturating_sub(FRAMES)..end));
        self.time = recent.map_or(NO_VALUE.to_owned(), |pace| value_text(pace.mean_ms, Unit::Milliseconds));
        self.rate = recent.map_or(NO_VALUE.to_owned(), |pace| format!("{:.1} fps", pace.frames_per_second));
        if let Some(pace) = lately {
            let frame = whole_text(pace.worst_frame as f64);
            self.worst = format!("worst {} in frame {frame}", value_text(pace.worst_ms, Unit::Milliseconds));
            self.worst_frame = Some(pace.worst_frame);
        }
        self.values = ticked.iter().enumerate().map(|(at, ticked)| value_of(data, at, ticked)).collect();
    }

    /// Whether they are the numbers of these series, standing still or not.
    pub(crate) fn fits(&self, (revision, paused): (u64, bool)) -> bool {
        self.paused == paused && self.revision == revision && !self.time.is_empty()
    }

    /// Paints the HUD into the upper right corner of the screen.
    pub(crate) fn hud_ui(&self, ctx: &Context, theme: &Theme, data: &dyn Data, ticked: &[Ticked]) {
        let screen = ctx.content_rect();
        let id = Id::NULL.with("stats overlay HUD");
        let painter = ctx.layer_painter(LayerId::new(Order::Foreground, id)).with_clip_rect(screen);
        let lines: Vec<usize> = (0..ticked.len()).filter(|&at| !ticked[at].is_frame_time()).collect();
        let head = PADDING * 2.0 + 24.0 + GRAPH_HEIGHT + 4.0 + LINE;
        let room = ((screen.height() - 16.0 - head) / LINE).max(0.0) as usize;
        let shown = if lines.len() <= room { lines.len() } else { room.saturating_sub(1) };
        let extra = usize::from(shown < lines.len() && room > 0) + shown;
        let height = head + extra as f32 * LINE + if extra > 0 { 4.0 } else { 0.0 };
        let width = WIDTH.min(screen.width() - 16.0).max(0.0);
        let sheet = Rect::from_min_size(pos2(screen.right() - 8.0 - width, screen.top() + 8.0), vec2(width, height));
        painter.rect(sheet, CornerRadius::same(5), theme.hud, Stroke::new(1.0, theme.line.gamma_multiply(0.7)), StrokeKind::Inside);
        let painter = painter.with_clip_rect(sheet.intersect(screen));
        let inner = sheet.shrink(PADDING);
        self.head_ui(ctx, &painter, theme, inner);
        let graph = Rect::from_min_size(inner.min + vec2(0.0, 24.0), vec2(inner.width(), GRAPH_HEIGHT));
        self.graph_ui(ctx, &painter, theme, data, graph);
        let mut top = graph.bottom() + 4.0;
        let note = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), LINE));
        self.paint_note(&painter, theme, note);
        access::describe(ctx, id.with("worst"), note, || ("Worst frame".to_owned(), self.worst.clone()));
        top += LINE + 4.0;
        for &at in &lines[..shown] {
            let line = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), LINE));
            self.line_ui(ctx, &painter, theme, line, (at, &ticked[at]));
            top += LINE;
        }
        if shown < lines.len() {
            let line = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), LINE));
            let text = format!("and {} more", lines.len() - shown);
            paint::text_in(&painter, line, &text, small_font(), theme.weak);
        }
    }

    fn paint_note(&self, painter: &Painter, theme: &Theme, note: Rect) {
        let width = paint::text_in(painter, note, &self.worst, small_font(), theme.weak);
        if self.paused {
            let rest = note.with_min_x((note.left() + width + 10.0).min(note.right()));
            paint::text_in(painter, rest, "PAUSED", small_font(), theme.accent);
        }
    }

    fn head_ui(&self, ctx: &Context, painter: &Painter, theme: &Theme, inner: Rect) {
        let font = egui::FontId::monospace(17.0);
        painter.text(inner.left_top(), Align2::LEFT_TOP, &self.time, font.clone(), theme.text);
        painter.text(inner.right_top(), Align2::RIGHT_TOP, &self.rate, font, theme.text);
        let id = Id::NULL.with("stats overlay HUD");
        let (left, right) = inner.split_left_right_at_fraction(0.5);
        let line = |half: Rect| half.with_max_y(inner.top() + 20.0);
        access::describe(ctx, id.with("time"), line(left), || ("Frame time".to_owned(), self.time.clone()));
        access::describe(ctx, id.with("rate"), line(right), || ("Frame rate".to_owned(), self.rate.clone()));
    }

    fn graph_ui(&self, ctx: &Context, painter: &Painter, theme: &Theme, data: &dyn Data, rect: Rect) {
        painter.rect_filled(rect, 2.0, theme.plot.gamma_multiply(0.8));
        let times = data.frame_times();
        let end = times.frames().end;
        let times = times.within(end.saturating_sub(FRAMES)..end);
        let mut buckets = Vec::new();
        let pixels = f64::from(rect.width() * ctx.pixels_per_point());
        let width = bucket_width(FRAMES as f64, pixels);
        thin(times, width, &mut buckets);
        let top = top_of(&buckets);
        let scale = Scale { rect, frames: (end as f64 - FRAMES as f64, end as f64 - 1.0), values: (0.0, top) };
        let painter = painter.with_clip_rect(rect);
        let guide = scale.y(1000.0 / 60.0);
        painter.hline(rect.x_range(), guide, Stroke::new(1.0, theme.line));
        let color = series_color(preferred_slot(FRAME_TIME), theme.dark);
        let style = LineStyle { color, width: 1.5, feather: 1.0 / ctx.pixels_per_point() };
        painter.add(series_shape(&buckets, width, &scale, style));
        self.paint_worst(&painter, theme, &scale, times.at(self.worst_frame.unwrap_or(u64::MAX)));
    }

    /// A mark over the slowest frame, so that the line that names it points somewhere.
    fn paint_worst(&self, painter: &Painter, theme: &Theme, scale: &Scale, time_ms: Option<f64>) {
        let (Some(frame), Some(time_ms)) = (self.worst_frame, time_ms) else { return };
        // Of a frame that left the picture the mark stays at the edge.
        let tip = pos2(scale.x(frame as f64), (scale.y(time_ms) - 1.0).max(scale.rect.top() + 6.0));
        painter.add(paint::over_budget_mark(tip, theme.alert));
    }

    fn line_ui(&self, ctx: &Context, painter: &Painter, theme: &Theme, line: Rect, (at, ticked): (usize, &Ticked)) {
        let Some(value) = self.values.get(at) else { return };
        paint::swatch(painter, pos2(line.left() + 5.0, line.center().y), series_color(ticked.slot, theme.dark));
        let color = if ticked.is_missing() { theme.weak } else { theme.text };
        let galley = painter.layout_no_wrap(value.clone(), number_font(), Color32::PLACEHOLDER);
        let left = line.right() - galley.size().x;
        painter.galley(pos2(left, (line.center().y - galley.size().y / 2.0).round()), galley, color);
        let name = line.with_min_x(line.left() + 15.0).with_max_x(left - 8.0);
        paint::text_in(painter, name, &one_line(&ticked.name, 80), text_font(), theme.text);
        let id = Id::NULL.with("stats overlay HUD").with(("value", at));
        access::describe(ctx, id, line, || (ticked.path.clone(), value.clone()));
    }
}

/// The frame time at the upper edge: half of the height is 60 Hz unless frames were slower than 30. A single frame that
/// is far slower than the rest leaves the picture, so that the others can still be told apart.
fn top_of(buckets: &[Bucket]) -> f64 {
    let mut times: Vec<f64> = buckets.iter().map(|bucket| bucket.max).collect();
    times.sort_by(f64::total_cmp);
    let (usual, most) = match (times.get(times.len() / 2), times.last()) {
        (Some(&usual), Some(&most)) => (usual, most),
        _ => (0.0, 0.0),
    };
    (most * 1.15).min(usual * 5.0).max(1000.0 / 30.0)
}

fn value_of(data: &dyn Data, at: usize, ticked: &Ticked) -> String {
    if ticked.is_missing() {
        return "missing".to_owned();
    }
    data.values(at).last().map_or(NO_VALUE.to_owned(), |value| value_text(value, ticked.unit()))
}
