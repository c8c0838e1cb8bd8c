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

/// A series that a log may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoggedSeries {
    /// The names of its column in lower case, the best first.
    names: &'static [&'static str],
    pub(super) path: &'static str,
    pub(super) kind: RecordedKind,
    pub(super) unit: &'static str,
    /// Whether the time is spent waiting. If frame times look back, a row has the wait of the frame
    /// after it.
    pub(super) is_wait: bool,
    /// Whether 0 stands for a value that is not known.
    pub(super) is_zero_unknown: bool,
}

/// A column whose numbers become a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) at: usize,
    pub(super) series: &'static LoggedSeries,
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

/// The path of a wait that is a part of another one, if the log has that.
const IN_PRESENT_CALL: &str = "present/in present call";

static SERIES: [LoggedSeries; 11] = [
    timer(&["mscpubusy", "cpubusy", "cpuduration"], "frame/cpu"),
    wait(
        &["mscpuwait", "cpuwait", "cpuframepacingstall"],
        "frame/cpu wait",
    ),
    wait(&["msinpresentapi"], IN_PRESENT_CALL),
    timer(&["msgpubusy", "gpubusy", "msgpuactive"], "gpu/frame"),
    timer(&["msgputime", "gputime", "gpuduration"], "gpu/time"),
    gauge(&["msgpulatency", "gpulatency"], "gpu/latency"),
    gauge(&["msuntildisplayed", "displaylatency"], "display/latency").without_zero(),
    gauge(
        &["msbetweendisplaychange", "displayedtime", "displayduration"],
        "display/between changes",
    )
    .without_zero(),
    gauge(&["mspclatency"], "display/pc latency").without_zero(),
    gauge(
        &["msanimationerror", "animationerror"],
        "present/animation error",
    ),
    LoggedSeries {
        kind: Counter,
        unit: "",
        ..gauge(&["dropped"], "display/not shown")
    },
];

const fn gauge(names: &'static [&'static str], path: &'static str) -> LoggedSeries {
    LoggedSeries {
        names,
        path,
        kind: Gauge,
        unit: "ms",
        is_wait: false,
        is_zero_unknown: false,
    }
}

const fn timer(names: &'static [&'static str], path: &'static str) -> LoggedSeries {
    LoggedSeries {
        kind: Timer,
        ..gauge(names, path)
    }
}

const fn wait(names: &'static [&'static str], path: &'static str) -> LoggedSeries {
    LoggedSeries {
        is_wait: true,
        ..timer(names, path)
    }
}

impl LoggedSeries {
    const fn without_zero(self) -> Self {
        Self {
            is_zero_unknown: true,
            ..self
        }
    }
}

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
        let frame_time = FrameTime::find(&names, &lower, options)?;
        let values = values(&lower);
        let clock = Clock::find(position, frame_time.looks_forward);
        let process = position("processid").or_else(|| position("process id"));
        let swap_chain = position("swapchainaddress").or_else(|| position("swapchain"));
        let taken = [
            Some(frame_time.at),
            clock.map(|clock| clock.at),
            process,
            swap_chain,
        ];
        let is_free = |at: &usize| {
            let is_value = values.iter().any(|value| value.at == *at);
            !is_value && !taken.contains(&Some(*at)) && !is_no_telemetry(&lower[*at])
        };
        let telemetry = (0..lower.len()).filter(is_free);
        Ok(Self {
            dialect: dialect(&lower, has_facts),
            telemetry: telemetry.map(|at| (at, names[at].clone())).collect(),
            frame_time: frame_time.at,
            rest_of_frame: frame_time.rest,
            looks_forward: frame_time.looks_forward,
            clock,
            application: position("application").or_else(|| position("process name")),
            process,
            swap_chain,
            dropped: position("dropped"),
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

/// The column with the frame time.
struct FrameTime {
    at: usize,
    /// A column whose time adds to it.
    rest: Option<usize>,
    looks_forward: bool,
}

impl FrameTime {
    /// Finds the column that the options name, or else the best one. `lower` are the names in lower
    /// case.
    fn find(names: &[String], lower: &[String], options: &Options) -> Result<Self, Refusal> {
        let position = |name: &str| {
            let name = name.to_lowercase();
            lower.iter().position(|other| *other == name)
        };
        let of = |at, rest, looks_forward| Self {
            at,
            rest,
            looks_forward,
        };
        if let Some(name) = &options.time {
            let at = position(name).ok_or_else(|| no_column(name, names))?;
            return Ok(of(at, None, false));
        }
        let single =
            |(name, looks_forward): &(&str, bool)| Some(of(position(name)?, None, *looks_forward));
        let sum =
            |(first, rest): &(&str, &str)| Some(of(position(first)?, Some(position(rest)?), true));
        let found = FRAME_TIMES.iter().find_map(single);
        found.or_else(|| PARTS.iter().find_map(sum)).ok_or_else(|| {
            let looked = FRAME_TIMES.map(|(name, _)| name).join(", ");
            Refusal::new(format!(
                "no column has the frame time (looked for {looked}; the file has {}); `stats import --time COLUMN` \
                 names it",
                super::super::listed(names)
            ))
        })
    }
}

/// Returns the columns that become series. `lower` are their names in lower case.
fn values(lower: &[String]) -> Vec<Value> {
    let position = |name: &&str| lower.iter().position(|other| other == name);
    let values = SERIES.iter().filter_map(|series| {
        let at = series.names.iter().find_map(position)?;
        Some(Value { at, series })
    });
    let mut values: Vec<Value> = values.collect();
    let is_part = |value: &Value| value.series.path == IN_PRESENT_CALL;
    let is_whole = |value: &Value| value.series.is_wait && !is_part(value);
    if values.iter().any(is_whole) {
        values.retain(|value| !is_part(value));
    }
    values
}

/// Returns whether a name, in lower case, is that of a column that does not measure the hardware.
fn is_no_telemetry(name: &str) -> bool {
    let is_time = |(time, _): &(&str, bool)| time.eq_ignore_ascii_case(name);
    SERIES.iter().any(|series| series.names.contains(&name))
        || FRAME_TIMES.iter().any(is_time)
        || OTHERS.iter().any(|begin| name.starts_with(begin))
        || OTHER_PARTS.iter().any(|part| name.contains(part))
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
