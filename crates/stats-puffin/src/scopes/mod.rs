//! Turns puffin frames into values of series.
//!
//! A puffin frame has a stream of bytes for each thread. It is read in one pass, which walks down a tree
//! of call paths beside it: a name is looked up only where a path is new. Each call adds to the sums of two
//! places: one for its path, and one for its scope over all threads. The sums become values of series once,
//! at the end of the frame.
//!
//! - [`stream`]: reads the scopes of a thread's stream;
//! - [`names`]: the names of scopes, as segments of paths;
//! - [`paths`]: the tree of threads and scopes;
//! - [`span_clock`]: converts puffin's times for collectors of spans;
//! - [`tallies`]: the sums of a frame.

mod names;
mod paths;
mod span_clock;
mod stream;
mod tallies;

use puffin::FrameData;
use stats_core::{
    Counter, DeferredSeries, DeferredSource, FrameStamp, Span, are_spans_collected, record_span,
};

use self::names::{NameId, Names};
use self::paths::{NOWHERE, NodeId, Paths};
use self::span_clock::SpanClock;
use self::stream::{Open, Visit};
use self::tallies::{OVER_LIMIT, Tallies};
use crate::options::Options;

static MALFORMED_STREAMS: Counter =
    Counter::new("puffin/malformed-streams").describe("puffin streams with an error");

/// Turns puffin frames into values of series.
///
/// [`PuffinSource`](crate::PuffinSource) runs it on its own thread. Use it directly for frames from
/// another source: a file, another process, another profiler.
///
/// # Limits
///
/// A name of more than 200 bytes is truncated and followed by `%~` and a hash of the whole name.
/// Scopes inside more than 64 others have no place in the tree, nor do scopes whose id is 65,536 or
/// higher. Their self time is added to `puffin/over-limit`.
///
/// # Cost
///
/// A scope at a known call path takes no allocation, no hash of a string, and well below a quarter
/// of a microsecond.
///
/// ```
/// use stats_puffin::{Options, Scopes};
///
/// let mut scopes = Scopes::new(&Options::default());
/// let frame: Option<puffin::FrameData> = None; // from anywhere
/// if let Some(frame) = frame {
///     let stamp = scopes.issue(); // in the recorder's frame that the scopes belong to
///     scopes.process(stamp, &frame);
/// }
/// ```
pub struct Scopes {
    source: DeferredSource,
    walk: Walk,
    open: Vec<Open>,
    values: Vec<(DeferredSeries, f64)>,
}

/// The state of reading the streams of a frame.
struct Walk {
    names: Names,
    paths: Paths,
    tallies: Tallies,
    /// The node of the thread being read.
    thread: NodeId,
    stack: Vec<Scope>,
    /// `None` while spans are not collected.
    spans: Option<SpanClock>,
    /// The name of the thread being read, if spans are collected.
    thread_name: String,
}

/// A scope that has not ended.
struct Scope {
    node: NodeId,
    name: Option<NameId>,
    children_ns: u64,
}

impl Scopes {
    /// Creates a reader that knows no scopes. Only [`Options::max_places`] applies.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self::with_source(DeferredSource::new(), options)
    }

    pub(crate) fn with_source(source: DeferredSource, options: &Options) -> Self {
        let _ = MALFORMED_STREAMS.id();
        let tallies = Tallies::new(source.clone(), options.max_places);
        let (names, paths) = (Names::default(), Paths::default());
        let walk = Walk {
            names,
            paths,
            tallies,
            thread: NOWHERE,
            stack: Vec::new(),
            spans: None,
            thread_name: String::new(),
        };
        Self {
            source,
            walk,
            open: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Returns a stamp of the recorder's current frame: see [`DeferredSource::issue`].
    pub fn issue(&self) -> FrameStamp {
        self.source.issue()
    }

    /// Records all scopes of a puffin frame in the frame of the stamp.
    pub fn process(&mut self, stamp: FrameStamp, frame: &FrameData) {
        if !stats_core::ENABLED {
            return;
        }
        self.read(frame);
        self.source.deliver(stamp, &self.values);
    }

    /// Reads only the names of scopes that a frame reports, and records nothing.
    pub fn learn(&mut self, frame: &FrameData) {
        if !stats_core::ENABLED {
            return;
        }
        self.walk.names.learn(&frame.scope_delta);
    }

    /// Returns whether a frame had scopes whose names puffin has not reported yet.
    /// `GlobalProfiler::emit_scope_snapshot` makes puffin report all names.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.walk.names.has_unknown()
    }

    pub(crate) fn source(&self) -> &DeferredSource {
        &self.source
    }

    fn read(&mut self, frame: &FrameData) {
        self.values.clear();
        self.learn(frame);
        // Fails only if the data of a packed frame (a feature of puffin) is damaged.
        let Some(frame) = frame.unpacked().ok() else {
            return MALFORMED_STREAMS.add(1);
        };
        self.walk.spans = are_spans_collected().then(SpanClock::now);
        self.walk.paths.begin_frame();
        for (thread, info) in &frame.thread_streams {
            if self.walk.spans.is_some() {
                self.walk.thread_name.clone_from(&thread.name);
            }
            self.walk.thread = self.walk.paths.thread(thread, &self.walk.tallies);
            if stream::read(info.stream.bytes(), &mut self.open, &mut self.walk).is_err() {
                MALFORMED_STREAMS.add(1);
                self.walk.abandon();
            }
        }
        self.walk.tallies.drain_into(&mut self.values);
    }
}

impl std::fmt::Debug for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scopes")
            .field("tallies", &self.walk.tallies)
            .finish_non_exhaustive()
    }
}

impl Walk {
    /// Closes the scopes that have not ended, after an error.
    fn abandon(&mut self) {
        for scope in self.stack.drain(..) {
            scope.name.map(|name| self.names.close(name));
        }
    }
}

impl Visit for Walk {
    fn begin(&mut self, id: u32) {
        let parent = self.stack.last().map_or(self.thread, |parent| parent.node);
        let name = self.names.of(id, &mut self.tallies);
        let node = name.map_or(NOWHERE, |name| {
            self.names.open(name);
            self.paths
                .child(parent, name, &self.names, &mut self.tallies)
        });
        self.stack.push(Scope {
            node,
            name,
            children_ns: 0,
        });
    }

    fn end(&mut self, start_ns: i64, stop_ns: i64) {
        let Some(scope) = self.stack.pop() else {
            return;
        };
        let duration_ns = stop_ns.abs_diff(start_ns);
        // Children that were timed by another clock can be longer than their parent.
        let self_ns = duration_ns.saturating_sub(scope.children_ns);
        if let Some(parent) = self.stack.last_mut() {
            parent.children_ns = parent.children_ns.saturating_add(duration_ns);
        }
        match self.paths.place(scope.node) {
            OVER_LIMIT => self.tallies.add(OVER_LIMIT, self_ns, 0),
            place => {
                self.tallies.add(place, duration_ns, self_ns);
                if let Some(clock) = &self.spans {
                    record_span(Span::new(
                        self.tallies.timer(place),
                        &self.thread_name,
                        self.stack.len() as u32,
                        clock.at(start_ns),
                        clock.at(stop_ns),
                    ));
                }
            }
        }
        if let Some(name) = scope.name {
            let (place, is_outermost) = self.names.close(name);
            if place != OVER_LIMIT {
                self.tallies
                    .add(place, if is_outermost { duration_ns } else { 0 }, self_ns);
            }
        }
    }
}

#[cfg(test)]
#[cfg(feature = "enabled")]
mod tests;
