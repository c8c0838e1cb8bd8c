use stats_core::{Problem, Unit};
use stats_testing::Folder;

use super::{Budget, Config, ConfigError, Percent, Seconds};

const MS: Unit = Unit::Milliseconds;

fn parse(text: &str) -> Config {
    Config::parse(text).expect("no mistake")
}

#[track_caller]
fn mistake(text: &str) -> String {
    match Config::parse(text) {
        Ok(config) => panic!("accepted as {config:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_empty_file_has_the_defaults() {
    let config = parse("");
    assert_eq!(config, Config::default());
    assert_eq!(config.limit_percent("frame/median"), 1.0);
    assert_eq!(config.gate.over_budget_percent, Percent(1.0));
    assert_eq!(config.budget("frame", MS), None);
    assert!(config.notes().is_empty());
}

#[test]
fn a_path_without_wildcards_takes_precedence_over_the_longest_pattern() {
    let config = parse(
        r#"
        [budgets]
        "**" = 1
        "ai/**" = 2.5
        "ai/paths/**" = 3
        "ai/x" = 4
        "memory/groups/*/total" = 500e6
        "#,
    );
    for (path, expected) in [
        ("ai/x", 4.0),
        ("ai/paths/search", 3.0),
        ("ai/flock", 2.5),
        ("renderer", 1.0),
        ("memory/groups/ui/total", 500e6),
    ] {
        assert_eq!(config.budget(path, Unit::Count), Some(expected), "{path}");
    }
}

#[test]
fn limits_are_at_least_one_percent() {
    let config = parse(
        r#"
        [gate]
        limit_percent = 0.2
        [gate.limits_percent]
        "spans/*/seconds" = 10
        "#,
    );
    assert_eq!(config.limit_percent("frame/median"), 1.0);
    assert_eq!(
        config.limit_percent("spans/loading The Hollow/seconds"),
        10.0
    );
}

#[test]
fn a_scenario_overrides_only_the_fields_it_sets() {
    let config = parse(
        r#"
        warm_up_seconds = 5
        warm_up_frames = 300
        exclude = ["loading*"]
        [budgets]
        frame = 16.7
        ai = 2
        [gate]
        may_fail = ["frame/median"]
        [scenarios.stress]
        warm_up_seconds = 0
        warm_up_frames = 20
        budgets = { frame = 33.4 }
        limits_percent = { "frame/*" = 20 }
        "#,
    );
    let stress = config.for_scenario(Some("stress"));
    assert_eq!(stress.warm_up_seconds, Seconds(0.0));
    assert_eq!((config.warm_up_frames, stress.warm_up_frames), (300, 20));
    assert_eq!(
        (stress.budget("frame", MS), stress.budget("ai", MS)),
        (Some(33.4), Some(2.0))
    );
    assert_eq!(stress.limit_percent("frame/median"), 20.0);
    assert_eq!(stress.exclude, config.exclude);
    assert_eq!(stress.gate.may_fail, config.gate.may_fail);
    assert_eq!(config.for_scenario(Some("other")), config);
    assert_eq!(config.for_scenario(None), config);
}

#[test]
fn an_error_names_the_file_and_the_line_and_says_how_to_fix_it() {
    for (text, expected) in [
        (
            "\n[budget]\nframe = 1",
            "stats.toml, line 2: unknown field `budget`, expected one of `warm_up_seconds`, `warm_up_frames`, `exclude`, `budgets`, `series`, `gate`, `teams`, `scenarios`; did you mean `budgets`?",
        ),
        (
            "[gate]\n\nmayfail = []",
            "stats.toml, line 3: unknown field `mayfail`, expected one of `may_fail`, `limit_percent`, `limits_percent`, `find_percent`, `over_budget_percent`; did you mean `may_fail`?",
        ),
        (
            "[budgets]\na = 1\nb = nan",
            "stats.toml, line 3: a budget must be a finite number, such as 16.7, or a text with a unit, such as \"2 ms\"",
        ),
        (
            "exclude = []\n[budgets]\nframe = 0",
            "stats.toml, line 2: the budget of `frame` must be a positive time, such as 16.7 or \"16.7 ms\"",
        ),
        (
            "[budgets]\nframe = \"16.7 MiB\"",
            "stats.toml, line 1: the budget of `frame` must be a positive time, such as 16.7 or \"16.7 ms\"",
        ),
        (
            "[budgets]\nframe = \"fast\"",
            "stats.toml, line 2: \"fast\" is not a budget; write a number and its unit, such as \"2 ms\", \"8 MiB\" or \"200\"",
        ),
        (
            "[budgets]\n\"ai/*\" = \"2 msec\"",
            "stats.toml, line 2: \"msec\" in \"2 msec\" is not a unit; write \"2 ms\"",
        ),
        (
            "[scenarios.a]\nbudgets = { frame = -1 }",
            "stats.toml, line 2: the budget of `frame` must be a positive time, such as 16.7 or \"16.7 ms\"",
        ),
        (
            "warm_up_seconds = -1",
            "stats.toml, line 1: a time must be a number of seconds, 0 or more, such as 5",
        ),
        (
            "[gate]\nlimit_percent = inf",
            "stats.toml, line 2: percent must be a number, 0 or more, such as 5",
        ),
        (
            "[gate]\nmay_fail = [\"a[\"]",
            "stats.toml, line 2: \"a[\" is not a pattern (Pattern syntax error near position 1: invalid range pattern); write `[[]` for a `[`",
        ),
        (
            "[budgets]\n\"a[\" = 1",
            "stats.toml, line 2: \"a[\" is not a pattern (Pattern syntax error near position 1: invalid range pattern); write `[[]` for a `[`",
        ),
        (
            "[scenarios.x]\nqqq = 1",
            "stats.toml, line 2: unknown field `qqq`, expected one of `warm_up_seconds`, `warm_up_frames`, `exclude`, `budgets`, `may_fail`, `limits_percent`",
        ),
    ] {
        assert_eq!(mistake(text), expected);
    }
    assert!(mistake("é = \n[").starts_with("stats.toml, line "));
    for (text, example) in [
        ("exclude = 5", "write a list, such as [\"loading*\"]"),
        (
            "exclude = [5]",
            "write a text in quotes, such as \"loading*\"",
        ),
        (
            "[budgets]\nframe = true",
            "write a number or a text, such as 16.7 or \"2 ms\"",
        ),
        (
            "[gate]\nlimit_percent = \"5\"",
            "write a number, such as 16.7",
        ),
        ("budgets = 5", "write a table, such as { frame = 16.7 }"),
        (
            "scenarios.x = 5",
            "write a table, such as { warm_up_seconds = 5 }",
        ),
    ] {
        let message = mistake(text);
        assert!(
            message.contains("invalid type") && message.ends_with(example),
            "{message}"
        );
    }
}

#[test]
fn a_list_of_more_than_six_metrics_gets_a_note() {
    let list = |count: usize| format!("{:?}", vec!["a"; count]);
    let text = |first, second| {
        format!(
            "[gate]\nmay_fail = {}\n[scenarios.x]\nmay_fail = {}",
            list(first),
            list(second)
        )
    };
    assert!(parse(&text(6, 6)).notes().is_empty());
    assert_eq!(parse(&text(7, 8)).notes().len(), 2);
    assert!(parse(&text(7, 1)).notes()[0].starts_with("gate.may_fail has 7 metrics"));
}

#[test]
fn find_reads_the_nearest_file_in_the_folder_or_above_it() {
    let folder = Folder::new("config");
    let deep = folder.0.join("a/b");
    std::fs::create_dir_all(&deep).expect("a temporary folder");
    let file = folder.0.join("stats.toml");
    std::fs::write(&file, "warm_up_seconds = 3").expect("a temporary file");
    let found = Config::find(&deep).expect("no mistake").expect("found");
    assert_eq!(found.warm_up_seconds, Seconds(3.0));
    std::fs::write(deep.join("stats.toml"), "warm_up_seconds = 4").expect("a temporary file");
    let found = Config::find(&deep).expect("no mistake").expect("found");
    assert_eq!(found.warm_up_seconds, Seconds(4.0));
    let missing = Config::read(folder.0.join("none.toml"));
    assert!(matches!(missing, Err(ConfigError::Open { .. })));
    std::fs::write(&file, [0xFF]).expect("a temporary file");
    let error = Config::read(&file).expect_err("not text");
    assert!(error.to_string().contains("save it as UTF-8"), "{error}");
}

#[test]
fn budgets_apply_to_the_series_of_the_program() {
    // Other tests have series of other units below `config`.
    parse("[budgets]\n\"config/counts/**\" = 7").apply_budgets();
    let id = stats_core::counter("config/counts/a").budget(3.0).id();
    let mut seen = None;
    stats_core::for_each_series(|series| {
        if series.id == id {
            seen = series.budget;
        }
    });
    assert_eq!(seen, stats_core::ENABLED.then_some(7.0));
    a_number_that_matches_several_units_applies_to_no_series_of_the_program();
}

#[test]
fn a_budget_applies_only_to_series_of_its_unit_and_is_converted() {
    let config = parse(
        r#"
        [budgets]
        "**" = "200 calls"
        "ai/**" = "2 ms"
        "ai/slow" = "1.5s"
        "memory/**" = "8 MiB"
        "load" = "90 %"
        "balls/**" = "30 balls"
        "disk" = "1 TB"
        "#,
    );
    let (seconds, us) = (Unit::Seconds, Unit::Microseconds);
    for (path, unit, expected) in [
        ("ai/paths", MS, Some(2.0)),
        ("ai/paths", us, Some(2000.0)),
        ("ai/paths", seconds, Some(0.002)),
        // Of the patterns that match, the most precise one of the unit.
        ("ai/paths", Unit::Count, Some(200.0)),
        ("ai/paths", Unit::Bytes, None),
        ("ai/slow", MS, Some(1500.0)),
        ("ai/slow", Unit::Count, Some(200.0)),
        ("memory/a", Unit::Bytes, Some(8_388_608.0)),
        ("memory/a", Unit::Custom("MiB"), Some(8.0)),
        ("memory/a", Unit::Custom("KiB"), Some(8192.0)),
        ("memory/a", MS, None),
        ("load", Unit::Percent, Some(90.0)),
        ("balls/a", Unit::Custom("balls"), Some(30.0)),
        // Not `"30 balls"`, because a word that is not known could be a unit.
        ("balls/a", Unit::Count, Some(200.0)),
        ("disk", Unit::Bytes, Some(1e12)),
        ("disk", Unit::Count, Some(200.0)),
        ("other", Unit::Custom("calls"), Some(200.0)),
        ("other", Unit::Custom("eggs"), None),
        ("frame", MS, None),
    ] {
        assert_eq!(config.budget(path, unit), expected, "{path} {unit:?}");
    }
}

#[test]
fn a_text_that_is_no_number_with_a_unit_is_refused() {
    for text in [
        "",
        "ms",
        "2 2",
        "1,000",
        "1_000 calls",
        "nan",
        "inf",
        "-inf ms",
        "1e999 ms",
        "2 k",
        "2 M",
        "0x2",
        "2 +ms",
        "infinity",
    ] {
        assert!(text.parse::<crate::Budget>().is_err(), "{text:?}");
    }
    for (text, shown) in [
        ("2ms", "\"2 ms\""),
        (" 2.50  ms ", "\"2.5 ms\""),
        ("200", "\"200\""),
        ("-1e3", "\"-1000\""),
        ("3e2 eggs", "\"300 eggs\""),
        ("3 eggs", "\"3 eggs\""),
        ("5 %", "\"5 %\""),
        ("5 m/s", "\"5 m/s\""),
    ] {
        let budget = text.parse::<crate::Budget>().expect(text);
        assert_eq!(budget.to_string(), shown);
    }
    for (text, cure) in [
        ("2 MS", "2 ms"),
        ("8 mib", "8 MiB"),
        ("8 bytes", "8 B"),
        ("1 tb", "1 TB"),
        ("2 mins", "2 min"),
        ("2 hrs", "2 h"),
        ("60 FPS", "60 Hz"),
        ("2 Seconds", "2 s"),
    ] {
        let error = text.parse::<crate::Budget>().expect_err(text);
        assert!(error.ends_with(&format!("write \"{cure}\"")), "{error}");
    }
}

#[test]
fn no_unit_is_taken_for_a_count() {
    for word in [
        "TB",
        "PiB",
        "kHz",
        "days",
        "fortnights",
        "W",
        "dB",
        "J",
        "px/m",
        "Mbit/s",
    ] {
        let budget: crate::Budget = format!("1 {word}").parse().expect(word);
        assert_eq!(budget.in_unit(Unit::Count), None, "{word}");
    }
    for text in ["1", "1 calls", "1 draw calls"] {
        let budget: crate::Budget = text.parse().expect(text);
        assert_eq!(budget.in_unit(Unit::Count), Some(1.0), "{text}");
        assert_eq!(budget.in_unit(Unit::Milliseconds), None, "{text}");
    }
}

#[test]
fn a_number_whose_pattern_matches_several_units_is_an_error_that_names_two_series() {
    let series = [
        ("ai/paths", MS),
        ("ai/flock", MS),
        ("ai/agents", Unit::Count),
        ("memory/a", Unit::Bytes),
    ];
    let check = |text: &str| parse(text).check_budgets(series);
    let error = check("[budgets]\n\"ai/**\" = 2.0").expect_err("two units");
    assert_eq!(
        error.to_string(),
        "stats.toml: the budget 2 of \"ai/**\" has no unit, but matches ai/paths (in ms) and ai/agents (a \
         count): write \"2 ms\" or \"2\""
    );
    assert!(check("[budgets]\n\"*\" = 2").is_err(), "frame and memory");
    for text in [
        "",
        "[budgets]\n\"ai/**\" = \"2 ms\"",
        // One unit.
        "[budgets]\n\"memory/*\" = 500e6\n\"ai/[pf]*\" = 2",
        // The count has a budget of its own.
        "[budgets]\n\"ai/**\" = 2\n\"ai/agents\" = 500",
        "[budgets]\n\"ai/**\" = 2\n\"ai/a*gents\" = \"500\"",
    ] {
        assert!(check(text).is_ok(), "{text}");
    }
}

// With `budgets_apply_to_the_series_of_the_program` in one test, since budgets are set for the
// whole program.
fn a_number_that_matches_several_units_applies_to_no_series_of_the_program() {
    parse("[budgets]\n\"config/units/**\" = 2\n\"config/units/own/**\" = \"3 ms\"").apply_budgets();
    let budget = |path: &str| {
        let mut found = None;
        stats_core::for_each_series(|series| {
            if series.path == path {
                found = series.budget;
            }
        });
        found
    };
    let on = |budget: f64| stats_core::ENABLED.then_some(budget);
    let _ = stats_core::timer("config/units/a");
    let _ = stats_core::timer("config/units/own/a");
    assert_eq!(budget("config/units/a"), on(2.0));
    stats_core::gauge("config/units/b").unit(Unit::Milliseconds);
    assert_eq!(budget("config/units/b"), on(2.0));
    stats_core::counter("config/units/own/b").budget(7.0);
    assert_eq!(budget("config/units/own/b"), on(7.0));
    let problems = stats_core::problems();
    let is_ours = |problem: &&Problem| matches!(problem, Problem::BudgetOfSeveralUnits { .. });
    let ours: Vec<String> = problems
        .iter()
        .filter(is_ours)
        .map(ToString::to_string)
        .collect();
    if stats_core::ENABLED {
        assert_eq!(
            ours,
            [
                "the budget 2 of \"config/units/**\" has no unit, but matches config/units/a (in ms) and \
              config/units/own/b (a count): write \"2 ms\" or \"2\""
            ]
        );
    }
    assert_eq!(
        (budget("config/units/a"), budget("config/units/b")),
        (None, None)
    );
    assert_eq!(budget("config/units/own/a"), on(3.0));
}

#[test]
fn a_line_that_a_program_writes_sets_the_budget_of_exactly_one_path() {
    let paths = [
        "ai/paths",
        "a b/c",
        "odd/[x]*?\\\"/é",
        "tab/\t\u{1}\u{7f}\u{85}",
        "a**b",
        stats_core::FRAME_TIME,
    ];
    let units = [
        Unit::Milliseconds,
        Unit::Bytes,
        Unit::Count,
        Unit::Custom("k"),
    ];
    for unit in units {
        for path in paths {
            let is_frame = path == stats_core::FRAME_TIME;
            if is_frame && unit != Unit::Milliseconds {
                continue;
            }
            let line = Budget::of(2.5e30, unit).toml_line(path);
            let config = parse(&format!("[budgets]\n{line}\n"));
            let path = if is_frame { "frame" } else { path };
            assert_eq!(config.budget(path, unit), Some(2.5e30), "{line}");
            assert_eq!(config.budget(&format!("{path}x"), unit), None, "{line}");
            assert_eq!(
                config.budget(&path.replace('*', "z"), unit).is_some(),
                !path.contains('*')
            );
        }
    }
}

#[test]
fn a_line_for_a_series_that_is_named_frame_is_not_that_of_the_frame_time() {
    let frame_time = Budget::of(16.0, MS).toml_line(stats_core::FRAME_TIME);
    for unit in [Unit::Bytes, Unit::Count, Unit::Percent] {
        let line = Budget::of(5.0, unit).toml_line("frame");
        let config = parse(&format!("[budgets]\n{line}\n"));
        assert_eq!(config.budget("frame", unit), Some(5.0), "{line}");
        assert_eq!(config.budget("frame", MS), None, "{line}");
        let config = parse(&format!("[budgets]\n{frame_time}\n{line}\n"));
        assert_eq!(config.budget("frame", unit), Some(5.0), "{line}");
        assert_eq!(config.budget("frame", MS), Some(16.0), "{line}");
    }
    // In the same unit, the line of the frame time applies.
    let line = Budget::of(5.0, MS).toml_line("frame");
    let config = parse(&format!("[budgets]\n{frame_time}\n{line}\n"));
    assert_eq!(config.budget("frame", MS), Some(16.0));
}

#[test]
fn derived_series_become_series_of_the_program() {
    let mut config = parse(
        "[series]\n\"config/twice\" = \"'config/per call' * 2\"\n\"config/per call\" = \
         \"config/ms / config/calls\"",
    );
    stats_core::gauge("config/ms")
        .unit(Unit::Milliseconds)
        .set(6);
    stats_core::gauge("config/calls").set(2);
    for _ in 0..2 {
        config.define_series().expect("it fits");
    }
    let mut recorder = stats_core::Recorder::new();
    let id = stats_core::find("config/twice");
    assert_eq!(id.is_some(), stats_core::ENABLED);
    if let Some(id) = id {
        let watch = recorder.watch(id);
        recorder.end_frame();
        assert_eq!(recorder.history(&watch, 9).last(), Some(6.0));
    }
    let sum = "config/ms + rate(config/calls)".to_owned();
    config.series = [("config/sum".to_owned(), sum)].into();
    let error = config.define_series();
    if stats_core::ENABLED {
        let error = error.expect_err("two units").to_string();
        assert!(error.contains("config/ms is in ms and"), "{error}");
    }
}

#[test]
fn derived_series_are_checked_when_the_file_is_read() {
    let config = parse(
        "[series]\n\"ai/cost per agent\" = \"ai/cost / ai/agents\"\ntwice = \"'ai/cost per agent' * 2\"",
    );
    let all = config.definitions().expect("checked");
    let paths: Vec<&str> = all.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["ai/cost per agent", "twice"]);
    for (text, line, expected) in [
        (
            "a = \"b /\"",
            2,
            "the series \"a\": a series is missing at byte 3; write a path",
        ),
        (
            "\n# A note.\nok = \"b\"\nwrong = \"median(b)\"\nlast = \"b\"",
            5,
            "the series \"wrong\": \"median\" is not a function",
        ),
        (
            "x = \"c\"\na = \"b\"\nb = \"a\"",
            3,
            "\"a\" needs \"b\" needs \"a\"; define one of them",
        ),
        ("x = \"c\"\na = 1", 3, "expected a string"),
        (
            "x = \"c\"\n\"\" = \"b\"",
            3,
            "\"\" cannot be the path of a derived series; write segments",
        ),
    ] {
        let error = mistake(&format!("[series]\n{text}\n[gate]\n"));
        assert!(error.contains(expected), "{text}: {error}");
        let place = format!("stats.toml, line {line}: ");
        assert!(error.starts_with(&place), "{text}: {error}");
    }
}

#[test]
fn a_team_owns_the_series_that_one_of_its_patterns_matches() {
    let config = parse("[teams]\nnet = [\"net/**\"]\nai = [\"ai/**\", \"paths\"]\nnone = []");
    let owners = |path: &str| -> Vec<String> {
        let teams = config.team_list().into_iter();
        let owners = teams.filter(|team| team.owns(path));
        owners.map(|team| team.name().to_owned()).collect()
    };
    assert_eq!(owners("ai/cost"), ["ai"]);
    assert_eq!(owners("paths"), ["ai"]);
    assert_eq!(owners("net/in/bytes"), ["net"]);
    assert_eq!(owners("paths/a-star"), [""; 0]);
    assert!(Config::default().team_list().is_empty());
}
