//! Paints a row of the tree: its name with highlighted matches, and its values.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use egui::epaint::Mesh;
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Painter, Rect, Ui, Vec2, pos2, vec2};
use stats_core::{Distribution, FrameSlice, SeriesId, Unit, Watch};

use crate::data::samples::{Samples, samples_text};
use crate::paint::reused_mesh::ReusedMesh;
use crate::paint::series_shape::LineStyle;
use crate::paint::sparkline::{RANGE_FRAMES, SPARK_FRAMES, extremes, push_sparkline};
use crate::tree::panel::RowText;
use crate::tree::row_ui::{Folded, ICON_WIDTH, Place};
use crate::tree::ui::TreeUi;
use stats_analysis::buckets::Bucket;
use stats_analysis::format::{NO_VALUE, write_value};
use stats_ui::list::highlight;
use stats_ui::palette::preferred_slot;
use stats_ui::retained::{Joined, Retained};
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, number_font, small_font, text_font};

/// The maximum number of characters of a name. Longer names end in "…".
const NAME_LIMIT: usize = 160;
/// The indentation per level, in points, and the maximum number of indented levels.
const INDENT: f32 = 12.0;
const INDENTS: u32 = 12;
pub(super) const CHECKBOX: f32 = 13.0;
/// The maximum width of a value, in points.
const VALUE_WIDTH: f32 = 96.0;
/// The minimum width of a name beside both numbers of a histogram, in points.
const LEAST_NAME: f32 = 64.0;
/// The minimum width of a name beside a sparkline, in points.
const NAME_WIDTH: f32 = 96.0;
/// The width of a sparkline, and the minimum width of a row with one, in points.
const SPARK_WIDTH: f32 = 44.0;
const SPARK_FROM: f32 = 200.0;
/// The minimum width of a row that shows its range, in points.
const RANGE_FROM: f32 = 380.0;
/// The minimum space for a text, in points.
const MIN_TEXT: f32 = 12.0;

/// The source of a row's values.
#[derive(Clone, Debug)]
pub(super) enum Trace {
    /// No source: the series does not exist.
    None,
    /// A history.
    Watched(SeriesId, Watch),
    /// Only the newest value.
    Peeked(SeriesId),
    /// No values, with the reason.
    Unavailable(String),
    /// The spikes of the last minute.
    Spiked(SeriesId),
}

