//! Shapes that several views paint.
//!
//! A graph draws its series as pixels, and only draws new columns. A smaller series is one mesh,
//! which is reused while the series does not change.
//!
//! In reading order:
//!
//! - `canvas`: a place to paint without widgets;
//! - `scale`: where frames and values are on the screen;
//! - `series_shape`: a thinned series in a mesh;
//! - `line_mesh`, `columns_mesh`, `band_mesh`: its lines and areas;
//! - `reused_mesh`: a mesh that reuses the memory of earlier passes;
//! - `pixels`: the same lines and columns as pixels, for pictures that scroll;
//! - `sparkline`: the small graph in a row of the tree;
//! - `choice_ui`: a button for one of several alternatives.

pub(crate) mod band_mesh;
pub(crate) mod canvas;
pub(crate) mod choice_ui;
mod columns_mesh;
pub(crate) mod line_mesh;
pub(crate) mod pixels;
#[cfg(test)]
mod raster;
pub(crate) mod reused_mesh;
pub(crate) mod scale;
pub(crate) mod series_shape;
pub(crate) mod sparkline;
