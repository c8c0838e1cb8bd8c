//! The computer that a run was recorded on.

use super::lenient;
use serde::{Deserialize, Serialize};
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The computer that a run was recorded on. Fields that the system does not report are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Machine {
    /// The name of the processor.
    #[serde(deserialize_with = "lenient::text")]
    pub cpu: Option<String>,
    /// The number of threads that the program can run at the same time.
    pub cores: Option<usize>,
    /// The size of the main memory.
    pub memory_bytes: Option<u64>,
    /// The operating system and its version.
    #[serde(deserialize_with = "lenient::text")]
    pub os: Option<String>,
    /// The name of the graphics card, if the program gave it.
    #[serde(deserialize_with = "lenient::text")]
    pub gpu: Option<String>,
    /// The name and version of the graphics driver, if the program gave them.
    #[serde(deserialize_with = "lenient::text")]
    pub driver: Option<String>,
    /// The power state: `mains` or `battery`, and the governor of the processor's frequency.
    #[serde(deserialize_with = "lenient::text")]
    pub power: Option<String>,
}

impl Machine {
    /// Describes this computer, without its graphics card. Takes a few milliseconds.
    pub(crate) fn here() -> Self {
        let system = System::new_with_specifics(
            RefreshKind::nothing()
                .with_cpu(CpuRefreshKind::nothing())
                .with_memory(MemoryRefreshKind::nothing().with_ram()),
        );
        let system = system.ok();
        let cpu = system.as_ref().and_then(|system| system.cpus().first());
        let cpu = cpu.map(|cpu| cpu.brand().trim().to_owned());
        let memory_bytes = system.as_ref().map(System::total_memory);
        Self {
            cpu: cpu.filter(|name| !name.is_empty()),
            cores: std::thread::available_parallelism().ok().map(usize::from),
            memory_bytes: memory_bytes.filter(|bytes| *bytes > 0),
            os: System::long_os_version().ok(),
            gpu: None,
            driver: None,
            power: power(),
        }
    }
}

/// Returns the power state; always `None` except on Linux.
fn power() -> Option<String> {
    let read = |path: &std::path::Path| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(text.trim().to_owned())
    };
    let mut is_on_mains = None;
    let supplies = std::fs::read_dir("/sys/class/power_supply");
    for supply in supplies.into_iter().flatten().flatten() {
        // Batteries of mice and game pads are listed too, but do not power the system.
        let is_device = read(&supply.path().join("scope")).as_deref() == Some("Device");
        match read(&supply.path().join("type")).as_deref() {
            Some("Mains") => {
                let is_online = read(&supply.path().join("online")).as_deref() == Some("1");
                is_on_mains = Some(is_online || is_on_mains == Some(true));
            }
            Some("Battery") if !is_device => is_on_mains = is_on_mains.or(Some(false)),
            _ => {}
        }
    }
    let source = is_on_mains.map(|is| if is { "mains" } else { "battery" });
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor".as_ref());
    match (source, governor) {
        (None, None) => None,
        (Some(source), None) => Some(source.to_owned()),
        (None, Some(governor)) => Some(governor),
        (Some(source), Some(governor)) => Some(format!("{source}, {governor}")),
    }
}
