//! GPU times of a program that draws with OpenGL: a `DeferredSource` over the timer queries of `glow`.
//!
//! Copy `Timer`, `Queries` and `OpenGl` into a program that has a `glow::Context`, such as
//! `eframe::Frame::gl` with the feature `glow`, on the desktop and in a browser. `main` draws without a
//! window, through EGL, and prints the times of its frames:
//!
//! ```sh
//! EGL_PLATFORM=surfaceless cargo run -p stats-gpu --example opengl      # OpenGL
//! EGL_PLATFORM=surfaceless cargo run -p stats-gpu --example opengl es   # OpenGL ES
//! ```
#![expect(unsafe_code, reason = "calls OpenGL")]

use std::collections::VecDeque;

use glow::HasContext;
use stats_core::{DeferredSeries, DeferredSource, FrameStamp, Recorder};

/// The number of frames that may wait for their results. Drivers queue two or three frames.
const MAX_WAITING: usize = 8;

/// Times the passes of frames. `Q` is a query of [`Queries`].
#[derive(Debug)]
struct Timer<Q> {
    source: DeferredSource,
    /// The frame that is being drawn; `None` before its first pass.
    current: Option<Frame<Q>>,
    /// Frames whose results have not arrived, oldest first.
    waiting: VecDeque<Frame<Q>>,
    /// Queries to use again.
    spare: Vec<Q>,
    values: Vec<(DeferredSeries, f64)>,
}

#[derive(Debug)]
struct Frame<Q> {
    stamp: FrameStamp,
    passes: Vec<(DeferredSeries, Q)>,
    /// Whether a pass had no query, so that the times are not all of the frame.
    is_incomplete: bool,
}

impl<Q: Copy> Timer<Q> {
    fn new() -> Self {
        Self {
            source: DeferredSource::new(),
            current: None,
            waiting: VecDeque::new(),
            spare: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Returns the timer of a name. Call it once for each name.
    fn series(&self, name: &str) -> DeferredSeries {
        self.source.timer(&format!("gpu/{name}"))
    }

    /// Draws a pass, and times it. OpenGL can time one pass at a time, so `draw` must not time others.
    /// If the context gives no query, as one that was lost, the times of the frame are unknown.
    fn pass<T>(
        &mut self,
        gl: &impl Queries<Query = Q>,
        series: DeferredSeries,
        draw: impl FnOnce() -> T,
    ) -> T {
        let frame = self.current.get_or_insert_with(|| Frame {
            stamp: self.source.issue(),
            passes: Vec::new(),
            is_incomplete: false,
        });
        let Some(query) = self.spare.pop().or_else(|| gl.create()) else {
            frame.is_incomplete = true;
            return draw();
        };
        frame.passes.push((series, query));
        gl.begin(query);
        let drawn = draw();
        gl.end();
        drawn
    }

    /// Ends the frame, and delivers the times of earlier frames that have arrived. Never waits. Call it
    /// once in each frame, before the frame of the recorder ends.
    fn end_frame(&mut self, gl: &impl Queries<Query = Q>) {
        match self.current.take() {
            Some(frame) if frame.is_incomplete => self.give_up(frame),
            frame => self.waiting.extend(frame),
        }
        let has_arrived =
            |frame: &&Frame<Q>| frame.passes.iter().all(|&(_, query)| gl.has_result(query));
        let arrived = self.waiting.iter().take_while(has_arrived).count();
        // The bit covers all time since it was last read, so it is read after the results have arrived. It
        // does not say which frames it concerns, so none of them is known.
        if gl.was_disjoint() {
            while let Some(frame) = self.waiting.pop_front() {
                self.give_up(frame);
            }
            return;
        }
        for _ in 0..arrived {
            if let Some(frame) = self.waiting.pop_front() {
                self.deliver(gl, frame);
            }
        }
        if self.waiting.len() > MAX_WAITING
            && let Some(newest) = self.waiting.pop_back()
        {
            self.give_up(newest);
        }
    }

    fn deliver(&mut self, gl: &impl Queries<Query = Q>, frame: Frame<Q>) {
        self.values.clear();
        for &(series, query) in &frame.passes {
            let ns = gl.result_ns(query);
            if ns == u32::MAX {
                // More than 32 bits can hold, which no pass takes: drivers say so of times that they do
                // not know.
                return self.give_up(frame);
            }
            self.values.push((series, f64::from(ns) * 1e-6));
        }
        self.source.deliver(frame.stamp, &self.values);
        self.spare
            .extend(frame.passes.iter().map(|&(_, query)| query));
    }

    fn give_up(&mut self, frame: Frame<Q>) {
        self.source.give_up(frame.stamp);
        // OpenGL forgets the result of a query that begins again.
        self.spare
            .extend(frame.passes.iter().map(|&(_, query)| query));
    }
}

/// The timer queries of a context.
trait Queries {
    /// A query.
    type Query: Copy;

    /// Creates a query; `None` if the context is lost.
    fn create(&self) -> Option<Self::Query>;

    /// Begins to time.
    fn begin(&self, query: Self::Query);

    /// Ends the query that began last.
    fn end(&self);

    /// Returns whether the result has arrived.
    fn has_result(&self, query: Self::Query) -> bool;

    /// Returns the result in nanoseconds, or `u32::MAX` if it is larger.
    fn result_ns(&self, query: Self::Query) -> u32;

    /// Returns whether the clock of the GPU was reset, or ran at another speed, since the last call.
    fn was_disjoint(&self) -> bool;
}

/// The queries of a context of `glow`.
#[derive(Debug)]
struct OpenGl<'a> {
    gl: &'a glow::Context,
    has_disjoint: bool,
}

/// `GPU_DISJOINT_EXT`, which reading resets.
const GPU_DISJOINT: u32 = 0x8FBB;

impl<'a> OpenGl<'a> {
    /// Returns the queries of a context; `None` if it cannot time anything.
    fn new(gl: &'a glow::Context) -> Option<Self> {
        let has = |name: &str| gl.supported_extensions().contains(name);
        // The name in OpenGL ES, and the one in WebGL 2.
        let has_disjoint =
            has("GL_EXT_disjoint_timer_query") || has("EXT_disjoint_timer_query_webgl2");
        let version = gl.version();
        let is_new = !version.is_embedded && (version.major, version.minor) >= (3, 3);
        // Without the extension, a driver of OpenGL keeps its clock.
        let can_time = is_new || has_disjoint || has("GL_ARB_timer_query");
        can_time.then_some(Self { gl, has_disjoint })
    }
}

impl Queries for OpenGl<'_> {
    type Query = glow::Query;

