//! The installed source: the sink of the global profiler, and the thread that reads its frames.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};

use puffin::{FrameSinkId, GlobalProfiler};
use stats_core::OwnProcess;

use crate::options::Options;
use crate::scopes::Scopes;
use crate::sink::{AFTER_GAP, DROPPED_FRAMES, Feed, Job, Reader, Stamps};

/// The number of frames after which puffin is queried again for names that it has not reported.
const ASK_EVERY: u32 = 64;

/// Counts all scopes of puffin's global profiler until it is dropped.
///
/// The program decides whether scopes are measured at all, with `puffin::set_scopes_on(true)`. It
/// also calls `GlobalProfiler::new_frame` once a frame, or [`new_frame`](PuffinSource::new_frame)
/// of the source. In eframe with egui's scopes it calls neither, because eframe does. Two sources
/// at a time count everything twice.
///
/// Dropping the source removes the sink, and waits until the frames that were handed over are read.
/// In a child of `fork`, it does nothing.
///
/// # Deadlocks
///
/// Do not install or drop a source while the same thread holds `GlobalProfiler::lock()`.
#[must_use = "scopes are counted until it is dropped"]
pub struct PuffinSource {
    sink: Option<FrameSinkId>,
    stamps: Option<Arc<Stamps>>,
    thread: Option<OwnProcess<JoinHandle<()>>>,
}

impl PuffinSource {
    /// Installs the source with the default [`Options`].
    pub fn install() -> Self {
        Self::install_with(&Options::default())
    }

    /// Installs the source. If no thread can be started, as in a browser, frames are read in the
    /// thread that calls `new_frame`.
    pub fn install_with(options: &Options) -> Self {
        let _memory = stats_core::own_memory("stats-puffin");
        if !stats_core::ENABLED {
            return Self {
                sink: None,
                stamps: None,
                thread: None,
            };
        }
        // Registers the series, so that they are listed before anything goes wrong.
        let _ = (DROPPED_FRAMES.id(), AFTER_GAP.id());
        let scopes = Scopes::new(options);
        let deferred = scopes.source().clone();
        let (sender, frames) = sync_channel(options.queued_frames.max(1));
        let (reader, thread) = match Builder::new()
            .name("stats-puffin".to_owned())
            .spawn(move || read(&frames, scopes))
        {
            Ok(thread) => (Reader::Elsewhere(sender), Some(OwnProcess::new(thread))),
            Err(_) => (
                Reader::Here(Box::new(RefCell::new(Scopes::with_source(
                    deferred.clone(),
                    options,
                )))),
                None,
            ),
        };
        let stamps = Arc::new(Stamps::new(deferred, options.new_frame));
        let feed = Feed::new(Arc::clone(&stamps), reader);
        let mut profiler = GlobalProfiler::lock();
        let sink = profiler.add_sink(Box::new(move |frame| feed.take(frame)));
        profiler.emit_scope_snapshot();
        Self {
            sink: Some(sink),
            stamps: Some(stamps),
            thread,
        }
    }

    /// Calls `GlobalProfiler::new_frame` and remembers the moment, so that the beginning of a
    /// puffin frame is known even if the frame before it had no scopes.
    ///
    /// Call it instead of puffin's `new_frame`. Without the feature `enabled` it does nothing else.
    ///
    /// # Deadlocks
    ///
    /// Do not call it while the same thread holds `GlobalProfiler::lock()`.
    pub fn new_frame(&self) {
        let mut profiler = GlobalProfiler::lock();
        let before = self.stamps.as_ref().and_then(|stamps| stamps.begun());
        profiler.new_frame();
        if let Some(stamps) = &self.stamps {
            stamps.called(before);
        }
    }
}

impl fmt::Debug for PuffinSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PuffinSource")
            .field("sink", &self.sink)
            .finish_non_exhaustive()
    }
}

impl Drop for PuffinSource {
    fn drop(&mut self) {
        let thread = self.thread.take();
        if thread.as_ref().is_some_and(OwnProcess::is_elsewhere) {
            // In a child of `fork`, another thread may hold the lock of the profiler forever.
            return;
        }
        let sink = self
            .sink
            .and_then(|sink| GlobalProfiler::lock().remove_sink(sink));
        // Drops the sender as well, so that the thread ends after it has read the remaining frames.
        drop(sink);
        thread.and_then(OwnProcess::take).map(JoinHandle::join);
    }
}

/// Reads frames until the sink is dropped.
fn read(frames: &Receiver<Job>, mut scopes: Scopes) {
    let _memory = stats_core::own_memory("stats-puffin");
    let mut wait = 0;
    while let Ok(job) = frames.recv() {
        job.run(&mut scopes);
        wait = u32::saturating_sub(wait, 1);
        if scopes.has_unknown() && wait == 0 {
            wait = ASK_EVERY;
            GlobalProfiler::lock().emit_scope_snapshot();
        }
    }
}
