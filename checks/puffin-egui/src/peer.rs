//! puffin_egui in its own window, with its own version of egui.

use std::hint::black_box;
use std::sync::{Arc, Mutex, PoisonError};

use egui_0_33::{CentralPanel, Context, Event, Key, Modifiers, RawInput, Rect, pos2, vec2};
use puffin::{
    FrameData, FrameView, GlobalProfiler, ScopeDetails, ScopeId, Stream, StreamInfo, ThreadInfo,
};
use puffin_egui::{MaybeMutRef, ProfilerUi};

use crate::scopes::{Call, Played, THREADS, names};
use crate::{HEIGHT, WIDTH};

/// A headless window with puffin_egui.
pub(crate) struct Peer {
    ctx: Context,
    ui: ProfilerUi,
    view: FrameView,
    frames: Vec<Arc<FrameData>>,
    passes: u64,
    /// The newest frame in the view.
    newest: usize,
}

impl Peer {
    /// Creates a window that follows the newest frame.
    pub(crate) fn new(frames: &[Played]) -> Self {
        let mut peer = Self {
            ctx: Context::default(),
            ui: ProfilerUi::default(),
            view: FrameView::default(),
            frames: recorded(frames),
            passes: 0,
            newest: 0,
        };
        for (frame, played) in peer.frames.iter().zip(frames) {
            assert_eq!(frame.meta().num_scopes, played.len());
        }
        // Compressing frames would be part of neither's time.
        peer.view.set_pack_frames(false);
        peer.view.add_frame(peer.frames[0].clone());
        (0..60).for_each(|_| peer.draw());
        peer
    }

    /// Stops following the newest frame.
    pub(crate) fn pause(&mut self) {
        let pressed = |pressed| Event::Key {
            key: Key::Space,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        self.draw_with(vec![pressed(true), pressed(false)]);
        self.draw();
    }

    /// Draws another frame than before.
    pub(crate) fn draw_other(&mut self) {
        self.newest = (self.newest + 1) % self.frames.len();
        self.view.add_frame(self.frames[self.newest].clone());
        self.draw();
    }

    /// Draws a pass.
    pub(crate) fn draw(&mut self) {
        self.draw_with(Vec::new());
    }

    fn draw_with(&mut self, events: Vec<Event>) {
        self.passes += 1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(WIDTH, HEIGHT))),
            time: Some(self.passes as f64 / 60.0),
            events,
            ..RawInput::default()
        };
        let Self {
            ui: profiler, view, ..
        } = self;
        let mut output = self.ctx.run(input, |ctx| {
            CentralPanel::default().show(ctx, |ui| {
                profiler.ui(ui, &mut MaybeMutRef::MutRef(&mut *view));
            });
        });
        output.textures_delta.clear();
        black_box(&self.ctx.tessellate(output.shapes, 1.0));
    }
}

/// Returns the frames of puffin with these scopes.
fn recorded(frames: &[Played]) -> Vec<Arc<FrameData>> {
    let names = names();
    let last_parts = names
        .iter()
        .map(|name| name.rsplit('/').next().unwrap_or(name).to_owned());
    let details: Vec<ScopeDetails> = last_parts.map(ScopeDetails::from_scope_name).collect();
    let taken = Arc::new(Mutex::new(Vec::new()));
    let sink = taken.clone();
    let mut profiler = GlobalProfiler::lock();
    let ids = profiler.register_user_scopes(&details);
    let sink = profiler.add_sink(Box::new(move |frame| {
        sink.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(frame);
    }));
    profiler.emit_scope_snapshot();
    for frame in frames {
        for (name, calls) in THREADS.iter().zip(&frame.calls) {
            let info = ThreadInfo {
                start_time_ns: Some(0),
                name: (*name).to_owned(),
            };
            profiler.report_user_scopes(info, &stream(calls, &ids).as_stream_into_ref());
        }
        profiler.new_frame();
    }
    drop(profiler.remove_sink(sink));
    std::mem::take(&mut *taken.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the scopes of a thread as puffin stores them.
fn stream(calls: &[Call], ids: &[ScopeId]) -> StreamInfo {
    let mut stream = Stream::default();
    // Those that have not ended: their places in the stream, and their ends.
    let mut open: Vec<(usize, i64)> = Vec::new();
    for call in calls {
        while open.len() > call.depth as usize {
            let (place, end) = open.pop().expect("it is not empty");
            stream.end_scope(place, end);
        }
        let (place, _) = stream.begin_scope(|| call.time.start, ids[call.name], "");
        open.push((place, call.time.end));
    }
    while let Some((place, end)) = open.pop() {
        stream.end_scope(place, end);
    }
    StreamInfo::parse(stream).expect("all scopes have ended")
}
