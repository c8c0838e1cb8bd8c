use stats_testing::Folder;

use super::{Config, ConfigError, Percent, Seconds};

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
    assert_eq!(config.budget("frame"), None);
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
        assert_eq!(config.budget(path), Some(expected), "{path}");
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
        exclude = ["loading*"]
        [budgets]
        frame = 16.7
        ai = 2
        [gate]
        may_fail = ["frame/median"]
        [scenarios.stress]
        warm_up_seconds = 0
        budgets = { frame = 33.4 }
        limits_percent = { "frame/*" = 20 }
        "#,
    );
    let stress = config.for_scenario(Some("stress"));
    assert_eq!(stress.warm_up_seconds, Seconds(0.0));
    assert_eq!(
        (stress.budget("frame"), stress.budget("ai")),
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
            "stats.toml, line 2: unknown field `budget`, expected one of `warm_up_seconds`, `exclude`, `budgets`, `gate`, `teams`, `scenarios`; did you mean `budgets`?",
        ),
        (
            "[gate]\n\nmayfail = []",
            "stats.toml, line 3: unknown field `mayfail`, expected one of `may_fail`, `limit_percent`, `limits_percent`, `find_percent`, `over_budget_percent`; did you mean `may_fail`?",
        ),
        (
            "[budgets]\na = 1\nb = nan",
            "stats.toml, line 3: a budget must be a finite number, in the unit of the series, such as 16.7",
        ),
        (
            "exclude = []\n[budgets]\nframe = 0",
            "stats.toml, line 2: the budget of `frame` must be a positive number of milliseconds, such as 16.7",
        ),
        (
            "[scenarios.a]\nbudgets = { frame = -1 }",
            "stats.toml, line 2: the budget of `frame` must be a positive number of milliseconds, such as 16.7",
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
            "stats.toml, line 2: unknown field `qqq`, expected one of `warm_up_seconds`, `exclude`, `budgets`, `may_fail`, `limits_percent`",
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
            "[budgets]\nframe = \"fast\"",
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
    parse("[budgets]\n\"config/**\" = 7").apply_budgets();
    let id = stats_core::counter("config/a").budget(3.0).id();
    let mut seen = None;
    stats_core::for_each_series(|series| {
        if series.id == id {
            seen = series.budget;
        }
    });
    assert_eq!(seen, stats_core::ENABLED.then_some(7.0));
}
