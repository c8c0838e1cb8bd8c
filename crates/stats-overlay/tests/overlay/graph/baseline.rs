//! Baseline A: what is marked, the legend's differences from it, and how it persists.

use egui::{Key, Modifiers, Shape, TextureId, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Unit, counter, gauge};
use stats_overlay::{Action, BaselineSeries, FRAME_TIME, Mode, SavedState};
use stats_testing::Random;

use crate::allocations::fewest_in_a_frame;
use crate::host::{Host, click, harness, press, value_of};
use crate::painted::{for_each_shape, painted};

const SIZE: egui::Vec2 = vec2(1400.0, 800.0);

/// Returns a harness that shows the frame time and these series, without any frame.
fn showing(scope: &'static str, paths: &[&str]) -> Harness<'static, Host> {
    let mut host = Host::full(scope);
    host.overlay.set_search("nothing has this name");
    for path in paths {
        host.overlay.select(path);
    }
    let mut harness = harness(SIZE, host);
    harness.run_steps(2);
    harness
}

/// Performs an action, and runs until the numbers are refreshed.
fn act(harness: &mut Harness<'_, Host>, action: Action) {
    harness.state_mut().overlay.act(action);
    harness.run_steps(10);
}

/// Returns what is saved of A.
fn marked(harness: &Harness<'_, Host>) -> Vec<BaselineSeries> {
    let saved = harness.state().overlay.saved();
    let baseline = saved.baselines.iter().find(|saved| saved.name == "A");
    baseline.map_or(Vec::new(), |baseline| baseline.series.clone())
}

/// Returns the series of A with this path.
fn marked_of(harness: &Harness<'_, Host>, path: &str) -> Option<BaselineSeries> {
    let mut series = marked(harness).into_iter();
    series.find(|series| series.path == path)
}

/// Returns the count, mean, minimum, percentiles and maximum of whole values.
fn statistics(mut values: Vec<f64>) -> (usize, [f64; 5]) {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    let at_rank = |percent: usize| values[(count * percent).div_ceil(100) - 1];
    let mean = values.iter().sum::<f64>() / count as f64;
    (
        count,
        [mean, values[0], at_rank(5), at_rank(95), values[count - 1]],
    )
}

fn numbers(of: &BaselineSeries) -> (usize, [f64; 5]) {
    (of.count, [of.mean, of.min, of.p5, of.p95, of.max])
}

#[test]
fn marking_selected_frames_keeps_their_statistics() {
    let path = "baseline-range/x";
    let (counted, mut random) = (counter(path), Random::new(5));
    let mut harness = showing("baseline-range", &[path]);
    let mut values = Vec::new();
    harness.state_mut().record(899, |_| {
        let value = random.below(1000) as f64;
        counted.add(value);
        values.push(value);
    });
    harness.run_steps(2);
    // A power of two, so that each mean is exact.
    for frames in [100..228, 300..332, 640..896] {
        let overlay = &mut harness.state_mut().overlay;
        overlay.select_frames(Some(frames.start as u64..frames.end as u64));
        act(&mut harness, Action::MarkBaseline);
        let of = marked_of(&harness, path).expect("the series is in A");
        assert_eq!(numbers(&of), statistics(values[frames.clone()].to_vec()));
        assert_eq!(of.unit, "");
        assert_eq!(
            value_of(&harness, "Notice"),
            format!(
                "Marked A: 2 series in {}",
                stats_analysis::format::count_text(frames.len() as u64, "frame", "frames")
            )
        );
        let text = value_of(&harness, &format!("legend {path}"));
        assert!(text.contains("vs A 0.0 %"), "{text}");
    }
}

#[test]
fn without_selected_frames_the_last_ten_seconds_are_marked() {
    let path = "baseline-last/x";
    let counted = counter(path);
    let mut harness = showing("baseline-last", &[path]);
    harness
        .state_mut()
        .record(2000, |frame| counted.add(frame as f64));
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::A);
    harness.run_steps(2);
    let recorder = &harness.state().recorder;
    let frames = recorder.frames();
    let frame = |index| recorder.frame(index).expect("the frame is kept");
    let last = frame(frames.end - 1);
    let since_secs = last.start_secs + last.duration_ms / 1000.0 - 10.0;
    let kept = frames.filter(|&index| frame(index).start_secs >= since_secs);
    let values: Vec<f64> = kept.map(|index| index as f64).collect();
    assert!((624..=626).contains(&values.len()));
    let (of, expected) = (marked_of(&harness, path).unwrap(), statistics(values));
    assert_eq!(
        (of.count, of.min, of.max),
        (expected.0, expected.1[1], expected.1[4])
    );
    assert_eq!((of.p5, of.p95), (expected.1[2], expected.1[3]));
    assert!((of.mean - expected.1[0]).abs() < 1e-9 * of.mean);
    let clock = marked_of(&harness, FRAME_TIME).unwrap();
    assert_eq!((clock.unit.as_str(), clock.count), ("ms", of.count));
}

