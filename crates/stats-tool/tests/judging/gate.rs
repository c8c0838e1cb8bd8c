use stats_testing::{Folder, Random};

use super::{Run, stats, write_config};

fn slower() -> Run {
    Run {
        ms: 11.5,
        ..Run::default()
    }
}

#[test]
fn the_exit_code_distinguishes_passed_failed_and_too_few_runs() {
    let folder = Folder::new("gate-codes");
    let before = Run::default().record_times(5, folder.0.join("before"));
    let same = Run::default().record_times(5, folder.0.join("same"));
    let worse = slower().record_times(5, folder.0.join("worse"));
    let gate = |runs: &str, baseline: &str| stats(&folder, &["gate", runs, "--baseline", baseline]);
    gate(&same, &before).expect(
        0,
        &[
            "gate: passed",
            "None of the 2 metrics that may fail is worse",
            "frame/p99-by-time",
        ],
    );
    gate(&worse, &before).expect(1, &["gate: FAILED", "frame/median is worse by +1", "WORSE"]);
    gate(&before, &worse).expect(0, &["better"]);
    let few = gate(
        &format!("{worse}/run-000.parquet"),
        &format!("{before}/run-000.parquet"),
    );
    few.expect(
        2,
        &[
            "gate: cannot tell",
            "frame/median cannot be judged from so few runs: at least 2 more earlier and 2 more later runs are needed to see how much runs vary.",
            "One run against one is an indication",
        ],
    );
}

#[test]
fn json_and_markdown_have_the_same_content() {
    let folder = Folder::new("gate-formats");
    let before = Run::default().record_times(3, folder.0.join("before"));
    let worse = slower().record_times(3, folder.0.join("worse"));
    let arguments = ["gate", &worse, "--baseline", &before, "--format"];
    let run = |format| stats(&folder, &[&arguments[..], &[format]].concat());
    let json = run("json");
    json.expect(1, &[]);
    let json = json.json();
    assert_eq!(
        (&json["verb"], &json["outcome"]),
        (&"gate".into(), &"worse".into())
    );
    let median = &json["comparison"]["may_fail"][0];
    assert_eq!(
        (&median["name"], &median["verdict"]),
        (&"frame/median".into(), &"worse".into())
    );
    assert_eq!(median["before"].as_array().map(Vec::len), Some(3));
    let percent = median["percent"].as_f64().expect("a number");
    assert!((12.0..18.0).contains(&percent), "{percent}");
    run("markdown").expect(
        1,
        &[
            "# gate: FAILED",
            "| metric | verdict | before |",
            "## Verdict",
        ],
    );
    run("yaml").expect(64, &["possible values: text, json, markdown"]);
}

#[test]
fn a_series_over_budget_in_too_many_frames_fails() {
    let folder = Folder::new("gate-budgets");
    let slow_every = |slow_every| Run {
        slow_every,
        ..Run::default()
    };
    // Over budget in 3 of 700 frames, and in 70.
    let rarely = slow_every(300).record_times(3, folder.0.join("rarely"));
    let often = slow_every(10).record_times(3, folder.0.join("often"));
    stats(&folder, &["gate", &rarely])
        .expect(0, &["Only budgets are judged", "ai/paths", "0.43 %"]);
    stats(&folder, &["gate", &often]).expect(
        1,
        &["ai/paths is over its budget of 4.00 ms in 10.0 % of the frames (1.0 % are allowed), worst 10.00 ms, frame "],
    );
    // Two of five runs are always over their budget.
    let always = slow_every(1).record_times(2, folder.0.join("some"));
    for run in 0..3 {
        let name = format!("run-00{run}.parquet");
        let to = format!("{always}/other-{name}");
        std::fs::copy(format!("{rarely}/{name}"), to).expect("a temporary file");
    }
    stats(&folder, &["gate", &always]).expect(1, &["in 40.2 % of the frames"]);
    // The file overrides the budget in the code.
    write_config(&folder, "[budgets]\n\"ai/**\" = 20\nframe = 9");
    stats(&folder, &["gate", &often]).expect(
        1,
        &["frame is over its budget of 9.00 ms by 10 % or more in "],
    );
    write_config(
        &folder,
        "[budgets]\n\"ai/**\" = 20\n[scenarios.other.budgets]\n\"ai/**\" = 1",
    );
    let within = stats(&folder, &["gate", &often, "--format", "json"]);
    assert_eq!(within.expect(0, &[]).json()["budgets"][0]["budget"], 20.0);
    write_config(&folder, "[gate]\nover_budget_percent = 0.2");
    stats(&folder, &["gate", &rarely]).expect(1, &["0.4 % of the frames (0.2 % are allowed)"]);
}

