//! Work that no frame waits for: on a thread of its own, or in place where there are none.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::Context;

/// The name of the threads, by which a tracking allocator tells what they hold.
pub(super) const THREAD_NAME: &str = "stats-overlay";

/// Work that is under way, and what comes of it. Dropped, it goes on, and nobody is told.
#[derive(Debug)]
pub struct Job<T>(Arc<Mutex<Option<Result<T, Panicked>>>>);

/// The work panicked, with this message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked(pub(super) String);

impl<T: Send + 'static> Job<T> {
    /// Begins the work. `ctx` is drawn again when it is done.
    ///
    /// Where no thread can be had (a browser, a system at its limits) the work is done before this
    /// returns.
    pub(super) fn start(ctx: Option<&Context>, work: impl FnOnce() -> T + Send + 'static) -> Self {
        let result = Arc::new(Mutex::new(None));
        let (out, ctx) = (Arc::clone(&result), ctx.cloned());
        let all = move || {
            let done = run(work);
            *lock(&out) = Some(done);
            if let Some(ctx) = ctx {
                ctx.request_repaint();
            }
        };
        // A thread that cannot be made takes what it was given with it: the work has to be
        // reachable from here, too.
        let all = Arc::new(Mutex::new(Some(all)));
        let there = Arc::clone(&all);
        let thread = std::thread::Builder::new().name(THREAD_NAME.to_owned());
        if thread.spawn(move || run_once(&there)).is_err() {
            run_once(&all);
        }
        Self(result)
    }

    /// Does the work before this returns.
    pub(super) fn in_place(work: impl FnOnce() -> T) -> Self {
        Self(Arc::new(Mutex::new(Some(run(work)))))
    }

    /// What came of it, once; `None` while it is under way.
    pub fn poll(&self) -> Option<Result<T, Panicked>> {
        lock(&self.0).take()
    }
}

/// Calls what is there, unless somebody did.
fn run_once(work: &Mutex<Option<impl FnOnce()>>) {
    let work = lock(work).take();
    if let Some(work) = work {
        work();
    }
}

/// Does the work. What it was given is lost where it panics, so nobody sees it half changed.
fn run<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panicked(message(payload.as_ref())))
}

/// What a panic said.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it panicked".to_owned())
}

/// No code that can panic runs under these locks; poisoned or not, what is in them is whole.
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
    fn work_is_done_on_a_thread_that_has_a_name() {
        let job = Job::start(None, || std::thread::current().name().map(str::to_owned));
        assert_eq!(wait(&job), Ok(Some(THREAD_NAME.to_owned())));
        assert_eq!(job.poll(), None, "told once");
    }

    #[test]
    fn a_panic_is_told_by_what_it_said() {
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
