//! What each column of a log means, by its name in lower case. The order of the columns depends on
//! the version and on switches.

use stats_capture::RecordedKind::{self, Counter, Gauge, Timer};

use super::clock::Clock;
use super::{Options, Refusal};

/// The names of columns with the frame time, the best first, and whether it looks forward.
const FRAME_TIMES: [(&str, bool); 4] = [
    ("MsBetweenPresents", false),
    ("FrameTime", true),
    ("MsBetweenAppStart", true),
    ("MsBetweenAppPresents", false),
];

/// Pairs of columns whose sum is the frame time of versions without a column for it: of PresentMon
/// 2.0, and of programs that use its library.
const PARTS: [(&str, &str); 2] = [
    ("CPUBusy", "CPUWait"),
    ("CPUDuration", "CPUFramePacingStall"),
];

/// A column whose numbers become a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) at: usize,
    pub(super) path: &'static str,
    pub(super) kind: RecordedKind,
    pub(super) unit: &'static str,
    /// Whether a row has the value of the frame after it, if frame times look back.
    pub(super) is_late: bool,
    /// Whether 0 stands for a value that is not known.
    pub(super) is_zero_unknown: bool,
    /// Whether the time is spent waiting.
    pub(super) wait: bool,
}

/// The columns of a log.
#[derive(Debug)]
pub(super) struct Columns {
    /// The program that wrote the log, and its version as far as the columns tell.
    pub(super) dialect: &'static str,
    pub(super) frame_time: usize,
    /// A column whose time adds to the frame time.
    pub(super) rest_of_frame: Option<usize>,
    pub(super) looks_forward: bool,
    pub(super) clock: Option<Clock>,
    pub(super) application: Option<usize>,
    pub(super) process: Option<usize>,
    pub(super) swap_chain: Option<usize>,
    pub(super) dropped: Option<usize>,
    pub(super) frame_type: Option<usize>,
    pub(super) present_mode: Option<usize>,
    pub(super) values: Vec<Value>,
    /// The columns that may measure the hardware, with their names.
    pub(super) telemetry: Vec<(usize, String)>,
    /// All names, in lower case.
    pub(super) names: Vec<String>,
}

/// The series: the names of columns in lower case, the first one that exists counts.
type KnownSeries = (
    &'static [&'static str],
    &'static str,
    RecordedKind,
    bool,
    bool,
);

/// Name, path, kind, whether late, whether 0 is unknown.
const SERIES: [KnownSeries; 10] = [
    (
        &["mscpubusy", "cpubusy", "cpuduration"],
        "frame/cpu",
        Timer,
        false,
        false,
    ),
    (
        &["mscpuwait", "cpuwait", "cpuframepacingstall"],
        "frame/cpu wait",
        Timer,
        true,
        false,
    ),
    (
        &["msinpresentapi"],
        "present/in present call",
        Timer,
        true,
        false,
    ),
    (
        &["msgpubusy", "gpubusy", "msgpuactive"],
        "gpu/frame",
        Timer,
        false,
        false,
    ),
    (
        &["msgputime", "gputime", "gpuduration"],
        "gpu/time",
        Timer,
        false,
        false,
    ),
    (
        &["msgpulatency", "gpulatency"],
        "gpu/latency",
        Gauge,
        false,
        false,
    ),
    (
        &["msuntildisplayed", "displaylatency"],
        "display/latency",
        Gauge,
        false,
        true,
    ),
    (
        &["msbetweendisplaychange", "displayedtime", "displayduration"],
        "display/between changes",
        Gauge,
        false,
        true,
    ),
    (&["mspclatency"], "display/pc latency", Gauge, false, true),
    (
        &["msanimationerror", "animationerror"],
        "present/animation error",
        Gauge,
        false,
        false,
    ),
];

/// The beginnings of the names of columns that measure neither the hardware nor a series.
const OTHERS: [&str; 17] = [
    "ms",
    "cpu start",
    "cpustart",
    "cpuframe",
    "timein",
    "qpctime",
    "syncinterval",
    "presentflags",
    "allowstearing",
    "wasbatched",
    "dwmnotified",
    "frameid",
    "videobusy",
    "animationtime",
    "gpuwait",
    "cpucoreutil",
    "gpu#",
];

/// Parts of the names of further such columns.
const OTHER_PARTS: [&str; 5] = ["latency", "queue depth", "flipdelay", "width", "height"];

impl Columns {
    /// Returns whether a header is that of a log: it has a frame time or a process, and something
    /// that only such logs have.
    pub(super) fn are_named(names: &[String]) -> bool {
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let has = |name: &str| lower.iter().any(|other| other == name);
        let has_presents = [
            "msbetweenpresents",
            "msbetweenappstart",
            "msbetweenapppresents",
        ];
        let has_parts = [
            "application",
            "processid",
            "swapchainaddress",
            "presentmode",
            "msinpresentapi",
        ];
        let parts = has_parts.iter().filter(|name| has(name)).count();
        has_presents.iter().any(|name| has(name))
            || parts >= 2
            || (has("frametime") && has("cpubusy"))
    }

