//! The public type that records on demand.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;

use stats_core::{
    FrameTime, MarkEvent, RecordedLength, RecordingControl, RecordingStatus, own_memory,
};

use super::{RecordingOptions, remote::Remote};
use crate::capture::Capture;
use crate::error::CaptureError;
use crate::paths::new_path;
use crate::thread::Thread;
use crate::writer::{HitchWatch, IsWanted, RecentLimits};

/// Records on demand: from one press of an overlay's key to the next, or the last minute after the
/// fact.
///
/// Call [`end_frame`](Self::end_frame) at the end of each frame, and pass
/// [`control`](Self::control) to the overlay. Each recording is a [`Capture`] with its own file in
/// the folder of the [options](RecordingOptions). Dropping this value completes all recordings, and
/// waits until they are complete.
///
/// # Cost
///
/// While nothing is recorded or kept, a frame takes a few nanoseconds. Starting a recording takes
/// about a millisecond; while it runs, it costs what a [`Capture`] costs. Keeping the last frames
/// is a separate recording with the same cost. Each recording is completed on its own thread.
///
/// ```no_run
/// use stats_capture::Recordings;
///
/// let mut recordings = Recordings::from_env()?;
/// // overlay.set_recording(recordings.control());
/// for _frame in 0..600 {
///     // … the frame …
///     recordings.end_frame();
/// }
/// # Ok::<(), stats_capture::CaptureError>(())
/// ```
#[derive(Debug)]
pub struct Recordings {
    options: RecordingOptions,
    capture: Option<Capture>,
    recent: Option<Capture>,
    /// The number of frames that ended.
    frames: u64,
    /// Whether a hitch of the last frames should be saved.
    has_hitch: IsWanted,
    remote: Arc<Remote>,
    completing: Vec<Thread<()>>,
}

impl Recordings {
    /// Creates recordings, with none in progress. Starts keeping the last frames if the options ask
    /// for it. If that fails, the [control](Self::control) reports the error.
    #[must_use]
    pub fn new(options: RecordingOptions) -> Self {
        let _memory = own_memory("stats-capture");
        let remote = Arc::new(Remote::default());
        let limits = RecentLimits {
            time: options.recent,
            bytes: options.recent_bytes,
        };
        let is_kept = !options.recent.is_zero();
        let has_hitch = IsWanted::default();
        let recent = is_kept.then(|| {
            let watch = |interval| HitchWatch::new(interval, Arc::clone(&has_hitch));
            let hitches = options.save_hitches.map(watch);
            let folder = options.folder.clone();
            Capture::keep_recent(options.capture.clone(), limits, hitches, folder)
        });
        let recent = recent.transpose().unwrap_or_else(|error| {
            remote.report(Err(error.to_string()));
            None
        });
        Self {
            options,
            capture: None,
            recent,
            frames: 0,
            has_hitch,
            remote,
            completing: Vec::new(),
        }
    }

    /// Starts recording into a file of any name, and ends the recording in progress, if any.
    ///
    /// # Errors
    ///
    /// Those of [`Capture::create`]. The recording in progress then continues.
    pub fn start(&mut self, path: impl Into<PathBuf>) -> Result<(), CaptureError> {
        let _memory = own_memory("stats-capture");
        let capture = Capture::create(path.into(), self.options.capture.clone())?;
        self.stop();
        self.capture = Some(capture);
        Ok(())
    }

    /// Ends the recording in progress, which is then completed on its own thread.
    pub fn stop(&mut self) {
        let _memory = own_memory("stats-capture");
        let Some(capture) = self.capture.take() else {
            return;
        };
        self.remote.begin_completing();
        let remote = Arc::clone(&self.remote);
        self.complete_with(move || {
            remote.complete(capture.finish().map_err(|error| error.to_string()));
        });
    }

    /// Starts recording into a new file in the folder, or ends the recording in progress.
    pub fn toggle(&mut self) {
        if self.capture.is_some() {
            self.stop();
            return;
        }
        if let Err(error) = self.start(new_path(&self.options.folder, "run")) {
            self.remote.report(Err(error.to_string()));
        }
    }

