//! Uses after a free, and invalid frees.

use std::alloc::alloc;

use crate::acts::{FREED, MADE, TAG, by_culprit, free, layout, made, read, write};
use crate::child::Case;
use crate::child::End::{Abort, Fault};

pub(crate) const ALL: &[Case] = &[
    (
        "read after free",
        after_free,
        Fault(&[
            "use after free: read of 0x",
            "byte 8 of a freed allocation of 100 ",
            MADE,
            TAG,
            FREED,
        ]),
    ),
    (
        "write after free by another thread",
        write_after_free,
        Fault(&[
            "use after free: write to 0x",
            "byte 99 of a freed",
            FREED,
            "accessed by thread culprit (",
            ") in group ungrouped, scope crime\n",
        ]),
    ),
    (
        "double free",
        double_free,
        Abort(&[
            "double free: 0x",
            "byte 0 of a freed allocation of 100 ",
            TAG,
            FREED,
        ]),
    ),
    (
        "free with another size",
        other_layout,
        Abort(&[
            "free with another layout, 99 bytes aligned to 1: 0x",
            "of 100 bytes at 0x",
            TAG,
        ]),
    ),
    (
        "free of the middle",
        free_of_middle,
        Abort(&[
            "free of an address that was never allocated: 0x",
            "byte 4 of an allocation of 100 ",
        ]),
    ),
    (
        "deep scopes",
        deep_scopes,
        Fault(&[
            "use after free",
            "scope 0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19\n",
        ]),
    ),
];

fn after_free() {
    let from = made(100, 4);
    free(from, 100, 4);
    read(from, 8);
}

fn write_after_free() {
    let to = made(100, 1);
    free(to, 100, 1);
    let to = to.expose_provenance();
    by_culprit(move || write(std::ptr::with_exposed_provenance_mut(to), 99));
}

fn double_free() {
    let pointer = made(100, 1);
    free(pointer, 100, 1);
    free(pointer, 100, 1);
}

fn other_layout() {
    free(made(100, 1), 99, 1);
}

fn free_of_middle() {
    free(made(100, 1).wrapping_add(4), 96, 1);
}

fn deep_scopes() {
    let mut tag = stats_memory::current_tag();
    (0..20).for_each(|depth| tag = tag.scope(&depth.to_string()));
    let _scope = tag.enter();
    // SAFETY: the size is not zero.
    let pointer = unsafe { alloc(layout(10, 1)) };
    free(pointer, 10, 1);
    read(pointer, 0);
}
