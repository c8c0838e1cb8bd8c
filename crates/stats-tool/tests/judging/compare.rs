use stats_testing::Folder;

use super::{Run, stats};

#[test]
fn changes_are_listed_with_their_certainty() {
    let folder = Folder::new("compare");
    let before = Run::default().record_times(5, folder.0.join("before"));
    let other = Run {
        ms: 11.0,
        paths_ms: 3.0,
        scenario: "fight",
        ..Run::default()
    };
    let after = other.record_times(5, folder.0.join("after"));
    let arguments = ["compare", "--before", &before, "--after", &after];
    stats(&folder, &arguments).expect(
        1,
        &[
            "compare: WORSE",
            "frame/median is worse by +1",
            "EVERYTHING ELSE THAT CHANGED",
            "series/ai/paths/mean",
            "+200.0 %",
            "The runs differ in their scenario (fight, fly-through)",
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
    assert!(page.contains("✗ Worse</h2>") && page.contains("id=\"data\""));
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
        (&"unknown".into(), &3.into())
    );
    let low = median["indication"]["interval"][0]
        .as_f64()
        .expect("a number");
    assert!((9.0..11.0).contains(&low), "{low}");
}

#[test]
fn both_sides_are_needed() {
    let folder = Folder::new("compare-usage");
    stats(&folder, &["compare", "--before", "a.parquet"]).expect(64, &["--after"]);
}
