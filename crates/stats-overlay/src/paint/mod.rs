//! Shapes that several views paint.
//!
//! The same lines and columns are drawn in two ways, because neither suits all graphs. A large graph
//! draws them as pixels, and only the columns of new frames: as meshes, eight series of 4,096 frames
//! take 0.7 MB, which egui copies in every frame. A small graph draws them as a mesh: pixels need a
//! texture, which is a draw call and an upload of its own. The HUD of eight counters has nine graphs,
//! and a tree of 40 rows has up to 40; as meshes, they are part of the draw call of the text.
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
