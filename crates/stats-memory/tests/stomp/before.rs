//! Accesses that run into a guard before an allocation.

use crate::acts::{MADE, TAG, made, read, write};
use crate::child::Case;
use crate::child::End::{Abort, Fault};
use crate::sides::{corrupt_and_free, print_address, zeroed};

pub(crate) const ALL: &[Case] = &[
    (
        "write underrun",
        || write(print_address(made(100, 1)), -1),
        Fault(&[
            "underrun: write to 0x",
            ", 1 byte before an allocation of 100 bytes at 0x",
            MADE,
            TAG,
            "accessed by thread main (",
        ]),
    ),
    (
        "read underrun",
        || read(print_address(made(64, 64)), -8),
        Fault(&[
            "underrun: read of 0x",
            ", 8 bytes before an allocation of 64 bytes",
            "aligned to 64",
        ]),
    ),
    (
        "underrun of 1 byte",
        || write(made(1, 1), -1),
        Fault(&[", 1 byte before an allocation of 1 byte"]),
    ),
    (
        "underrun of page + 1",
        || write(made(4097, 1), -4096),
        Fault(&[", 4096 bytes before an allocation of 4097 bytes"]),
    ),
    (
        "underrun of a page",
        || write(made(4096, 4096), -1),
        Fault(&[", 1 byte before an allocation of 4096 bytes"]),
    ),
    (
        "underrun of 16 pages",
        || write(made(65_536, 8192), -1),
        Fault(&["underrun", "65536 bytes", "aligned to 8192"]),
    ),
    (
        "underrun of 2 MiB",
        || write(made(1 << 21, 1 << 21), -1),
        Fault(&["underrun", "2097152 bytes", "aligned to 2097152"]),
    ),
    (
        "slack after",
        || corrupt_and_free(print_address(made(100, 1)), 100, 1, 100),
        Abort(&[
            "overrun found at free: write to 0x",
            ", 0 bytes after an allocation of 100 ",
            TAG,
        ]),
    ),
    (
        "far slack after",
        || corrupt_and_free(made(4097, 1), 4097, 1, 8191),
        Abort(&["overrun found at free", ", 4094 bytes after an"]),
    ),
    (
        "underrun of zeroed",
        || write(zeroed(), -1),
        Fault(&["underrun", "of 16384 bytes"]),
    ),
];