impl TreeUi<'_> {
    /// Returns the newest values of a series, or the values at the pause if the views are paused.
    /// The result is empty if the series has no history.
    fn window_of(&self, trace: &Trace, frames: u64) -> FrameSlice<'_> {
        let window = match (trace, self.paused) {
            (Trace::None | Trace::Peeked(_) | Trace::Unavailable(_) | Trace::Spiked(_), _) => {
                return FrameSlice::default();
            }
            (Trace::Watched(id, _), Some(snapshot)) => self
                .selection
                .path_of(*id)
                .map_or(FrameSlice::default(), |path| snapshot.window_of(path)),
            (Trace::Watched(_, watch), None) => {
                return self
                    .source
                    .history(watch, usize::try_from(frames).unwrap_or(usize::MAX));
            }
        };
        let end = window.frames().end;
        window.within(end.saturating_sub(frames)..end)
    }

    /// Returns the values of a series as text. They are read in every frame and formatted at each
    /// refresh.
    pub(super) fn row_text(
        &mut self,
        trace: &Trace,
        unit: Unit,
        is_histogram: bool,
    ) -> Arc<RowText> {
        let only = |value: &str| {
            Arc::new(RowText {
                value: value.to_owned(),
                ..RowText::default()
            })
        };
        let id = match trace {
            Trace::None => return only("missing"),
            Trace::Unavailable(why) => return only(why),
            Trace::Spiked(id) => return only(&self.spike_text(*id)),
            Trace::Watched(id, _) | Trace::Peeked(id) => *id,
        };
        // Peeks even while the text stays, because a peek expires unless it is repeated.
        let peeked = if let (Trace::Peeked(id), None) = (trace, self.paused) {
            self.source.peek(*id)
        } else {
            None
        };
        if let Some(text) = self.panel.texts.get(&id) {
            return Arc::clone(text);
        }
        let mut shared = self.panel.old_texts.pop().unwrap_or_default();
        let window = self.window_of(trace, RANGE_FRAMES);
        let Some(value) = peeked.or_else(|| window.last()) else {
            return only(NO_VALUE);
        };
        let distribution = if is_histogram {
            self.distribution_of(id)
        } else {
            None
        };
        let RowText {
            value: now,
            range,
            mean,
            samples,
        } = Arc::make_mut(&mut shared);
        for text in [&mut *now, range, mean, samples] {
            text.clear();
        }
        if let Some(distribution) = distribution {
            match Samples::of(&distribution) {
                Some(samples) => {
                    let style = samples.style(None, unit);
                    samples.write(style, now);
                    style.write_text(samples.mean, mean);
                }
                None => now.push_str(NO_VALUE),
            }
            samples.push_str("sum of the newest frame: ");
            write_value(value, unit, samples);
            samples.push('\n');
            samples.push_str(&samples_text(&distribution, unit));
            self.panel.texts.insert(id, Arc::clone(&shared));
            return shared;
        }
        write_value(value, unit, now);
        if let Some((lo, hi)) = extremes(window) {
            write_value(lo, unit, range);
            range.push_str(" … ");
            write_value(hi, unit, range);
        }
        self.panel.texts.insert(id, Arc::clone(&shared));
        shared
    }

    /// Returns the distribution of a histogram, or the one at the pause if the views are paused;
    /// `None` if it is not known.
    fn distribution_of(&self, id: SeriesId) -> Option<Distribution> {
        match self.paused {
            None => self.source.distribution(id),
            Some(snapshot) => snapshot.distribution(self.selection.path_of(id)?).cloned(),
        }
    }

    /// Paints the name of a series at `left` and its value on the right. If there is space, also
    /// paints its recent range. Returns the space between them.
    pub(super) fn name_and_values(
        &self,
        painter: &Painter,
        row: Rect,
        left: f32,
        name: (Name<'_>, Color32),
        values: &Values<'_>,
    ) -> Between {
        if let Trace::Unavailable(why) = values.trace {
            return Between {
                icons_right: self.name_and_reason(painter, row, left, name, why),
                spark: None,
            };
        }
        if let Trace::Spiked(id) = *values.trace {
            let of = (id, values.icons_width);
            return Between {
                icons_right: self.name_and_spike(painter, row, left, name, of),
                spark: None,
            };
        }
        // Not clipped to the row: each clip rectangle costs a draw call.
        let mut right = self.value_at(painter, row, row.right() - 10.0, left, values.text);
        let mut spark = None;
        let after_spark = right - SPARK_WIDTH - 8.0;
        let (name, color) = name;
        let whole = name.laid_out(painter, color, f32::INFINITY).size().x;
        if values.has_spark && after_spark - values.icons_width - left >= whole.min(NAME_WIDTH) {
            let place = row.shrink2(vec2(0.0, 4.0)).with_max_x(right);
            spark = Some(place.with_min_x(right - SPARK_WIDTH));
            right = after_spark;
        }
        let icons_right = right;
        right -= values.icons_width;
        if row.width() >= RANGE_FROM && !values.text.range.is_empty() {
            let (range, weak) = (&values.text.range, self.theme.weak);
            let galley = shapes::fitted(painter, range, small_font(), weak, 130.0);
            right -= galley.size().x;
            shapes::galley_in(painter, row.with_min_x(right), galley, weak);
            right -= 8.0;
        }
        let name_rect = row.with_min_x(left).with_max_x(right);
        if name_rect.width() >= MIN_TEXT {
            let galley = name.laid_out(painter, color, name_rect.width());
            shapes::galley_in(painter, name_rect, galley, color);
        }
        Between { icons_right, spark }
    }

    /// Returns whether a row has values for a sparkline, and is wide enough for any.
    pub(super) fn has_spark(&self, row: Rect, trace: &Trace) -> bool {
        row.width() >= SPARK_FROM && !self.window_of(trace, 1).is_empty()
    }

    /// Adds the sparkline of a row to the mesh that is painted over all rows.
    pub(super) fn add_spark(&mut self, ui: &Ui, rect: Rect, trace: &Trace, color: Color32) {
        let style = LineStyle {
            color,
            width: 1.0,
            feather: 1.0 / ui.pixels_per_point(),
        };
        let mut sparks = std::mem::take(&mut self.panel.painted.new_sparks);
        let mut buckets = std::mem::take(&mut self.panel.painted.buckets);
        let values = self.window_of(trace, SPARK_FRAMES);
        push_sparkline(&mut sparks, rect, values, style, &mut buckets);
        self.panel.painted.new_sparks = sparks;
        self.panel.painted.buckets = buckets;
    }

    /// Paints the name at `left` and, on the right, the reason for having no values. The name takes
    /// at most half of the space. Returns the right edge of the space for buttons.
    fn name_and_reason(
        &self,
        painter: &Painter,
        row: Rect,
        left: f32,
        (name, color): (Name<'_>, Color32),
        why: &str,
    ) -> f32 {
        let right = row.right() - 10.0;
        let room = right - left - 2.0 * ICON_WIDTH;
        if room < 2.0 * MIN_TEXT {
            return right;
        }
        let galley = name.laid_out(painter, color, room / 2.0);
        let reason_room = room - galley.size().x - 8.0;
        shapes::galley_in(painter, row.with_min_x(left), galley, color);
        let weak = self.theme.weak;
        let galley = shapes::fitted(painter, why, small_font(), weak, reason_room);
        let reason = row.with_min_x(right - galley.size().x);
        shapes::galley_in(painter, reason, galley, weak);
        reason.left() - 8.0
    }

    /// Paints a right-aligned value. Returns the right edge of the space before it.
    fn value_at(&self, painter: &Painter, row: Rect, right: f32, left: f32, text: &RowText) -> f32 {
        let room = (right - left).max(0.0);
        let width = |value: &str| {
            let galley = shapes::laid_out(painter, value, number_font(), self.theme.weak);
            galley.size().x
        };
        // A number that is cut off would be a wrong one.
        let is_whole = text.mean.is_empty() || width(&text.value) <= room - LEAST_NAME;
        let value = if is_whole { &text.value } else { &text.mean };
        let most = if is_whole && !text.mean.is_empty() {
            room
        } else {
            room.min(VALUE_WIDTH)
        };
        let color = if value == NO_VALUE {
            self.theme.weak.gamma_multiply(0.7)
        } else {
            self.theme.weak
        };
        let galley = shapes::fitted(painter, value, number_font(), color, most);
        let value = row.with_min_x(right - galley.size().x);
        shapes::galley_in(painter, value, galley, color);
        value.left() - 8.0
    }

    /// Paints the name of a folder at `left`, and then its number of series.
    pub(super) fn folder_name(
        &self,
        painter: &Painter,
        rect: Rect,
        left: f32,
        name: Name<'_>,
        count: &str,
    ) {
        let rect = rect.with_min_x(left).with_max_x(rect.right() - 10.0);
        if rect.width() < MIN_TEXT {
            return;
        }
        let color = self.theme.text;
        let galley = name.laid_out(painter, color, rect.width());
        let after = rect.with_min_x(rect.left() + galley.size().x + 8.0);
        shapes::galley_in(painter, rect, galley, color);
        if after.width() >= 2.0 * MIN_TEXT {
            shapes::text_in(painter, after, count, small_font(), self.theme.weak);
        }
    }

    /// Lays out a row with `paint` if `contents` changed, or if anything that all rows depend on
    /// changed. [`PaintedRows::paint`] paints all rows at once.
    pub(super) fn repeat(
        &mut self,
        ui: &Ui,
        place: Place,
        contents: impl Hash,
        paint: impl FnOnce(&Self, &Painter) -> Between,
    ) -> Between {
        let mut hash = DefaultHasher::new();
        contents.hash(&mut hash);
        if self.panel.is_searching() {
            self.panel.search.text().hash(&mut hash);
        }
        let key = RowKey {
            rect: place.rect,
            theme: *self.theme,
            contents: hash.finish(),
        };
        let rows = &mut self.panel.painted.rows;
        if rows.len() <= place.on_screen {
            rows.resize_with(place.on_screen + 1, PaintedRow::default);
        }
        let mut row = std::mem::take(&mut rows[place.on_screen]);
        let origin = place.rect.min;
        let is_new = row.shapes.lay_out(ui.painter(), origin, key, |painter| {
            row.between = paint(self, painter);
        });
        let between = row.between;
        self.panel.painted.rows[place.on_screen] = row;
        self.panel.painted.is_new |= is_new;
        between
    }

    /// Returns the last `label_len` bytes of a path with highlighted matches.
    pub(super) fn marked<'a>(
        &self,
        path: &'a str,
        label_len: usize,
        folder: bool,
        color: Color32,
    ) -> Name<'a> {
        let (above, name) = path.split_at(path.len() - label_len);
        let name = one_line(name, NAME_LIMIT);
        if !self.panel.is_searching() {
            return Name::Plain(name);
        }
        let plain = TextFormat::simple(text_font(), color);
        let marked = TextFormat {
            background: self.theme.highlight,
            color: self.theme.text,
            ..plain.clone()
        };
        let mut job = LayoutJob::default();
        let mut end = 0;
        for mark in self
            .panel
            .search
            .query()
            .marks(&format!("{above}{name}"), folder)
        {
            let mark = mark.start.saturating_sub(above.len())..mark.end.saturating_sub(above.len());
            if mark.is_empty() {
                continue;
            }
            job.append(&name[end..mark.start], 0.0, plain.clone());
            job.append(&name[mark.clone()], 0.0, marked.clone());
            end = mark.end;
        }
        job.append(&name[end..], 0.0, plain);
        Name::Marked(job)
    }

    /// Highlights the row under the pointer or the cursor.
    pub(super) fn highlight(&self, ui: &Ui, place: Place, pointed: bool) {
        let cursor = place.is_cursor.then_some(1.0);
        highlight(ui.painter(), place.rect, self.theme, pointed, cursor);
    }

    /// Paints the triangle that opens and closes a folder.
    pub(super) fn paint_triangle(&self, painter: &Painter, rect: Rect, folded: Folded) {
        let color = if folded.is_bright {
            self.theme.text
        } else {
            self.theme.weak
        };
        painter.add(shapes::fold_triangle(rect.center(), folded.open, color));
    }

    pub(super) fn color_of(&self, path: &str) -> Color32 {
        let selected = self
            .selection
            .selected()
            .iter()
            .find(|selected| selected.path == path);
        self.theme
            .series(selected.map_or_else(|| preferred_slot(path), |selected| selected.slot))
    }

    /// Returns the source of a series' values: its spikes in a ranking by spikes, or else its
    /// history if it is selected, or else its newest value.
    pub(super) fn trace_of(&self, id: SeriesId) -> Trace {
        self.spiked_trace(id).unwrap_or_else(|| {
            let watch = self.selection.watch_of(id);
            watch.map_or(Trace::Peeked(id), |watch| Trace::Watched(id, watch))
        })
    }
}