    pub(super) fn of(
        names: Vec<String>,
        options: &Options,
        has_facts: bool,
    ) -> Result<Self, Refusal> {
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let position = |name: &str| lower.iter().position(|other| other == name);
        let asked = match &options.time {
            Some(name) => Some((
                position(&name.to_lowercase()).ok_or_else(|| no_column(name, &names))?,
                false,
            )),
            None => None,
        };
        let found = FRAME_TIMES
            .iter()
            .find_map(|(name, forward)| Some((position(&name.to_lowercase())?, *forward)));
        let sum = PARTS.iter().find_map(|(first, second)| {
            let position = |name: &str| position(&name.to_lowercase());
            Some((position(first)?, position(second)?))
        });
        let sum = sum.filter(|_| asked.or(found).is_none());
        let rest_of_frame = sum.map(|(_, second)| second);
        let found = found.or(sum.map(|(first, _)| (first, true)));
        let (frame_time, looks_forward) = asked.or(found).ok_or_else(|| {
            let looked = FRAME_TIMES.map(|(name, _)| name).join(", ");
            Refusal::new(format!(
                "no column has the frame time (looked for {looked}; the file has {}); `stats import --time COLUMN` \
                 names it",
                super::super::listed(&names)
            ))
        })?;
        let mut values = Vec::new();
        let waits = ["mscpuwait", "cpuwait", "cpuframepacingstall"];
        let has_wait = waits.iter().any(|name| position(name).is_some());
        for (columns, path, kind, is_late, is_zero_unknown) in SERIES {
            let Some(at) = columns.iter().find_map(|name| position(name)) else {
                continue;
            };
            if path == "present/in present call" && has_wait {
                continue;
            }
            values.push(Value {
                at,
                path,
                kind,
                unit: "ms",
                is_late,
                is_zero_unknown,
                wait: matches!(path, "frame/cpu wait" | "present/in present call"),
            });
        }
        let dropped = position("dropped");
        if let Some(at) = dropped {
            values.push(Value {
                at,
                path: "display/not shown",
                kind: Counter,
                unit: "",
                is_late: false,
                is_zero_unknown: false,
                wait: false,
            });
        }
        let process = position("processid").or_else(|| position("process id"));
        let swap_chain = position("swapchainaddress").or_else(|| position("swapchain"));
        let clock = Clock::find(position, looks_forward);
        let taken = [
            Some(frame_time),
            clock.map(|clock| clock.at),
            process,
            swap_chain,
        ];
        let is_other = |at: usize| {
            let name = &lower[at];
            let is_known = values.iter().any(|value| value.at == at) || taken.contains(&Some(at));
            is_known
                || SERIES
                    .iter()
                    .any(|(columns, ..)| columns.contains(&name.as_str()))
                || FRAME_TIMES
                    .iter()
                    .any(|(other, _)| other.eq_ignore_ascii_case(name))
                || OTHERS.iter().any(|begin| name.starts_with(begin))
                || OTHER_PARTS.iter().any(|part| name.contains(part))
        };
        let telemetry = (0..lower.len()).filter(|at| !is_other(*at));
        Ok(Self {
            dialect: dialect(&lower, has_facts),
            telemetry: telemetry.map(|at| (at, names[at].clone())).collect(),
            frame_time,
            rest_of_frame,
            looks_forward,
            clock,
            application: position("application").or_else(|| position("process name")),
            process,
            swap_chain,
            dropped,
            frame_type: position("frametype"),
            present_mode: position("presentmode"),
            values,
            names: lower,
        })
    }

    /// Returns the number of columns.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns the columns that tell swap chains apart.
    pub(super) fn key(&self) -> impl Iterator<Item = usize> + '_ {
        [self.application, self.process, self.swap_chain]
            .into_iter()
            .flatten()
    }
}

fn no_column(name: &str, names: &[String]) -> Refusal {
    Refusal::new(format!(
        "no column is named {name:?}; the file has {}",
        super::super::listed(names)
    ))
}

/// Returns the program that wrote the log, as far as the columns tell.
fn dialect(lower: &[String], has_facts: bool) -> &'static str {
    let has = |name: &str| lower.iter().any(|other| other == name);
    if has_facts {
        "capframex csv"
    } else if has("render queue depth") || has("gpu0clk(mhz)") {
        "frameview"
    } else if has("gpu#") || has("motherboard") {
        "ocat"
    } else if has("cpubusy") || has("cpuduration") {
        "presentmon 2.0"
    } else if has("mscpubusy") || has("msbetweenappstart") {
        "presentmon 2.3"
    } else {
        "presentmon 1"
    }
}