#[test]
fn a_budget_or_a_limit_that_matches_nothing_is_reported() {
    let folder = Folder::new("gate-unmatched");
    let runs = Run::default().record_times(3, folder.0.join("runs"));
    let before = Run::default().record_times(3, folder.0.join("before"));
    write_config(
        &folder,
        "[budgets]\nframe = 50\n\"ai/path\" = 20\n\"ai/**\" = 20\n\
         [gate.limits_percent]\n\"frame/medain\" = 3\n\
         [scenarios.other.budgets]\n\"other/*\" = 1",
    );
    let gate = ["gate", &runs, "--format", "json"];
    let json = stats(&folder, &gate).expect(0, &[]).json();
    assert_eq!(
        json["unmatched_budgets"],
        serde_json::json!([
            "[budgets] in stats.toml: no series matches \"ai/path\"; did you mean \"ai/paths\"?"
        ])
    );
    let compared = ["gate", &runs, "--baseline", &before];
    stats(&folder, &compared).expect(
        0,
        &[
            "no series matches \"ai/path\"",
            "no metric matches \"frame/medain\"; did you mean \"frame/median\"?",
        ],
    );
}

#[test]
fn of_several_scenarios_one_must_be_selected() {
    let folder = Folder::new("gate-scenarios");
    let record = |name: &str, fight_ms: f64| {
        let runs = Run::default().record_times(5, folder.0.join(name));
        let fight = Run {
            scenario: "fight",
            ms: fight_ms,
            ..Run::default()
        };
        let fights = fight.record_times(5, folder.0.join(format!("{name}-fights")));
        [runs, fights]
    };
    let (before, after) = (record("before", 30.0), record("after", 36.0));
    let mut gate = vec!["gate", &after[0], &after[1], "--baseline"];
    gate.extend([before[0].as_str(), before[1].as_str()]);
    let of = |scenario| stats(&folder, &[&gate[..], &["--scenario", scenario]].concat());
    stats(&folder, &gate).expect(
        2,
        &["The later runs are of several scenarios (fight, fly-through): select one with --scenario."],
    );
    of("fly-through").expect(0, &["Runs: 5 before and 5 after"]);
    of("fight").expect(1, &["frame/median is worse by +"]);
    of("figth").expect(64, &["there are runs of fight, fly-through"]);
    let page = [
        "gate",
        &after[0],
        &after[1],
        "--scenario",
        "fight",
        "--html",
        "page.html",
    ];
    stats(&folder, &page).expect(0, &[]);
    let page = std::fs::read_to_string(folder.0.join("page.html")).expect("just written");
    assert!(page.contains("fight: 5 runs") && page.contains("STATS_CAPTURE_SCENARIO=fight "));
}

