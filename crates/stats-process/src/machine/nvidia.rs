//! GPUs of NVIDIA, by the library that comes with their driver.

use nvml_wrapper::Nvml;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};

use super::figures::gpu_path;

/// Reads all GPUs of NVIDIA.
pub(super) struct Nvidia {
    /// `None` without the library or without a driver.
    nvml: Option<Nvml>,
    /// The number of GPUs when they were first counted, so that others keep their numbers.
    gpus: u32,
}

impl Nvidia {
    /// Loads the library, which takes up to a second.
    pub(super) fn new() -> Self {
        let nvml = Nvml::init().ok();
        let gpus = nvml.as_ref().and_then(|nvml| nvml.device_count().ok());
        Self {
            gpus: gpus.unwrap_or(0),
            nvml,
        }
    }

    pub(super) fn gpus(&self) -> usize {
        self.gpus as usize
    }

    /// Passes what each GPU tells to `put`. They are the first GPUs, and those of other makers come
    /// after them.
    pub(super) fn read(&self, put: &mut dyn FnMut(&str, f64)) {
        let Some(nvml) = &self.nvml else {
            return;
        };
        for at in 0..self.gpus {
            let Ok(device) = nvml.device_by_index(at) else {
                continue;
            };
            let mut put = |name: &str, value: Option<f64>| {
                if let Some(value) = value {
                    put(&gpu_path(at as usize, name), value);
                }
            };
            put(
                "load",
                device
                    .utilization_rates()
                    .ok()
                    .map(|rates| rates.gpu.into()),
            );
            put(
                "clock",
                device.clock_info(Clock::Graphics).ok().map(f64::from),
            );
            let memory = device.memory_info().ok();
            put("memory", memory.as_ref().map(|memory| memory.used as f64));
            put("memory-total", memory.map(|memory| memory.total as f64));
            let celsius = device.temperature(TemperatureSensor::Gpu).ok();
            put("temperature", celsius.map(f64::from));
            let milliwatts = device.power_usage().ok();
            put(
                "power",
                milliwatts.map(|milliwatts| f64::from(milliwatts) / 1000.0),
            );
        }
    }
}
