//! Series that recorders compute from others.

use std::sync::{Arc, Mutex};

use stats_core::limits::PEEK_FRAMES;
use stats_core::{
    AddComputedError, Computation, DeferredSource, Evaluate, Gauge, Problem, Recorder, SeriesId,
    Source, Unit, add_computed, counter, find, for_each_series, gauge, problems, set_budget,
    set_unavailable,
};
use stats_testing::allocations;

use crate::{Random, known, surveyed_value, values};

/// The sum of all inputs.
struct Sum(Vec<String>);

impl Sum {
    fn of(paths: &[&str]) -> Arc<Self> {
        Arc::new(Self(paths.iter().map(|path| (*path).to_owned()).collect()))
    }
}

impl Computation for Sum {
    fn inputs(&self) -> &[String] {
        &self.0
    }

    fn unit(&self, units: &[Unit]) -> Result<Unit, String> {
        let first = units.first().copied().unwrap_or_default();
        match units.iter().all(|unit| *unit == first) {
            true => Ok(first),
            false => Err("units differ".into()),
        }
    }

    fn begin(&self) -> Box<Evaluate> {
        Box::new(|values, _| values.iter().sum())
    }
}

/// The milliseconds of a frame.
struct Milliseconds;

impl Computation for Milliseconds {
    fn inputs(&self) -> &[String] {
        &[]
    }

    fn unit(&self, _: &[Unit]) -> Result<Unit, String> {
        Ok(Unit::Milliseconds)
    }

    fn begin(&self) -> Box<Evaluate> {
        Box::new(|_, frame_ms| frame_ms)
    }
}

fn facts(
    path: &str,
) -> (
    Unit,
    Option<f64>,
    Option<&'static str>,
    Option<&'static str>,
) {
    let mut found = None;
    for_each_series(|info| {
        if info.path == path {
            assert!(info.is_deferred);
            found = Some((info.unit, info.budget, info.description, info.unavailable));
        }
    });
    found.expect("listed")
}

