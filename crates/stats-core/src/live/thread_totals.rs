//! Totals that a function of another crate reads at the end of a frame, and their differences.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::reentrancy::{OWNER, guarded};
use super::registry::{Meta, Spec, change_catalog};
use crate::ReadTotals;
use crate::{SeriesKind, Unit, own_memory};

static READ: OnceLock<ReadTotals> = OnceLock::new();

/// The number of series.
static SERIES: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn set_thread_totals(read: ReadTotals) {
    let _ = READ.set(read);
}

pub(crate) fn add_thread_total(path: &str, unit: Unit, description: &str) -> Option<usize> {
    let spec = Spec {
        meta: Meta {
            unit: Some(unit),
            budget: None,
            description: Some(description),
        },
        ..Spec::new(path, SeriesKind::Counter)
    };
    let number = guarded(|| change_catalog(|catalog| catalog.register_thread_total(spec)))??;
    // Relaxed: a recorder that reads the number later has an unknown value until then.
    SERIES.fetch_max(usize::from(number), Ordering::Relaxed);
    Some(usize::from(number) - 1)
}

/// The totals at the end of a recorder's newest frame, and their differences in this frame.
#[derive(Debug, Default)]
pub(crate) struct ThreadTotals {
    /// Whether a value was asked for since the last frame ended.
    is_wanted: AtomicBool,
    /// The thread that the totals are of; 0 if they are not known.
    thread: u64,
    totals: Vec<f64>,
    /// The totals before. Reused memory.
    before: Vec<f64>,
    values: Vec<f64>,
}

impl ThreadTotals {
    /// Returns the value of the newest frame by the number of its total, from 1; NaN if it is not
    /// known. Causes the totals to be read at the end of the next frame.
    pub(crate) fn value(&self, number: usize) -> f64 {
        // Relaxed: the thread that ends frames is the one that asks.
        self.is_wanted.store(true, Ordering::Relaxed);
        self.values.get(number - 1).copied().unwrap_or(f64::NAN)
    }

    /// Starts the frame now. Its values are unknown if they are wanted only later.
    pub(crate) fn restart_frame(&mut self) {
        if *self.is_wanted.get_mut() {
            self.read();
        } else {
            self.thread = 0;
        }
    }

    /// Ends a frame. Reads nothing unless a value was asked for since the frame before ended.
    /// Allocates only if there are new series.
    pub(crate) fn end_frame(&mut self) {
        if !std::mem::take(self.is_wanted.get_mut()) {
            self.thread = 0;
            self.values.fill(f64::NAN);
            return;
        }
        let before = self.thread;
        self.read();
        let is_known = before == self.thread && before != 0;
        for (at, value) in self.values.iter_mut().enumerate() {
            let passed = self.totals[at] - self.before[at];
            *value = match is_known && passed.is_finite() {
                true => passed.max(0.0),
                false => f64::NAN,
            };
        }
    }

    /// Reads the totals, and keeps the ones before.
    fn read(&mut self) {
        let Some(read) = READ.get() else {
            return;
        };
        // Relaxed: see `add_thread_total`.
        let series = SERIES.load(Ordering::Relaxed);
        if series > self.totals.len() {
            let _memory = own_memory(OWNER);
            for list in [&mut self.totals, &mut self.before, &mut self.values] {
                list.resize(series, f64::NAN);
            }
        }
        std::mem::swap(&mut self.totals, &mut self.before);
        self.totals.fill(f64::NAN);
        self.thread = read(&mut self.totals);
    }
}
