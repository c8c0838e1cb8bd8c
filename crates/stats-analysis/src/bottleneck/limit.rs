//! The limits of the frame rate.

/// What limits the frame rate in a part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The thread that ends the frames ran.
    Cpu,
    /// The GPU was busy, or the thread waited for it.
    Gpu,
    /// The frame waited for the display.
    Display,
    /// The thread could run, but other threads had the processors.
    Machine,
    /// The frame waited to present, and the times of the GPU are not known.
    GpuOrDisplay,
    /// The frame waited for something else that a wait declares: a worker, a file, or a frame limiter.
    Wait,
    /// The frame waited for something that no wait declares.
    Blocked,
    /// It is not known.
    Unknown,
}

impl Limit {
    /// All limits, in the order in which equal shares are listed.
    pub const ALL: [Self; 8] = [
        Self::Cpu,
        Self::Gpu,
        Self::Display,
        Self::Machine,
        Self::GpuOrDisplay,
        Self::Wait,
        Self::Blocked,
        Self::Unknown,
    ];

    /// Returns the limit in one word, or a few: `CPU`, `GPU`, `display`, `machine`, `GPU or display`,
    /// `waiting`, `blocked` or `unknown`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
            Self::Display => "display",
            Self::Machine => "machine",
            Self::GpuOrDisplay => "GPU or display",
            Self::Wait => "waiting",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the name in JSON: `cpu`, `gpu`, `display`, `machine`, `gpu-or-display`, `wait`,
    /// `blocked` or `unknown`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Display => "display",
            Self::Machine => "machine",
            Self::GpuOrDisplay => "gpu-or-display",
            Self::Wait => "wait",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the limit as the name of a share of the time.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Cpu => "CPU bound",
            Self::Gpu => "GPU bound",
            Self::Display => "waiting for the display",
            Self::Machine => "waiting for a processor",
            Self::GpuOrDisplay => "waiting for the GPU or the display",
            Self::Wait => "waiting",
            Self::Blocked => "blocked in no declared wait",
            Self::Unknown => "unknown",
        }
    }

    /// Returns a sentence that says which time has the limit.
    #[must_use]
    pub fn definition(self) -> &'static str {
        match self {
            Self::Cpu => "The thread that ends the frames ran.",
            Self::Gpu => "The GPU was busy, or the thread waited for it.",
            Self::Display => "The frame waited for the display.",
            Self::Machine => "The thread could run, but other threads had the processors.",
            Self::GpuOrDisplay => {
                "The frame waited to present, and the times of the GPU are not known."
            }
            Self::Wait => "The frame waited for something else that a wait declares.",
            Self::Blocked => "The frame waited for something that no wait declares.",
            Self::Unknown => "The system does not tell where the time went.",
        }
    }
}
