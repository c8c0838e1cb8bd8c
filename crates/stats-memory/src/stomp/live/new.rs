//! How what the threads share begins. Apart from it, since the models in `stats-loom` begin
//! otherwise.

use std::sync::atomic::{AtomicU32, AtomicUsize};

use super::lock::Lock;
use super::once::Once;
use super::slots::Slots;

impl Lock {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }
}

impl Once {
    pub(crate) const fn new() -> Self {
        Self {
            end: AtomicU32::new(0),
            lock: Lock::new(),
        }
    }
}

impl Slots {
    pub(crate) const fn new() -> Self {
        Self {
            next: AtomicUsize::new(0),
            hand: AtomicUsize::new(0),
            far_hand: AtomicUsize::new(0),
            lock: Lock::new(),
            missing: AtomicUsize::new(0),
            pause: AtomicUsize::new(0),
        }
    }
}