    fn create(&self) -> Option<glow::Query> {
        // SAFETY: the context is current, as in all functions here.
        unsafe { self.gl.create_query() }.ok()
    }

    fn begin(&self, query: glow::Query) {
        // SAFETY: as above; `Timer` begins a query after it has ended the one before.
        unsafe { self.gl.begin_query(glow::TIME_ELAPSED, query) };
    }

    fn end(&self) {
        // SAFETY: as above; `Timer` ends what it began.
        unsafe { self.gl.end_query(glow::TIME_ELAPSED) };
    }

    fn has_result(&self, query: glow::Query) -> bool {
        // SAFETY: as above; the query has ended.
        let available =
            unsafe { (self.gl).get_query_parameter_u32(query, glow::QUERY_RESULT_AVAILABLE) };
        available != 0
    }

    fn result_ns(&self, query: glow::Query) -> u32 {
        // 32 bits are 4.3 seconds. OpenGL ES has no 64 bits without an extension.
        // SAFETY: as above; the query has a result.
        unsafe { self.gl.get_query_parameter_u32(query, glow::QUERY_RESULT) }
    }

    fn was_disjoint(&self) -> bool {
        // SAFETY: as above; the parameter exists with the extension.
        self.has_disjoint && unsafe { self.gl.get_parameter_i32(GPU_DISJOINT) } != 0
    }
}

/// The width and height of the picture, in pixels.
const SIZE: i32 = 1024;

