use stats_core::{Recorder, Source, Unit, counter, gauge};
use stats_testing::{Random, rounds};

use super::*;

fn formula(text: &str) -> Formula {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Computes a formula over frames of 10 ms.
fn computed(text: &str, inputs: &[&[f64]]) -> Vec<f64> {
    let formula = formula(text);
    let mut evaluation = Evaluation::new(&formula);
    let of_frame = |at: usize| inputs.iter().map(|values| values[at]).collect::<Vec<_>>();
    (0..inputs[0].len())
        .map(|at| evaluation.next(&formula, &of_frame(at), 10.0))
        .collect()
}

/// Returns values without NaN, which is equal to nothing.
fn known(values: &[f64]) -> Vec<Option<f64>> {
    let known = values
        .iter()
        .map(|value| Some(*value).filter(|value| !value.is_nan()));
    known.collect()
}

#[test]
fn formulas_compute_by_rank_and_from_left_to_right() {
    for (text, expected) in [
        ("a + b * c", 14.0),
        ("(a + b) * c", 20.0),
        ("a - b - c", -5.0),
        ("a - (b - c)", 3.0),
        ("b / a / c", 3.0 / 2.0 / 4.0),
        ("b / (a / c)", 6.0),
        ("a * 1000", 2000.0),
        ("rate(b)", 300.0),
        ("mean(a, 1)", 2.0),
        ("'a' + \"b\"", 5.0),
        ("\t a  +\nb ", 5.0),
    ] {
        let of = formula(text);
        let values: Vec<f64> = (of.inputs().iter())
            .map(|path| match path.as_str() {
                "a" => 2.0,
                "b" => 3.0,
                _ => 4.0,
            })
            .collect();
        let value = Evaluation::new(&of).next(&of, &values, 10.0);
        assert_eq!(value, expected, "{text}");
    }
    let of = formula("x/calls / 'frame time' + x/calls");
    assert_eq!(of.inputs(), ["x/calls", "frame time"], "each once");
}

#[test]
fn what_is_not_known_has_no_value_and_does_not_outlive_its_frames() {
    let nan = f64::NAN;
    let (a, b): (&[f64], &[f64]) = (&[1.0, nan, 3.0, 4.0, 0.0], &[2.0, 2.0, 0.0, 8.0, 0.0]);
    let all = |text| known(&computed(text, &[a, b]));
    assert_eq!(all("a / b"), [Some(0.5), None, None, Some(0.5), None]);
    assert_eq!(
        all("a + b"),
        [Some(3.0), None, Some(3.0), Some(12.0), Some(0.0)]
    );
    let zero = computed("0 * a / b", &[&[f64::MAX], &[f64::MIN_POSITIVE]]);
    assert_eq!(zero, [0.0]);
    assert_eq!(
        known(&computed("a / b", &[&[f64::MAX], &[1e-300]])),
        [None],
        "too large"
    );
    let mean = known(&computed(
        "mean(a, 2)",
        &[&[1.0, 3.0, nan, 5.0, 7.0, 1e308, 1.0, 1.0]],
    ));
    let expected = [None, Some(2.0), None, None, Some(6.0)];
    assert_eq!(mean[..5], expected);
    assert_eq!(mean[7], Some(1.0), "nothing is left of a large value");
    let of = formula("rate(a)");
    assert!(Evaluation::new(&of).next(&of, &[1.0], 0.0).is_nan());
    assert!(Evaluation::new(&of).next(&of, &[], 10.0).is_nan());
}

#[test]
fn a_mean_is_that_of_its_last_frames() {
    let mut random = Random::new(91);
    for _ in 0..50 {
        let frames = 1 + random.index(MAX_WINDOW);
        let values: Vec<f64> = (0..800).map(|_| random.below(1000) as f64).collect();
        let means = computed(&format!("mean(x, {frames})"), &[&values]);
        for (at, mean) in means.iter().enumerate() {
            match (at + 1).checked_sub(frames) {
                None => assert!(mean.is_nan()),
                // Sums of whole numbers are exact in any order.
                Some(from) => {
                    let sum: f64 = values[from..=at].iter().sum();
                    assert_eq!(*mean, sum / frames as f64);
                }
            }
        }
    }
}

#[test]
fn an_error_says_where_it_is_and_what_to_write() {
    for (text, expected) in [
        ("", "a series is missing at byte 0; write a path"),
        ("a /", "a series is missing at byte 3"),
        ("a / / b", "a series is missing at byte 4"),
        (
            "a b",
            "\"b\" at byte 2 follows a series without an operator; write +, -, * or /",
        ),
        ("a + b)", "\")\" at byte 5 follows"),
        ("(a + b", "what opens at byte 0 is not closed; add a )"),
        ("'a + b", "what opens at byte 0 is not closed; add a '"),
        ("''", "a series is missing at byte 0"),
        (
            "median(a)",
            "\"median\" is not a function; write rate(x) or mean(x, 60)",
        ),
        ("a/calls (timer)", "\"a/calls\" is not a function"),
        (
            "mean(a)",
            "a moving mean needs its frames, from 1 to 600: write mean(x, 60)",
        ),
        ("mean(a, 0)", "a moving mean needs its frames"),
        ("mean(a, 601)", "a moving mean needs its frames"),
        ("mean(a, b)", "a moving mean needs its frames"),
        (
            &"(".repeat(400),
            "the formula is too long: write at most 1000 bytes, 16 series",
        ),
        (&"a".repeat(1001), "the formula is too long"),
    ] {
        let error = text.parse::<Formula>().expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let many: Vec<String> = (0..17).map(|at| format!("s{at}")).collect();
    assert_eq!(
        many.join(" + ").parse::<Formula>(),
        Err(FormulaError::TooLarge)
    );
    assert_eq!(formula(&many[1..].join(" + ")).inputs().len(), 16);
}

#[test]
fn no_text_panics_and_every_formula_is_read_again_from_its_text() {
    let words = [
        "a",
        "b/c",
        "'d e'",
        "\"f\\\"\"",
        "+",
        "-",
        "*",
        "/",
        "(",
        ")",
        ",",
        "rate(",
        "mean(",
        "60",
        "0",
        "1e3",
        "-5",
        "nan",
        "inf",
        "'",
        "\\",
        "µ",
        "\u{0}",
        " ",
        "frame time",
    ];
    let mut random = Random::new(92);
    let mut read = 0;
    for _ in 0..rounds(40_000) {
        let mut text = String::new();
        for _ in 0..random.index(14) {
            text.push_str(words[random.index(words.len())]);
            if random.below(4) > 0 {
                text.push(' ');
            }
        }
        match text.parse::<Formula>() {
            Ok(of) => {
                read += 1;
                let written = of.to_string();
                assert_eq!(written.parse(), Ok(of.clone()), "{text:?} {written:?}");
                let values = vec![1.0; of.inputs().len()];
                let value = Evaluation::new(&of).next(&of, &values, 10.0);
                assert!(value.is_finite() || value.is_nan());
                let _ = of.unit(&[]);
            }
            Err(FormulaError::Missing { at } | FormulaError::Unexpected { at, .. }) => {
                assert!(text.is_char_boundary(at), "{text:?}");
            }
            Err(_) => {}
        }
    }
    assert!(read > 1000, "{read}");
}

#[test]
fn units_follow_from_those_of_the_parts() {
    let unit = |text: &str, units: &[Unit]| {
        let unit = formula(text).unit(units).expect(text);
        unit.symbol()
    };
    let (ms, bytes, count) = (Unit::Milliseconds, Unit::Bytes, Unit::Count);
    assert_eq!(unit("a / b", &[bytes, bytes]), "");
    assert_eq!(unit("a / b", &[bytes, count]), "B");
    assert_eq!(unit("a / b", &[bytes, ms]), "B/ms");
    assert_eq!(unit("a + b", &[ms, ms]), "ms");
    assert_eq!(unit("a - 1", &[ms]), "ms");
    assert_eq!(unit("2 * a", &[ms]), "ms");
    assert_eq!(unit("rate(a)", &[bytes]), "B/s");
    assert_eq!(unit("mean(rate(a), 9)", &[count]), "/s");
    assert_eq!(unit("a * b", &[ms, bytes]), "");
    assert_eq!(unit("a / c + b / d", &[ms, ms, bytes, bytes]), "");
}

#[test]
fn parts_of_two_units_cannot_be_added() {
    let units = [Unit::Milliseconds, Unit::Bytes, Unit::Count];
    for text in [
        "a + b",
        "b - a",
        "1 + (a - b)",
        "mean(rate(a + b), 9)",
        "(a + 1) + b * c",
        "a / c + b",
        "rate(a) - b",
    ] {
        let of = formula(text);
        // The inputs are in the order of the text.
        let of_path = |path: &String| units[usize::from(path.as_bytes()[0] - b'a')];
        let given: Vec<Unit> = of.inputs().iter().map(of_path).collect();
        let error = of.unit(&given).expect_err(text);
        assert!(matches!(error, FormulaError::Units { .. }), "{error}");
    }
    let error = formula("c * ('a b' + b/c)").unit(&[Unit::Count, units[0], units[1]]);
    assert_eq!(
        error.expect_err("two units").to_string(),
        "'a b' is in ms and b/c is in B, so they cannot be added or subtracted; write series of one \
         unit, or divide each by a series of its unit"
    );
}

fn checked(all: &[(&str, &str)]) -> Result<Definitions, DefinitionError> {
    Definitions::new(all.iter().copied())
}

#[test]
fn definitions_are_ordered_and_refuse_circles_and_wrong_paths() {
    let all = checked(&[("c", "b + a"), ("b", "a * 2"), ("d", "c / b")]).expect("no circle");
    let paths: Vec<&str> = all.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["b", "c", "d"]);
    let problem = |all: &[(&str, &str)]| checked(all).expect_err("wrong").to_string();
    assert_eq!(
        problem(&[("x", "a"), ("p", "q + 1"), ("q", "r"), ("r", "p")]),
        "the series \"p\" needs \"q\" needs \"r\" needs \"p\"; define one of them without the others"
    );
    assert_eq!(
        problem(&[("a", "a + 1")]),
        "the series \"a\" needs \"a\"; define one of them without the others"
    );
    assert!(problem(&[("a", "b"), ("a", "c")]).contains("is defined twice"));
    assert!(problem(&[("a", "b /")]).starts_with("the series \"a\": a series is missing"));
    for path in ["", "/a", "a/", "a//b", "a/ /b", stats_core::FRAME_TIME] {
        assert!(
            problem(&[(path, "b")]).contains("cannot be the path"),
            "{path}"
        );
    }
    let many: Vec<String> = (0..65).map(|at| at.to_string()).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), "x")).collect();
    let path = "64".into();
    assert_eq!(checked(&many), Err(DefinitionError::TooMany { path }));
    assert!(checked(&many[1..]).is_ok());
}

