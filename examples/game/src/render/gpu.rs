//! The graphics device, for a window or without one.
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use winit::window::Window;

use crate::memory::RENDERING;

/// Adapter, device and queue.
pub(crate) struct Gpu {
    pub(crate) adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Whether this is a software adapter. The renderer then lowers the quality.
    pub(crate) software: bool,
    lost: Arc<AtomicBool>,
}

/// Why the device or the surface is unavailable. The text states the cure.
#[derive(Debug)]
pub(crate) enum GpuError {
    /// No adapter was found.
    Adapter(String),
    /// The adapter provided no device.
    Device(String),
    /// The window provided no surface.
    Surface(String),
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adapter(why) => write!(
                f,
                "no graphics adapter was found ({why}); install a Vulkan driver (in software: the package mesa-vulkan-drivers), \
                 leave WGPU_BACKEND unset, or simulate without drawing: --headless"
            ),
            Self::Device(why) => write!(
                f,
                "the graphics adapter provided no device ({why}); update its driver, or simulate without drawing: --headless"
            ),
            Self::Surface(why) => write!(
                f,
                "the window cannot be drawn to ({why}); install a Vulkan driver (in software: the package mesa-vulkan-drivers), \
                 or run without a window: --headless --smoke 10"
            ),
        }
    }
}

impl Gpu {
    /// Opens a device. With a window, the device can draw to it, and the window's surface is
    /// returned.
    ///
    /// `timing` requests the features to measure GPU time, if the adapter has them.
    pub(crate) fn new(
        window: Option<&Arc<Window>>,
        timing: bool,
    ) -> Result<(Self, Option<wgpu::Surface<'static>>), GpuError> {
        let _memory = stats_memory::scope!("device", group: RENDERING);
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        // WGPU_BACKEND selects one, such as vulkan or gl.
        descriptor.backends = descriptor.backends.with_env();
        // Validation is only of use to developers of the renderer: WGPU_VALIDATION=1 enables it.
        descriptor.flags = wgpu::InstanceFlags::empty().with_env();
        let instance = wgpu::Instance::new(descriptor);
        let surface = window
            .map(|window| {
                instance
                    .create_surface(Arc::clone(window))
                    .map_err(|error| GpuError::Surface(error.to_string()))
            })
            .transpose()?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface.as_ref(),
            ..Default::default()
        }))
        .map_err(|error| GpuError::Adapter(error.to_string()))?;
        Ok((Self::from_adapter(adapter, timing)?, surface))
    }

    fn from_adapter(adapter: wgpu::Adapter, timing: bool) -> Result<Self, GpuError> {
        let software = adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("game"),
            required_features: if timing {
                stats_gpu::required_features(&adapter)
            } else {
                wgpu::Features::empty()
            },
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::Device(error.to_string()))?;
        let lost = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&lost);
        // Relaxed: no other data depends on this flag, which is read once per frame.
        device.set_device_lost_callback(move |_, _| flag.store(true, Ordering::Relaxed));
        Ok(Self {
            adapter,
            device,
            queue,
            software,
            lost,
        })
    }

    /// Returns whether the device was lost, and with it everything that was created from it.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}
