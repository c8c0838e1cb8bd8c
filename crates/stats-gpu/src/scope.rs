//! Scopes, which time everything recorded between two points of an encoder.

use std::ops::{Deref, DerefMut};

use crate::device_timer::DeviceTimer;
use crate::frame::Entered;

/// An open [`GpuTimer::scope`](crate::GpuTimer::scope), which dereferences to its encoder.
#[derive(Debug)]
pub struct Scope<'a> {
    encoder: &'a mut wgpu::CommandEncoder,
    /// `None` if the scope is not timed.
    entered: Option<(&'a DeviceTimer, Entered)>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(
        encoder: &'a mut wgpu::CommandEncoder,
        entered: Option<(&'a DeviceTimer, Entered)>,
    ) -> Self {
        let mut scope = Self { encoder, entered };
        scope.write_timestamp(0);
        scope
    }

    /// Writes the scope's first timestamp (0) or its second (1).
    fn write_timestamp(&mut self, which: u32) {
        if let Some((device, entered)) = self.entered
            && let Some((slot, first)) = entered.query
            && let Some((set, index)) = device.query((slot, first + which))
        {
            self.encoder.write_timestamp(set, index);
        }
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        let _memory = stats_core::own_memory("stats-gpu");
        self.write_timestamp(1);
        if let Some((device, entered)) = self.entered {
            device.close(entered);
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
