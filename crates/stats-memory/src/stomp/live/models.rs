//! Models of the lock, and of the action that runs once.
#![expect(
    unsafe_code,
    reason = "checks that one thread at a time touches a page"
)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

use super::lock::Lock;
use super::once::Once;
use super::system;
use crate::sync::{check, relaxed};

/// Data that only one thread at a time may touch, which loom checks.
pub(super) struct Pages<T> {
    pub(super) shared: T,
    cells: Vec<UnsafeCell<u32>>,
}

// SAFETY: the cells are touched only through `touch` and `times`; loom reports two threads that do
// so at once.
unsafe impl<T: Sync> Sync for Pages<T> {}

impl<T> Pages<T> {
    pub(super) fn new(shared: T, cells: usize) -> Self {
        Self {
            shared,
            cells: (0..cells).map(|_| UnsafeCell::new(0)).collect(),
        }
    }

    pub(super) fn touch(&self, cell: usize) {
        // SAFETY: see above.
        self.cells[cell].with_mut(|times| unsafe { *times += 1 });
    }

    pub(super) fn times(&self, cell: usize) -> u32 {
        // SAFETY: see above.
        self.cells[cell].with(|times| unsafe { *times })
    }
}

/// Two threads want the same lock, one of them twice.
#[test]
fn a_lock_has_one_holder_at_a_time() {
    check(3, || {
        let pages = Arc::new(Pages::new(Lock::new(), 1));
        let under_lock = |pages: &Pages<Lock>| {
            while !pages.shared.try_lock() {
                system::yield_now();
            }
            pages.touch(0);
            pages.shared.unlock();
        };
        let other = {
            let pages = Arc::clone(&pages);
            thread::spawn(move || under_lock(&pages))
        };
        under_lock(&pages);
        under_lock(&pages);
        other.join().unwrap();
        assert_eq!(pages.times(0), 3, "lost");
    });
}

#[test]
#[should_panic(expected = "ausality violation")]
fn control_the_holder_of_a_lock() {
    relaxed(a_lock_has_one_holder_at_a_time);
}

/// Two threads run the same action, which succeeds or fails, while a third one only checks whether
/// it is done.
#[test]
fn an_action_that_ran_once_is_done_for_all_threads() {
    for is_good in [true, false] {
        check(2, move || {
            let pages = Arc::new(Pages::new(Once::new(), 1));
            let need = move |pages: &Pages<Once>| {
                let is_made = pages.shared.get_or(|| {
                    pages.touch(0);
                    is_good
                });
                assert_eq!((is_made, pages.times(0)), (is_good, 1), "not once");
            };
            let other = {
                let pages = Arc::clone(&pages);
                thread::spawn(move || need(&pages))
            };
            let looks = {
                let pages = Arc::clone(&pages);
                thread::spawn(move || {
                    if pages.shared.is_done() {
                        assert_eq!((is_good, pages.times(0)), (true, 1), "not once");
                    }
                })
            };
            need(&pages);
            other.join().unwrap();
            looks.join().unwrap();
        });
    }
}

#[test]
#[should_panic(expected = "ausality violation")]
fn control_an_action_that_runs_once() {
    relaxed(an_action_that_ran_once_is_done_for_all_threads);
}
