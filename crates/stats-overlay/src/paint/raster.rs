//! The pixels that a mesh covers, for tests that check what a user sees.

use egui::epaint::Mesh;
use egui::{Color32, Pos2, pos2};

use crate::paint::series_shape::LineStyle;

/// A white line with edges that fade over one pixel.
pub(super) const STYLE: LineStyle = LineStyle {
    color: Color32::WHITE,
    width: 1.5,
    feather: 1.0,
};

/// A picture with the opacity of each pixel, from 0 to 1.
pub(super) struct Raster {
    width: usize,
    height: usize,
    alpha: Vec<f32>,
}

impl Raster {
    /// Paints a mesh as a graphics card does without multisampling: a triangle paints the pixels
    /// whose centers it covers.
    pub(super) fn of(mesh: &Mesh, width: usize, height: usize) -> Self {
        let mut raster = Self {
            width,
            height,
            alpha: vec![0.0; width * height],
        };
        for triangle in mesh.indices.chunks_exact(3) {
            let corner = |at: usize| {
                let vertex = &mesh.vertices[triangle[at] as usize];
                (vertex.pos, f32::from(vertex.color.a()) / 255.0)
            };
            raster.paint([corner(0), corner(1), corner(2)]);
        }
        raster
    }

    fn paint(&mut self, corners: [(Pos2, f32); 3]) {
        let [(a, _), (b, _), (c, _)] = corners;
        let cross =
            |a: Pos2, b: Pos2, c: Pos2| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        let area = cross(a, b, c);
        if area == 0.0 {
            return;
        }
        let pixels = |low: f32, high: f32, end: usize| {
            (low.floor().max(0.0) as usize)..(high.ceil().max(0.0) as usize).min(end)
        };
        for y in pixels(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y), self.height) {
            for x in pixels(a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x), self.width) {
                // Sample slightly off the center, so that no edge passes through the sample and no
                // two neighboring triangles paint the same pixel.
                let at = pos2(x as f32 + 0.500_1, y as f32 + 0.500_2);
                let shares = [
                    cross(b, c, at) / area,
                    cross(c, a, at) / area,
                    cross(a, b, at) / area,
                ];
                if shares.iter().all(|&share| share >= 0.0) {
                    let alpha: f32 = shares
                        .iter()
                        .zip(corners)
                        .map(|(share, (_, alpha))| share * alpha)
                        .sum();
                    let below = &mut self.alpha[y * self.width + x];
                    *below = alpha + *below * (1.0 - alpha);
                }
            }
        }
    }

    /// Returns the covered area, in pixels.
    pub(super) fn sum(&self) -> f32 {
        self.alpha.iter().sum()
    }

    /// Returns the covered area of a row, in pixels.
    pub(super) fn row_sum(&self, y: usize) -> f32 {
        self.alpha[y * self.width..(y + 1) * self.width]
            .iter()
            .sum()
    }

    /// Returns the opacity of the most opaque pixel of a row.
    pub(super) fn row_most(&self, y: usize) -> f32 {
        self.alpha[y * self.width..(y + 1) * self.width]
            .iter()
            .fold(0.0, |most, alpha| most.max(*alpha))
    }

    /// Returns the opacity of the most opaque pixel next to a point.
    pub(super) fn most_around(&self, at: Pos2) -> f32 {
        let (x, y) = (at.x.floor() as isize, at.y.floor() as isize);
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
        let inside = around.filter(|&(x, y)| {
            (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y)
        });
        inside.fold(0.0, |most, (x, y)| {
            most.max(self.alpha[y as usize * self.width + x as usize])
        })
    }
}
