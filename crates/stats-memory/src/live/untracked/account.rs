//! Subtracts the tracked memory from the memory of the process, and names the rest.
//!
//! Anonymous memory is accounted for as a whole. The system does not report which allocator owns a
//! page, so the tracked bytes are subtracted from the sum. If the C library reports more bytes in
//! use than are tracked, the difference belongs to C libraries.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::mapping::Mapping;
use crate::{HeapUsage, Untracked};

/// The kind of untracked memory, as far as the system reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Files,
    Devices,
    Shared,
    Stacks,
    Code,
    Heap,
    Other,
}

impl Kind {
    /// Returns the name, in series and dumps.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Devices => "devices",
            Self::Shared => "shared",
            Self::Stacks => "stacks",
            Self::Code => "generated-code",
            Self::Heap => "c-heap",
            Self::Other => "other",
        }
    }
}

/// Untracked memory with one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
    /// The name of a file, a device or a thread; empty if the system reports none.
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) mappings: u64,
}

/// The memory that is accounted for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// The tracked live bytes, and the tracker's own memory.
    pub(super) tracked_bytes: u64,
    pub(super) allocations: u64,
    /// The memory that the inner allocator uses.
    pub(super) heap: Option<HeapUsage>,
}

/// The minimum number of bytes that an allocator adds to each allocation: glibc's header.
const ADDED: u64 = 8;

/// The names that allocators give to their anonymous memory: mimalloc, and those of Android.
const ALLOCATORS: [&str; 4] = [
    "[anon:mimalloc",
    "[anon:scudo",
    "[anon:libc_malloc",
    "[anon:GWP-ASan",
];

/// The stack of a thread: an address in it, and the thread's name.
pub(super) type Stack = (usize, String);

/// Accounts for all mappings. Returns the sums, and their parts.
///
/// `told` are the kinds that the mappings tell apart; others are in [`Kind::Other`].
///
/// All allocators have their blocks in anonymous memory, under a name if the allocator gives one.
/// The memory that is accounted for is subtracted from it as a whole, and at most all of it:
/// allocated memory that was never touched is not resident.
pub(super) fn account(
    mappings: &[Mapping],
    stacks: &[Stack],
    known: Known,
    told: &[Kind],
) -> (Untracked, Vec<Part>) {
    let mut sums: BTreeMap<(Kind, &str), (u64, u64)> = BTreeMap::new();
    for mapping in mappings.iter().filter(|mapping| mapping.resident_bytes > 0) {
        let (bytes, count) = sums.entry(classify(mapping, stacks)).or_default();
        *bytes = bytes.saturating_add(mapping.resident_bytes);
        *count += 1;
    }
    let slack_bytes = known
        .heap
        .and_then(|heap| Some(heap.free_bytes? + ADDED * known.allocations));
    let ours = known
        .tracked_bytes
        .saturating_add(slack_bytes.unwrap_or_default());
    let resident_bytes = sums.values().map(|(bytes, _)| bytes).sum();
    let mut ours_left = ours;
    let mut anonymous: Vec<_> = sums
        .iter_mut()
        .filter(|((kind, name), _)| *kind == Kind::Other && is_anonymous(name))
        .collect();
    anonymous.sort_by_key(|((_, name), (bytes, _))| (tracked_rank(name), Reverse(*bytes)));
    for (_, (bytes, _)) in anonymous {
        let of_ours = ours_left.min(*bytes);
        (*bytes, ours_left) = (*bytes - of_ours, ours_left - of_ours);
    }
    let rest = sums.get_mut(&(Kind::Other, ""));
    let heap = known.heap.zip(rest).map(|(heap, (rest, _))| {
        let ours = known.tracked_bytes + ADDED * known.allocations;
        let of_others = heap.used_bytes.saturating_sub(ours).min(*rest);
        *rest -= of_others;
        of_others
    });
    if let Some(heap) = heap {
        sums.insert((Kind::Heap, ""), (heap, 1));
    }
    let parts: Vec<Part> = sums
        .into_iter()
        .filter(|(_, (bytes, _))| *bytes > 0)
        .map(|((kind, name), (bytes, mappings))| Part {
            kind,
            name: name.to_owned(),
            bytes,
            mappings,
        })
        .collect();
    let sum = |kind| {
        let of_kind = parts.iter().filter(|part| part.kind == kind);
        of_kind.map(|part| part.bytes).sum()
    };
    let sum_if_told = |kind| told.contains(&kind).then(|| sum(kind));
    let untracked = Untracked {
        resident_bytes,
        slack_bytes,
        files_bytes: sum_if_told(Kind::Files),
        devices_bytes: sum_if_told(Kind::Devices),
        shared_bytes: sum_if_told(Kind::Shared),
        stacks_bytes: sum_if_told(Kind::Stacks),
        code_bytes: sum_if_told(Kind::Code),
        heap_bytes: known.heap.map(|_| sum(Kind::Heap)),
        other_bytes: sum(Kind::Other),
    };
    (untracked, parts)
}

