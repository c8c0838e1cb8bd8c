//! Paints the bars and lines of a distribution as one mesh, which is reused until its inputs
//! change.

use std::sync::Arc;

use egui::{Color32, Mesh, Rect, Shape, pos2};

use crate::distribution::axis::height;
use crate::distribution::row::Bars;
use stats_analysis::distribution::SHARES;
use stats_ui::theme::Theme;

/// The lengths of a dash and of the gap after it for each line of [`SHARES`]. The first line is
/// solid.
const DASHES: [(f32, f32); SHARES.len()] = [(f32::INFINITY, 0.0), (7.0, 3.0), (3.0, 3.0)];
/// Bars wider than this, in points, have a gap between them.
const GAP_FROM: f32 = 4.0;

/// The inputs of a picture other than the bars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PictureOf {
    /// The rectangle of bars and labels.
    pub(super) plot: Rect,
    /// The top of the tallest bar.
    pub(super) bars_top: f32,
    pub(super) color: Color32,
    pub(super) dark: bool,
    pub(super) log_counts: bool,
    pub(super) pixels_per_point: f32,
}

/// The painted bars and lines.
#[derive(Debug)]
pub(super) struct Picture {
    of: PictureOf,
    mesh: Arc<Mesh>,
}

impl Picture {
    /// Returns the cached picture, or paints a new one.
    pub(super) fn shape(
        kept: &mut Option<Self>,
        bars: &Bars,
        of: PictureOf,
        theme: &Theme,
    ) -> Shape {
        let picture = match kept.take() {
            Some(picture) if picture.of == of => picture,
            _ => Self {
                of,
                mesh: Arc::new(mesh(bars, &of, theme)),
            },
        };
        let mesh = Arc::clone(&picture.mesh);
        *kept = Some(picture);
        Shape::Mesh(mesh)
    }
}

/// Returns the position of a share of the axis in `plot`, rounded to a pixel.
pub(super) fn x_at(plot: Rect, share: f64, pixels_per_point: f32) -> f32 {
    let x = plot.left() + (share as f32) * plot.width();
    (x * pixels_per_point).round() / pixels_per_point
}

/// Returns the rectangle of a bar: at least a pixel wide, and at least a pixel high unless it is
/// empty.
pub(super) fn bar_rect(bars: &Bars, at: usize, of: &PictureOf) -> Rect {
    let pixel = 1.0 / of.pixels_per_point;
    let (from, to) = bars.shares(at);
    let (left, right) = (
        x_at(of.plot, from, of.pixels_per_point),
        x_at(of.plot, to, of.pixels_per_point),
    );
    let gap = if right - left > GAP_FROM { pixel } else { 0.0 };
    let full = of.plot.bottom() - of.bars_top;
    let high = height(bars.counts[at], bars.tallest, of.log_counts) as f32 * full;
    let high = if bars.counts[at] > 0 {
        high.max(pixel)
    } else {
        0.0
    };
    Rect::from_min_max(
        pos2(left, of.plot.bottom() - high),
        pos2((right - gap).max(left + pixel), of.plot.bottom()),
    )
}

fn mesh(bars: &Bars, of: &PictureOf, theme: &Theme) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(4 * bars.counts.len());
    mesh.reserve_triangles(2 * bars.counts.len());
    let fill = of.color.gamma_multiply(0.8);
    for at in (0..bars.counts.len()).filter(|&at| bars.counts[at] > 0) {
        mesh.add_colored_rect(bar_rect(bars, at, of), fill);
    }
    for (value, dash) in bars.stats.quantiles.into_iter().zip(DASHES) {
        add_line(
            &mut mesh,
            x_at(of.plot, bars.axis.share(value), of.pixels_per_point),
            of,
            dash,
            theme.text,
        );
    }
    if let Some(budget) = bars.budget {
        add_line(
            &mut mesh,
            x_at(of.plot, bars.axis.share(budget), of.pixels_per_point),
            of,
            DASHES[0],
            theme.alert,
        );
    }
    mesh
}

/// Adds a dashed line over the whole height.
fn add_line(mesh: &mut Mesh, x: f32, of: &PictureOf, (dash, gap): (f32, f32), color: Color32) {
    let (mut y, bottom) = (of.plot.top(), of.plot.bottom());
    while y < bottom {
        let end = (y + dash).min(bottom);
        mesh.add_colored_rect(Rect::from_min_max(pos2(x, y), pos2(x + 1.0, end)), color);
        y = end + gap;
    }
}
