//! The description of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Machine, lenient};
use crate::CaptureOptions;

/// The version of the format that this crate writes, and the newest that it reads.
pub(crate) const FORMAT: u32 = 1;

/// The description of a run: the program, the machine, and how the run ended. It is the document
/// `stats.run` in a capture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Run {
    /// The version of the format.
    pub format: u32,
    /// When the capture began, in UTC, in the format of RFC 3339.
    pub started_at: String,
    /// How the capture ended.
    pub ended: Ended,
    /// The version or configuration of the program.
    #[serde(deserialize_with = "lenient::text")]
    pub build: Option<String>,
    /// The commit that the program was built from.
    #[serde(deserialize_with = "lenient::text")]
    pub commit: Option<String>,
    /// The branch that the program was built from.
    #[serde(deserialize_with = "lenient::text")]
    pub branch: Option<String>,
    /// The name of the scenario that the run played, such as `fly-through`.
    #[serde(deserialize_with = "lenient::text")]
    pub scenario: Option<String>,
    /// The seed of the run's random numbers.
    pub seed: Option<u64>,
    /// The command line.
    #[serde(deserialize_with = "lenient::list")]
    pub command: Vec<String>,
    /// The operating system and the processor's architecture: `linux-x86_64`.
    pub platform: String,
    /// The computer.
    pub machine: Machine,
    /// The refresh rate of the display, in hertz.
    pub refresh_hz: Option<f64>,
    /// The name of the thread that ended the newest frames; `None` if it is not known.
    #[serde(deserialize_with = "lenient::text")]
    pub frame_thread: Option<String>,
    /// Other facts about the run, by name.
    #[serde(deserialize_with = "lenient::texts")]
    pub labels: BTreeMap<String, String>,
    /// The cost of the capture itself; `None` if the program that wrote the file did not measure it.
    pub cost: Option<Cost>,
}

/// How a capture ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ended {
    /// The program completed it.
    Clean,
    /// The program was killed or crashed, and the journal was [recovered](crate::recover()) later.
    /// The last second may be missing.
    Recovered,
    /// It is not known: another program wrote the file. Also stands for ends that this version does
    /// not know.
    #[default]
    #[serde(other)]
    Unknown,
}

/// The cost of a capture for the recorded program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Cost {
    /// The mean time that [`Capture::end_frame`](crate::Capture::end_frame) took on the game
    /// thread, in microseconds.
    pub us_per_frame: f64,
    /// The number of frames that were dropped because the disk or the processor was too slow.
    pub dropped_frames: u64,
}

impl Run {
    /// Returns a run that begins now. [`find_machine`](Self::find_machine) completes it.
    pub(crate) fn begin(options: CaptureOptions) -> Self {
        let machine = Machine {
            gpu: options.gpu,
            driver: options.driver,
            ..Machine::default()
        };
        Self {
            format: FORMAT,
            started_at: time_text(chrono::Utc::now()),
            ended: Ended::Recovered,
            build: options.build,
            commit: options.commit,
            branch: options.branch,
            scenario: options.scenario,
            seed: options.seed,
            command: std::env::args_os()
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect(),
            platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
            machine,
            refresh_hz: options.refresh_hz.filter(|hz| hz.is_finite() && *hz > 0.0),
            frame_thread: None,
            labels: options.labels,
            cost: Some(Cost::default()),
        }
    }

    /// Fills in the facts about this computer. Takes a few milliseconds.
    pub(crate) fn find_machine(&mut self) {
        let here = Machine::here();
        let (gpu, driver) = (self.machine.gpu.take(), self.machine.driver.take());
        self.machine = Machine {
            gpu,
            driver,
            ..here
        };
    }

    /// Moves the beginning of the run later.
    pub(crate) fn begin_later(&mut self, nanoseconds: i64) {
        let begun = chrono::DateTime::parse_from_rfc3339(&self.started_at);
        let later = chrono::TimeDelta::nanoseconds(nanoseconds);
        if let Some(begun) = begun.ok().and_then(|begun| begun.checked_add_signed(later)) {
            self.started_at = time_text(begun.to_utc());
        }
    }
}

fn time_text(time: chrono::DateTime<chrono::Utc>) -> String {
    time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}
