use stats_testing::Folder;

use super::{Run, stats};

#[test]
fn runs_of_different_scenarios_are_shown_but_not_judged() {
    let folder = Folder::new("compare-scenarios");
    let before = Run::default().record_times(5, folder.0.join("before"));
    let other = Run {
        ms: 11.0,
        scenario: "fight",
        ..Run::default()
    };
    let after = other.record_times(5, folder.0.join("after"));
    let why =
        "The earlier runs are of the scenario \"fly-through\" and the later ones of \"fight\"";
    stats(
        &folder,
        &["compare", "--before", &before, "--after", &after],
    )
    .expect(2, &["cannot tell", why, "frame/median"]);
    stats(&folder, &["gate", &after, "--baseline", &before]).expect(2, &[why]);
}

#[test]
fn changes_are_listed_with_their_certainty() {
    let folder = Folder::new("compare");
    let before = Run::default().record_times(5, folder.0.join("before"));
    let other = Run {
        ms: 11.0,
        paths_ms: 3.0,
        ..Run::default()
    };
    let after = other.record_times(5, folder.0.join("after"));
    let arguments = ["compare", "--before", &before, "--after", &after];
    stats(&folder, &arguments).expect(
        1,
        &[
            "compare: WORSE",
            "frame/median is worse by +1",
            "OTHER METRICS",
            "series/ai/paths/mean",
            "+200.0 %",
        ],
    );
    let json = stats(&folder, &[&arguments[..], &["--format", "json"]].concat());
    let json = json.expect(1, &[]).json();
    let others = json["comparison"]["others"].as_array().expect("a list");
    let paths = others
        .iter()
        .find(|one| one["name"] == "series/ai/paths/mean");
    let paths = paths.expect("the metric");
    assert_eq!(
        (&paths["verdict"], &paths["cliffs_delta"]),
        (&"worse".into(), &1.0.into())
    );
    let file = folder.0.join("compare.html");
    let file = file.to_str().expect("UTF-8");
    stats(&folder, &[&arguments[..], &["--html", file]].concat()).expect(1, &[]);
    let page = std::fs::read_to_string(file).expect("just written");
    assert!(
        page.contains("class=\"verdict bad\"")
            && page.contains(" worse</h2>")
            && page.contains("id=\"data\"")
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("compare.html", folder.0.join("link.html")).unwrap();
        stats(
            &folder,
            &[&arguments[..], &["--html", "link.html"]].concat(),
        )
        .expect(1, &[]);
        assert!(folder.0.join("link.html").is_symlink());
    }
    let nowhere = stats(
        &folder,
        &[&arguments[..], &["--html", "none/x.html"]].concat(),
    );
    nowhere.expect(3, &["none/x.html cannot be written"]);
    let back = stats(
        &folder,
        &["compare", "--before", &after, "--after", &before],
    );
    back.expect(0, &["compare: not worse", "better"]);
}

#[test]
fn one_run_against_one_is_an_indication() {
    let folder = Folder::new("compare-one");
    let before = Run::default().record_times(1, folder.0.join("before"));
    let after = Run {
        ms: 20.0,
        ..Run::default()
    };
    let after = after.record_times(1, folder.0.join("after"));
    let arguments = [
        "compare", "--before", &before, "--after", &after, "--format", "json",
    ];
    let json = stats(&folder, &arguments).expect(2, &[]).json();
    let median = &json["comparison"]["may_fail"][0];
    assert_eq!(
        (&median["verdict"], &median["runs_needed"]),
        (&"cannot-tell".into(), &3.into())
    );
    let low = median["indication"]["interval"][0]
        .as_f64()
        .expect("a number");
    assert!((9.0..11.0).contains(&low), "{low}");
}

#[test]
fn series_of_one_side_are_named() {
    let folder = Folder::new("compare-unpaired");
    let before = Run::default().record_times(2, folder.0.join("before"));
    let new = stats_core::counter("compare/new");
    let after = Run::default().record_times(2, folder.0.join("after"));
    new.add(1_u32);
    let arguments = ["compare", "--before", &before, "--after", &after];
    stats(&folder, &arguments).expect(2, &["Only the later runs have compare/new."]);
    let json = stats(&folder, &[&arguments[..], &["--format", "json"]].concat()).json();
    let only = |side: &str| json["comparison"][side].as_array().unwrap().clone();
    assert!(only("only_before").is_empty());
    let names = only("only_after");
    assert!(
        names.contains(&"series/compare/new/mean".into()),
        "{names:?}"
    );
}

#[test]
fn both_sides_are_needed() {
    let folder = Folder::new("compare-usage");
    stats(&folder, &["compare", "--before", "a.parquet"]).expect(64, &["--after"]);
}

#[test]
fn a_run_that_is_named_several_times_counts_once() {
    let folder = Folder::new("compare-twice");
    Run::default().record_times(1, folder.0.join("before"));
    let after = Run {
        ms: 12.0,
        ..Run::default()
    };
    after.record_times(1, folder.0.join("after"));
    let twice = [
        "compare",
        "--before",
        "before/run-000.parquet",
        "./before/run-000.parquet",
        "before",
        "--after",
        "after/run-000.parquet",
        "after/../after/run-000.parquet",
    ];
    stats(&folder, &twice).expect(2, &["an indication"]);
    let same = ["compare", "--before", "before", "--after", "./before"];
    let same = stats(&folder, &same);
    assert!(
        same.stderr.contains("run-000.parquet is on both sides"),
        "{}",
        same.stderr
    );
}

#[test]
fn the_files_of_scopes_beside_captures_are_not_runs() {
    let folder = Folder::new("compare-scopes");
    let runs = Run::default().record_times(2, folder.0.join("runs"));
    let scopes = folder.0.join("runs/run-000.spans.parquet");
    std::fs::copy(folder.0.join("runs/run-000.parquet"), &scopes).unwrap();
    let named = [
        "run-000.parquet",
        "run-000.spans.parquet",
        "run-001.parquet",
    ];
    let named = named.map(|name| format!("{runs}/{name}"));
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let scopes = scopes.to_str().expect("UTF-8");
    stats(&folder, &["export", scopes, "--to", "csv"]).expect(64, &["name the capture"]);
    let report = stats(
        &folder,
        &[&["report", "--format", "json"], &named[..]].concat(),
    );
    let report = report.expect(0, &[]).json();
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    stats(&folder, &["report", named[1]]).expect(64, &["name the capture"]);
}
