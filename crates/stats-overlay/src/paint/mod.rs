//! TODO

pub(crate) mod band_mesh;
pub(crate) mod choice_ui;
pub(crate) mod columns_mesh;
pub(crate) mod line_mesh;
#[cfg(test)]
pub(crate) mod raster;
pub(crate) mod scale;
pub(crate) mod series_shape;
pub(crate) mod sparkline;