    /// Saves the last frames to a new file in the folder. Does nothing if none are kept.
    pub fn save_recent(&mut self) {
        let _memory = own_memory("stats-capture");
        let path = new_path(&self.options.folder, "recent");
        let Some(recent) = &mut self.recent else {
            return;
        };
        let (sender, result) = channel();
        recent.save(path, sender);
        self.remote.begin_completing();
        let remote = Arc::clone(&self.remote);
        self.complete_with(move || {
            let ended = "the thread that keeps the last frames has ended; start the program again";
            let result = result.recv().map_err(|_| ended.to_owned());
            remote.complete(result.and_then(|saved| saved.map_err(|error| error.to_string())));
        });
    }

    /// Returns a control that an overlay uses to start and end recordings.
    #[must_use]
    pub fn control(&self) -> Arc<dyn RecordingControl> {
        Arc::clone(&self.remote) as Arc<dyn RecordingControl>
    }

    /// Returns whether pictures of frames may be kept: a recording is in progress, or the last frames
    /// are kept, and the [options](crate::CaptureOptions::pictures) ask for pictures.
    #[must_use]
    pub fn keeps_pictures(&self) -> bool {
        let is_any = self.capture.is_some() || self.recent.is_some();
        is_any && self.options.capture.pictures > 0
    }

    /// Returns the newest frame if a picture of it would be kept: it is among the slowest of the
    /// recording in progress, or of the last frames. See [`Capture::wants_picture`]; frames have the
    /// numbers of [`next_frame`](Self::next_frame).
    #[must_use]
    pub fn wants_picture(&mut self) -> Option<u64> {
        let all = self.capture.iter_mut().chain(&mut self.recent);
        // Each is asked, because it then forgets what is too old.
        let wanted = all.filter_map(Capture::wants_picture).count() > 0;
        self.frames.checked_sub(1).filter(|_| wanted)
    }

    /// Adds a picture of a frame, at once or some frames later, to all that keep pictures; see
    /// [`Capture::picture`]. The last frames keep their pictures in memory, as PNG, in at most a quarter
    /// of [`recent_bytes`](RecordingOptions::recent_bytes), and a file of them has its pictures beside
    /// it.
    pub fn picture(&mut self, frame: u64, width: u32, height: u32, rgba: Vec<u8>) {
        let _memory = own_memory("stats-capture");
        let Some(ago) = self.frames.checked_sub(frame) else {
            return;
        };
        // Each numbers its frames from its own start.
        let add = |to: &mut Capture, rgba| {
            if let Some(frame) = to.next_frame().checked_sub(ago) {
                to.picture(frame, width, height, rgba);
            }
        };
        match (&mut self.capture, &mut self.recent) {
            (Some(capture), Some(recent)) => {
                add(capture, rgba.clone());
                add(recent, rgba);
            }
            (Some(to), None) | (None, Some(to)) => add(to, rgba),
            (None, None) => {}
        }
    }

    /// Returns the index of the current frame, which is the number of calls that ended one.
    #[must_use]
    pub fn next_frame(&self) -> u64 {
        self.frames
    }

    /// Returns the recording in progress, for its errors and its own numbers of frames.
    pub fn capture_mut(&mut self) -> Option<&mut Capture> {
        self.capture.as_mut()
    }

    /// Ends a frame, and carries out the requests of the overlay. If the overlay noticed that the
    /// program slept, it restarts the frame instead; so call it after the overlay's `show`.
    pub fn end_frame(&mut self) {
        let _memory = own_memory("stats-capture");
        self.take_marks();
        if self.remote.take_restart() {
            self.restart_frame();
        } else {
            self.for_each(Capture::end_frame);
            self.frames += 1;
        }
        self.follow_remote();
    }

    /// Ends a frame at a time that the caller passes; see [`Capture::end_frame_at`]. It ends even if the
    /// overlay noticed that the program slept, because the clock of the caller says how long it took.
    pub fn end_frame_at(&mut self, time: impl Into<FrameTime>) {
        let _memory = own_memory("stats-capture");
        let time = time.into();
        self.take_marks();
        self.for_each(|capture| capture.end_frame_at(time));
        self.frames += 1;
        self.follow_remote();
    }

