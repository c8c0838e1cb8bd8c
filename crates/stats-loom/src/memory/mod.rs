//! What synchronises in `stats-memory`, as it is; the same with every ordering taken away; and a
//! design that was not taken.

mod controls;
mod ordered;
mod peak;
mod relaxed;

/// A free list of blocks, by their links.
trait List: Send + Sync + 'static {
    fn pop(&self, links: &[loom::sync::atomic::AtomicU32]) -> Option<u32>;
    fn push(&self, block: u32, links: &[loom::sync::atomic::AtomicU32]);
}
