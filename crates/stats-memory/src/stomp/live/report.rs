//! Messages on the error stream, written without allocating, and only with async-signal-safe calls.
#![expect(
    unsafe_code,
    reason = "the text is in a static, so that it takes nothing of a signal handler's small stack"
)]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

use super::lock::Lock;
use super::system;
use super::thread_identity::ThreadIdentity;
use crate::live::{tags, thread_names};

/// The maximum number of bytes of a line. Longer lines are cut.
const MAX_LINE_BYTES: usize = 2048;

struct Buffer(UnsafeCell<[u8; MAX_LINE_BYTES]>);

// SAFETY: touched only by the holder of the lock.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer(UnsafeCell::new([0; MAX_LINE_BYTES]));

/// Locked while a message is written, so that two messages do not mix.
static WRITING: Lock = Lock::new();

/// How often a thread yields to another one's message before it gives up its own.
const PATIENCE: u32 = 1_000_000;

/// A message, line by line. Each line is written before the next one starts.
pub(super) struct Message {
    buffer: &'static mut [u8; MAX_LINE_BYTES],
    len: usize,
}

impl Message {
    /// Starts a message once no other thread writes one. Gives up with `None` if that takes too
    /// long.
    pub(super) fn begin() -> Option<Self> {
        for _ in 0..PATIENCE {
            if WRITING.try_lock() {
                // SAFETY: the lock is held.
                let buffer = unsafe { &mut *BUFFER.0.get() };
                let message = Self { buffer, len: 0 };
                return Some(message.text("stats-memory: "));
            }
            system::yield_now();
        }
        None
    }

    /// Adds a text. Control characters are replaced by question marks.
    pub(super) fn text(mut self, text: &str) -> Self {
        self.put(text);
        self
    }

    fn put(&mut self, text: &str) {
        for byte in text.bytes() {
            if let Some(place) = self.buffer.get_mut(self.len) {
                *place = if byte.is_ascii_control() { b'?' } else { byte };
                self.len += 1;
            }
        }
    }

    /// Adds a number in a base of up to 16.
    fn digits(self, mut number: usize, base: usize) -> Self {
        let mut digits = [0; usize::BITS as usize / 3 + 1];
        let mut from = digits.len();
        loop {
            from -= 1;
            digits[from] = b"0123456789abcdef"[number % base];
            number /= base;
            if number == 0 {
                break;
            }
        }
        self.text(str::from_utf8(&digits[from..]).unwrap_or_default())
    }

    /// Adds a decimal number.
    pub(super) fn number(self, number: usize) -> Self {
        self.digits(number, 10)
    }

    /// Adds a number of bytes.
    pub(super) fn bytes(self, number: usize) -> Self {
        let unit = if number == 1 { " byte" } else { " bytes" };
        self.number(number).text(unit)
    }

    /// Adds an address or a byte in hexadecimal.
    pub(super) fn hex(self, number: usize) -> Self {
        self.text("0x").digits(number, 16)
    }

    /// Adds a thread.
    pub(super) fn thread(self, who: ThreadIdentity) -> Self {
        let mut buffer = thread_names::buffer();
        let name = thread_names::name(u32::from(who.name), &mut buffer);
        self.text("thread ")
            .text(name)
            .text(" (")
            .number(who.id as usize)
            .text(")")
    }

    /// Adds the group, scopes and name of a tag.
    pub(super) fn tag(self, tag: u32) -> Self {
        let mut message = self.text("group ").text(tags::group_name(tags::group(tag)));
        let mut is_first = true;
        tags::for_each_scope(tag, &mut |scope| {
            message.put(if is_first { ", scope " } else { "|" });
            message.put(scope);
            is_first = false;
        });
        if is_first {
            message = message.text(", no scope");
        }
        match tags::name(tag) {
            "" => message,
            name => message.text(", name ").text(name),
        }
    }

    /// Writes the line and starts the next one.
    pub(super) fn line(mut self) -> Self {
        self.write();
        self
    }

    fn write(&mut self) {
        self.len = self.len.min(MAX_LINE_BYTES - 1);
        self.buffer[self.len] = b'\n';
        system::write_error(&self.buffer[..=self.len]);
        self.len = 0;
    }

    /// Writes the last line.
    pub(super) fn end(mut self) {
        self.write();
        WRITING.unlock();
    }
}

/// The reason why allocations are not guarded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    NoReservation,
    NoMore,
    NoAddresses,
    TooLarge,
}

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Self::NoReservation => "no address space could be reserved",
            Self::NoMore => "the system allows no more guards (on Linux see vm.max_map_count)",
            Self::NoAddresses => "no addresses are left in the reservation",
            Self::TooLarge => "an allocation is larger than the reservation",
        }
    }
}

/// Reports, once for each reason, that some allocations are not guarded.
#[cold]
pub(super) fn unguarded(reason: Reason, live: usize) {
    static IS_REPORTED: [AtomicBool; 4] = [const { AtomicBool::new(false) }; 4];
    // Relaxed: exactly one thread gets to report.
    if IS_REPORTED[reason as usize].swap(true, Ordering::Relaxed) {
        return;
    }
    if let Some(message) = Message::begin() {
        message
            .text("unguarded allocations: ")
            .text(reason.text())
            .text("; guarded and alive: ")
            .number(live)
            .end();
    }
}
