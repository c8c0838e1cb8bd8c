use stats_testing::Folder;

use super::{Run, stats, write_config};

#[test]
fn a_mistake_in_the_file_names_the_line_and_the_cure() {
    let folder = Folder::new("config-mistake");
    let runs = Run::default().record_times(1, folder.0.join("runs"));
    write_config(&folder, "[gate]\nmay_fial = []");
    stats(&folder, &["gate", &runs]).expect(
        3,
        &[
            "stats.toml, line 2: unknown field `may_fial`",
            "did you mean `may_fail`?",
        ],
    );
    stats(&folder, &["gate", &runs, "--config", "none.toml"])
        .expect(3, &["none.toml cannot be read", "check the path"]);
}

#[test]
fn the_file_in_a_folder_above_applies() {
    let folder = Folder::new("config-above");
    let runs = Run::default().record_times(1, folder.0.join("runs"));
    write_config(&folder, "[budgets]\nframe = 1");
    let deep = Folder(folder.0.join("a/b"));
    std::fs::create_dir_all(&deep.0).expect("a temporary folder");
    stats(&deep, &["gate", &runs]).expect(1, &["frame is over its budget of 1.00 ms"]);
}

#[test]
fn too_many_metrics_get_a_note_and_a_misspelled_one_cannot_be_judged() {
    let folder = Folder::new("config-metrics");
    let runs = Run::default().record_times(4, folder.0.join("runs"));
    write_config(
        &folder,
        "[gate]\nfind_percent = 50\nmay_fail = [\"frame/mean\", \"frame/median\", \"frame/p9?-by-frame\", \"run/average-fps\", \"a\", \"b\", \"c\"]",
    );
    let text = stats(&folder, &["gate", &runs, "--baseline", &runs]);
    text.expect(
        2,
        &[
            "Gate.may_fail has 7 metrics",
            "No metric of both sides matches \"a\"",
        ],
    );
    write_config(&folder, "[gate]\nmay_fail = [\"frame/meadian\"]");
    stats(&folder, &["gate", &runs, "--baseline", &runs])
        .expect(2, &["did you mean \"frame/median\"?"]);
}

#[test]
fn warm_up_is_left_out() {
    let folder = Folder::new("config-warm-up");
    let slow_at_first = Run {
        slow_every: 10_000,
        paths_ms: 0.5,
        ..Run::default()
    };
    let runs = slow_at_first.record_times(1, folder.0.join("runs"));
    let most = || {
        let json = stats(&folder, &["gate", &runs, "--format", "json"]).json();
        json["budgets"][0]["most"].as_f64()
    };
    assert_eq!(most(), Some(5.0));
    for warm_up in ["warm_up_seconds = 1", "warm_up_frames = 100"] {
        write_config(&folder, warm_up);
        assert_eq!(most(), Some(0.5));
    }
    let run = format!("{runs}/run-000.parquet");
    let left_out = |options: &[&str]| {
        let line = [&["report", &run, "--format", "json"], options].concat();
        stats(&folder, &line).json()["runs"][0]["left_out"][0]["end"].clone()
    };
    assert_eq!(left_out(&[]), 100);
    assert_eq!(left_out(&["--warm-up-frames", "7"]), 7);
    assert_eq!(left_out(&["--warm-up", "0"]), serde_json::Value::Null);
    write_config(&folder, "warm_up_frames = -1");
    stats(&folder, &["report", &runs]).expect(3, &["write a whole number, 0 or more, such as 300"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_an_error_unlike_a_missing_one() {
    let folder = Folder::new("config-dangling");
    let runs = Run::default().record_times(1, folder.0.join("runs"));
    std::os::unix::fs::symlink("nowhere.toml", folder.0.join("stats.toml")).unwrap();
    stats(&folder, &["report", &runs]).expect(3, &["stats.toml"]);
}

#[test]
fn derived_series_are_computed_for_every_capture_and_judged_like_others() {
    let folder = Folder::new("config-derived");
    let runs = Run::default().record_times(2, folder.0.join("runs"));
    write_config(
        &folder,
        "[series]\n\"cost/per draw call\" = \"ai/paths / renderer/draw-calls\"\n\"cost/double\" = \
         \"'cost/per draw call' * 2\"\n\"ai/paths\" = \"renderer/draw-calls\"\n\"none\" = \
         \"renderer/draw-call + 1\"\n\"sum\" = \"ai/paths + rate(renderer/draw-calls)\"\n\"quotient\" = \"ai/paths/renderer/draw-calls\"\n[budgets]\n\
         \"cost/double\" = 0.003",
    );
    let missing = "the derived series \"none\" is left out: there is no series \
                   \"renderer/draw-call\"; did you mean \"renderer/draw-calls\"?";
    let spaces = "the derived series \"quotient\" is left out: there is no series \
                  \"ai/paths/renderer/draw-calls\"; write spaces around the / of a quotient";
    let units = "the derived series \"sum\" is left out: ai/paths is in ms and \
                 rate(renderer/draw-calls) is in /s, so they cannot be added or subtracted";
    // 1 ms for 500 calls, twice.
    let ended = stats(&folder, &["gate", &runs]);
    ended.expect(
        1,
        &[
            "cost/double is over its budget of 0.0030 ms",
            missing,
            spaces,
            units,
        ],
    );
    assert_eq!(
        ended.stderr.matches("\"none\" is left out").count(),
        1,
        "once for all runs"
    );
    let run = format!("{runs}/run-000.parquet");
    let csv = stats(
        &folder,
        &["export", &run, "--to", "csv", "--series", "cost/*"],
    );
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "frame,start s,duration ms,cost/per draw call ms,cost/double ms"
    );
    let values: Vec<f64> = lines[9]
        .split(',')
        .map(|cell| cell.parse().unwrap())
        .collect();
    assert_eq!((values[3], values[4]), (1.0 / 500.0, 2.0 / 500.0));
    // A series that the capture contains stays as it was recorded.
    let csv = stats(
        &folder,
        &["export", &run, "--to", "csv", "--series", "ai/paths"],
    );
    assert!(
        csv.stdout.lines().nth(9).unwrap().ends_with(",1"),
        "{}",
        csv.stdout
    );
    write_config(&folder, "[series]\na = \"b +\"");
    stats(&folder, &["gate", &runs])
        .expect(3, &["stats.toml, line 2", "a series is missing at byte 3"]);
    stats(&folder, &["export", &run, "--to", "csv"]).expect(3, &["stats.toml, line 2"]);
}
