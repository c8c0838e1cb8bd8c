//! The names of the sampled series.

use stats_core::Unit;

/// A series, what it means, and why it may be missing.
#[derive(Debug)]
pub(super) struct Figure {
    /// The path; for one of several cores or GPUs, that without its number.
    pub(super) path: &'static str,
    pub(super) unit: Unit,
    pub(super) description: &'static str,
    /// The reason shown if the system does not tell it.
    pub(super) missing: &'static str,
}

const CLOCK: Unit = Unit::Custom("MHz");
const CELSIUS: Unit = Unit::Custom("°C");
const WATTS: Unit = Unit::Custom("W");

/// The path of how much memory a GPU has. Without [`TOTAL`], that of how much is used.
const GPU_MEMORY_TOTAL: &str = "machine/gpu/memory-total";
/// The end of a path of how much there is.
const TOTAL: &str = "-total";

const NO_CLOCK: &str = "the system does not tell the clock of the processor";
const NO_GPU: &str = "no driver of a GPU tells it in /sys/class/drm; for NVIDIA, turn on the feature nvidia of stats-process";

const fn figure(
    path: &'static str,
    unit: Unit,
    description: &'static str,
    missing: &'static str,
) -> Figure {
    Figure {
        path,
        unit,
        description,
        missing,
    }
}

/// All series but the memory of the process.
pub(super) const FIGURES: [Figure; 24] = [
    figure(
        "process/cpu",
        Unit::Percent,
        "processor time of the process; 100 % is one core",
        "the system does not tell the processor time of the process",
    ),
    figure(
        "process/threads",
        Unit::Count,
        "threads of the process",
        "the system does not tell the number of threads",
    ),
    figure(
        "process/memory-peak",
        Unit::Bytes,
        "the most memory that the process ever had in RAM",
        "the system does not tell the peak of the memory",
    ),
    figure(
        "process/read-bytes",
        Unit::Bytes,
        "bytes that the process read from disks, per second",
        "the system does not tell what the process reads; in a container, /proc/self/io may be hidden",
    ),
    figure(
        "process/written-bytes",
        Unit::Bytes,
        "bytes that the process wrote to disks, per second",
        "the system does not tell what the process writes; in a container, /proc/self/io may be hidden",
    ),
    figure(
        "machine/cpu",
        Unit::Percent,
        "load of all processors; 100 % is all cores",
        "the system does not tell the load of the processors",
    ),
    figure("machine/clock", CLOCK, "mean clock of the cores", NO_CLOCK),
    figure("machine/core-*/load", Unit::Percent, "load of a core", ""),
    figure("machine/core-*/clock", CLOCK, "clock of a core", ""),
    figure(
        "machine/memory-available",
        Unit::Bytes,
        "memory that programs can still get without swapping",
        "the system does not tell its memory",
    ),
    figure(
        "machine/swap",
        Unit::Bytes,
        "memory that was moved to a disk",
        "the system does not tell its swap",
    ),
    figure(
        "machine/swap-total",
        Unit::Bytes,
        "room for memory on a disk",
        "the system does not tell its swap",
    ),
    figure(
        "machine/received-bytes",
        Unit::Bytes,
        "bytes that the machine received from networks, per second",
        "the system does not tell the traffic of its networks",
    ),
    figure(
        "machine/sent-bytes",
        Unit::Bytes,
        "bytes that the machine sent to networks, per second",
        "the system does not tell the traffic of its networks",
    ),
    figure(
        "machine/temperature",
        CELSIUS,
        "temperature of the hottest sensor of the processor",
        "no sensor of the processor can be read; a virtual machine has none",
    ),
    figure(
        "machine/power",
        WATTS,
        "power of the processor's package",
        "the system has no readable energy counter; Linux shows it to root only",
    ),
    figure(
        "machine/battery",
        Unit::Percent,
        "charge of the battery",
        "the machine has no battery, or the system does not tell it",
    ),
    figure(
        "machine/battery-power",
        WATTS,
        "power that the battery gives or takes",
        "the machine has no battery, or the system does not tell it",
    ),
    figure(
        "machine/gpu/load",
        Unit::Percent,
        "share of the time in which the GPU was busy",
        NO_GPU,
    ),
    figure("machine/gpu/clock", CLOCK, "clock of the GPU", NO_GPU),
    figure(
        "machine/gpu/memory",
        Unit::Bytes,
        "memory of the GPU that all programs use",
        NO_GPU,
    ),
    figure(
        GPU_MEMORY_TOTAL,
        Unit::Bytes,
        "memory of the GPU; it is the budget of the memory that all programs use",
        NO_GPU,
    ),
    figure(
        "machine/gpu/temperature",
        CELSIUS,
        "temperature of the GPU",
        NO_GPU,
    ),
    figure("machine/gpu/power", WATTS, "power of the GPU", NO_GPU),
];

/// Returns the path of a figure of one of several GPUs, which are counted from 0.
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    all(feature = "nvidia", windows)
))]
pub(super) fn gpu_path(gpu: usize, name: &str) -> String {
    match gpu {
        0 => format!("machine/gpu/{name}"),
        _ => format!("machine/gpu-{}/{name}", gpu + 1),
    }
}

/// Returns the path of the memory in use if a path is that of all memory of a GPU.
pub(super) fn used_of_total(path: &str) -> Option<&str> {
    let used = path.strip_suffix(TOTAL)?;
    is_of(path, GPU_MEMORY_TOTAL).then_some(used)
}

/// Returns what is known of a path; `None` for any other.
pub(super) fn figure_of(path: &str) -> Option<&'static Figure> {
    FIGURES.iter().find(|figure| is_of(path, figure.path))
}

/// Returns whether a path is `pattern`, whose `core-*` and `gpu` stand for any core and GPU.
fn is_of(path: &str, pattern: &str) -> bool {
    let mut segments = path.split('/');
    let is_same = pattern.split('/').all(|wanted| {
        let segment = segments.next().unwrap_or_default();
        let numbered = |prefix: &str| {
            let number = segment.strip_prefix(prefix);
            number.is_some_and(|number| number.parse::<u16>().is_ok())
        };
        segment == wanted
            || wanted == "core-*" && numbered("core-")
            || wanted == "gpu" && numbered("gpu-")
    });
    is_same && segments.next().is_none()
}
