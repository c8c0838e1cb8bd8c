//! Compiles the samples of the README and of the pages: `build.rs` makes a function of each. A sample
//! takes what it does not declare from its parameters, and from the items and imports below. The
//! samples for Bevy are left out, because Bevy has another version of egui.

#![allow(unused, non_local_definitions, reason = "samples are short")]

use std::alloc::{Layout, System};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::path::Path;
use std::process::ExitCode;
use std::ptr::null_mut;
use std::sync::Arc;
use std::time::Instant;

use egui::Key;
use egui_plot::Plot;
use stats_capi::LoadedPlugin;
use stats_capi::plugin::{Host, Plugin, Series};
use stats_capture::*;
use stats_core::*;
use stats_memory::{
    Group, GroupPools, MemoryLayer, Overrun, PooledAllocator, Records, StaticPool, Stomp, Tag,
    Tagged, Tags, TrackingAllocator, alloc_name, scope,
};
use stats_openmetrics::*;
use stats_overlay::{
    Action, Mode, PadButton, PaneView, Preset, Press, SavedPane, SavedState, SeriesLine,
    StatsOverlay,
};
use stats_remote::{Remote, RemoteOptions};
use tracing_subscriber::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

static DRAW_CALLS: Counter = Counter::new("renderer/draw-calls");
static PATHS: Timer = Timer::new("ai/pathfinding");
static PACK: Histogram = Histogram::new("io/pack");
static AI: Group = Group::new("ai");
static RENDERING: Group = Group::new("rendering");

struct Camera {
    x: f32,
}

struct Level {
    name: &'static str,
}

struct Vertex;

struct Game;

impl Game {
    fn input(&mut self, _: &winit::event::WindowEvent) {}
}

struct Weather {
    drops: Series,
}

fn find_path() {}

fn run() {}

include!(concat!(env!("OUT_DIR"), "/samples.rs"));
