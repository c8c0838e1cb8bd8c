//! What a thread writes about a scope: three words.
//!
//! ```text
//!         63             32 31     30 29  28 27   20 19    0
//! word 0  |     serial      | is ns  |  kind | depth |  slot |
//! word 1  | when it began; of a moved scope, its token       |
//! word 2  | when it ended                                    |
//! ```

use crate::live::clock::Stamp;
use crate::live::scopes::Token;
use crate::live::span_queue::Record;

const DEPTH_SHIFT: u32 = 20;
const KIND_SHIFT: u32 = 28;
const IS_NS_SHIFT: u32 = 30;
const SERIAL_SHIFT: u32 = 32;

const BEGIN: u64 = 0;
const END: u64 = 1;
const MOVED: u64 = 2;

/// A record, read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    Begin(Scope, Stamp),
    End(Scope, Stamp, Stamp),
    /// A scope of the stack with this number ended on another thread.
    Moved {
        stack: u64,
        serial: u32,
    },
}

/// Which scope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scope {
    pub(super) slot: u32,
    pub(super) depth: u32,
    /// See [`Token::serial`].
    pub(super) serial: u32,
}

pub(super) fn begin(slot: u32, depth: u32, token: Token, begin: Stamp) -> Record {
    [head(slot, depth, token, BEGIN, begin), begin.word, 0]
}

/// `begin` and `end` have the same unit.
pub(super) fn end(slot: u32, depth: u32, token: Token, begin: Stamp, end: Stamp) -> Record {
    [head(slot, depth, token, END, end), begin.word, end.word]
}

pub(super) fn moved(token: Token) -> Record {
    let head = head(0, 0, token, MOVED, Stamp::ticks(0));
    [head, token.stack(), 0]
}

fn head(slot: u32, depth: u32, token: Token, kind: u64, stamp: Stamp) -> u64 {
    u64::from(slot)
        | u64::from(depth.min(255)) << DEPTH_SHIFT
        | kind << KIND_SHIFT
        | u64::from(stamp.is_ns) << IS_NS_SHIFT
        | u64::from(token.serial()) << SERIAL_SHIFT
}

pub(super) fn read([head, begin, end]: Record) -> Event {
    let scope = Scope {
        slot: (head & ((1 << DEPTH_SHIFT) - 1)) as u32,
        depth: (head >> DEPTH_SHIFT & 0xff) as u32,
        serial: (head >> SERIAL_SHIFT) as u32,
    };
    let stamp = |word| Stamp {
        word,
        is_ns: head >> IS_NS_SHIFT & 1 == 1,
    };
    match head >> KIND_SHIFT & 3 {
        BEGIN => Event::Begin(scope, stamp(begin)),
        END => Event::End(scope, stamp(begin), stamp(end)),
        _ => Event::Moved {
            stack: begin,
            serial: scope.serial,
        },
    }
}
