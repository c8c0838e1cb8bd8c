//! Dumps of 600,000 allocations each.

use std::fmt::Write as _;

const LINES: u64 = 600_000;

/// Returns a number that looks random and is the same in each run (SplitMix64).
fn random(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns a dump like that of a game: each stack of scopes in one group and mostly on one thread,
/// few names, mixed sizes.
pub(crate) fn alike() -> String {
    let mut dump = String::new();
    for line in 0..LINES {
        let bits = random(line + 1);
        let stack = bits % 4175;
        let thread = if bits >> 60 == 0 {
            (bits >> 16) % 18
        } else {
            stack % 18
        };
        let size = if (bits >> 24).is_multiple_of(3) {
            1 + (bits >> 32) % 4096
        } else {
            16 << ((bits >> 32) % 8)
        };
        let _ = write!(
            dump,
            "0x{:016x},worker-thread-{thread},group-{},{size},",
            line * 64,
            stack % 12
        );
        let _ = write!(
            dump,
            "Game/Frame|System-{}/Update|Stage-{}/Load|Entities/Kind-{stack},",
            stack % 20,
            stack % 300
        );
        if bits >> 63 == 0 {
            let _ = write!(dump, "component-{}", (bits >> 40) % 30);
        }
        dump.push('\n');
    }
    dump
}

/// Returns a dump in which each allocation has a different name.
pub(crate) fn distinct() -> String {
    let mut dump = String::new();
    for line in 0..LINES {
        let (address, size) = (line * 64, line % 5000 + 1);
        let _ = writeln!(
            dump,
            "0x{address:016x},main,rendering,{size},Game/Frame|Level/Load,texture-number-{line}.png"
        );
    }
    dump
}
