//! A source on disk has holes: dropped frames and unknown values. They are gaps in every view, and
//! no figure counts them.

use std::ops::{ControlFlow, Range};

use egui::{Shape, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use stats_core::source::{Listed, WatchList};
use stats_core::{
    FRAME_TIME, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, SeriesKind, Source, Unit, Watch,
};
use stats_overlay::{Action, Mode, PaneView, StatsOverlay};

const FRAMES: usize = 3000;
const HOLES: [Range<usize>; 3] = [200..260, 2_850..2_900, 2_990..3_000];
const PATH: &str = "holes/value";

/// A capture of one series that grows from 1 by 1, with holes.
struct OnDisk {
    values: Vec<f64>,
    times_ms: Vec<f64>,
    watched: WatchList<()>,
}

impl OnDisk {
    fn new() -> Self {
        let mut values: Vec<f64> = (1..=FRAMES).map(|at| at as f64).collect();
        let mut times_ms = vec![16.0; FRAMES];
        for hole in HOLES {
            values[hole.clone()].fill(f64::NAN);
            times_ms[hole].fill(f64::NAN);
        }
        Self {
            values,
            times_ms,
            watched: WatchList::default(),
        }
    }
}

impl Source for OnDisk {
    fn generation(&self) -> u64 {
        1
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let Listed::All = series else { return None };
        let id = SeriesId::new(1);
        let all = [
            SeriesInfo::frame_time(SeriesId::new(0)),
            SeriesInfo::new(id, PATH, SeriesKind::Counter, Unit::Count),
        ];
        let _ = all.into_iter().try_for_each(visit);
        Some(2)
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        let paths = [FRAME_TIME, PATH];
        let number = paths.iter().position(|other| *other == path)?;
        Some(SeriesId::new(number as u32))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.watched.watch(id, || ())
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        if watch.id() == SeriesId::new(0) {
            return self.frame_times(frames);
        }
        let all = self.watched.get(watch).map(|()| self.values.as_slice());
        let all = FrameSlice::new(0, all.unwrap_or_default(), &[]);
        all.within((FRAMES.saturating_sub(frames)) as u64..u64::MAX)
    }

    fn peek(&mut self, _: SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> Range<u64> {
        0..FRAMES as u64
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        let duration_ms = *self.times_ms.get(index as usize)?;
        (!duration_ms.is_nan()).then_some(Frame {
            index,
            start_secs: index as f64 * 0.016,
            duration_ms,
        })
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        let all = FrameSlice::new(0, &self.times_ms, &[]);
        all.within((FRAMES.saturating_sub(frames)) as u64..u64::MAX)
    }

    fn marks(&self) -> &[Mark] {
        &[]
    }
}

struct Viewer {
    overlay: StatsOverlay,
    source: OnDisk,
}

const SIZE: Vec2 = vec2(1400.0, 800.0);

fn viewer() -> Harness<'static, Viewer> {
    let mut overlay = StatsOverlay::new();
    overlay.set_mode(Mode::Full);
    overlay.select(PATH);
    overlay.pin(PATH);
    let mut settings = overlay.settings().clone();
    settings.overlay_budget_ms = 1000.0;
    overlay.set_settings(&settings);
    let viewer = Viewer {
        overlay,
        source: OnDisk::new(),
    };
    Harness::builder().with_size(SIZE).build_ui_state(
        |ui, viewer: &mut Viewer| viewer.overlay.show_with(ui.ctx(), &mut viewer.source),
        viewer,
    )
}

/// Everything that a screen reader hears, one node in each line.
fn texts(harness: &Harness<'_, Viewer>) -> Vec<String> {
    let nodes = harness.root().children_recursive();
    let text = nodes.map(|node| {
        let node = node.accesskit_node();
        format!(
            "{}: {}",
            node.label().unwrap_or_default(),
            node.value().unwrap_or_default()
        )
    });
    text.collect()
}

/// Fails if a drawn shape has a position that is NaN.
fn assert_drawn(harness: &Harness<'_, Viewer>, what: &str) {
    for clipped in &harness.output().shapes {
        let points: Vec<egui::Pos2> = match &clipped.shape {
            Shape::Mesh(mesh) => mesh.vertices.iter().map(|vertex| vertex.pos).collect(),
            Shape::Path(path) => path.points.clone(),
            Shape::LineSegment { points, .. } => points.to_vec(),
            Shape::Rect(shape) => vec![shape.rect.min, shape.rect.max],
            Shape::Circle(circle) => vec![circle.center],
            _ => Vec::new(),
        };
        assert!(points.iter().all(|point| !point.any_nan()), "{what}");
    }
}

#[test]
fn no_view_shows_a_hole_as_a_number() {
    let mut harness = viewer();
    harness.run_steps(5);
    for mode in [Mode::Full, Mode::Watch, Mode::Hud] {
        for view in [
            PaneView::Graph,
            PaneView::Table,
            PaneView::Distribution,
            PaneView::Statistics,
        ] {
            for stacked in [false, true] {
                for frames in [1200..1900, 100..2950] {
                    let overlay = &mut harness.state_mut().overlay;
                    overlay.set_mode(Mode::Full);
                    overlay.set_view(view);
                    overlay.select_frames(Some(frames.clone()));
                    harness.run_steps(3);
                    harness.state_mut().overlay.set_mode(mode);
                    harness.run_steps(5);
                    let what = format!("{mode:?} {view:?} stacked {stacked} {frames:?}");
                    for text in texts(&harness) {
                        assert!(
                            !text.contains("NaN") && !text.contains("inf"),
                            "{what}: {text}"
                        );
                    }
                    assert_drawn(&harness, &what);
                }
                let overlay = &mut harness.state_mut().overlay;
                overlay.set_mode(Mode::Full);
                overlay.set_view(PaneView::Graph);
                overlay.act(Action::ToggleStacked);
                harness.run_steps(2);
            }
        }
    }
}

#[test]
fn figures_cover_only_known_values() {
    let mut harness = viewer();
    let overlay = &mut harness.state_mut().overlay;
    overlay.select_frames(Some(190..270));
    harness.run_steps(10);
    let name = format!("legend {PATH}");
    let legend = harness.get_by_label(&name);
    let legend = legend.accesskit_node().value().unwrap_or_default();
    // 191 to 200 and 261 to 270.
    for figure in ["min 191", "max 270", "mean 230.5", "sum 4,610"] {
        assert!(legend.contains(figure), "{figure} in {legend}");
    }
}
