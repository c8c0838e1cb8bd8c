//! The timeline of each hitch: its scopes by thread, as a picture.

use std::collections::BTreeMap;

use stats_analysis::format::{count_text, value_text};
use stats_analysis::insight::{Finding, Hitch};
use stats_capture::CaptureFile;
use stats_core::timeline::{FrameScopes, Lane, LaneKind, Scope};
use stats_core::{Source, Unit};

use super::markup::{Markup, element, joined};
use super::recording::Recording;
use crate::failure::Failure;
use crate::metrics::LongestCall;

/// The width of a picture, in its units.
const WIDTH: f64 = 1000.0;

/// The height of a row: a lane's name, or a depth.
const ROW: f64 = 17.0;

/// Scopes narrower than this are drawn together.
const NARROW: f64 = 1.0;

/// The width of a letter.
const LETTER: f64 = 7.0;

/// The maximum number of boxes in a picture, beside those of the culprits.
const MAX_BOXES: usize = 600;

/// Returns a picture for each listed frame whose scopes the capture has; nothing if there is none.
pub(crate) fn figures(run: &Recording<'_>) -> Result<Markup, Failure> {
    let mut capture = CaptureFile::open(&run.metrics.file)?;
    let mut all = Vec::new();
    for hitch in &run.listed {
        all.extend(figure(&mut capture, hitch, run, all.is_empty()));
    }
    if all.is_empty() {
        return Ok(Markup::default());
    }
    let text = "Each box is a scope. Its width is its time, and scopes inside it are below it. Those \
                of a culprit of a hitch have a thick border. Dashed boxes wait. An arrow at an edge means that the \
                scope began before the frame or ended after it.";
    let head = [
        element("h3", &[], "Timelines"),
        element("p", &[("class", "muted")], text),
    ];
    Ok(joined(head.into_iter().chain(all)))
}

fn figure(
    capture: &mut CaptureFile,
    hitch: &Hitch,
    run: &Recording<'_>,
    is_open: bool,
) -> Option<Markup> {
    let culprit = hitch.culprit().filter(|_| run.has_more_work());
    let culprit = culprit.and_then(path_of);
    let call =
        culprit.and_then(|path| Some(LongestCall::find(capture, hitch.frame, path)?.text(path)));
    let series: Vec<Series> = capture
        .series()
        .iter()
        .map(|series| Series {
            path: series.path.clone(),
            is_culprit: run.has_more_work() && culprits(hitch).any(|path| path == series.path),
        })
        .collect();
    let thread = capture.frame_thread().map(str::to_owned);
    let frame = capture
        .timeline(&[hitch.frame..hitch.frame + 1])?
        .frame(hitch.frame)?;
    if frame.scopes().is_empty() {
        return None;
    }
    let took = value_text(hitch.frame_ms, Unit::Milliseconds);
    let moved = match run.what_moved(hitch).as_str() {
        "" => String::new(),
        moved => format!(" · {moved}"),
    };
    let seen = match run.has_more_work() && !hitch.is_seen() {
        true => ", no hitch",
        false => "",
    };
    let mut content = element(
        "summary",
        &[],
        format!("Frame {}: {took}{seen}{moved}", hitch.frame),
    );
    content.push(element(
        "div",
        &[("class", "scroll")],
        picture(&frame, &series, thread.as_deref(), run.budget_ms()),
    ));
    if let Some(call) = call {
        content.push(element("p", &[], call));
    }
    if frame.lost() > 0 {
        let (one, many) = (
            "scope of this frame is missing.",
            "scopes of this frame are missing.",
        );
        let text = count_text(frame.lost(), one, many);
        content.push(element("p", &[("class", "warning")], text));
    }
    let open: &[(&str, &str)] = if is_open { &[("open", "open")] } else { &[] };
    Some(element("details", open, content))
}

/// The series of scopes.
struct Series {
    path: String,
    is_culprit: bool,
}

/// Returns the paths of what made a frame long. A wait alone can do so, too.
fn culprits(hitch: &Hitch) -> impl Iterator<Item = &str> {
    hitch.culprits().filter_map(path_of)
}