#[test]
fn the_legend_shows_the_difference_from_a_with_its_sign() {
    let (more, less) = ("baseline-sign/more", "baseline-sign/less");
    let (more_counter, less_counter) = (counter(more), counter(less));
    let mut harness = showing("baseline-sign", &[more, less]);
    let record = |harness: &mut Harness<'_, Host>, last, values: [u32; 2]| {
        harness.state_mut().record(last, |_| {
            more_counter.add(values[0]);
            less_counter.add(values[1]);
        });
        harness.run_steps(10);
    };
    record(&mut harness, 999, [10, 10]);
    let text =
        |harness: &Harness<'_, Host>, path: &str| value_of(harness, &format!("legend {path}"));
    assert!(!text(&harness, more).contains("vs A"));
    click(&mut harness, "Menu");
    click(&mut harness, "Mark baseline A Shift+A");
    record(&mut harness, 2999, [12, 9]);
    assert!(text(&harness, more).contains("mean 12.00 vs A +20.0 % "));
    assert!(text(&harness, less).contains("mean 9.00 vs A -10.0 % "));
    // The same for selected frames.
    harness.state_mut().overlay.select_frames(Some(2000..2100));
    harness.run_steps(10);
    assert!(text(&harness, more).contains("mean 12 vs A +20.0 % "));
    act(&mut harness, Action::ClearBaseline);
    assert!(!text(&harness, more).contains("vs A"));
    assert_eq!(marked(&harness), []);
    press(&mut harness, Key::Escape);
}

