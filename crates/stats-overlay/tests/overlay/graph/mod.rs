//! The graph view: a file for each behavior.

mod baseline;
mod frame_marks;
mod graph;
mod holes;
mod late;
mod legend;
mod together;