/// The name in a row.
pub(super) enum Name<'a> {
    Plain(Cow<'a, str>),
    /// With highlighted matches.
    Marked(LayoutJob),
}

impl Name<'_> {
    /// Lays out the name, which ends with … if it is wider than `width`. The color is that of the
    /// text between the matches.
    pub(super) fn laid_out(&self, painter: &Painter, color: Color32, width: f32) -> Arc<Galley> {
        match self {
            Self::Plain(name) => shapes::fitted(painter, name, text_font(), color, width),
            Self::Marked(job) => shapes::elided(painter, job, width),
        }
    }
}

/// The right side of a row.
pub(super) struct Values<'a> {
    pub(crate) text: &'a RowText,
    pub(super) trace: &'a Trace,
    /// The space for buttons before the values, in points.
    pub(super) icons_width: f32,
    pub(super) has_spark: bool,
}

/// The space between the name and the value of a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Between {
    /// The right edge of the space for buttons.
    pub(super) icons_right: f32,
    pub(super) spark: Option<Rect>,
}

/// The rows on screen as they are painted, and their sparklines.
#[derive(Debug, Default)]
pub(super) struct PaintedRows {
    rows: Vec<PaintedRow>,
    joined: Joined,
    /// The number of joined rows.
    count: usize,
    /// Whether a row changed since they were joined.
    is_new: bool,
    sparks: ReusedMesh,
    /// The sparklines of this pass.
    new_sparks: Mesh,
    /// Reused memory.
    buckets: Vec<Bucket>,
}

