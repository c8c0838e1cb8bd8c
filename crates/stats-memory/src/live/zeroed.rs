//! The types that may start as zeroed memory.
#![expect(unsafe_code, reason = "vouches for zeroes as values of these types")]

use super::own::Zeroed;
use super::{counts, pool_cache, records, tags, thread_names};

// SAFETY: nothing but atomics, for which zeroes are valid (a null pointer, a number 0, `false`),
// and slots and texts built from them.
unsafe impl Zeroed for counts::Shard {}
// SAFETY: as above.
unsafe impl Zeroed for counts::Page {}
// SAFETY: as above.
unsafe impl Zeroed for records::Chunk {}
// SAFETY: as above.
unsafe impl Zeroed for tags::Infos {}
// SAFETY: as above.
unsafe impl Zeroed for thread_names::Name {}
// SAFETY: as above.
unsafe impl Zeroed for pool_cache::PoolCache {}
