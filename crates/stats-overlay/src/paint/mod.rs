//! Shapes that several views paint.
//!
//! A large graph draws its series as pixels, and only the columns of new frames. A small graph
//! draws them as a mesh.
//!
//! In reading order:
//!
//! - `canvas`: the place where a view is drawn, in the panel or over a game;
//! - `scale`: the mapping from frames and values to the screen;
//! - `series_shape`: the buckets of a series as a mesh;
//! - `line_mesh`, `columns_mesh`: the parts of such meshes: lines and columns;
//! - `reused_mesh`: a mesh that reuses the memory of earlier passes;
//! - `pixels`: the same lines and columns as pixels, for pictures that scroll;
//! - `pixel_band`: the areas of stacked series as pixels;
//! - `sparkline`: the small graph in a row of the tree;
//! - `choice_ui`: a button for one of several alternatives.

pub(crate) mod canvas;
pub(crate) mod choice_ui;
mod columns_mesh;
pub(crate) mod line_mesh;
pub(crate) mod pixel_band;
pub(crate) mod pixels;
#[cfg(test)]
mod raster;
pub(crate) mod reused_mesh;
pub(crate) mod scale;
pub(crate) mod series_shape;
pub(crate) mod sparkline;
