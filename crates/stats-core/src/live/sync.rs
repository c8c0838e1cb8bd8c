//! The synchronisation primitives of the concurrent files. The models in `stats-loom` compile the
//! same files against loom's.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
pub(crate) use std::sync::{Mutex, MutexGuard, OnceLock as Link};