#[test]
fn a_series_that_is_defined_in_code_is_computed_by_the_same_rules() {
    if !stats_core::ENABLED {
        return;
    }
    let (cost, agents) = (counter("defined/cost"), gauge("defined/agents"));
    let cost = cost.unit(Unit::Bytes);
    define("defined/per agent", "defined/cost / defined/agents").expect("it fits");
    define("defined/mean", "mean(rate('defined/per agent'), 2)").expect("it fits");
    let mut recorder = Recorder::new();
    let watch = ["defined/per agent", "defined/mean"].map(|path| {
        let id = stats_core::find(path).expect("registered");
        recorder.watch(id)
    });
    let mut random = Random::new(93);
    let mut inputs: [Vec<f64>; 2] = Default::default();
    for _ in 0..50 {
        let (bytes, number) = (random.below(1000), random.below(3));
        cost.add(bytes);
        agents.set(number as f64);
        inputs[0].push(bytes as f64);
        inputs[1].push(number as f64);
        recorder.end_frame_at(0.01 * inputs[0].len() as f64);
    }
    let values = watch.map(|watch| recorder.history(&watch, 99).iter().collect::<Vec<_>>());
    let per_agent = computed("a / b", &[&inputs[0], &inputs[1]]);
    assert_eq!(known(&values[0]), known(&per_agent));
    for (at, mean) in values[1].iter().enumerate() {
        let before = at
            .checked_sub(1)
            .map_or(f64::NAN, |before| per_agent[before]);
        let expected = (before + per_agent[at]) / 2.0 / 0.01;
        assert!(mean.is_nan() == expected.is_nan());
        assert!(
            mean.is_nan() || (mean - expected).abs() <= expected * 1e-9,
            "{mean} {expected}"
        );
    }
    let mut found = None;
    stats_core::for_each_series(|info| {
        if info.path == "defined/per agent" {
            found = Some((info.unit, info.description));
        }
    });
    let description = Some("= defined/cost / defined/agents");
    assert_eq!(found, Some((Unit::Bytes, description)));
}

