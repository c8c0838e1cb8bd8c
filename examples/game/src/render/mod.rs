//! Rendering with wgpu in six passes: light, world, particles, bloom, composite and UI.
//!
//! [`Renderer`] draws a frame. `scene.rs` gathers what the camera sees, each pass has a file of its
//! own, `counters.rs` counts what the passes draw, and `timing.rs` measures their GPU time.
mod bloom;
mod composite;
mod counters;
pub(crate) mod gpu;
mod ground;
mod light;
mod particles;
mod picture;
mod pipeline;
mod renderer;
mod scene;
mod targets;
mod timing;
mod ui;
mod upload;
mod view;
mod world;

pub(crate) use picture::Canvas;
pub(crate) use renderer::{FrameInput, Renderer, SmallPicture};
