//! From puffin frames to values of series.

use puffin::FrameData;
use stats_core::{Counter, DeferredSeries, DeferredSource, FrameStamp};

use crate::names::{NameId, Names};
use crate::options::Options;
use crate::paths::{NOWHERE, NodeId, Paths};
use crate::stream::{self, Open, Visit};
use crate::tallies::{OVER_LIMIT, Tallies};

static MALFORMED_STREAMS: Counter =
    Counter::new("puffin/malformed-streams").describe("Streams of puffin with a fault");

/// Turns puffin frames into values of series; what [`PuffinSource`](crate::PuffinSource) runs in
/// its thread, and by itself for frames that come from elsewhere: a file, another process, another
/// profiler.
///
/// A name of more than 200 bytes is cut, and followed by `%~` and a hash of the whole. Scopes
/// inside more than 64 others have no place in the tree; nor have ids of scopes from 65,536 on.
/// Their self time is in `puffin/over-limit`.
///
/// Known scopes cost no allocation, no hash of a string, and well below a quarter of a microsecond
/// each.
///
/// ```
/// use stats_puffin::{Options, Scopes};
///
/// let mut scopes = Scopes::new(&Options::default());
/// let frame: Option<puffin::FrameData> = None; // of wherever
/// if let Some(frame) = frame {
///     let stamp = scopes.issue(); // in the frame that the scopes belong to
///     scopes.process(stamp, &frame);
/// }
/// ```
pub struct Scopes {
    late: DeferredSource,
    walk: Walk,
    open: Vec<Open>,
    values: Vec<(DeferredSeries, f64)>,
}

/// What is found while streams are read.
struct Walk {
    names: Names,
    paths: Paths,
    tallies: Tallies,
    /// The thread that is read.
    thread: NodeId,
    stack: Vec<Scope>,
}

/// A scope that has not ended.
struct Scope {
    node: NodeId,
    name: Option<NameId>,
    children_ns: u64,
}

impl Scopes {
    /// Without any scope yet. Of the options those for series apply.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self::with_late(DeferredSource::new(), options)
    }

    pub(crate) fn with_late(late: DeferredSource, options: &Options) -> Self {
        let _ = MALFORMED_STREAMS.id();
        let tallies = Tallies::new(late.clone(), options.max_places);
        let (names, paths) = (Names::default(), Paths::default());
        let walk = Walk {
            names,
            paths,
            tallies,
            thread: NOWHERE,
            stack: Vec::new(),
        };
        Self {
            late,
            walk,
            open: Vec::new(),
            values: Vec::new(),
        }
    }

    /// A stamp of the frame under way: see [`Late::issue`].
    pub fn issue(&self) -> FrameStamp {
        self.late.issue()
    }

    /// Counts all scopes of a puffin frame in the frame of the stamp.
    pub fn process(&mut self, stamp: FrameStamp, frame: &FrameData) {
        if !stats_core::ENABLED {
            return;
        }
        self.read(frame);
        self.late.deliver(stamp, &self.values);
    }

    /// Learns the names of scopes that a frame tells, and counts nothing.
    pub fn learn(&mut self, frame: &FrameData) {
        if !stats_core::ENABLED {
            return;
        }
        self.walk.names.learn(&frame.scope_delta);
    }

    /// Whether scopes came whose names have not been told: `GlobalProfiler::emit_scope_snapshot`
    /// makes puffin tell them.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.walk.names.has_unknown()
    }

    pub(crate) fn late(&self) -> &DeferredSource {
        &self.late
    }

    fn read(&mut self, frame: &FrameData) {
        self.values.clear();
        self.learn(frame);
        // Fails where frames are packed and the packing is broken, a feature of puffin.
        let Some(frame) = frame.unpacked().ok() else {
            return MALFORMED_STREAMS.add(1);
        };
        for (thread, info) in &frame.thread_streams {
            self.walk.thread = self.walk.paths.thread(&thread.name, &self.walk.tallies);
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
    /// Forgets the scopes that have begun and will not end.
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

    fn end(&mut self, duration_ns: u64) {
        let Some(scope) = self.stack.pop() else {
            return;
        };
        // Children on another clock than their parent's could be longer than it.
        let self_ns = duration_ns.saturating_sub(scope.children_ns);
        if let Some(parent) = self.stack.last_mut() {
            parent.children_ns = parent.children_ns.saturating_add(duration_ns);
        }
        match self.paths.place(scope.node) {
            OVER_LIMIT => self.tallies.add(OVER_LIMIT, self_ns, 0),
            place => self.tallies.add(place, duration_ns, self_ns),
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
#[path = "scopes_tests.rs"]
mod tests;
