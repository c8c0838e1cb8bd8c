use stats_testing::{Folder, Random};

use super::{Run, stats, write_config};

/// Records runs with one commit each, and returns their folder.
fn nights(folder: &Folder, name: &str, frame_ms: &[f64]) -> String {
    let folder = folder.0.join(name);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut random = Random::new(8);
    for (night, ms) in frame_ms.iter().enumerate() {
        let run = Run {
            ms: *ms,
            commit: format!("commit-{night}"),
            ..Run::default()
        };
        run.record(folder.join(format!("{night:04}.parquet")), &mut random);
    }
    folder.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_lasting_change_is_found_with_its_commit() {
    let folder = Folder::new("trend-change");
    let runs = nights(&folder, "runs", &[[10.0; 10], [11.0; 10]].concat());
    let trend = stats(&folder, &["trend", &runs]);
    trend.expect(
        1,
        &[
            "trend: fly-through, 20 runs",
            "SINCE RUN 11 OF 20",
            "commit-10 (0010.parquet), started at ",
            "the previous run is commit-9 (0009.parquet)",
            "frame/median",
            "WORSE",
            "frame/median has been worse by +9.9 % since commit-10 (0010.parquet), from 10.00 ms to 10.98 ms.",
        ],
    );
    let json = stats(&folder, &["trend", &runs, "--format", "json"]);
    let json = json.expect(1, &[]).json();
    let mut events = json["events"].as_array().expect("a list").iter();
    let event = events
        .find(|event| event["commit"] == "commit-10")
        .expect("the change");
    assert_eq!(
        (&event["run"], &event["changes"][0]["may_fail"]),
        (&10.into(), &true.into())
    );
    let file = folder.0.join("trend.html");
    let file = file.to_str().expect("UTF-8");
    stats(&folder, &["trend", &runs, "--html", file]).expect(1, &[]);
    let page = std::fs::read_to_string(file).expect("just written");
    assert_eq!(
        page.matches("<svg").count(),
        2,
        "a picture of each metric that may fail"
    );
    assert!(page.contains(">commit-10</span>"), "{page}");
    let band = page
        .split("id=\"verdict\"")
        .nth(1)
        .and_then(|rest| rest.split("</section>").next());
    let band = band.expect("a band");
    assert!(
        band.contains("frame/median has been worse by") && band.contains("since commit-10 ("),
        "{band}"
    );
    // Within the newest runs, nothing became worse.
    stats(&folder, &["trend", &runs, "--last", "10"]).expect(0, &["10 runs"]);
}

#[test]
fn a_page_begins_with_the_course_since_the_last_release() {
    let folder = Folder::new("trend-release");
    let runs = folder.0.join("runs");
    std::fs::create_dir_all(&runs).expect("a temporary folder");
    write_config(
        &folder,
        "[gate]\nmay_fail = [\"frame/median\"]\n[teams]\nai = [\"ai/*\"]\nsound = [\"sound/*\"]",
    );
    let mut random = Random::new(45);
    for night in 0..18 {
        let is_new = night >= 10;
        let run = Run {
            ms: if is_new { 11.0 } else { 10.0 },
            paths_ms: if is_new { 1.0 } else { 2.0 },
            commit: format!("commit-{night}"),
            release: (night == 6).then(|| "1.2".to_owned()),
            ..Run::default()
        };
        run.record(runs.join(format!("{night:04}.parquet")), &mut random);
    }
    let runs = runs.to_str().expect("UTF-8");
    let file = folder.0.join("trend.html");
    let file = file.to_str().expect("UTF-8");
    let trend = stats(&folder, &["trend", runs, "--html", file]);
    let headline = "The project is getting worse since release 1.2";
    trend.expect(
        1,
        &[
            &format!("{headline}, commit-6 (0006.parquet): frame/median +"),
            "Team ai is getting better: teams/ai/self -50.0 %, from a mean of 2.00 ms to 1.00 ms",
            "Team sound is neither better nor worse.",
        ],
    );
    let order = ["SINCE THE RELEASE", "VERDICT"].map(|title| trend.stdout.find(title));
    assert!(
        order[0].is_some() && order[0] < order[1],
        "{}",
        trend.stdout
    );
    let page = std::fs::read_to_string(file).expect("just written");
    let band = page.split("</h1>").nth(1).expect("a title");
    let first = band.split("</h2>").next().expect("a headline");
    assert!(
        first.contains("id=\"since-the-release\"") && first.contains(headline),
        "{first}"
    );
    let json = stats(&folder, &["trend", runs, "--format", "json"]);
    let json = json.expect(1, &[]).json();
    let since = &json["since_release"];
    assert_eq!(
        (&since["run"], &since["release"]),
        (&6.into(), &"1.2".into())
    );
    assert_eq!(
        (&since["direction"], &since["runs_needed"]),
        (&"worse".into(), &0.into())
    );
    assert_eq!(since["teams"][0]["direction"], "better");
    assert_eq!(since["teams"][1]["direction"], "same");
}

#[test]
fn an_improvement_is_not_an_error() {
    let folder = Folder::new("trend-better");
    let runs = nights(&folder, "runs", &[[11.0; 8], [10.0; 8]].concat());
    // On a busy machine, the cost of the captures, which is real, may change later.
    stats(&folder, &["trend", &runs]).expect(
        0,
        &[
            "the last one, of ",
            "SINCE RUN 9 OF 16",
            "commit-8 (0008.parquet)",
            "frame/median ",
            " better ",
        ],
    );
}

#[test]
fn a_single_slow_run_is_an_outlier() {
    let folder = Folder::new("trend-outlier");
    let mut frame_ms = [10.0; 14];
    frame_ms[6] = 15.0;
    let runs = nights(&folder, "runs", &frame_ms);
    stats(&folder, &["trend", &runs]).expect(
        0,
        &["SINGLE RUNS FAR FROM THE OTHERS", "commit-6 (0006.parquet)"],
    );
}

#[test]
fn an_empty_folder_is_inconclusive() {
    let folder = Folder::new("trend-empty");
    std::fs::create_dir_all(folder.0.join("runs")).expect("a temporary folder");
    for (runs, why) in [
        ("runs", "runs has no runs yet"),
        ("missing", "missing does not exist; name a folder of runs"),
        (
            "missing/*.parquet",
            "no file matches \"missing/*.parquet\" yet",
        ),
    ] {
        stats(&folder, &["trend", runs]).expect(2, &["9 more runs would be enough", why]);
    }
}

#[test]
fn fewer_than_nine_runs_are_inconclusive() {
    let folder = Folder::new("trend-few");
    let runs = nights(&folder, "runs", &[10.0; 5]);
    stats(&folder, &["trend", &runs]).expect(2, &["4 more runs would be enough"]);
}

#[test]
fn runs_of_other_scenarios_are_left_out() {
    let folder = Folder::new("trend-scenarios");
    let runs = folder.0.join("runs");
    let fight = Run {
        scenario: "fight",
        ms: 30.0,
        ..Run::default()
    };
    fight.record_times(3, runs.clone());
    let runs = nights(&folder, "runs", &[10.0; 9]);
    write_config(&folder, "[gate]\nmay_fail = [\"frame/median\"]");
    std::fs::rename(folder.0.join("stats.toml"), folder.0.join("other.toml")).expect("a file");
    stats(&folder, &["trend", &runs, "--config", "other.toml"])
        .expect(0, &["3 runs of other machines or scenarios are left out"]);
    stats(&folder, &["trend", &runs, "--scenario", "fight"])
        .expect(2, &["6 more runs would be enough"]);
    stats(&folder, &["trend", &runs, "--scenario", "figth"]).expect(
        64,
        &["no run has the scenario \"figth\"; there are runs of fight, fly-through"],
    );
}

#[test]
fn a_change_that_a_further_run_may_confirm_is_inconclusive() {
    let folder = Folder::new("trend-waiting");
    let times = [[10.0; 10].as_slice(), &[11.0; 2]].concat();
    let runs = nights(&folder, "runs", &times);
    write_config(&folder, "[gate]\nmay_fail = [\"frame/median\"]");
    stats(&folder, &["trend", &runs]).expect(
        2,
        &[
            "frame/median may have become worse by +",
            "1 more run would show whether it lasts",
            "1 more run is needed",
        ],
    );
    let json = stats(&folder, &["trend", &runs, "--format", "json"]).json();
    assert_eq!(json["runs_needed"], 1);
    assert_eq!(json["unconfirmed"][0]["runs_needed"], 1);
    let times = [[10.0; 10].as_slice(), &[9.0; 2]].concat();
    let better = nights(&folder, "better", &times);
    stats(&folder, &["trend", &better]).expect(0, &["1 more run is needed"]);
}

#[test]
fn a_pattern_that_matches_no_metric_makes_the_trend_inconclusive() {
    let folder = Folder::new("trend-unmatched");
    let runs = nights(&folder, "runs", &[10.0; 12]);
    write_config(
        &folder,
        "[gate]\nmay_fail = [\"frame/medain\", \"frame/median\"]",
    );
    stats(&folder, &["trend", &runs]).expect(
        2,
        &[
            "No metric matches a pattern",
            "frame/medain",
            "did you mean \"frame/median\"?",
        ],
    );
    write_config(&folder, "[gate]\nmay_fail = [\"frame/median\"]");
    stats(&folder, &["trend", &runs]).expect(0, &[]);
    stats(&folder, &["trend", &runs, "--last", "0"]).expect(64, &["--last"]);
}