    /// Restarts the frame clock; see [`Capture::restart_frame`].
    pub fn restart_frame(&mut self) {
        self.for_each(Capture::restart_frame);
    }

    /// Marks the current frame; see [`Capture::mark`].
    pub fn mark(&mut self, name: &str, event: MarkEvent) {
        self.for_each(|capture| capture.mark(name, event));
    }

    /// Sets the graphics card and its driver for all recordings; see [`Capture::set_gpu`].
    pub fn set_gpu(&mut self, name: &str, driver: &str) {
        let _memory = own_memory("stats-capture");
        let options = &mut self.options.capture;
        (options.gpu, options.driver) = (Some(name.to_owned()), Some(driver.to_owned()));
        self.for_each(|capture| capture.set_gpu(name, driver));
    }

    /// Sets the refresh rate of the display for all recordings; see [`Capture::set_refresh_hz`].
    pub fn set_refresh_hz(&mut self, hz: f64) {
        if hz.is_finite() && hz > 0.0 {
            self.options.capture.refresh_hz = Some(hz);
        }
        self.for_each(|capture| capture.set_refresh_hz(hz));
    }

    /// Sets a label for all recordings; see [`Capture::set_label`].
    pub fn set_label(&mut self, name: &str, text: &str) {
        let _memory = own_memory("stats-capture");
        let labels = &mut self.options.capture.labels;
        labels.insert(name.to_owned(), text.to_owned());
        self.for_each(|capture| capture.set_label(name, text));
    }

    fn for_each(&mut self, visit: impl FnMut(&mut Capture)) {
        self.capture
            .iter_mut()
            .chain(&mut self.recent)
            .for_each(visit);
    }

    /// Marks the current frame as the overlay asked.
    fn take_marks(&mut self) {
        for name in self.remote.take_marks() {
            self.mark(&name, MarkEvent::Point);
        }
    }

    fn follow_remote(&mut self) {
        if self.remote.take_toggle() {
            self.toggle();
        }
        // Relaxed: a request, which orders nothing else.
        let has_hitch =
            self.has_hitch.load(Ordering::Relaxed) && self.has_hitch.swap(false, Ordering::Relaxed);
        if self.remote.take_save() || has_hitch {
            self.save_recent();
        }
        if self.capture.is_some() || self.recent.is_some() {
            self.publish_status();
        }
        if self.capture.as_ref().is_some_and(Capture::has_ended) {
            // The status has reported its error, or a panic has completed it.
            self.stop();
        }
        let failed = |capture: &Capture| capture.error().is_some();
        if self.recent.as_ref().is_some_and(failed) {
            self.recent = None;
            self.publish_status();
        }
    }

    fn publish_status(&self) {
        let longest = self.options.recent.as_secs_f64();
        let recent = self.recent.as_ref().map(Capture::length);
        let mut status = RecordingStatus::default();
        status.running = self.capture.as_ref().map(Capture::length);
        status.recent = recent.map(|length| RecordedLength {
            seconds: length.seconds.min(longest),
            ..length
        });
        self.remote.set_status(status);
    }

    /// Runs work on a new thread, because it waits for a file.
    fn complete_with(&mut self, work: impl FnOnce() + Send + 'static) {
        self.publish_status();
        self.completing.retain(|thread| !thread.is_finished());
        // If no thread can be started, the capture is dropped here, which completes it while this
        // thread waits.
        self.completing.extend(Thread::start(work));
    }
}

impl Drop for Recordings {
    fn drop(&mut self) {
        let _memory = own_memory("stats-capture");
        self.stop();
        // Dropping it completes the requested saves.
        drop(self.recent.take());
        for thread in self.completing.drain(..) {
            thread.join();
        }
        while let Some(result) = self.remote.poll_saved() {
            if let Err(error) = result {
                eprintln!("stats-capture: {error}");
            }
        }
    }
}
