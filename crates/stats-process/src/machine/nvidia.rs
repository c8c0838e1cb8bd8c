//! GPUs of NVIDIA, by the library that comes with their driver.

use nvml_wrapper::Nvml;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};

/// Reads all GPUs of NVIDIA.
pub(super) struct Nvidia {
    /// `None` without the library or without a driver.
    nvml: Option<Nvml>,
}

impl Nvidia {
    /// Loads the library, which takes up to a second.
    pub(super) fn new() -> Self {
        Self {
            nvml: Nvml::init().ok(),
        }
    }

    /// Passes what each GPU tells to `put`. They are the first GPUs; one that the system tells about,
    /// too, is replaced.
    pub(super) fn read(&self, put: &mut dyn FnMut(&str, f64)) {
        let Some(nvml) = &self.nvml else {
            return;
        };
        for at in 0..nvml.device_count().unwrap_or(0) {
            let Ok(device) = nvml.device_by_index(at) else {
                continue;
            };
            let mut put = |name: &str, value: Option<f64>| {
                if let Some(value) = value {
                    match at {
                        0 => put(&format!("machine/gpu/{name}"), value),
                        _ => put(&format!("machine/gpu-{}/{name}", at + 1), value),
                    }
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
            put(
                "memory",
                device.memory_info().ok().map(|memory| memory.used as f64),
            );
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