fn is_anonymous(name: &str) -> bool {
    name.is_empty() || name.starts_with("[anon:")
}

/// Returns the rank in which anonymous memory counts as tracked: memory that an allocator named
/// first, then memory without a name, then the rest.
fn tracked_rank(name: &str) -> u8 {
    if ALLOCATORS.iter().any(|start| name.starts_with(start)) {
        0
    } else {
        1 + u8::from(!name.is_empty())
    }
}

/// Returns the kind of a mapping, and its name.
fn classify<'a>(mapping: &'a Mapping, stacks: &'a [Stack]) -> (Kind, &'a str) {
    let name = mapping.name.as_str();
    let stack = stacks
        .iter()
        .find(|(address, _)| mapping.addresses.contains(address));
    if name == "[stack]" {
        return (Kind::Stacks, "main");
    }
    if let (Some((_, thread)), true) = (stack, is_anonymous(name)) {
        return (Kind::Stacks, thread);
    }
    if name.starts_with("[anon:stack_and_tls") {
        return (Kind::Stacks, "");
    }
    let file = name.strip_suffix(" (deleted)").unwrap_or(name);
    let last = file.rsplit('/').next().unwrap_or(file);
    let is_shared = ["/memfd:", "/dev/shm/", "/SYSV", "/dmabuf", "anon_inode:"]
        .iter()
        .any(|start| file.starts_with(start));
    match file {
        _ if is_shared => (Kind::Shared, last),
        "/dev/zero" => (Kind::Shared, ""),
        _ if file.starts_with("/dev/") => (Kind::Devices, file),
        _ if file.starts_with('/') => (Kind::Files, last),
        "" if mapping.is_shared => (Kind::Shared, ""),
        "" | "[heap]" if mapping.is_executable => (Kind::Code, ""),
        "" | "[heap]" => (Kind::Other, ""),
        // Names that programs give to their anonymous memory, and the kernel to its own.
        named => (Kind::Other, named),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const ALL: &[Kind] = &[
        Kind::Files,
        Kind::Devices,
        Kind::Shared,
        Kind::Stacks,
        Kind::Code,
    ];

    /// A system that tells the memory of the process as a whole, and that of the C library.
    #[test]
    fn what_a_system_does_not_tell_is_unknown_and_not_zero() {
        let all = Mapping {
            resident_bytes: 100 << 20,
            ..Mapping::default()
        };
        let heap = HeapUsage {
            used_bytes: 50 << 20,
            free_bytes: None,
        };
        let mut known = Known {
            tracked_bytes: 30 << 20,
            allocations: 0,
            heap: Some(heap),
        };
        let (untracked, parts) = account(std::slice::from_ref(&all), &[], known, &[]);
        let expected = Untracked {
            resident_bytes: 100 << 20,
            heap_bytes: Some(20 << 20),
            other_bytes: 50 << 20,
            ..Untracked::default()
        };
        assert_eq!(untracked, expected);
        assert_eq!(untracked.slack_bytes, None);
        let names: Vec<_> = parts.iter().map(|part| part.kind.name()).collect();
        assert_eq!(names, ["c-heap", "other"]);
        // Without the C library, all is one part.
        known.heap = None;
        let (untracked, _) = account(&[all], &[], known, &[]);
        assert_eq!(
            (untracked.heap_bytes, untracked.other_bytes),
            (None, 70 << 20)
        );
        // A part is 0 if the system reports such parts and there is none.
        let (untracked, _) = account(&[], &[], known, &[Kind::Files]);
        assert_eq!(
            (untracked.files_bytes, untracked.stacks_bytes),
            (Some(0), None)
        );
    }

    fn mapping(start: usize, name: &str, permissions: &str, kib: u64) -> Mapping {
        Mapping {
            addresses: start..start + 0x1000,
            is_executable: permissions.contains('x'),
            is_shared: permissions.contains('s'),
            name: name.to_owned(),
            resident_bytes: kib << 10,
        }
    }

    #[test]
    fn mappings_are_named_as_far_as_the_system_tells() {
        let stacks = [(0x5010, "worker".to_owned())];
        let kinds = [
            ("/usr/lib/libLLVM.so.15", "x", Kind::Files, "libLLVM.so.15"),
            ("/home/game (deleted)", "", Kind::Files, "game"),
            (
                "/dev/dri/renderD128",
                "s",
                Kind::Devices,
                "/dev/dri/renderD128",
            ),
            ("/memfd:swr", "s", Kind::Shared, "memfd:swr"),
            ("", "s", Kind::Shared, ""),
            ("", "", Kind::Stacks, "worker"),
            ("", "x", Kind::Code, ""),
            ("[heap]", "", Kind::Other, ""),
            ("[anon:cache]", "", Kind::Other, "[anon:cache]"),
            ("[stack]", "", Kind::Stacks, "main"),
            ("[anon:stack_and_tls:77]", "", Kind::Stacks, ""),
        ];
        for (at, (name, permissions, kind, short)) in kinds.into_iter().enumerate() {
            let mapping = mapping(at << 12, name, permissions, 4);
            assert_eq!(classify(&mapping, &stacks), (kind, short), "{mapping:?}");
        }
    }

    /// Whatever is tracked, each resident byte is in exactly one part, or is known.
    #[test]
    fn parts_and_known_memory_add_up_to_resident_memory() {
        let mut random = Random::new(11);
        for _ in 0..2_000 {
            let names = [
                "/a",
                "/b",
                "/dev/c",
                "",
                "[heap]",
                "[stack]",
                "/memfd:d",
                "[anon:cache]",
                "[anon:mimalloc]",
            ];
            let mappings: Vec<Mapping> = (0..random.index(12))
                .map(|at| {
                    let permissions = ["", "x", "s"][random.index(3)];
                    let name = names[random.index(names.len())];
                    mapping(at << 12, name, permissions, random.below(500))
                })
                .collect();
            let known = Known {
                tracked_bytes: random.below(1 << 20),
                allocations: random.below(1000),
                heap: (random.index(2) == 0).then(|| HeapUsage {
                    used_bytes: random.below(1 << 20),
                    free_bytes: (random.index(4) > 0).then(|| random.below(1 << 18)),
                }),
            };
            let (untracked, parts) = account(&mappings, &[], known, ALL);
            let resident: u64 = mappings.iter().map(|mapping| mapping.resident_bytes).sum();
            let anonymous: u64 = mappings
                .iter()
                .filter(|mapping| classify(mapping, &[]).0 == Kind::Other)
                .map(|mapping| mapping.resident_bytes)
                .sum();
            let slack = untracked.slack_bytes.unwrap_or_default();
            let ours = (known.tracked_bytes + slack).min(anonymous);
            assert_eq!(untracked.resident_bytes, resident);
            assert_eq!(
                untracked.bytes() + ours,
                resident,
                "{untracked:?} {known:?}"
            );
            assert_eq!(
                untracked.bytes(),
                parts.iter().map(|part| part.bytes).sum::<u64>()
            );
            assert_eq!(known.heap.is_some(), untracked.heap_bytes.is_some());
        }
    }

    #[test]
    fn the_memory_of_an_allocator_that_names_it_is_tracked() {
        let mappings = [
            mapping(0x1000, "[anon:mimalloc]", "", 500),
            mapping(0x3000, "", "", 30),
            mapping(0x5000, "[anon:cache]", "", 10),
        ];
        let known = Known {
            tracked_bytes: 480 << 10,
            ..Known::default()
        };
        let (untracked, parts) = account(&mappings, &[], known, ALL);
        assert_eq!(untracked.bytes(), 60 << 10);
        let of = |name: &str| parts.iter().find(|part| part.name == name).unwrap().bytes;
        assert_eq!(of("[anon:mimalloc]"), 20 << 10);
        assert_eq!((of(""), of("[anon:cache]")), (30 << 10, 10 << 10));
    }
}