#[test]
fn with_stored_runs_two_runs_on_each_side_are_enough() {
    let folder = Folder::new("gate-history");
    write_config(
        &folder,
        "[gate]\nmay_fail = [\"frame/median\"]\nfind_percent = 3",
    );
    let history = Run::default().record_times(22, folder.0.join("history"));
    let before = Run::default().record_times(2, folder.0.join("before"));
    let worse = Run {
        ms: 10.5,
        ..Run::default()
    };
    let worse = worse.record_times(2, folder.0.join("worse"));
    let arguments = ["gate", &worse, "--baseline", &before];
    stats(&folder, &arguments).expect(2, &["There are no stored runs"]);
    let with = [&arguments[..], &["--history", &history]].concat();
    stats(&folder, &with).expect(1, &["The noise is estimated from 22 stored runs"]);
}

#[test]
fn a_counter_that_never_varies_fails_for_any_change_above_the_limit() {
    let folder = Folder::new("gate-counter");
    write_config(
        &folder,
        "[gate]\nmay_fail = [\"series/renderer/draw-calls/mean\"]",
    );
    let calls = |draw_calls| Run {
        draw_calls,
        ..Run::default()
    };
    let before = calls(500.0).record_times(2, folder.0.join("before"));
    let same = calls(500.0).record_times(2, folder.0.join("same"));
    let more = calls(510.0).record_times(2, folder.0.join("more"));
    let fewer = calls(400.0).record_times(2, folder.0.join("fewer"));
    stats(&folder, &["gate", &same, "--baseline", &before]).expect(0, &[]);
    stats(&folder, &["gate", &more, "--baseline", &before]).expect(1, &["worse by +2.0 %"]);
    stats(&folder, &["gate", &fewer, "--baseline", &before]).expect(0, &["better"]);
}

#[test]
fn each_scenario_is_judged_by_its_own_budgets() {
    let folder = Folder::new("gate-own-budgets");
    write_config(
        &folder,
        "[budgets]\nframe = 16.7\n[scenarios.stress]\nbudgets = { frame = 33.4 }\n",
    );
    let of = |scenario, ms| Run {
        scenario,
        ms,
        ..Run::default()
    };
    let runs = of("menu", 5.0).record_times(2, folder.0.join("runs"));
    let add = |run: Run, name: &str| {
        run.record(folder.0.join("runs").join(name), &mut Random::new(1));
    };
    add(of("stress", 30.0), "stress.parquet");
    stats(&folder, &["gate", &runs]).expect(0, &[]);
    add(of("fight", 20.0), "fight.parquet");
    let expected =
        "frame in fight is over its budget of 16.70 ms by 10 % or more in 87.6 % of the frames";
    stats(&folder, &["gate", &runs]).expect(1, &[expected, "fight.parquet"]);
    let json = stats(&folder, &["gate", &runs, "--format", "json"]).json();
    assert_eq!(json["budgets"][0]["scenario"], "fight");
    let page = folder.0.join("page.html");
    stats(
        &folder,
        &["report", &runs, "--html", page.to_str().unwrap()],
    )
    .expect(0, &[]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(expected), "the report judges alike");
}

#[test]
fn a_healthy_run_at_the_rate_of_a_display_is_within_its_budget() {
    let folder = Folder::new("gate-display");
    let at = |ms: f64| Run {
        ms,
        ..Run::default()
    };
    let of = |name: &str, ms: f64| at(ms).record_times(1, folder.0.join(name));
    write_config(&folder, "[budgets]\nframe = 16.7");
    // Half of the frames are above 16.7 ms; those of the second run are all above 16.7 ms by 10 %.
    let (healthy, slow) = (of("healthy", 16.667), of("slow", 22.0));
    let over = |runs: &str| {
        let gate = stats(&folder, &["gate", runs, "--format", "json"]).json();
        let frame = gate["budgets"].as_array().expect("a list").iter();
        let frame = frame
            .clone()
            .find(|one| one["path"] == "frame")
            .expect("a budget")
            .clone();
        assert_eq!(
            (&frame["budget"], &frame["limit"]),
            (&16.7.into(), &(16.7 * 1.1).into())
        );
        let report = stats(&folder, &["report", runs, "--format", "json"]).json();
        let metrics = report["metrics"].as_array().expect("a list").clone();
        let metric = |name: &str| {
            let mut all = metrics.iter();
            let metric = all.find(|one| one["name"] == name).expect("a metric");
            metric["value"].as_f64().expect("a number")
        };
        let share = metric("frame/over-budget-share");
        assert_eq!(frame["over_percent"].as_f64(), Some(share));
        (share, metric("frame/over-budget-time-share"))
    };
    assert_eq!(over(&healthy), (0.0, 0.0));
    // The first frame takes no time.
    assert_eq!(over(&slow), (100.0 * 700.0 / 701.0, 100.0));
    stats(&folder, &["gate", &healthy]).expect(0, &["gate: passed"]);
    stats(&folder, &["gate", &slow]).expect(
        1,
        &["frame is over its budget of 16.70 ms by 10 % or more in 99.9 % of the frames"],
    );
}