/// Returns the path of a series; `None` for the time in no scope.
fn path_of(finding: &Finding) -> Option<&str> {
    finding.series.is_some().then_some(finding.path.as_str())
}

/// `thread` is the name of the thread of the frame.
fn picture(
    frame: &FrameScopes<'_>,
    series: &[Series],
    thread: Option<&str>,
    budget_ms: Option<f64>,
) -> Markup {
    let frame_ns = frame.duration_ns().max(1) as f64;
    let is_frame_thread =
        |lane: &Lane<'_>| lane.kind == LaneKind::Thread && Some(lane.name) == thread;
    let mut lanes: Vec<_> = frame.lanes().collect();
    // Threads come first, and among them the thread of the frame. Then the most work comes first.
    lanes.sort_by_key(|(lane, scopes)| {
        let outer = scopes.iter().filter(|scope| scope.depth() == 0);
        let work_ns: i64 = outer.map(Scope::duration_ns).sum();
        (rank(lane.kind), !is_frame_thread(lane), -work_ns)
    });
    let mut content = Markup::default();
    let (mut top, mut boxes, mut left_out) = (ROW, 0, 0);
    for (lane, scopes) in lanes {
        let note = match lane.kind {
            LaneKind::OtherProfiler => " (of another profiler)".to_owned(),
            LaneKind::Gpu {
                off_by_ns: Some(ns),
            } => {
                let ms = value_text(ns as f64 / 1e6, Unit::Milliseconds);
                format!(" (begins up to {ms} later)")
            }
            LaneKind::Gpu { off_by_ns: None } => " (its place is not known)".to_owned(),
            _ if is_frame_thread(&lane) => " (the thread of the frame)".to_owned(),
            _ => String::new(),
        };
        content.push(text(
            0.0,
            top + ROW - 5.0,
            &format!("{}{note}", lane.name),
            "name",
        ));
        top += ROW;
        let all = merged(scopes, series, frame_ns);
        let rows = all
            .iter()
            .map(|one| one.depth)
            .max()
            .map_or(0, |depth| depth + 1);
        let (culprits, others): (Vec<_>, Vec<_>) = all.iter().partition(|one| one.is_culprit);
        let has_room = others.len().min(MAX_BOXES - boxes);
        boxes += has_room;
        let (others, without_room) = others.split_at(has_room);
        left_out += without_room.iter().map(|one| one.count).sum::<usize>();
        // Culprits last, over the others.
        for one in others.iter().chain(&culprits) {
            content.push(one.draw(top, series));
        }
        top += f64::from(rows) * ROW;
    }
    let height = top + ROW;
    let ms = |ns: f64| value_text(ns / 1e6, Unit::Milliseconds);
    for at in 0..4_u8 {
        let share = f64::from(at) / 4.0;
        content.push(line(share * WIDTH, height, "rule"));
        content.push(text(
            share * WIDTH + 2.0,
            ROW - 5.0,
            &ms(share * frame_ns),
            "time",
        ));
    }
    let budget = budget_ms.map(|ms| ms * 1e6 / frame_ns * WIDTH);
    if let Some(x) = budget.filter(|x| *x < WIDTH) {
        content.push(line(x, height, "budget"));
    }
    if left_out > 0 {
        let (one, many) = ("more scope is not drawn", "more scopes are not drawn");
        let more = count_text(left_out as u64, one, many);
        content.push(text(0.0, height - 4.0, &more, "time"));
    }
    let view = format!("0 0 {WIDTH} {height}");
    let label = format!("The scopes of frame {} by thread", frame.index());
    let attributes = [
        ("class", "timeline"),
        ("viewBox", view.as_str()),
        ("role", "img"),
        ("aria-label", label.as_str()),
    ];
    element("svg", &attributes, content)
}

fn rank(kind: LaneKind) -> u8 {
    match kind {
        LaneKind::Gpu { .. } => 2,
        LaneKind::OtherProfiler => 1,
        _ => 0,
    }
}