#[test]
fn a_change_by_a_large_factor_and_one_from_nothing_are_readable() {
    let path = "baseline-large/x";
    let level = gauge(path).unit(Unit::Bytes);
    let mut harness = showing("baseline-large", &[path]);
    let mut last = 999;
    for (before, after, expected) in [
        (2e9, 3.0, "vs A -100.0 % "),
        (3.0, 60.0, "vs A +1,900 % "),
        (3.0, 3e9, "vs A 1,000,000,000× A "),
        (0.0, 2048.0, "vs A +2"),
        (0.0, 0.0, "vs A 0.0 % "),
    ] {
        for (value, marks) in [(before, true), (after, false)] {
            level.set(value);
            harness.state_mut().record(last, |_| {});
            harness
                .state_mut()
                .overlay
                .select_frames(Some(last - 500..last));
            last += 1000;
            harness.run_steps(10);
            if marks {
                act(&mut harness, Action::MarkBaseline);
            }
        }
        let text = value_of(&harness, &format!("legend {path}"));
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn too_few_frames_are_no_baseline() {
    let path = "baseline-few/x";
    let counted = counter(path);
    let mut harness = showing("baseline-few", &[path]);
    harness.state_mut().record(1, |_| counted.add(1));
    harness.run_steps(2);
    act(&mut harness, Action::MarkBaseline);
    assert_eq!(
        value_of(&harness, "Notice"),
        "2 frames are too few for A: mark it when 20 are recorded."
    );
    harness.state_mut().record(99, |_| counted.add(1));
    harness.run_steps(2);
    for (count, is_marked) in [(1, false), (2, false), (19, false), (20, true)] {
        let overlay = &mut harness.state_mut().overlay;
        overlay.select_frames(Some(40..40 + count));
        act(&mut harness, Action::MarkBaseline);
        assert_eq!(!marked(&harness).is_empty(), is_marked, "{count}");
        let notice = value_of(&harness, "Notice");
        let says = "too few for A: select 20 or more, or deselect them (Esc) and mark the last 10 \
                    seconds (Shift+A).";
        assert_eq!(notice.ends_with(says), !is_marked, "{notice}");
    }
}

#[test]
fn a_program_sets_the_baseline() {
    let path = "baseline-set/x";
    let level = gauge(path);
    let mut harness = showing("baseline-set", &[path]);
    level.set(8.0);
    harness.state_mut().record(99, |_| {});
    harness.run_steps(2);
    let values = harness.state().recorder.frame_times(50);
    assert!(BaselineSeries::of(path, Unit::Count, values).is_some());
    let series = BaselineSeries::of(path, Unit::Count, values).map(|mut series| {
        series.mean = 4.0;
        series
    });
    harness
        .state_mut()
        .overlay
        .set_baseline(series.into_iter().collect());
    harness.run_steps(10);
    let text = value_of(&harness, &format!("legend {path}"));
    assert!(text.contains("vs A +100.0 % "), "{text}");
    harness.state_mut().overlay.set_baseline(Vec::new());
    harness.run_steps(10);
    assert_eq!(marked(&harness), []);
}

#[test]
fn a_baseline_of_an_earlier_run_is_used_where_path_and_unit_agree() {
    let (same, changed, gone) = (
        "baseline-kept/same",
        "baseline-kept/changed",
        "baseline-kept/gone",
    );
    let counters = [counter(same), counter(changed)];
    let mut harness = showing("baseline-kept", &[same, changed, gone]);
    let record = |harness: &mut Harness<'_, Host>, last| {
        harness.state_mut().record(last, |_| {
            counters.iter().for_each(|counter| counter.add(10))
        });
        harness.run_steps(10);
    };
    record(&mut harness, 999);
    act(&mut harness, Action::MarkBaseline);
    let mut saved = harness.state().overlay.saved();
    assert_eq!(saved.to_string().parse::<SavedState>().unwrap(), saved);
    for series in &mut saved.baselines[0].series {
        series.mean -= 4.0;
        if series.path == changed {
            series.unit = "ms".to_owned();
        }
    }
    let saved: SavedState = saved.to_string().parse().unwrap();
    drop(harness);
    let mut harness = showing("baseline-kept", &[]);
    harness.state_mut().overlay.restore(&saved);
    harness.state_mut().overlay.set_mode(Mode::Full);
    harness.run_steps(2);
    record(&mut harness, 999);
    let text = |path: &str| value_of(&harness, &format!("legend {path}"));
    assert!(text(same).contains("vs A +66.7 % "), "{}", text(same));
    assert!(text(changed).contains("vs A  "), "{}", text(changed));
    assert!(text(gone).starts_with("missing"));
    assert_eq!(harness.state().overlay.saved().baselines, saved.baselines);
}

#[test]
fn a_range_without_values_keeps_the_baseline_and_shows_a_hint() {
    let mut harness = showing("baseline-empty", &[]);
    act(&mut harness, Action::ClearBaseline);
    assert!(value_of(&harness, "Notice").starts_with("There is no baseline A: mark"));
    act(&mut harness, Action::MarkBaseline);
    assert_eq!(
        value_of(&harness, "Notice"),
        "There are no frames to mark yet. Mark A when some are recorded."
    );
    assert_eq!(harness.state().overlay.saved().baselines, []);
    harness.state_mut().record(99, |_| {});
    harness.run_steps(2);
    act(&mut harness, Action::MarkBaseline);
    let before = marked(&harness);
    assert_eq!(before.len(), 1);
    harness.state_mut().overlay.select_frames(Some(500..600));
    act(&mut harness, Action::MarkBaseline);
    assert_eq!(
        value_of(&harness, "Notice"),
        "The selected frames have no values. Select others, or deselect them (Esc) and mark the last \
         10 seconds (Shift+A)."
    );
    assert_eq!(marked(&harness), before);
}

#[test]
fn moved_ranks_the_series_whose_mean_left_the_band() {
    let paths = ["a", "b", "c", "d", "e"].map(|name| format!("baseline-moved/{name}"));
    let gauges = [0, 1, 2, 3].map(|at| gauge(&paths[at]));
    counter(&paths[4]).add(1);
    let all: Vec<&str> = paths[..4].iter().map(String::as_str).collect();
    let mut harness = showing("baseline-moved", &all);
    let record = |harness: &mut Harness<'_, Host>, last, values: [f64; 4]| {
        harness.state_mut().record(last, |frame| {
            let sign = if frame % 2 == 0 { 1.0 } else { -1.0 };
            let noise = [0.0, 0.0, 5.0, 0.0].map(|spread| spread * sign);
            for ((gauge, value), noise) in gauges.iter().zip(values).zip(noise) {
                gauge.set(value + noise);
            }
        });
        harness.run_steps(15);
    };
    // The rows from the top of the tree.
    let rows = |harness: &Harness<'_, Host>| {
        let found = paths.iter().filter_map(|path| {
            let row = harness.query_by_label(path)?;
            Some((row.rect().top(), &path["baseline-moved/".len()..]))
        });
        let mut found: Vec<(f32, &str)> = found.collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.iter().map(|&(_, name)| name).collect::<String>()
    };
    harness.state_mut().overlay.set_search("moved");
    record(&mut harness, 999, [100.0, 10.0, 20.0, 7.0]);
    assert!(
        harness
            .query_by_label_contains("has moved out of the band")
            .is_some()
    );
    act(&mut harness, Action::MarkBaseline);
    // `a` moves by 10 %, `b` by half, `c` within its own spread, `d` not at all.
    record(&mut harness, 2999, [110.0, 5.0, 23.0, 7.0]);
    assert_eq!(rows(&harness), "ba");
    assert_eq!(value_of(&harness, "Series"), "2 moved since A");
    let said = value_of(&harness, &paths[1]);
    assert!(
        said.starts_with("from 10") && said.ends_with(", × 0.50"),
        "{said}"
    );
    record(&mut harness, 4999, [300.0, 5.0, 26.0, 7.0]);
    assert_eq!(rows(&harness), "abc");
    for (typed, expected) in [
        ("moved -/b", "ac"),
        ("-moved", "de"),
        ("moved unit:ms", "abcde"),
    ] {
        harness.state_mut().overlay.set_search(typed);
        harness.run_steps(15);
        let shown = rows(&harness);
        assert_eq!(shown, expected, "{typed}");
    }
    // A survey is not needed.
    harness.state_mut().recorder.surveys = false;
    harness.state_mut().overlay.set_search("moved");
    harness.run_steps(15);
    assert_eq!(rows(&harness), "abc");
    act(&mut harness, Action::ClearBaseline);
    assert_eq!(rows(&harness), "abcde", "nothing found, the whole tree");
}