#[test]
fn a_budget_judges_only_series_of_its_unit() {
    let folder = Folder::new("gate-units");
    let runs = Run::default().record_times(1, folder.0.join("runs"));
    let gate = ["gate", &runs, "--format", "json"];
    let judged = || {
        let json = stats(&folder, &gate).json();
        let budgets = json["budgets"].as_array().expect("a list").clone();
        let of = |one: &serde_json::Value| {
            (
                one["path"].as_str().map(str::to_owned),
                one["budget"].as_f64(),
            )
        };
        let mut budgets: Vec<_> = budgets.iter().map(of).collect();
        budgets.sort_by(|a, b| a.0.cmp(&b.0));
        budgets
    };
    let (paths, calls) = (
        Some("ai/paths".to_owned()),
        Some("renderer/draw-calls".to_owned()),
    );
    write_config(
        &folder,
        "[budgets]\n\"?*/*\" = \"2 ms\"\n\"*/*\" = \"600 calls\"",
    );
    let counts: Vec<_> = judged()
        .into_iter()
        .filter(|one| one.0 == calls || one.0 == paths)
        .collect();
    assert_eq!(counts, [(paths, Some(2.0)), (calls, Some(600.0))]);
    write_config(&folder, "[budgets]\n\"[ar]*/*\" = 2");
    stats(&folder, &["gate", &runs]).expect(
        3,
        &[
            "stats.toml: the budget 2 of \"[ar]*/*\" has no unit, but matches ",
            "ai/paths (in ms)",
            "renderer/draw-calls (a count)",
            "write \"2",
        ],
    );
    let run = format!("{runs}/run-000.parquet");
    for line in [["report", &run], ["explain", &run]] {
        stats(&folder, &line).expect(3, &["has no unit"]);
    }
    write_config(&folder, "[budgets]\n\"ai/*\" = \"2 MiB\"");
    stats(&folder, &["gate", &runs]).expect(
        0,
        &["\"2 MiB\" judges no series that matches \"ai/*\"; ai/paths is in ms"],
    );
}

#[test]
fn a_first_night_without_earlier_runs_cannot_tell() {
    let folder = Folder::new("gate-first-night");
    let tonight = Run::default().record_times(3, folder.0.join("tonight"));
    for empty in ["empty", "missing", "runs/*/*.parquet"] {
        if empty == "empty" {
            std::fs::create_dir_all(folder.0.join(empty)).expect("a temporary folder");
        }
        let gate = ["gate", &tonight, "--baseline", empty, "--history", empty];
        stats(&folder, &gate).expect(
            2,
            &[
                "gate: cannot tell",
                "has no runs yet, so only budgets are judged: to judge regressions, copy runs that are fine into it",
                "has no runs yet, so the noise is estimated from the compared runs.",
            ],
        );
        stats(&folder, &["gate", &tonight, "--history", empty])
            .expect(0, &["Only budgets are judged", "has no runs yet"]);
        let same = ["gate", &tonight, "--baseline", &tonight, "--history", empty];
        stats(&folder, &same).expect(0, &["has no runs yet"]);
        stats(
            &folder,
            &[
                "compare",
                "--before",
                &tonight,
                "--after",
                &tonight,
                "--history",
                empty,
            ],
        )
        .expect(0, &[]);
    }
    // A run that is named itself must exist.
    stats(
        &folder,
        &["gate", &tonight, "--baseline", "runs/001.parquet"],
    )
    .expect(3, &["runs/001.parquet"]);
    // Exceeded budgets fail in the first night, too.
    write_config(&folder, "[budgets]\nframe = 1");
    stats(&folder, &["gate", &tonight, "--baseline", "missing"]).expect(1, &["frame is over"]);
}

