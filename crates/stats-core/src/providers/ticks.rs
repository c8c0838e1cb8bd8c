//! A second clock, whose ticks are shown in the frames of other recorders.

use crate::{FrameTime, backend};

/// A clock of its own beside the frames: the ticks of a server, or the fixed steps of a simulation.
///
/// It ends a tick as a [`Recorder`](crate::Recorder) ends a frame, and adds series below its name, which all other recorders read in their own frames:
///
/// | path | value of a frame |
/// |---|---|
/// | `NAME/ticks` | the number of ticks that ended in the frame |
/// | `NAME/tick time` | how long these ticks took, in milliseconds |
/// | `NAME/PATH` | the value that the series at `PATH` had in these ticks, for the series that [`with_series`](Self::with_series) names |
///
/// What is counted in a tick belongs to the frame in which the tick ends, as a whole. If several ticks
/// end in a frame, their values are added up, and of a level or a gauge the last one counts. A frame in
/// which no tick ended has no value there: it is unknown, and not 0. So the mean over the frames is a
/// cost per tick as long as no frame has two.
///
/// The series are listed as gauges, and are read like any others: in graphs, tables, searches and
/// captures, and judged by the budgets that `stats.toml` or a person sets. They are
/// [computed](crate::add_computed), so an exporter to OpenMetrics or OTLP leaves them out.
///
/// # Frames without a value
///
/// Besides frames without a tick, these are unknown, except for the number of ticks where it is known:
///
/// - the frame of the tick in which a series began to be read, because a part of it was not counted;
/// - a frame in which more than [`TICK_HISTORY`](crate::limits::TICK_HISTORY) ticks ended;
/// - a frame that ended at the moment at which, on another thread, a tick ended, or another reader of the
///   clock began. Its ticks belong to the next frame, also in the number of ticks, unless it is the frame
///   in which the series began to be read;
/// - all frames after the last clock of this name was dropped. After it is created again, the frame of its
///   first tick is unknown, except for levels and gauges.
///
/// # Pauses
///
/// A clock may rest, such as that of a server in a menu. A tick that does not end is no
/// [freeze](crate::FreezeWatch), and a tick that ends hides none. For a thread that ends ticks and must
/// not stand still, end the frames of a recorder there, too. Lines of the log do not mark ticks.
///
/// # Cost
///
/// A tick costs what [`Recorder::end_frame`](crate::Recorder::end_frame) costs for the series that are
/// read, and a frame what a computed series costs for each, and a read of each tick. Neither allocates,
/// except when a series begins to be read. A clock keeps 16 KiB, also after it is dropped, and 8 KiB for
/// each series that is read. A tick takes a lock, for which only the reading of single values and the
/// beginning of a series compete. A frame never waits for it, and frames of several threads share it.
///
/// ```
/// use stats_core::{Recorder, Ticks, counter, find};
///
/// let server = Ticks::new("server");
/// let mut frames = Recorder::new();
/// let watch = find("server/ticks").map(|id| frames.watch(id));
/// for frame in 0..4 {
///     if frame % 2 == 0 {
///         counter("net/players").add(1);
///         server.end();
///     }
///     frames.end_frame();
/// }
/// if let Some(watch) = watch {
///     let ticks: Vec<f64> = frames.history(&watch, 4).iter().collect();
///     assert_eq!(ticks, [1.0, 0.0, 1.0, 0.0]);
/// }
/// ```
#[derive(Debug)]
#[must_use = "its series have no values after it is dropped"]
pub struct Ticks {
    clock: backend::TickClock,
}

impl Ticks {
    /// Creates a clock, and the series `NAME/ticks` and `NAME/tick time`. The first tick of a new name
    /// begins now.
    ///
    /// Clocks of the same name are one clock, so that a system that is started again continues its
    /// series. Choose a name that is not the first segment of other series, or they are listed between
    /// them.
    pub fn new(name: &str) -> Self {
        let clock = backend::TickClock::new(name);
        Self { clock }
    }

    /// Shows the series at a path, and those below it, for each tick: `net` stands for `net/players`
    /// and `net/bytes`, and the first of them becomes `NAME/net/players`. A series that is registered
    /// later is shown from the tick after the next one on.
    ///
    /// Left out are companions of other series (calls and self times), series whose values are
    /// [deferred](crate::DeferredSource) or computed, and all beyond the first
    /// [`MAX_TICK_SERIES`](crate::limits::MAX_TICK_SERIES) of the clock, which is a
    /// [problem](crate::problems()).
    pub fn with_series(self, path: &str) -> Self {
        self.clock.show(path);
        self
    }

    /// Begins a tick: the time since the last one belongs to no tick, so that `tick time` is what a tick
    /// takes. Without this call, it is the time from the end of one to that of the next.
    ///
    /// What was counted since the end of the last tick belongs to this one.
    ///
    /// The tick begins at the system's time. If the caller gives the times at which ticks
    /// [end](Self::end_at), leave this call out: a tick that ends before it begins takes 0 ms.
    pub fn begin(&self) {
        self.clock.begin();
    }

    /// Ends a tick now.
    pub fn end(&self) {
        self.clock.end(None);
    }

    /// Ends a tick at a time that the caller gives, as
    /// [`Recorder::end_frame_at`](crate::Recorder::end_frame_at) does. Times are seconds since the first
    /// clock of this name was created, also after it was dropped and created again. They do not go
    /// together with [`begin`](Self::begin).
    pub fn end_at(&self, time: impl Into<FrameTime>) {
        self.clock.end(Some(time.into()));
    }
}