#[test]
fn series_in_no_pane_are_marked_and_compared_too() {
    const SERIES: usize = 300;
    let paths: Vec<String> = (0..SERIES)
        .map(|at| format!("baseline-every/{at:03}"))
        .collect();
    let gauges: Vec<_> = paths.iter().map(|path| gauge(path)).collect();
    let mut harness = showing("baseline-every", &[&paths[7]]);
    let mut random = Random::new(11);
    let mut play =
        |harness: &mut Harness<'_, Host>, frames: u64, factors: &dyn Fn(usize) -> f64| {
            let mut played = vec![Vec::new(); SERIES];
            for _ in 0..frames {
                let frame = harness.state().recorder.frames().end;
                for (at, gauge) in gauges.iter().enumerate() {
                    let value = (100 + at + random.below(9) as usize) as f64 * factors(at);
                    gauge.set(value);
                    played[at].push(value);
                }
                harness.state_mut().record(frame, |_| {});
                harness.run_steps(1);
            }
            played
        };
    // The values of a frame are known from the second frame of a survey on.
    play(&mut harness, 10, &|_| 1.0);
    let from = harness.state().recorder.frames().end;
    let played = play(&mut harness, 128, &|_| 1.0);
    let overlay = &mut harness.state_mut().overlay;
    overlay.select_frames(Some(from..from + 128));
    act(&mut harness, Action::MarkBaseline);
    assert_eq!(
        value_of(&harness, "Notice"),
        "Marked A: 301 series in 128 frames"
    );
    for (path, values) in paths.iter().zip(played) {
        let of = marked_of(&harness, path).expect("every series is in A");
        assert_eq!(numbers(&of), statistics(values), "{path}");
    }
    // One in a pane moves, and three in no pane. The selected frames are still those of A.
    harness.state_mut().overlay.set_search("moved");
    let moved = |at| [7, 20, 150, 299].contains(&at);
    play(&mut harness, 128, &|at| {
        if moved(at) { 1.0 + at as f64 } else { 1.0 }
    });
    assert_eq!(value_of(&harness, "Series"), "0 moved since A");
    let newest = harness.state().recorder.frames().end;
    let overlay = &mut harness.state_mut().overlay;
    overlay.select_frames(Some(newest - 100..newest));
    harness.run_steps(30);
    assert_eq!(value_of(&harness, "Series"), "4 moved since A");
    let top = |at: usize| harness.get_by_label(&paths[at]).rect().top();
    let tops = [299, 150, 20, 7].map(top);
    assert!(
        tops.is_sorted(),
        "the largest change is not first: {tops:?}"
    );
    // A series that is added to a pane later is compared with A as well.
    harness.state_mut().overlay.select(&paths[8]);
    let newest = harness.state().recorder.frames().end;
    play(&mut harness, 8, &|_| 2.0);
    let overlay = &mut harness.state_mut().overlay;
    overlay.select_frames(Some(newest..newest + 8));
    harness.run_steps(10);
    let text = value_of(&harness, &format!("legend {}", paths[8]));
    assert!(text.contains("vs A +"), "{text}");
}

