//! Tests the table alone: its response to other panes and to spikes.

use egui::{Context, Id, Pos2, RawInput, Rect, vec2};

use crate::baseline::marked::MarkedBaseline;
use crate::data::frame_axis::FrameAxis;
use crate::data::selection::Selection;
use crate::data::shown_scopes::ShownScopes;
use crate::data::view::Data;
use crate::input::settings::Settings;
use crate::insight::findings::Findings;
use crate::insight::frame_limit::{FrameLimit, LimitOf};
use crate::paint::canvas::Canvas;
use crate::search::query::Query;
use crate::table::choices::Sort;
use crate::table::ui::TableUi;
use crate::table::view::TableView;
use crate::testing::{Paths, Values};
use crate::view::PaneContext;
use stats_analysis::track::Track;
use stats_core::FrameSlice;
use stats_ui::theme::Theme;

/// A table in a window of 800 × 400 points. Frames take 10 ms, and all series have the same values.
struct Bench {
    ctx: Context,
    data: Values,
    selection: Selection,
    view: TableView,
    frame_axis: FrameAxis,
    passes: u32,
}

impl Bench {
    fn new(series: usize, frames: u64) -> Self {
        let ctx = Context::default();
        let mut selection = Selection::new();
        for number in 0..series {
            selection.set(&format!("bench/{number}"), true);
        }
        let times_ms = vec![10.0; frames as usize];
        let values: Vec<f64> = (0..frames)
            .map(|frame| (frame * 7919 % 1009) as f64)
            .collect();
        let mut all = vec![(0, values); series + 1];
        all[0].1.clone_from(&times_ms);
        let data = Values {
            series: all,
            ..Values::of(times_ms)
        };
        Self {
            ctx,
            data,
            selection,
            view: TableView::default(),
            frame_axis: FrameAxis::default(),
            passes: 0,
        }
    }

    /// Runs one pass; every sixth refreshes the numbers. Returns the descriptions of the rows on
    /// screen by their labels.
    fn pass(&mut self) -> Vec<(String, String)> {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(800.0, 400.0)));
        let input = RawInput {
            screen_rect,
            time: Some(f64::from(self.passes) / 60.0),
            ..RawInput::default()
        };
        let refresh = self.passes.is_multiple_of(6);
        self.passes += 1;
        let theme = Theme::new(true);
        self.frame_axis.begin_pass(Id::NULL.with("panel"));
        let Self {
            ctx,
            data,
            selection,
            view,
            frame_axis,
            ..
        } = self;
        let mut output = ctx.run_ui(input, |ui| {
            let (selected, revision) = (selection.selected(), selection.revision());
            let rect = ui.max_rect();
            TableUi {
                pane: PaneContext {
                    theme: &theme,
                    frame_axis,
                    data,
                    scopes: &ShownScopes::default(),
                    selected,
                    absent: &|_| "",
                    refresh,
                    revision,
                    settings: &Settings::default(),
                    found: &Findings::default(),
                    limit: LimitOf {
                        limit: &FrameLimit::default(),
                        source: &Paths::default(),
                    },
                    baseline: &MarkedBaseline::default(),
                    search: &Query::default(),
                    aligned: Default::default(),
                },
                view,
            }
            .table_ui(&mut Canvas::in_panel(ui), rect);
        });
        output.textures_delta.clear();
        let nodes = output
            .platform_output
            .accesskit_update
            .map(|update| update.nodes)
            .unwrap_or_default();
        let descriptions = nodes
            .iter()
            .filter_map(|(_, node)| Some((node.label()?.to_owned(), node.value()?.to_owned())));
        descriptions.collect()
    }
}

fn description<'a>(rows: &'a [(String, String)], label: &str) -> Option<&'a str> {
    rows.iter()
        .find(|(of, _)| of == label)
        .map(|(_, description)| description.as_str())
}

#[test]
fn the_spikes_of_a_series_are_marked() {
    let mut bench = Bench::new(1, 200);
    bench.ctx.enable_accesskit();
    bench.data.series[1].1[197] = 5000.0;
    bench.data.tracks = vec![Track::default(), Track::default()];
    for (at, track) in bench.data.tracks.iter_mut().enumerate() {
        let values = FrameSlice::new(0, &bench.data.series[at].1, &[]);
        track.update(values, None, &mut usize::MAX.clone());
    }
    bench.pass();
    let rows = bench.pass();
    assert_eq!(description(&rows, "frame 197"), Some("10.00 | 5,000 spike"));
    assert!(!description(&rows, "frame 196").unwrap().contains("spike"));
    assert_eq!(description(&rows, "Spikes"), Some("1 frame with spikes"));
}

#[test]
fn the_frame_pointed_at_in_another_pane_is_marked() {
    let mut bench = Bench::new(1, 200);
    bench.ctx.enable_accesskit();
    bench.pass();
    bench.frame_axis.point_at(190);
    let rows = bench.pass();
    assert!(
        description(&rows, "frame 190")
            .unwrap()
            .ends_with("under the pointer")
    );
    let rows = bench.pass();
    assert!(
        !description(&rows, "frame 190")
            .unwrap()
            .ends_with("under the pointer")
    );
}

#[test]
fn a_revealed_frame_is_visible_sorted_or_not() {
    for sort in [
        None,
        Some(Sort {
            path: Some("bench/0".to_owned()),
            descending: true,
        }),
    ] {
        let mut bench = Bench::new(1, 2000);
        bench.view.choices.sort = sort;
        bench.ctx.enable_accesskit();
        for frame in [0, 1999, 700, 701, 1000, 1] {
            bench.view.reveal = Some(frame);
            bench.pass();
            let rows = bench.pass();
            assert!(
                description(
                    &rows,
                    &format!("frame {}", stats_analysis::format::whole_text(frame as f64))
                )
                .is_some(),
                "{frame}"
            );
        }
        // A frame that the history does not have moves nothing.
        let before = bench.view.list.offset();
        bench.view.reveal = Some(2000);
        bench.pass();
        bench.pass();
        assert_eq!(bench.view.list.offset(), before);
    }
}

#[test]
fn no_row_is_blank_while_frames_come_and_go() {
    let mut bench = Bench::new(1, 500);
    bench.ctx.enable_accesskit();
    bench.view.choices.sort = Some(Sort {
        path: None,
        descending: false,
    });
    let mut counts = Vec::new();
    for pass in 0..60 {
        bench.data.first += 1;
        bench
            .data
            .series
            .iter_mut()
            .for_each(|(first, _)| *first += 1);
        let rows = bench.pass();
        if pass > 12 {
            counts.push(
                rows.iter()
                    .filter(|(label, _)| label.starts_with("frame "))
                    .count(),
            );
        }
    }
    assert!(
        counts.iter().all(|&count| count == counts[0] && count > 15),
        "{counts:?}"
    );
    // Without movement, it has all rows.
    for _ in 0..12 {
        bench.pass();
    }
    assert_eq!(bench.view.order.range(), bench.data.frames());
}
