//! What the hub asks the game to do.

use crate::wire::to_game::Want;
use crate::words::{WordReader, WordWriter};

/// The number of words of a command.
pub(crate) const WORDS: usize = 3;

/// A request to the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    Watch {
        series: u32,
        is_deferred: bool,
    },
    Unwatch {
        series: u32,
    },
    Peek {
        series: u32,
    },
    Unpeek {
        series: u32,
    },
    /// Copies the values of past frames, for one viewer.
    Want {
        viewer: u32,
        want: Want,
    },
    /// Drops the requests of a viewer that has left.
    Forget {
        viewer: u32,
    },
}

impl Command {
    /// Writes the command; false if there is no room.
    pub(crate) fn write(self, out: &mut WordWriter) -> bool {
        if !out.has_room(WORDS) {
            return false;
        }
        let (kind, series, from, to) = match self {
            Self::Watch {
                series,
                is_deferred,
            } => (0, series, is_deferred.into(), 0),
            Self::Unwatch { series } => (1, series, 0, 0),
            Self::Peek { series } => (2, series, 0, 0),
            Self::Unpeek { series } => (3, series, 0, 0),
            Self::Forget { viewer } => (4, viewer, 0, 0),
            Self::Want { viewer, want } => (5 + u64::from(viewer), want.series, want.from, want.to),
        };
        out.put(kind << 32 | u64::from(series));
        out.put(from);
        out.put(to);
        out.end_record();
        true
    }

    /// Reads a command; `None` if there is none.
    pub(crate) fn read(words: &mut WordReader) -> Option<Self> {
        if words.len() < WORDS {
            return None;
        }
        let [head, from, to] = std::array::from_fn(|_| words.take());
        words.give_back();
        let series = head as u32;
        Some(match head >> 32 {
            0 => Self::Watch {
                series,
                is_deferred: from != 0,
            },
            1 => Self::Unwatch { series },
            2 => Self::Peek { series },
            3 => Self::Unpeek { series },
            4 => Self::Forget { viewer: series },
            viewer => Self::Want {
                viewer: (viewer - 5) as u32,
                want: Want { series, from, to },
            },
        })
    }
}
