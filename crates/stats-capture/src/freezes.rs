//! Marks recordings with a frame that does not end, so that a program that is killed while it is
//! frozen leaves what was open.

use std::sync::Once;

use stats_core::{Freeze, on_freeze, own_memory};

use crate::panics::slots;

/// From now on, tells the captures of this process each freeze.
pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| on_freeze(tell));
}

/// Tells all captures a freeze. They cannot see it themselves, because the thread of the game is frozen.
fn tell(freeze: &Freeze) {
    let _memory = own_memory("stats-capture");
    let names = freeze.mark_names();
    for slot in slots() {
        slot.tell_freeze(&names);
    }
}
