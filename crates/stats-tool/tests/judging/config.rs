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
