//! Places and timing without the feature `enabled`.

use std::marker::PhantomData;

use crate::{Distribution, Number, Precision, ScopeTime, SeriesId, SeriesKind, Unit};

/// The destination of a counter's values. Sealed: only [`Static`] and [`Handle`] implement it.
pub trait Place: sealed::Sealed {
    #[doc(hidden)]
    #[inline(always)]
    fn handle(&self) -> Handle {
        Handle
    }

    #[doc(hidden)]
    #[inline(always)]
    fn series_id(&self) -> SeriesId {
        SeriesId::new(0)
    }

    #[doc(hidden)]
    #[inline(always)]
    fn calls_id(&self) -> SeriesId {
        SeriesId::new(0)
    }

    #[doc(hidden)]
    #[inline(always)]
    fn self_id(&self) -> SeriesId {
        SeriesId::new(0)
    }

    #[doc(hidden)]
    #[inline(always)]
    fn add<N: Number>(&self, _: N) {}

    #[doc(hidden)]
    #[inline(always)]
    fn sub<N: Number>(&self, _: N) {}

    #[doc(hidden)]
    #[inline(always)]
    fn set<N: Number>(&self, _: N) {}

    #[doc(hidden)]
    #[inline(always)]
    fn add_shared<N: Number>(&self, _: N) {}

    #[doc(hidden)]
    #[inline(always)]
    fn add_call(&self, _: Option<f64>) {}

    #[doc(hidden)]
    #[inline(always)]
    fn add_scope(&self, _: ScopeTime) {}

    #[doc(hidden)]
    #[inline(always)]
    fn record<N: Number>(&self, _: N) {}

    #[doc(hidden)]
    #[inline(always)]
    fn snapshot(&self) -> Distribution {
        Distribution::default()
    }

    #[doc(hidden)]
    #[inline(always)]
    fn hold(&self) -> Held {
        Held {
            _thread: PhantomData,
        }
    }
}

/// The place of a counter in a `static`.
#[derive(Debug)]
pub struct Static;

/// The place of a counter that was looked up at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle;

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for Static {}

impl sealed::Sealed for Handle {}

impl Place for Static {}

impl Place for Handle {}

impl Static {
    pub(crate) const fn new(_: &'static str, _: SeriesKind) -> Self {
        Self
    }

    pub(crate) const fn unit(self, _: Unit) -> Self {
        self
    }

    pub(crate) const fn budget(self, _: f64) -> Self {
        self
    }

    pub(crate) const fn precision(self, _: Precision) -> Self {
        self
    }

    pub(crate) const fn describe(self, _: &'static str) -> Self {
        self
    }

    pub(crate) const fn wait(self) -> Self {
        self
    }

    pub(crate) const fn calls(self) -> Self {
        self
    }

    pub(crate) const fn path(&self) -> &'static str {
        ""
    }
}

impl Handle {
    #[inline(always)]
    pub(crate) fn new(_: &str, _: SeriesKind) -> Self {
        Self
    }

    pub(crate) fn unit(self, _: Unit) -> Self {
        self
    }

    pub(crate) fn budget(self, _: f64) -> Self {
        self
    }

    pub(crate) fn precision(self, _: Precision) -> Self {
        self
    }

    pub(crate) fn describe(self, _: &str) -> Self {
        self
    }

    pub(crate) fn wait(self) -> Self {
        self
    }

    pub(crate) fn calls(self) -> Self {
        self
    }
}

/// A handle to no cell.
#[derive(Debug)]
pub struct Held {
    _thread: PhantomData<*const ()>,
}

impl Held {
    #[inline(always)]
    pub(crate) fn add<N: Number>(&self, _: N) {}

    #[inline(always)]
    pub(crate) fn sub<N: Number>(&self, _: N) {}
}

/// A scope that times nothing.
#[derive(Debug)]
pub(crate) struct OpenScope;

impl OpenScope {
    #[inline(always)]
    pub(crate) fn begin(_: &impl Place) -> Self {
        Self
    }

    #[inline(always)]
    pub(crate) fn end(self) -> ScopeTime {
        ScopeTime::default()
    }

    pub(crate) fn is_stale(&self) -> bool {
        false
    }
}

/// Lets code that drops a scope early compile without warnings, with and without the feature.
impl Drop for OpenScope {
    #[inline(always)]
    fn drop(&mut self) {}
}