/// One scope, or several narrow ones that follow each other at one depth.
struct Drawn {
    left: f64,
    right: f64,
    depth: u8,
    count: usize,
    ns: i64,
    series: usize,
    is_culprit: bool,
    is_wait: bool,
    begins_before: bool,
    is_open: bool,
}

/// Merges narrow neighbors of each depth, but no scope of a culprit with another scope. Drops none.
fn merged(scopes: &[Scope], series: &[Series], frame_ns: f64) -> Vec<Drawn> {
    let x = |ns: i64| (ns as f64 / frame_ns * WIDTH).clamp(0.0, WIDTH);
    let mut all: Vec<Drawn> = Vec::new();
    let mut last_of: BTreeMap<(u8, bool), usize> = BTreeMap::new();
    for scope in scopes {
        let (left, right) = (x(scope.begin_ns()), x(scope.end_ns()));
        let number = scope.series().number() as usize;
        let is_culprit = series.get(number).is_some_and(|series| series.is_culprit);
        let last = last_of.get(&(scope.depth(), is_culprit)).copied();
        let is_narrow = right - left < NARROW;
        if let Some(last) = last.map(|at| &mut all[at])
            && is_narrow
            && (last.count > 1 || last.right - last.left < NARROW)
            && left - last.right < NARROW / 2.0
        {
            last.right = last.right.max(right);
            last.count += 1;
            last.ns += scope.duration_ns();
            last.is_wait &= scope.is_wait();
            continue;
        }
        last_of.insert((scope.depth(), is_culprit), all.len());
        all.push(Drawn {
            left,
            right,
            depth: scope.depth(),
            count: 1,
            ns: scope.duration_ns(),
            series: number,
            is_culprit,
            is_wait: scope.is_wait(),
            begins_before: scope.begin_ns() < 0,
            is_open: scope.is_open(),
        });
    }
    all
}

impl Drawn {
    fn draw(&self, top: f64, series: &[Series]) -> Markup {
        let path = (series.get(self.series)).map_or("", |series| series.path.as_str());
        let ms = value_text(self.ns as f64 / 1e6, Unit::Milliseconds);
        let title = match self.count {
            1 => format!("{path}: {ms}"),
            count => format!("{count} short scopes: {ms}"),
        };
        let (y, width) = (
            top + f64::from(self.depth) * ROW,
            (self.right - self.left).max(0.5),
        );
        let fill = if self.count > 1 {
            "#9aa4b0".to_owned()
        } else {
            format!("hsl({} 60% 70%)", hue(path))
        };
        let numbers = [self.left, y, width, ROW - 1.0].map(|number| format!("{number:.1}"));
        let class = match (self.is_wait, self.is_culprit) {
            (true, true) => "waits culprit",
            (true, false) => "waits",
            (false, true) => "works culprit",
            (false, false) => "works",
        };
        let attributes = [
            ("x", numbers[0].as_str()),
            ("y", &numbers[1]),
            ("width", &numbers[2]),
            ("height", &numbers[3]),
            ("fill", &fill),
            ("class", class),
        ];
        let mut drawn = element("rect", &attributes, element("title", &[], title));
        let begins = if self.begins_before { "← " } else { "" };
        let ends = if self.is_open { " →" } else { "" };
        let name = path.rsplit('/').next().unwrap_or_default();
        let name = format!("{begins}{name}{ends}");
        let letters = (width / LETTER) as usize;
        if self.count == 1 && letters >= 4 {
            let shown = if name.chars().count() <= letters {
                name
            } else {
                name.chars().take(letters - 1).chain(['…']).collect()
            };
            drawn.push(text(self.left + 3.0, y + ROW - 5.0, &shown, "scope"));
        }
        drawn
    }
}

/// Returns the hue of a path, from 0 to 359.
fn hue(path: &str) -> u32 {
    let hash = path.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash % 360
}

fn text(x: f64, y: f64, text: &str, class: &str) -> Markup {
    let (x, y) = (format!("{x:.1}"), format!("{y:.1}"));
    element("text", &[("x", &x), ("y", &y), ("class", class)], text)
}

