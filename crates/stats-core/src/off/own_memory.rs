//! The memory of the statistics themselves: nobody tracks it.

/// A charge to nobody.
#[derive(Debug)]
pub(crate) struct Charge;

impl Charge {
    #[inline(always)]
    pub(crate) fn begin(_: &'static str) -> Self {
        Self
    }
}

/// Lets code that drops a charge early compile without warnings, with and without the feature.
impl Drop for Charge {
    #[inline(always)]
    fn drop(&mut self) {}
}

pub(crate) fn set_memory_tracker(_: fn(&'static str) -> u64, _: fn(u64)) {}