fn main() {
    let is_embedded = std::env::args().any(|argument| argument == "es");
    let gl = match context(is_embedded) {
        Ok(gl) => gl,
        Err(error) => return println!("no OpenGL: {error}; install libegl1 and libgl1-mesa-dri"),
    };
    let Some(queries) = OpenGl::new(&gl) else {
        return println!("this OpenGL has no timer queries: {:?}", gl.version());
    };
    println!(
        "{:?}; tells disjoint times: {}",
        gl.version(),
        queries.has_disjoint
    );
    let mut timer = Timer::new();
    let [sky, ground] = ["sky", "ground"].map(|name| timer.series(name));
    let mut recorder = Recorder::new();
    let watches = [sky, ground].map(|series| recorder.watch(series.id()));
    for frame in 0..30 {
        // The work grows from frame to frame.
        timer.pass(&queries, sky, || clear(&gl, 1));
        timer.pass(&queries, ground, || clear(&gl, 1 + frame));
        // SAFETY: the context is current.
        unsafe { gl.flush() };
        timer.end_frame(&queries);
        recorder.end_frame();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // SAFETY: the context is current.
    unsafe { gl.finish() };
    timer.end_frame(&queries);
    recorder.end_frame();
    for frame in 0..30 {
        let [sky, ground] = watches
            .each_ref()
            .map(|watch| recorder.history(watch, 64).at(frame));
        match (sky, ground) {
            (Some(sky), Some(ground)) => {
                println!("frame {frame}: sky {sky:.3} ms, ground {ground:.3} ms");
            }
            _ => println!("frame {frame}: unknown"),
        }
    }
}

/// Clears the picture some times.
fn clear(gl: &glow::Context, times: u32) {
    for time in 0..times {
        // SAFETY: the context is current.
        unsafe {
            gl.clear_color(time as f32 / 30.0, 0.2, 0.4, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
        }
    }
}

/// Returns a context without a window that is current, and draws into a picture in memory.
fn context(is_embedded: bool) -> Result<glow::Context, Box<dyn std::error::Error>> {
    use khronos_egl as egl;
    // SAFETY: loads the library of the system. It is never unloaded.
    let egl = unsafe { egl::DynamicInstance::<egl::EGL1_4>::load_required() }?;
    // SAFETY: the default display is valid on each thread.
    let display = unsafe { egl.get_display(egl::DEFAULT_DISPLAY) }.ok_or("no display")?;
    egl.initialize(display)?;
    let (api, kind) = match is_embedded {
        true => (egl::OPENGL_ES_API, egl::OPENGL_ES2_BIT),
        false => (egl::OPENGL_API, egl::OPENGL_BIT),
    };
    egl.bind_api(api)?;
    let wanted = [
        egl::SURFACE_TYPE,
        egl::PBUFFER_BIT,
        egl::RENDERABLE_TYPE,
        kind,
        egl::NONE,
    ];
    let config = (egl.choose_first_config(display, &wanted)?).ok_or("no configuration")?;
    let version = [egl::CONTEXT_MAJOR_VERSION, 3, egl::NONE];
    let context = egl.create_context(display, config, None, &version)?;
    let size = [egl::WIDTH, SIZE, egl::HEIGHT, SIZE, egl::NONE];
    let surface = egl.create_pbuffer_surface(display, config, &size)?;
    egl.make_current(display, Some(surface), Some(surface), Some(context))?;
    let load = |name: &str| {
        let address = egl.get_proc_address(name);
        address.map_or(std::ptr::null(), |function| {
            function as *const std::ffi::c_void
        })
    };
    // SAFETY: the context is current, and the functions are its own.
    let gl = unsafe { glow::Context::from_loader_function(load) };
    // The context lives as long as the library.
    std::mem::forget(egl);
    Ok(gl)
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    /// A GPU whose results arrive when a test says so. Each pass takes as many milliseconds as the
    /// number of its query.
    #[derive(Default)]
    struct Fake {
        created: Cell<u32>,
        arrived: RefCell<Vec<u32>>,
        begun: RefCell<Vec<u32>>,
        is_disjoint: Cell<bool>,
        is_saturated: Cell<bool>,
        is_lost: Cell<bool>,
    }

    impl Queries for Fake {
        type Query = u32;

        fn create(&self) -> Option<u32> {
            if self.is_lost.get() {
                return None;
            }
            self.created.set(self.created.get() + 1);
            Some(self.created.get())
        }

        fn begin(&self, query: u32) {
            self.arrived.borrow_mut().retain(|&of| of != query);
            self.begun.borrow_mut().push(query);
        }

        fn end(&self) {}

        fn has_result(&self, query: u32) -> bool {
            self.arrived.borrow().contains(&query)
        }

        fn result_ns(&self, query: u32) -> u32 {
            assert!(self.has_result(query), "it would wait");
            match self.is_saturated.take() {
                true => u32::MAX,
                false => query * 1_000_000,
            }
        }

        fn was_disjoint(&self) -> bool {
            self.is_disjoint.take()
        }
    }

    impl Fake {
        /// Finishes all work.
        fn finish(&self) {
            self.arrived
                .borrow_mut()
                .append(&mut self.begun.borrow_mut());
        }
    }

    /// A timer, its series, and what a recorder sees of it.
    struct Program {
        gpu: Fake,
        timer: Timer<u32>,
        series: DeferredSeries,
        recorder: Recorder,
        watch: stats_core::Watch,
    }

    impl Program {
        fn new(name: &str) -> Self {
            let timer = Timer::new();
            let series = timer.series(name);
            let mut recorder = Recorder::new();
            let watch = recorder.watch(series.id());
            Self {
                gpu: Fake::default(),
                timer,
                series,
                recorder,
                watch,
            }
        }

        fn frame(&mut self, passes: usize) {
            for _ in 0..passes {
                self.timer.pass(&self.gpu, self.series, || {});
            }
            self.timer.end_frame(&self.gpu);
            self.recorder.end_frame();
        }

        fn values(&self) -> Vec<Option<f64>> {
            let history = self.recorder.history(&self.watch, 100);
            (0..self.recorder.frames().end)
                .map(|frame| history.at(frame))
                .collect()
        }
    }

    #[test]
    fn a_time_is_in_the_frame_that_caused_it_however_late_it_arrives() {
        let mut program = Program::new("opengl-late");
        program.frame(2);
        program.frame(1);
        program.frame(0);
        assert_eq!(program.values(), [None; 3]);
        program.gpu.finish();
        program.frame(0);
        assert_eq!(
            program.values(),
            [Some(3.0), Some(3.0), Some(0.0), Some(0.0)]
        );
        // Queries are used again.
        program.frame(3);
        assert_eq!(program.gpu.created.get(), 3);
    }

    #[test]
    fn no_time_is_known_of_the_frames_in_which_the_clock_was_disjoint() {
        let mut program = Program::new("opengl-disjoint");
        program.frame(1);
        program.gpu.finish();
        program.frame(1);
        program.gpu.finish();
        program.gpu.is_disjoint.set(true);
        // The results of this frame have arrived, but the clock was reset before they were read.
        program.frame(1);
        program.gpu.finish();
        program.frame(1);
        program.gpu.finish();
        program.frame(0);
        let known: Vec<bool> = program.values().iter().map(Option::is_some).collect();
        assert_eq!(known, [true, false, false, true, true]);
    }

    #[test]
    fn no_time_is_known_of_a_frame_with_a_result_that_is_none() {
        let mut program = Program::new("opengl-saturated");
        program.frame(2);
        program.frame(1);
        program.gpu.finish();
        program.gpu.is_saturated.set(true);
        program.frame(0);
        assert_eq!(program.values(), [None, Some(3.0), Some(0.0)]);
        program.frame(3);
        assert_eq!(program.gpu.created.get(), 3);
    }

    #[test]
    fn no_time_is_known_of_a_frame_with_a_pass_for_which_there_is_no_query() {
        let mut program = Program::new("opengl-lost");
        program.frame(1);
        program.gpu.finish();
        program.frame(0);
        program.gpu.is_lost.set(true);
        // The first query is used again; the second pass has none.
        program.frame(2);
        program.frame(1);
        program.gpu.finish();
        program.frame(0);
        assert_eq!(
            program.values(),
            [Some(1.0), Some(0.0), None, Some(1.0), Some(0.0)]
        );
    }

    #[test]
    fn frames_that_nobody_answers_are_given_up_and_their_number_is_bounded() {
        let mut program = Program::new("opengl-silent");
        for _ in 0..50 {
            program.frame(2);
        }
        assert_eq!(program.timer.waiting.len(), MAX_WAITING);
        assert!(program.gpu.created.get() <= 2 * (MAX_WAITING as u32 + 1));
        program.gpu.finish();
        program.frame(0);
        let values = program.values();
        assert_eq!(values.iter().flatten().count(), MAX_WAITING + 1);
        assert!(values[MAX_WAITING..50].iter().all(Option::is_none));
    }
}