fn line(x: f64, height: f64, class: &str) -> Markup {
    let (x, height) = (format!("{x:.1}"), format!("{height:.1}"));
    let ends = [("x1", x.as_str()), ("x2", &x), ("y1", "0"), ("y2", &height)];
    let attributes: Vec<(&str, &str)> = ends.into_iter().chain([("class", class)]).collect();
    element("line", &attributes, "")
}

#[cfg(test)]
mod tests {
    use stats_analysis::insight::Role;
    use stats_core::SeriesId;
    use stats_core::timeline::{NewScope, Timeline};

    use super::*;
    use crate::testing::{culprit, hitch};

    /// Returns the picture of a frame of 10 ms, whose scopes have a thread, a series, and times in
    /// microseconds. Series 1 is the culprit.
    fn drawn(scopes: impl IntoIterator<Item = (&'static str, u32, [i64; 2])>) -> String {
        let mut timeline = Timeline::new(1 << 20, 1);
        timeline.push_frame(0, 0..10_000_000);
        for (lane_name, series, [begin, end]) in scopes {
            timeline.add(NewScope {
                lane: u64::from(lane_name == "main"),
                lane_name,
                lane_kind: LaneKind::Thread,
                series: SeriesId::new(series),
                depth: 0,
                begin_ns: begin * 1000,
                end_ns: Some(end * 1000),
                is_wait: false,
            });
        }
        timeline.settle();
        let series = ["other", "culprit"].map(|path| Series {
            path: path.to_owned(),
            is_culprit: path == "culprit",
        });
        let frame = timeline.frame(0).expect("it was pushed");
        picture(&frame, &series, Some("main"), None).into_string()
    }

    #[test]
    fn the_time_in_no_scope_is_no_timer_of_that_name() {
        let culprits_of = |series: Option<u32>, role: Role| {
            let finding = Finding {
                series,
                role,
                ..culprit("unaccounted")
            };
            culprits(&hitch(Some(finding))).count()
        };
        assert_eq!(culprits_of(None, Role::Unaccounted), 0);
        assert_eq!(culprits_of(Some(3), Role::Culprit), 1);
    }

    #[test]
    fn the_thread_of_the_frame_is_first_whoever_has_more_work() {
        for (main_us, worker_us) in [(10, 9000), (9000, 10)] {
            let drawn = drawn([("worker", 0, [0, worker_us]), ("main", 0, [0, main_us])]);
            let at = |name: &str| drawn.find(name).expect("each lane has its name");
            let main = at(">main (the thread of the frame)<");
            assert!(main < at(">worker<"), "{drawn}");
        }
    }

    #[test]
    fn the_culprit_has_a_border_and_is_drawn_however_many_scopes_there_are() {
        // The gaps are too wide to draw them together.
        let others = (0..1400).map(|at| ("main", 0, [7 * at, 7 * at + 1]));
        // On the thread of the frame and on another one, whose boxes come last.
        for lane in ["main", "worker"] {
            let drawn = drawn(others.clone().chain([(lane, 1, [9800, 9900])]));
            assert_eq!(drawn.matches("\"works culprit\"").count(), 1);
            assert!(drawn.contains("<title>culprit: 0.10 ms</title>"));
            assert_eq!(drawn.matches("\"works\"").count(), MAX_BOXES);
            assert!(drawn.contains(">800 more scopes are not drawn<"));
        }
    }

    #[test]
    fn short_calls_of_the_culprit_are_one_box_over_one_of_the_calls_between_them() {
        let drawn = drawn((0..100).map(|at| ("main", at as u32 % 2, [at, at + 1])));
        let [others, culprits] = ["\"works\"", "\"works culprit\""].map(|class| {
            assert_eq!(drawn.matches(class).count(), 1, "{class}: {drawn}");
            drawn.find(class)
        });
        assert!(others < culprits, "{drawn}");
        let short = drawn.matches("<title>50 short scopes: ").count();
        assert_eq!(short, 2, "{drawn}");
    }
}