/// Returns the numbers at the left axis, and the lower and upper edges of bands across the plot.
fn axis_and_bands(harness: &Harness<'_, Host>) -> (Vec<String>, Vec<[f32; 2]>) {
    let axis = harness.get_by_label("value axis").rect();
    let (mut numbers, mut bands) = (Vec::new(), Vec::new());
    for_each_shape(&harness.output().shapes, |shape, _| match shape {
        Shape::Text(text) if axis.contains(text.visual_bounding_rect().center()) => {
            numbers.push(text.galley.text().to_owned());
        }
        // The series themselves are textures of their own.
        Shape::Mesh(mesh)
            if mesh.vertices.len() == 4 && mesh.texture_id == TextureId::default() =>
        {
            let bounds = mesh.calc_bounds();
            if bounds.left() >= axis.right() - 1.0 && bounds.width() > 500.0 {
                bands.push([bounds.bottom(), bounds.top()]);
            }
        }
        _ => {}
    });
    (numbers, bands)
}

#[test]
fn the_band_spans_the_percentiles_and_does_not_change_the_axis() {
    let path = "baseline-axis/x";
    let counted = counter(path);
    let mut harness = showing("baseline-axis", &[path]);
    harness.state_mut().overlay.deselect(FRAME_TIME);
    harness
        .state_mut()
        .record(999, |frame| counted.add(2000 + frame % 2 * 2000));
    harness.run_steps(10);
    let (high, none) = axis_and_bands(&harness);
    assert!(high.len() > 2 && none.is_empty(), "{high:?} {none:?}");
    act(&mut harness, Action::MarkBaseline);
    let (numbers, bands) = axis_and_bands(&harness);
    assert_eq!((numbers, bands.len()), (high.clone(), 1));
    let has_name = |harness: &Harness<'_, Host>| {
        let mut texts = painted(harness).into_iter();
        texts.any(|(_, text)| text == "baseline A: 90 % of its frames")
    };
    assert!(has_name(&harness));
    let plot = harness.get_by_label("value axis").rect();
    let [bottom, top] = bands[0];
    assert!(plot.top() <= top && top < bottom && bottom <= plot.bottom() + 1.0);
    harness.state_mut().record(2999, |_| counted.add(10));
    harness.run_steps(10);
    let (low, _) = axis_and_bands(&harness);
    assert_ne!(low, high);
    act(&mut harness, Action::ClearBaseline);
    assert_eq!(axis_and_bands(&harness), (low, vec![]));
}

#[test]
fn a_baseline_adds_at_most_two_allocations_for_each_series_of_a_graph() {
    let allocations = |is_marked: bool| {
        let path = "baseline-allocate/x";
        let mut host = Host::full("baseline-allocate");
        host.overlay.select(path);
        let value = gauge(path);
        host.record(600, |frame| value.set((frame % 7) as f64));
        host.overlay.set_mode(Mode::Watch);
        let mut frames = 0_u64;
        fewest_in_a_frame(&mut host, SIZE, |host| {
            frames += 1;
            if is_marked && frames == 50 {
                host.overlay.act(Action::MarkBaseline);
            }
            value.set((frames % 7) as f64);
            let last = host.recorder.frames().end - 1;
            let last = host.recorder.frame(last).expect("it was recorded");
            let begun_secs = last.start_secs + last.duration_ms / 1e3;
            host.recorder.end_frame_at(begun_secs + 0.016);
        })
    };
    // The path and the frame time.
    let series = 2;
    assert!(allocations(true) <= allocations(false) + 2 * series);
}
