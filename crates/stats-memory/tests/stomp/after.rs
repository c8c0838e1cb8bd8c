//! Accesses that run into a guard after an allocation.

use crate::acts::{MADE, TAG, by_culprit, layout, made, read, write};
use crate::child::Case;
use crate::child::End::{Abort, Fault};
use crate::sides::{corrupt_and_free, print_address, zeroed};

pub(crate) const ALL: &[Case] = &[
    (
        "write overrun",
        || write(print_address(made(100, 1)), 100),
        Fault(&[
            "overrun: write to 0x",
            ", 0 bytes after an allocation of 100 bytes at 0x",
            "aligned to 1\n",
            MADE,
            TAG,
            "accessed by thread main (",
            ") in group ungrouped, no scope\n",
        ]),
    ),
    (
        "read overrun",
        || read(print_address(made(64, 64)), 70),
        Fault(&[
            "overrun: read of 0x",
            ", 6 bytes after an allocation of 64 bytes",
            "aligned to 64",
        ]),
    ),
    (
        "overrun of 1 byte",
        || write(made(1, 1), 1),
        Fault(&[", 0 bytes after an allocation of 1 byte"]),
    ),
    (
        "overrun of page - 1",
        || write(made(4095, 1), 4095),
        Fault(&[", 0 bytes after an allocation of 4095 bytes"]),
    ),
    (
        "overrun of a page",
        || write(made(4096, 4096), 4096),
        Fault(&[
            ", 0 bytes after an allocation of 4096 bytes",
            "aligned to 4096",
        ]),
    ),
    (
        "overrun of page + 1",
        || write(made(4097, 1), 4097),
        Fault(&[", 0 bytes after an allocation of 4097 bytes"]),
    ),
    (
        "overrun of 16 pages",
        || write(made(65_536, 8192), 65_536),
        Fault(&["overrun", "65536 bytes", "aligned to 8192"]),
    ),
    (
        "overrun of 2 MiB",
        || write(made(1 << 21, 1 << 21), 1 << 21),
        Fault(&["overrun", "2097152 bytes", "aligned to 2097152"]),
    ),
    (
        "underrun of a page",
        || write(made(4096, 8), -1),
        Fault(&[
            "underrun: write to",
            ", 1 byte before an allocation of 4096 bytes",
        ]),
    ),
    (
        "overrun by another thread",
        || {
            let to = made(24, 8).expose_provenance();
            by_culprit(move || write(std::ptr::with_exposed_provenance_mut(to), 24));
        },
        Fault(&[
            "overrun",
            TAG,
            "accessed by thread culprit (",
            ") in group ungrouped, scope crime\n",
        ]),
    ),
    (
        "slack after",
        || corrupt_and_free(print_address(made(100, 64)), 100, 64, 103),
        Abort(&[
            "overrun found at free: write to 0x",
            ", 3 bytes after an allocation of 100 ",
            TAG,
        ]),
    ),
    (
        "slack after of 2 MiB",
        || corrupt_and_free(made(100, 1 << 21), 100, 1 << 21, 4095),
        Abort(&["overrun found at free", ", 3995 bytes after an"]),
    ),
    (
        "slack before",
        || corrupt_and_free(made(100, 4), 100, 4, -5),
        Abort(&[
            "underrun found at free: write to 0x",
            ", 5 bytes before an allocation of 100 ",
            TAG,
        ]),
    ),
    (
        "overrun of zeroed",
        || write(zeroed(), 16_384),
        Fault(&["overrun", "of 16384 bytes"]),
    ),
    (
        "realloc keeps the tag",
        grown,
        Fault(&[", 0 bytes after an allocation of 300 bytes", TAG]),
    ),
];

fn grown() {
    // SAFETY: allocated with this layout.
    let grown = unsafe { std::alloc::realloc(made(100, 1), layout(100, 1), 300) };
    write(grown, 300);
}
