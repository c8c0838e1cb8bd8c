//! Whether the program forgets to end its frames.

use crate::names::NameId;

/// So often the first name of a frame comes again before that is a sign, where no frame was ever
/// ended.
const NEVER: u32 = 120;

/// And where one was: as many passes as a frame can time may well have one name.
const NO_MORE: u32 = crate::queries::MOST_QUERIES / 2;

/// Counts how often the first pass or scope of the frame under way comes again, which is about once
/// a frame where frames are not ended.
#[derive(Debug, Default)]
pub(crate) struct Unended {
    first: Option<NameId>,
    again: u32,
    has_ended: bool,
    /// How many frames' worth of passes were not ended, for somebody to take.
    pub(crate) lost: u32,
}

impl Unended {
    /// A pass or scope of that name begins.
    pub(crate) fn begin(&mut self, name: NameId) {
        if *self.first.get_or_insert(name) != name {
            return;
        }
        // The very first is none that comes again.
        self.again = self.again.saturating_add(1);
        if self.again > self.limit() {
            self.lost += if self.again == self.limit() + 1 {
                self.again
            } else {
                1
            };
        }
    }

    /// Whether frames are not ended, by all signs.
    pub(crate) fn is_sure(&self) -> bool {
        self.again > self.limit()
    }

    /// The frame is ended.
    pub(crate) fn end(&mut self) {
        *self = Self {
            has_ended: true,
            ..Self::default()
        };
    }

    fn limit(&self) -> u32 {
        if self.has_ended { NO_MORE } else { NEVER }
    }
}