/// The shapes of a row, kept until its contents change.
#[derive(Debug, Default)]
struct PaintedRow {
    shapes: Retained<RowKey>,
    between: Between,
}

impl PaintedRows {
    /// Paints the first `count` rows and their sparklines.
    pub(super) fn paint(&mut self, painter: &Painter, count: usize) {
        let is_new = std::mem::take(&mut self.is_new);
        if is_new | (std::mem::replace(&mut self.count, count) != count) {
            let rows = self.rows.iter().take(count);
            self.joined.join(rows.map(|row| &row.shapes));
        }
        self.joined.paint(painter);
        let Self {
            sparks, new_sparks, ..
        } = self;
        painter.add(sparks.shape(|mesh| std::mem::swap(mesh, new_sparks)));
        new_sparks.vertices.clear();
        new_sparks.indices.clear();
    }
}

/// The cache key of a row's shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RowKey {
    rect: Rect,
    theme: Theme,
    /// A hash of the texts and states.
    contents: u64,
}

fn indent(depth: u32) -> f32 {
    depth.min(INDENTS) as f32 * INDENT
}

pub(super) fn triangle_rect(row: Rect, depth: u32) -> Rect {
    Rect::from_min_size(
        pos2(row.left() + 6.0 + indent(depth), row.top()),
        vec2(14.0, row.height()),
    )
}

pub(super) fn checkbox_left(row: Rect, depth: u32) -> f32 {
    row.left() + 22.0 + indent(depth)
}

pub(super) fn checkbox_rect(row: Rect, depth: u32) -> Rect {
    let center = pos2(checkbox_left(row, depth) + CHECKBOX / 2.0, row.center().y);
    Rect::from_center_size(center, Vec2::splat(CHECKBOX))
}
