//! Background jobs: work that no frame waits for, on a thread of its own, or at once if there are
//! no threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::Context;

/// The name of the threads, which identifies their memory in a dump.
pub const THREAD_NAME: &str = "stats-overlay";

/// Work in progress, and its result. Dropping it lets the work finish and discards the result.
#[derive(Debug)]
pub struct Job<T>(Arc<Mutex<Option<Result<T, Panicked>>>>);

/// The message of the panic that ended the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked(
    /// The message, or a note that there is none.
    pub String,
);

impl<T: Send + 'static> Job<T> {
    /// Starts the work, and requests a repaint of `ctx` when it is done.
    ///
    /// If no thread can be started (in a browser, or at a limit of the system), the work is done
    /// before this returns.
    pub fn start(ctx: Option<&Context>, work: impl FnOnce() -> T + Send + 'static) -> Self {
        let result = Arc::new(Mutex::new(None));
        let (out, ctx) = (Arc::clone(&result), ctx.cloned());
        let all = move || {
            let done = run(work);
            *lock(&out) = Some(done);
            if let Some(ctx) = ctx {
                ctx.request_repaint();
            }
        };
        // A failed spawn drops its closure, so the work must be reachable from here, too.
        let all = Arc::new(Mutex::new(Some(all)));
        let there = Arc::clone(&all);
        let thread = std::thread::Builder::new().name(THREAD_NAME.to_owned());
        if thread.spawn(move || run_once(&there)).is_err() {
            run_once(&all);
        }
        Self(result)
    }

    /// Does the work at once, before this returns.
    pub fn in_place(work: impl FnOnce() -> T) -> Self {
        Self(Arc::new(Mutex::new(Some(run(work)))))
    }

    /// Takes the result. Returns `None` while the work is in progress, and after the result was
    /// taken.
    pub fn poll(&self) -> Option<Result<T, Panicked>> {
        lock(&self.0).take()
    }
}

/// Calls the work, unless it has been called.
fn run_once(work: &Mutex<Option<impl FnOnce()>>) {
    let work = lock(work).take();
    if let Some(work) = work {
        work();
    }
}

/// Does the work. A panic drops everything that the work captured, so no code sees half-changed
/// state.
fn run<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panicked(message(payload.as_ref())))
}

/// Returns the message of a panic.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it has no message".to_owned())
}

/// Locks a mutex, poisoned or not. No code that can panic runs under the lock, so its contents are
/// complete.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait<T: Send + 'static>(job: &Job<T>) -> Result<T, Panicked> {
        loop {
            if let Some(done) = job.poll() {
                return done;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn work_is_done_on_a_named_thread() {
        let job = Job::start(None, || std::thread::current().name().map(str::to_owned));
        assert_eq!(wait(&job), Ok(Some(THREAD_NAME.to_owned())));
        assert_eq!(job.poll(), None, "taken once");
    }

    #[test]
    fn a_panic_is_reported_by_its_message() {
        assert_eq!(
            wait(&Job::<()>::start(None, || panic!("no {}", 7))),
            Err(Panicked("no 7".to_owned()))
        );
        assert_eq!(
            Job::<()>::in_place(|| panic!("here")).poll(),
            Some(Err(Panicked("here".to_owned())))
        );
        assert_eq!(Job::in_place(|| 3).poll(), Some(Ok(3)));
    }
}
