//! Completes recordings when the program panics.
//!
//! While this is on, a capture leaves its newest frames in a slot where a panic finds them. Only the thread
//! of the game and a panic lock the slot, each for the time of a move. A panic sends the frames to the
//! writer thread, and waits until that thread has completed the file.

use std::any::Any;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, Once, PoisonError, TryLockError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use stats_core::OwnProcess;
use stats_core::limits::MAX_MARK_NAME;

use crate::blocks::Slot;
use crate::thread::NAME;

/// The time that a panic waits for the files.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How often, and in which steps, a panic waits for the list of captures.
const WAITS: u32 = 50;
const WAIT: Duration = Duration::from_millis(2);

static IS_ON: AtomicBool = AtomicBool::new(false);

/// The captures of this process that may still run.
static SLOTS: Mutex<Vec<OwnProcess<Weak<Slot>>>> = Mutex::new(Vec::new());

/// Makes a panic on any thread complete the recordings of this process. Call it once, at the start of
/// the program; further calls do nothing.
///
/// A panic then completes each [`Capture`](crate::Capture), with all frames that have ended. Its last
/// mark is a point such as `panic: index out of bounds (thread main, src/ai.rs:12)`. If
/// [`Recordings`](crate::Recordings) keep the last frames, they are saved as `panic-TIME.parquet` in
/// their folder, with the same mark. The panic goes on as soon as the files are complete, or after 30
/// seconds: to the hook that was set before, such as one that prints the message, and then to unwinding
/// or to the end of the program. A hook that ends the program must be set before this call.
///
/// A program that goes on after a panic, for example because a worker panicked, begins a new recording
/// if it wants one: the completed ones take no more frames. The last frames in memory are kept as
/// before: a program saves them at up to 8 panics, so that caught panics do not fill the disk. A
/// series that was registered less than half a second before a panic may be missing. A
/// program that is killed leaves a journal; see [`recover`](crate::recover()).
///
/// At a [freeze](stats_core::FreezeWatch), if somebody watches, the last frames in memory are saved as
/// `freeze-TIME.parquet`, up to half a second before the frame that does not end, at up to 8 freezes.
/// They are kept as before, and recordings go on.
///
/// While this is on, a frame takes about 50 ns longer for each recording.
///
/// ```no_run
/// stats_capture::save_on_panic();
/// let capture = stats_capture::from_env()?;
/// # Ok::<(), stats_capture::CaptureError>(())
/// ```
pub fn save_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Relaxed: a capture that does not see it yet keeps its newest frames for itself.
        IS_ON.store(true, Ordering::Relaxed);
        let next = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // The panic of a writer thread cannot wait for that thread.
            if thread::current().name() != Some(NAME) {
                complete(&name_of(info));
            }
            next(info);
        }));
    });
}

/// Returns whether captures leave their newest frames in their slots.
pub(crate) fn are_saved() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Adds the slot of a capture.
pub(crate) fn watch(slot: &Arc<Slot>) {
    let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    slots.retain(|slot| slot.strong_count() > 0);
    slots.push(OwnProcess::new(Arc::downgrade(slot)));
}

/// Completes all captures, and waits for their files.
fn complete(name: &str) {
    let (done, waiting) = channel();
    for slot in slots() {
        slot.end_with(name, &done);
    }
    drop(done);
    let begun = Instant::now();
    // A writer thread drops its end when its file is complete.
    while let Some(left) = LONGEST_WAIT.checked_sub(begun.elapsed()) {
        if let Err(RecvTimeoutError::Disconnected) = waiting.recv_timeout(left) {
            return;
        }
    }
}

/// Returns the slots of all captures of this process. Waits for another thread that panics or begins a
/// capture, but not forever, because a panic while the list is locked would wait for itself.
pub(crate) fn slots() -> Vec<Arc<Slot>> {
    for _ in 0..WAITS {
        let slots = match SLOTS.try_lock() {
            Ok(slots) => slots,
            Err(TryLockError::Poisoned(slots)) => slots.into_inner(),
            Err(TryLockError::WouldBlock) => {
                thread::sleep(WAIT);
                continue;
            }
        };
        let own = slots.iter().filter(|slot| !slot.is_elsewhere());
        return own.filter_map(|slot| slot.upgrade()).collect();
    }
    Vec::new()
}

/// Returns the name of the mark of a panic, with at most [`MAX_MARK_NAME`] characters: a long message
/// is cut, so that the place stays.
fn name_of(info: &PanicHookInfo<'_>) -> String {
    let message = message_of(info.payload()).unwrap_or("a value that is no text");
    let words: Vec<&str> = message.split_whitespace().collect();
    let current = thread::current();
    let thread = current.name().unwrap_or("without a name");
    let place = match info.location() {
        Some(place) => format!(" (thread {thread}, {}:{})", place.file(), place.line()),
        None => format!(" (thread {thread})"),
    };
    let mut name = format!("panic: {}", words.join(" "));
    cut(
        &mut name,
        MAX_MARK_NAME.saturating_sub(place.chars().count()),
    );
    name.push_str(&place);
    cut(&mut name, MAX_MARK_NAME);
    name
}

/// Cuts a text after some characters.
fn cut(text: &mut String, chars: usize) {
    if let Some((at, _)) = text.char_indices().nth(chars) {
        text.truncate(at);
    }
}

fn message_of(payload: &dyn Any) -> Option<&str> {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}
