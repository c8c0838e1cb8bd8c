//! The sink of the global profiler, and the thread behind it.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};

use puffin::{FrameSinkId, GlobalProfiler};

use crate::feed::{DROPPED_FRAMES, Feed, Job, Reader};
use crate::options::Options;
use crate::scopes::Scopes;
use crate::stamps::{AFTER_GAP, Stamps};

/// After how many frames puffin is asked again for names that it has not told.
const ASK_EVERY: u32 = 64;

/// Counts all scopes that puffin's global profiler hands out, until it is dropped.
///
/// Whether scopes are measured at all is the program's to say, by `puffin::set_scopes_on(true)`,
/// and so is `GlobalProfiler::new_frame` once a frame, or [`new_frame`](PuffinSource::new_frame)
/// here. In eframe with egui's scopes it is neither: eframe itself calls it. Two sources at a time
/// count everything twice.
///
/// Dropped, it takes the sink away and waits until the frames that were handed over are read.
/// Neither is to be done while `GlobalProfiler::lock()` is held by the same thread: it would wait
/// for itself.
#[must_use = "scopes are counted until it is dropped"]
pub struct PuffinSource {
    sink: Option<FrameSinkId>,
    stamps: Option<Arc<Stamps>>,
    thread: Option<JoinHandle<()>>,
}

impl PuffinSource {
    /// Adds the sink, with the default [`Options`].
    pub fn install() -> Self {
        Self::install_with(&Options::default())
    }

    /// Adds the sink. Where no thread can be started, as in a browser, frames are read in the
    /// thread that calls `new_frame`.
    pub fn install_with(options: &Options) -> Self {
        if !stats_core::ENABLED {
            return Self {
                sink: None,
                stamps: None,
                thread: None,
            };
        }
        // Listed from the start, before anything goes wrong.
        let _ = (DROPPED_FRAMES.id(), AFTER_GAP.id());
        let scopes = Scopes::new(options);
        let late = scopes.late().clone();
        let (sender, frames) = sync_channel(options.queued_frames.max(1));
        let (reader, thread) = match Builder::new()
            .name("stats-puffin".to_owned())
            .spawn(move || read(&frames, scopes))
        {
            Ok(thread) => (Reader::Elsewhere(sender), Some(thread)),
            Err(_) => (
                Reader::Here(Box::new(RefCell::new(Scopes::with_late(
                    late.clone(),
                    options,
                )))),
                None,
            ),
        };
        let stamps = Arc::new(Stamps::new(late, options.new_frame));
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

    /// Calls `GlobalProfiler::new_frame`, and remembers the moment, so that the beginning of a
    /// puffin frame is known also where the one before it had no scopes. For a program that calls
    /// `new_frame` itself, in the place of that; with the feature `enabled` off it is that.
    ///
    /// Not to be called while `GlobalProfiler::lock()` is held by the same thread: it would wait
    /// for itself.
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
        let sink = self
            .sink
            .and_then(|sink| GlobalProfiler::lock().remove_sink(sink));
        // With it the sender, which ends the thread when it has read what is left.
        drop(sink);
        self.thread.take().map(JoinHandle::join);
    }
}

/// Reads frames until the sink is gone.
fn read(frames: &Receiver<Job>, mut scopes: Scopes) {
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
