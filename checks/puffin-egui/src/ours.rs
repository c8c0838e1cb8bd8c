//! The overlay with a timeline.

use std::hint::black_box;
use std::ops::{ControlFlow, Range};

use egui::{Context, RawInput, Rect, Shape, pos2, vec2};
use stats_core::source::{Listed, Survey};
use stats_core::timeline::{LaneKind, NewScope, Timeline};
use stats_core::{
    Frame, FrameSlice, Recorder, SeriesId, SeriesInfo, Source, TimerHandle, Watch, timer,
};
use stats_overlay::{FRAME_TIME, Mode, PaneView, SavedPane, StatsOverlay};

use crate::scopes::{FRAME_NS, Played, THREADS, names};
use crate::{HEIGHT, WIDTH};

/// A headless window with the overlay.
pub(crate) struct Ours {
    ctx: Context,
    overlay: StatsOverlay,
    source: Recorded,
    passes: u64,
    /// How many frames are shown at once, and the first one.
    shown: u64,
    first: u64,
}

impl Ours {
    /// Creates a paused overlay whose timeline has `shown` of the frames: with all of its parts, or with
    /// the timeline alone, over a game.
    pub(crate) fn new(mode: Mode, frames: &[Played], shown: u64) -> Self {
        let mut overlay = StatsOverlay::with_recorder(Recorder::with_history(1));
        overlay.set_mode(mode);
        let mut settings = overlay.settings().clone();
        // So that it does not slow itself down while it is measured.
        settings.overlay_budget_ms = 1000.0;
        // As after the first use.
        settings.first_steps = false;
        settings.watch_share = 1.0;
        overlay.set_settings(&settings);
        let mut pane = SavedPane::new([FRAME_TIME]);
        pane.view = PaneView::Timeline;
        overlay.show_panes(&[pane]);
        let mut ours = Self {
            ctx: Context::default(),
            overlay,
            source: Recorded::new(frames),
            passes: 0,
            shown,
            first: 0,
        };
        ours.draw();
        ours.overlay.set_paused(true);
        (0..60).for_each(|_| ours.draw());
        (0..2 * frames.len()).for_each(|_| ours.draw_other());
        ours.assert_drawn(frames);
        ours
    }

    /// Draws other frames than before.
    pub(crate) fn draw_other(&mut self) {
        let last = self.source.recorder.frames().end - self.shown;
        self.first = (self.first + 1) % (last + 1);
        let frames = self.first..self.first + self.shown;
        self.overlay.select_frames(Some(frames));
        self.draw();
    }

    /// Draws a pass.
    pub(crate) fn draw(&mut self) {
        let shapes = self.ctx_pass();
        black_box(&self.ctx.tessellate(shapes, 1.0));
    }

    fn ctx_pass(&mut self) -> Vec<egui::epaint::ClippedShape> {
        self.passes += 1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(WIDTH, HEIGHT))),
            time: Some(self.passes as f64 / 60.0),
            ..RawInput::default()
        };
        let Self {
            overlay, source, ..
        } = self;
        let mut output = self
            .ctx
            .run_ui(input, |ui| overlay.show_with(ui.ctx(), source));
        output.textures_delta.clear();
        output.shapes
    }

    /// Checks that the timeline shows the selected frames: it says which and how many scopes the first
    /// has, and draws most of them.
    fn assert_drawn(&mut self, frames: &[Played]) {
        let shapes = self.ctx_pass();
        let mut texts = Vec::new();
        (shapes.iter()).for_each(|shape| add_texts(&shape.shape, &mut texts));
        let frame = format!("Frame {} · ", self.first);
        let is_told = texts
            .iter()
            .any(|text| text.starts_with(&frame) && text.ends_with(" calls"));
        assert!(is_told, "{frame}: {texts:?}");
        let meshes = self.ctx.tessellate(shapes, 1.0);
        let vertices = meshes.iter().map(|mesh| match &mesh.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
            egui::epaint::Primitive::Callback(_) => 0,
        });
        let scopes = frames[self.first as usize].len();
        assert!(vertices.sum::<usize>() > scopes, "{scopes} scopes");
    }
}

fn add_texts(shape: &Shape, texts: &mut Vec<String>) {
    match shape {
        Shape::Text(text) => texts.push(text.galley.text().to_owned()),
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| add_texts(shape, texts)),
        _ => {}
    }
}

/// A recorder with the scopes of a list.
struct Recorded {
    recorder: Recorder,
    timeline: Timeline,
}

impl Recorded {
    fn new(frames: &[Played]) -> Self {
        let timers: Vec<TimerHandle> = names().iter().map(|name| timer(name)).collect();
        let mut recorder = Recorder::with_history(frames.len().max(2));
        let mut timeline = Timeline::new(256 << 20, frames.len());
        for (index, frame) in (0..).zip(frames) {
            recorder.end_frame_at((index + 1) as f64 * FRAME_NS as f64 * 1e-9);
            timeline.push_frame(index, frame.time.clone());
            for ((lane, lane_name), calls) in (1..).zip(THREADS).zip(&frame.calls) {
                for call in calls {
                    timeline.add(NewScope {
                        lane,
                        lane_name,
                        lane_kind: LaneKind::Thread,
                        series: timers[call.name].id(),
                        depth: call.depth,
                        begin_ns: call.time.start,
                        end_ns: Some(call.time.end),
                        is_wait: false,
                    });
                }
            }
            timeline.settle();
        }
        let last = frames.len() as u64 - 1;
        let copied = timeline.frame(last).expect("it was added");
        assert_eq!(copied.scopes().len(), frames[last as usize].len());
        Self { recorder, timeline }
    }
}

impl Source for Recorded {
    fn generation(&self) -> u64 {
        self.recorder.generation()
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        self.recorder.list(series, visit)
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        Source::find(&self.recorder, path)
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.recorder.watch(id)
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        self.recorder.history(watch, frames)
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        self.recorder.peek(id)
    }

    fn frames(&self) -> Range<u64> {
        self.recorder.frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.recorder.frame(index)
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        self.recorder.frame_times(frames)
    }

    fn survey(&mut self) -> Option<Survey<'_>> {
        self.recorder.survey()
    }

    fn timeline(&mut self, _: &[Range<u64>]) -> Option<&mut Timeline> {
        Some(&mut self.timeline)
    }
}
