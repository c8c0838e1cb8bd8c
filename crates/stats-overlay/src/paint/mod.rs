//! Shapes that several views paint.
//!
//! A series is painted as one mesh, which is reused while the series does not change.
//!
//! In reading order:
//!
//! - `canvas`: a place to paint without widgets;
//! - `scale`: where frames and values are on the screen;
//! - `series_shape`: a thinned series as one shape;
//! - `line_mesh`, `columns_mesh`, `band_mesh`: its meshes;
//! - `reused_mesh`: a mesh in memory of earlier passes;
//! - `sparkline`: the small graph in a row of the tree;
//! - `choice_ui`: a button for one of several alternatives.

pub(crate) mod band_mesh;
pub(crate) mod canvas;
pub(crate) mod choice_ui;
mod columns_mesh;
pub(crate) mod line_mesh;
#[cfg(test)]
mod raster;
pub(crate) mod reused_mesh;
pub(crate) mod scale;
pub(crate) mod series_shape;
pub(crate) mod sparkline;