#[test]
fn a_copy_of_a_compared_run_is_no_stored_run() {
    let folder = Folder::new("gate-copies");
    let all = Run::default().record_times(24, folder.0.join("all"));
    let baseline = folder.0.join("last-release");
    std::fs::create_dir_all(&baseline).expect("a temporary folder");
    for run in 0..2 {
        let name = format!("run-00{run}.parquet");
        std::fs::copy(format!("{all}/{name}"), baseline.join(&name)).expect("a temporary file");
    }
    let tonight = [22, 23].map(|run| format!("{all}/run-0{run}.parquet"));
    let gate = [
        "gate",
        &tonight[0],
        &tonight[1],
        "--baseline",
        "last-release",
        "--history",
        &all,
    ];
    let gate = [&gate[..], &["--format", "json"]].concat();
    let json = stats(&folder, &gate).json();
    assert_eq!(json["comparison"]["runs"]["stored"], 20);
}

#[test]
fn each_team_has_its_budgets_memory_and_hitches_in_the_report() {
    let folder = Folder::new("gate-teams");
    let run = Run {
        slow_every: 10,
        ..Run::default()
    };
    run.record(folder.0.join("run.parquet"), &mut Random::new(43));
    write_config(
        &folder,
        "[budgets]\n\"renderer/draw-calls\" = \"600\"\n[teams]\nai = [\"ai/**\"]\n\
         all = [\"ai/*\", \"sound/**\"]\nsound = [\"sound/**\"]",
    );
    let report = stats(&folder, &["report", "run.parquet"]);
    let report = report.expect(
        0,
        &[
            "TEAMS",
            "A series in several teams counts in each.",
            "1 series with a budget is in no team: renderer/draw-calls.",
        ],
    );
    let of_team = |team: &str| {
        let lines = report.stdout.lines().skip_while(|line| *line != "TEAMS");
        let mut rows = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
        let row = rows.find(|row| row.first() == Some(&team));
        row.expect("a row for each team").join(" ")
    };
    for team in ["ai", "all"] {
        let row = of_team(team);
        assert!(row.contains(" 1 10.0 % ai/paths "), "{row}");
    }
    assert!(
        of_team("sound").ends_with(" 0 – – – 0"),
        "{}",
        of_team("sound")
    );
    let json = stats(&folder, &["report", "run.parquet", "--format", "json"]);
    let json = json.expect(0, &[]).json();
    let metrics = json["metrics"].as_array().expect("a list");
    let value = |name: &str| {
        let metric = metrics.iter().find(|metric| metric["name"] == name);
        metric.and_then(|metric| metric["value"].as_f64())
    };
    for team in ["ai", "all"] {
        let percent = value(&format!("teams/{team}/over-budget")).expect("it has a budget");
        assert!((percent - 10.0).abs() < 0.1, "{percent}");
    }
    assert_eq!(value("teams/sound/over-budget"), None, "it has no budget");
    let without = Folder::new("gate-no-teams");
    run.record(without.0.join("run.parquet"), &mut Random::new(43));
    let report = stats(&without, &["report", "run.parquet"]);
    assert!(!report.stdout.contains("TEAMS"), "{}", report.stdout);
}
