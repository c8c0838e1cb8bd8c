//! The names of threads, by number. Threads with the same name share a number.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::thread;

use super::own::Slot;

/// The number of bytes of a name that are kept.
const MAX_NAME: usize = 48;

/// The number of names that are distinguished. Threads with further names count as unnamed.
const MAX_NAMES: usize = 4096;

/// The name of a thread. Written before any other thread can see it.
#[derive(Debug)]
pub(super) struct Name {
    len: AtomicUsize,
    bytes: [AtomicU8; MAX_NAME],
}

/// The name of each number; number 0 means no name. A place is filled once, and the first empty one
/// ends the list.
static NAMES: [Slot<Name>; MAX_NAMES] = [const { Slot::new() }; MAX_NAMES];

impl Name {
    // Relaxed, all of these and in `name`: written before the name was put into its slot, from
    // which readers get it by Acquire.
    fn set(&self, name: &[u8]) {
        self.bytes
            .iter()
            .zip(name)
            .for_each(|(to, from)| to.store(*from, Ordering::Relaxed));
        self.len.store(name.len(), Ordering::Relaxed);
    }

    fn is(&self, name: &[u8]) -> bool {
        self.len.load(Ordering::Relaxed) == name.len()
            && self
                .bytes
                .iter()
                .zip(name)
                .all(|(a, b)| a.load(Ordering::Relaxed) == *b)
    }
}

/// Returns the number of this thread's name; 0 if it has none.
pub(crate) fn number_of_this() -> u32 {
    // A global allocator may call this since Rust 1.93.
    let thread = thread::current();
    thread
        .name()
        .map_or(0, |name| number_of(cut(name).as_bytes()))
}

/// Returns the part of a name that is kept.
fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME)]
}

fn number_of(name: &[u8]) -> u32 {
    for (number, slot) in NAMES.iter().enumerate().skip(1) {
        // If another thread was faster, the place has that thread's name, which may differ.
        match slot
            .get()
            .or_else(|| slot.get_or_make(|made| made.set(name)))
        {
            Some(found) if found.is(name) => return number as u32,
            Some(_) => {}
            None => return 0,
        }
    }
    0
}

/// Returns the name with a number, written into `buffer`.
pub(crate) fn name(number: u32, buffer: &mut [u8; MAX_NAME]) -> &str {
    let Some(name) = NAMES.get(number as usize).and_then(Slot::get) else {
        return "unnamed";
    };
    buffer
        .iter_mut()
        .zip(&name.bytes)
        .for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
    std::str::from_utf8(&buffer[..name.len.load(Ordering::Relaxed).min(MAX_NAME)])
        .unwrap_or("unnamed")
}

pub(crate) const fn buffer() -> [u8; MAX_NAME] {
    [0; MAX_NAME]
}
