//! Explains a fault: finds the nearby allocation, and reports what happened to it.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::watch;
#[cfg(windows)]
pub(super) use windows::watch;

use std::alloc::Layout;

use super::report::Message;
use super::reservation::{self, Entry, Owner, Region, Span, State};
use super::thread;
use crate::live::tags;

/// Why a free is invalid.
#[derive(Clone, Copy, Debug)]
pub(super) enum Misuse {
    /// No allocation starts at the address.
    Unknown,
    DoubleFree,
    /// The memory was allocated with a layout other than this one.
    Layout(Layout),
    /// The address is that of an overwritten byte next to the allocation.
    Slack,
}

/// The position of an address relative to an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// This many bytes before its first byte.
    Before(usize),
    /// This many bytes after its first byte.
    Inside(usize),
    /// This many bytes after the end; 0 for the byte right after it.
    After(usize),
}

impl Place {
    fn of(address: usize, user: usize, size: usize) -> Self {
        match address.checked_sub(user) {
            None => Self::Before(user - address),
            Some(offset) if offset < size => Self::Inside(offset),
            Some(offset) => Self::After(offset - size),
        }
    }

    /// Returns how many bytes away it is.
    fn distance(self) -> usize {
        match self {
            Self::Before(bytes) => bytes,
            Self::Inside(_) => 0,
            Self::After(bytes) => bytes + 1,
        }
    }
}

/// More bytes than any guard has, for alignments up to a page.
const FAR: usize = 32 * 1024;

/// An allocation near an address.
#[derive(Clone, Copy, Debug)]
struct Near {
    entry: Entry,
    user: usize,
    place: Place,
    /// Whether the address is on a page that the program could use.
    is_on_page: bool,
}

impl Near {
    /// Returns `None` if nothing is known about the allocation.
    fn of(region: &Region, owner: Owner, address: usize) -> Option<Self> {
        let entry = owner.record.read();
        if matches!(entry.state, State::None | State::Forgotten) {
            return None;
        }
        let span: Span = region.span(Layout::from_size_align(entry.size, entry.align).ok()?)?;
        let start = region.address(owner.slot);
        let (user, first) = (span.user(start), span.first_page(start));
        let is_on_page = (first..first + span.open).contains(&address);
        Some(Self {
            entry,
            user,
            place: Place::of(address, user, entry.size),
            is_on_page,
        })
    }

    fn is_dead(&self) -> bool {
        self.entry.state != State::Live
    }

    /// Returns a number for comparison: the lower it is, the more likely this allocation was meant.
    /// Within the reach of a guard, a freed allocation is less likely than a live one.
    fn distance(&self) -> usize {
        self.place.distance() + if self.is_dead() { FAR } else { 0 }
    }

    /// Returns the allocation that was meant: the one whose page contains the address, or else the
    /// nearest.
    fn find(region: &Region, address: usize) -> Option<Self> {
        let owner = region.owner(address)?;
        let own = Self::of(region, owner, address);
        if own.is_some_and(|own| own.is_on_page) {
            return own;
        }
        let before = owner
            .slot
            .checked_sub(1)
            .and_then(|slot| region.owner_of_slot(slot));
        let after = region.owner_of_slot(owner.slot + owner.record.state().1);
        let mut nearest = own;
        // A loop, because iterator chains take too much of the handler's small stack.
        for beside in [before, after] {
            let Some(near) = beside.and_then(|owner| Self::of(region, owner, address)) else {
                continue;
            };
            if nearest.is_none_or(|nearest| near.distance() < nearest.distance()) {
                nearest = Some(near);
            }
        }
        nearest
    }

    fn what(&self) -> &'static str {
        match self.place {
            _ if self.is_dead() && self.is_on_page => "use after free",
            Place::Before(_) => "underrun",
            Place::After(_) => "overrun",
            Place::Inside(_) => "access while it is being allocated",
        }
    }

    /// Writes, for example, "3 bytes after an allocation of 100 bytes at 0x…, aligned to 4".
    fn write(&self, message: Message) -> Message {
        let message = match self.place {
            Place::Before(bytes) => message.bytes(bytes).text(" before "),
            Place::Inside(offset) => message.text("byte ").number(offset).text(" of "),
            Place::After(bytes) => message.bytes(bytes).text(" after "),
        };
        let kind = if self.is_dead() {
            "a freed allocation of "
        } else {
            "an allocation of "
        };
        let message = message
            .text(kind)
            .bytes(self.entry.size)
            .text(" at ")
            .hex(self.user);
        message.text(", aligned to ").number(self.entry.align)
    }

    /// Writes which thread allocated it, and which one freed it.
    fn write_threads(&self, message: Message) -> Message {
        let message = message
            .text("  allocated by ")
            .thread(self.entry.allocated_by)
            .text(" in ")
            .tag(self.entry.tag)
            .line();
        if self.is_dead() {
            message
                .text("  freed by ")
                .thread(self.entry.freed_by)
                .line()
        } else {
            message
        }
    }
}

/// Reports a fault. Returns false if the address is in no reservation. For a signal handler.
fn explain(address: usize, is_write: Option<bool>) -> bool {
    let Some(region) = reservation::containing(address) else {
        return false;
    };
    let Some(message) = Message::begin() else {
        return true;
    };
    let access = match is_write {
        Some(false) => ": read of ",
        Some(true) => ": write to ",
        None => ": access to ",
    };
    let near = Near::find(region, address);
    let what = near.as_ref().map_or("access to guarded memory", Near::what);
    let message = message.text(what).text(access).hex(address).text(", ");
    let message = match near {
        Some(near) => near.write_threads(near.write(message).line()),
        None => message.text("where no allocation is known").line(),
    };
    finish(message, "  accessed by ");
    true
}

/// Writes the thread that caused it, and ends the message.
fn finish(message: Message, did: &str) {
    message
        .text(did)
        .thread(thread::this_in_handler())
        .text(" in ")
        .tag(tags::current())
        .end();
}

/// Reports an invalid free, and ends the process.
#[cold]
pub(super) fn die(region: &Region, owner: Option<Owner>, address: usize, misuse: Misuse) -> ! {
    if let Some(message) = Message::begin() {
        let near = owner.and_then(|owner| Near::of(region, owner, address));
        let message = match misuse {
            Misuse::Unknown => message.text("free of an address that was never allocated: "),
            Misuse::DoubleFree => message.text("double free: "),
            Misuse::Layout(layout) => {
                let message = message
                    .text("free with another layout, ")
                    .number(layout.size());
                message
                    .text(" bytes aligned to ")
                    .number(layout.align())
                    .text(": ")
            }
            Misuse::Slack => match near.map(|near| near.place) {
                Some(Place::Before(_)) => message.text("underrun found at free: write to "),
                _ => message.text("overrun found at free: write to "),
            },
        };
        let message = message.hex(address).text(", ");
        let message = match near {
            // It is only now being freed.
            Some(Near {
                entry, user, place, ..
            }) if !matches!(misuse, Misuse::DoubleFree | Misuse::Unknown) => {
                let alive = Near {
                    entry: Entry {
                        state: State::Live,
                        ..entry
                    },
                    user,
                    place,
                    is_on_page: true,
                };
                alive.write_threads(alive.write(message).line())
            }
            Some(near) => near.write_threads(near.write(message).line()),
            None => message.text("where no allocation is known").line(),
        };
        finish(message, "  freed by ");
    }
    std::process::abort()
}