#[test]
fn a_computed_series_has_values_in_the_frames_of_each_recorder() {
    let (a, b) = (counter("computed/a"), counter("computed/b"));
    let (a, b) = (a.unit(Unit::Bytes), b.unit(Unit::Bytes));
    let id = add_computed(
        "computed/sum",
        "a + b",
        Sum::of(&["computed/a", "computed/b"]),
    );
    let id = id.expect("a new path");
    assert_eq!(find("computed/sum"), Some(id));
    assert_eq!(
        facts("computed/sum"),
        (Unit::Bytes, None, Some("a + b"), None)
    );
    set_budget("computed/sum", Some(4.0));
    assert_eq!(facts("computed/sum").1, Some(4.0));

    let (mut frames, mut ticks) = (Recorder::new(), Recorder::with_history(2));
    let (watch, tick_watch) = (frames.watch(id), ticks.watch(id));
    for frame in 0..6_u32 {
        a.add(frame);
        b.add(1);
        frames.end_frame();
        if frame % 2 == 1 {
            ticks.end_frame();
        }
    }
    assert_eq!(values(&frames, &watch), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(frames.watched(), 1, "not its inputs");
    let input = frames.watch(a.id());
    assert_eq!(frames.watched(), 2);
    drop(input);
    assert_eq!(values(&ticks, &tick_watch), [7.0, 11.0], "the newest two");
    let allocated = allocations(|| {
        for _ in 0..4 {
            frames.end_frame();
        }
    });
    assert_eq!(allocated, 0);
    frames.set_history(3);
    b.add(9);
    frames.end_frame();
    assert_eq!(values(&frames, &watch), [0.0, 0.0, 9.0]);
    assert_eq!(frames.history(&watch, 1).frames(), 10..11);

    // A second definition of the same text is the same series, and of another an error.
    let again = || Sum::of(&["computed/a"]);
    let taken = Err(AddComputedError::Taken);
    assert_eq!(add_computed("computed/sum", "a + b", again()), Ok(id));
    assert_eq!(add_computed("computed/sum", "a", again()), taken);
    assert_eq!(add_computed("computed/a", "a", again()), taken);
}

#[test]
fn it_is_peeked_at_and_surveyed_like_others() {
    let _surveys = crate::with_surveys();
    let of = gauge("computed/peeked/level");
    let id = add_computed("computed/peeked", "", Sum::of(&["computed/peeked/level"])).unwrap();
    let mut recorder = Recorder::new();
    of.set(3);
    assert_eq!(recorder.peek(id), None);
    assert_eq!(surveyed_value(&mut recorder, id), None);
    recorder.end_frame();
    of.set(5);
    recorder.end_frame();
    assert_eq!(recorder.peek(id), Some(5.0));
    assert_eq!(surveyed_value(&mut recorder, id), Some(5.0));
    let changed = |recorder: &mut Recorder| {
        let survey = recorder.survey().unwrap_or_default();
        let found = survey.iter().find(|(other, _)| *other == id);
        found.and_then(|(_, value)| value.last_change)
    };
    let before = changed(&mut recorder);
    recorder.end_frame();
    assert_eq!(changed(&mut recorder), before, "it did not change");
    of.set(6);
    recorder.end_frame();
    assert_eq!(changed(&mut recorder), Some(recorder.frames().end - 1));
    // Nobody asks any more: it and its inputs are forgotten, and begin again.
    assert_eq!(recorder.watched(), 0, "only for itself");
    // One after another: the survey ends, and then each series forgets those that it needs.
    for _ in 0..8 * PEEK_FRAMES {
        recorder.end_frame();
    }
    assert_eq!(recorder.peek(id), None);
    recorder.end_frame();
    assert_eq!(recorder.peek(id), Some(6.0));
}

#[test]
fn each_of_many_series_keeps_its_values_while_others_are_forgotten() {
    const MANY: usize = 60;
    let of = |at: usize| gauge(&format!("computed/many/of-{at}"));
    let add = |at: usize| {
        of(at).set(at as f64);
        let sum = Sum::of(&[&format!("computed/many/of-{at}")]);
        add_computed(&format!("computed/many/{at}"), "", sum).expect("a new path")
    };
    let all: Vec<SeriesId> = (0..MANY).map(add).collect();
    let mut recorder = Recorder::new();
    let watch = recorder.watch(all[MANY / 2]);
    let mut random = Random::new(3);
    // When each was last asked for.
    let mut asked = [None; MANY];
    for frame in 0..1_000_u64 {
        // Some rest for longer than a peek is kept.
        let group = (frame / 150) as usize % 3;
        for _ in 0..3 {
            let at = random.index(MANY / 3) * 3 + group;
            let known = recorder.peek(all[at]);
            let ended =
                asked[at].is_some_and(|asked| asked < frame && frame - asked <= PEEK_FRAMES);
            if at == MANY / 2 && frame > 0 || ended {
                assert_eq!(known, Some(at as f64), "frame {frame}");
            }
            assert!(
                known.is_none_or(|value| value == at as f64),
                "frame {frame}"
            );
            asked[at] = Some(frame);
        }
        recorder.end_frame();
    }
    assert_eq!(values(&recorder, &watch), vec![(MANY / 2) as f64; 1_000]);
    assert_eq!(recorder.watched(), 1, "not the inputs");
}

#[test]
fn it_waits_for_deferred_values_and_is_unknown_where_they_are() {
    let gpu = DeferredSource::new();
    let (late, now) = (
        gpu.counter("computed/late/gpu"),
        counter("computed/late/cpu"),
    );
    let paths = ["computed/late/gpu", "computed/late/cpu"];
    let id = add_computed("computed/late", "", Sum::of(&paths)).unwrap();
    // Needs the other.
    let twice = Sum::of(&["computed/late", "computed/late"]);
    let twice = add_computed("computed/late/twice", "", twice).unwrap();
    let mut recorder = Recorder::new();
    let watches = [recorder.watch(twice), recorder.watch(id)];
    let mut stamps = Vec::new();
    for frame in 0..3 {
        stamps.push(gpu.issue());
        now.add(frame);
        recorder.end_frame();
    }
    for watch in &watches {
        assert_eq!(recorder.history(watch, 9).frames(), 0..0);
    }
    gpu.deliver(stamps[0], &[(late, 10.0)]);
    gpu.give_up(stamps[1]);
    // What another test locks is read a frame later.
    let play_until = |recorder: &mut Recorder, frames: usize| {
        for _ in 0..10_000 {
            recorder.end_frame();
            if known(recorder, &watches[0]).len() >= frames {
                return;
            }
        }
    };
    play_until(&mut recorder, 2);
    assert_eq!(known(&recorder, &watches[1]), [Some(10.0), None]);
    gpu.deliver(stamps[2], &[(late, 20.0)]);
    play_until(&mut recorder, 6);
    let (sum, twice) = (known(&recorder, &watches[1]), known(&recorder, &watches[0]));
    assert_eq!(sum[..3], [Some(10.0), None, Some(22.0)]);
    assert_eq!(twice[..3], [Some(20.0), None, Some(44.0)]);
    let mut later = sum[3..].iter().chain(&twice[3..]);
    assert!(later.all(|value| *value == Some(0.0)), "{sum:?} {twice:?}");
}

#[test]
fn a_survey_has_the_values_of_all_frames_that_became_known_at_once() {
    let _surveys = crate::with_surveys();
    let gpu = DeferredSource::new();
    let late = gpu.counter("computed/passed/gpu");
    let id = add_computed("computed/passed", "", Sum::of(&["computed/passed/gpu"])).unwrap();
    let mut recorder = Recorder::new();
    let mut stamps = Vec::new();
    for _frame in 0..3 {
        recorder.survey();
        stamps.push(gpu.issue());
        recorder.end_frame();
    }
    for (stamp, value) in stamps.iter().zip([10.0, 20.0, 30.0]) {
        gpu.deliver(*stamp, &[(late, value)]);
    }
    let surveyed = |recorder: &mut Recorder| -> Vec<_> {
        recorder.end_frame();
        let survey = recorder.survey().unwrap_or_default();
        let of = survey.iter().filter(|(other, _)| *other == id);
        of.map(|(_, value)| (value.last_change, value.value))
            .collect()
    };
    // What another test locks is read a frame later.
    let mut found = surveyed(&mut recorder);
    for _ in 0..10_000 {
        if found.len() > 1 {
            break;
        }
        found = surveyed(&mut recorder);
    }
    assert_eq!(found[..2], [(Some(1), 20.0), (Some(2), 30.0)]);
    assert_eq!((found.len(), found[2].1), (3, 0.0));
    let next = surveyed(&mut recorder);
    assert_eq!((next.len(), next[0].1), (1, 0.0));
}

#[test]
fn an_input_that_is_registered_later_is_found_with_its_unit() {
    let id = add_computed("computed/early", "", Sum::of(&["computed/early/input"])).unwrap();
    let mut recorder = Recorder::new();
    let watch = recorder.watch(id);
    recorder.end_frame();
    // Its unit comes with it, so that no recorder of another test sees it without.
    static INPUT: Gauge = Gauge::new("computed/early/input").unit(Unit::Meters);
    INPUT.set(2);
    for _ in 0..3 {
        recorder.end_frame();
    }
    let all = known(&recorder, &watch);
    assert_eq!((all[0], all[3]), (None, Some(2.0)));
    assert_eq!(facts("computed/early").0, Unit::Meters);
}

#[test]
fn units_that_do_not_fit_are_shown_in_place_of_values() {
    let _ = gauge("computed/wrong/bytes").unit(Unit::Bytes);
    let _ = gauge("computed/wrong/ms").unit(Unit::Milliseconds);
    let sum = Sum::of(&["computed/wrong/bytes", "computed/wrong/ms"]);
    let id = add_computed("computed/wrong", "", sum).unwrap();
    assert_eq!(facts("computed/wrong").3, Some("units differ"));
    let mut recorder = Recorder::new();
    let watch = recorder.watch(id);
    recorder.end_frame();
    assert_eq!(known(&recorder, &watch), [None]);
    // Somebody else's reason does not take this one away.
    set_unavailable(id, Some("it was removed"));
    assert_eq!(facts("computed/wrong").3, Some("it was removed"));
    set_unavailable(id, None);
    assert_eq!(facts("computed/wrong").3, Some("units differ"));
    recorder.end_frame();
    assert_eq!(known(&recorder, &watch), [None, None]);
}

#[test]
fn a_series_that_somebody_made_unavailable_is_not_computed_until_it_is_available_again() {
    let input = gauge("computed/rest/in");
    let sum = Sum::of(&["computed/rest/in"]);
    let id = add_computed("computed/rest/of", "= rest", sum).expect("it is new");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(id);
    for frame in 0..9_u32 {
        match frame {
            3 => set_unavailable(id, Some("it was removed")),
            6 => set_unavailable(id, None),
            _ => {}
        }
        input.set(f64::from(frame));
        recorder.end_frame();
        let expected = (!(3..6).contains(&frame)).then_some(f64::from(frame));
        assert_eq!(known(&recorder, &watch).last(), Some(&expected), "{frame}");
    }
    assert_eq!(facts("computed/rest/of").3, None);
}

#[test]
fn a_circle_is_refused_by_name_and_the_path_of_a_computed_series_is_taken() {
    let add = |path: &str, input: &str| add_computed(path, "", Sum::of(&["x", input]));
    let circle = |paths: &[&str]| {
        let paths = paths.iter().map(|path| format!("computed/circle/{path}"));
        Err(AddComputedError::Circle {
            paths: paths.collect(),
        })
    };
    assert_eq!(
        add("computed/circle/a", "computed//circle/a"),
        circle(&["a"])
    );
    assert!(add("computed/circle/a", "computed/circle/b").is_ok());
    assert!(add("computed/circle/c", "computed/circle/a").is_ok());
    let of_three = add("computed/circle/b", "computed/circle/c");
    assert_eq!(of_three, circle(&["b", "c", "a"]));
    let text = of_three.expect_err("a circle").to_string();
    let ends = text.ends_with("\"computed/circle/b\": compute one of them without the others");
    assert!(ends, "{text}");
    assert!(add("computed/circle/b", "computed/circle/d").is_ok());
    gauge("computed/circle/a").set(4);
    let is_late = |problem: &Problem| matches!(problem, Problem::LateClash { path, .. } if path == "computed/circle/a");
    assert!(problems().iter().any(is_late));
}

/// A computation that reads another computed series while it is asked for its inputs, as a recorder
/// of another thread may do at that time.
struct Reads(Mutex<Recorder>, SeriesId);

impl Computation for Reads {
    fn inputs(&self) -> &[String] {
        let mut recorder = self.0.lock().expect("no panic");
        recorder.end_frame();
        recorder.peek(self.1);
        &[]
    }

    fn unit(&self, _: &[Unit]) -> Result<Unit, String> {
        Ok(Unit::Count)
    }

    fn begin(&self) -> Box<Evaluate> {
        Box::new(|_, _| 0.0)
    }
}

#[test]
fn frames_end_while_a_series_is_added() {
    let read = add_computed("computed/read", "", Sum::of(&[])).expect("a free path");
    let reads = Arc::new(Reads(Mutex::new(Recorder::new()), read));
    assert!(add_computed("computed/reads", "", Arc::clone(&reads) as Arc<_>).is_ok());
    assert_ne!(reads.0.lock().unwrap().frames(), 0..0);
}

#[test]
fn the_computation_gets_the_duration_of_the_frame() {
    let mut recorder = Recorder::new();
    let of = Arc::new(Milliseconds);
    let id = Source::add_computed(&mut recorder, "computed/ms", "", of).unwrap();
    let watch = recorder.watch(id);
    for time in [0.5, 0.75, 2.0] {
        recorder.end_frame_at(time);
    }
    assert_eq!(values(&recorder, &watch), [500.0, 250.0, 1250.0]);
}
