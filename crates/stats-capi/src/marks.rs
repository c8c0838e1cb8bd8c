//! Marks that wait for the end of a frame.

use std::sync::{Mutex, PoisonError};

use stats_core::MarkEvent;

use crate::StatsStatus;

/// The maximum number of marks that can wait.
const MAX_WAITING: usize = 1024;

static WAITING: Mutex<Vec<(String, MarkEvent)>> = Mutex::new(Vec::new());

/// What happens to a mark in the current frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatsMarkEvent {
    /// Something happened in this frame.
    Point = 0,
    /// A span begins with this frame.
    Begin = 1,
    /// The open span of that name ends with this frame.
    End = 2,
}

/// Adds a mark. `event` comes from C, so it may be any number.
pub(crate) fn add(name: &str, event: u32) -> Result<(), StatsStatus> {
    let event = match event {
        0 => MarkEvent::Point,
        1 => MarkEvent::Begin,
        2 => MarkEvent::End,
        _ => return Err(StatsStatus::InvalidValue),
    };
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    if waiting.len() == MAX_WAITING {
        return Err(StatsStatus::LimitReached);
    }
    waiting.push((name.to_owned(), event));
    Ok(())
}

/// Calls `mark` with the marks that C code and plugins have made since the last call, oldest first.
/// A host in Rust calls it before it ends a frame, and passes them on:
///
/// ```
/// let mut recorder = stats_core::Recorder::new();
/// stats_capi::take_marks(|name, event| recorder.mark(name, event));
/// recorder.end_frame();
/// ```
///
/// 1,024 marks can wait; further ones are refused. Takes a lock, and allocates nothing if there are
/// no marks.
pub fn take_marks(mut mark: impl FnMut(&str, MarkEvent)) {
    let waiting = std::mem::take(&mut *WAITING.lock().unwrap_or_else(PoisonError::into_inner));
    for (name, event) in &waiting {
        mark(name, *event);
    }
}