#[test]
fn a_definition_that_does_not_fit_the_program_is_refused() {
    if !stats_core::ENABLED {
        return;
    }
    let _ = counter("defined/refused/bytes").unit(Unit::Bytes);
    let _ = stats_core::timer("defined/refused/time");
    let problem = |path: &str, formula: &str| define(path, formula).expect_err(path).to_string();
    let sum = "defined/refused/bytes + defined/refused/time";
    assert!(problem("defined/refused/sum", sum).contains("bytes is in B and"));
    assert_eq!(stats_core::find("defined/refused/sum"), None);
    assert_eq!(
        problem("defined/refused/time", "defined/refused/bytes"),
        "\"defined/refused/time\" is the path of another series; choose another path"
    );
    let (a, b) = ("defined/refused/a", "defined/refused/b");
    assert_eq!(define(a, b), Ok(()));
    assert_eq!(define(a, b), Ok(()), "again");
    let circle = "the series \"defined/refused/b\" needs \"defined/refused/a\" needs \"defined/refused/b\"; \
                  define one of them without the others";
    assert_eq!(problem(b, a), circle);
    assert!(problem(a, "1 + defined/refused/b").contains("is defined twice"));
    // A formula of a view needs all of its inputs: with a slip in a path, it would have no values.
    let mut recorder = Recorder::new();
    let mut add = |path: &str, formula: &str| define_in(&mut recorder, path, formula);
    assert_eq!(
        add("defined/refused/c", "defined/refused/byte + 1")
            .expect_err("missing")
            .to_string(),
        "the series \"defined/refused/c\": there is no series \"defined/refused/byte\"; write a path \
         that the tree shows, and spaces around the / of a quotient"
    );
    // The program has one of the two series, and a view would add the other one.
    let of_view = add(b, "defined/refused/a * 2").expect_err("a circle");
    assert_eq!(of_view.to_string(), circle);
    let id = add("defined/refused/d", "defined/refused/bytes / 2").expect("it fits");
    assert_eq!(stats_core::find("defined/refused/d"), Some(id));
    assert_eq!(
        add("defined/refused/d", "defined/refused/bytes/2").ok(),
        None
    );
    assert_eq!(
        add("defined/refused/d", "(defined/refused/bytes / 2)"),
        Ok(id)
    );
    let taken = add("defined/refused/bytes", "defined/refused/time");
    assert!(matches!(taken, Err(DefinitionError::Taken { .. })));
    let fixed = define_in(&mut Fixed, "x", "1");
    assert!(
        fixed
            .expect_err("fixed")
            .to_string()
            .contains("section [series] of stats.toml")
    );
}

/// A source that cannot compute series.
struct Fixed;

impl Source for Fixed {
    fn generation(&self) -> u64 {
        0
    }

    fn list(
        &self,
        _: stats_core::source::Listed,
        _: &mut dyn FnMut(stats_core::SeriesInfo<'_>) -> std::ops::ControlFlow<()>,
    ) -> Option<u32> {
        Some(0)
    }

    fn find(&self, _: &str) -> Option<stats_core::SeriesId> {
        None
    }

    fn watch(&mut self, id: stats_core::SeriesId) -> stats_core::Watch {
        Recorder::new().watch(id)
    }

    fn history(&self, _: &stats_core::Watch, _: usize) -> stats_core::FrameSlice<'_> {
        stats_core::FrameSlice::default()
    }

    fn peek(&mut self, _: stats_core::SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> std::ops::Range<u64> {
        0..0
    }

    fn frame(&self, _: u64) -> Option<stats_core::Frame> {
        None
    }

    fn frame_times(&self, _: usize) -> stats_core::FrameSlice<'_> {
        stats_core::FrameSlice::default()
    }
}
