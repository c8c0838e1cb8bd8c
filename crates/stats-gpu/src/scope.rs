//! Scopes: what is recorded between two points of an encoder.

use std::ops::{Deref, DerefMut};

use crate::recording::Entered;
use crate::timer::GpuTimer;

/// An open [`GpuTimer::scope`]: the encoder, until it is dropped.
#[derive(Debug)]
pub struct Scope<'a> {
    timer: &'a GpuTimer,
    encoder: &'a mut wgpu::CommandEncoder,
    entered: Option<Entered>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(
        timer: &'a GpuTimer,
        encoder: &'a mut wgpu::CommandEncoder,
        entered: Option<Entered>,
    ) -> Self {
        let mut scope = Self {
            timer,
            encoder,
            entered,
        };
        scope.write(0);
        scope
    }

    /// Writes one of the scope's two timestamps.
    fn write(&mut self, which: u32) {
        if let Some((slot, query)) = self.entered.and_then(|entered| entered.query)
            && let Some((set, at)) = self.timer.query((slot, query + which))
        {
            self.encoder.write_timestamp(set, at);
        }
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        self.write(1);
        if let Some(entered) = self.entered {
            self.timer.close(entered);
        }
    }
}

impl Deref for Scope<'_> {
    type Target = wgpu::CommandEncoder;

    fn deref(&self) -> &wgpu::CommandEncoder {
        self.encoder
    }
}

impl DerefMut for Scope<'_> {
    fn deref_mut(&mut self) -> &mut wgpu::CommandEncoder {
        self.encoder
    }
}
