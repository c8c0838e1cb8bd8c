//! What a comparison says of both sides.

use std::path::Path;

use stats_capture::{Better, RecordedKind};
use stats_testing::Folder;

use super::written::WrittenRun;
use super::{check, rows, stats};

/// Writes a run of 100 frames in which one level is always `count`, and another one always `noise`.
fn write_run(file: &Path, count: f64, noise: f64) {
    write_scenario(file, None, count, noise);
}

/// Writes such a run of a scenario.
fn write_scenario(file: &Path, scenario: Option<&str>, count: f64, noise: f64) {
    let mut written = WrittenRun::new(100, |_| 10.0);
    for (path, value) in [("sides/count", count), ("sides/noise", noise)] {
        let record = written.series(path, RecordedKind::Gauge, "", |_| value);
        (record.budget, record.better) = (Some(150.0), Better::Lower);
    }
    written.run.scenario = scenario.map(str::to_owned);
    written.write(file);
}

#[test]
fn a_comparison_tells_identical_runs_and_unclear_metrics_apart_and_has_both_sides_of_budgets() {
    let folder = Folder::new("html-sides");
    for (run, noise) in [
        (0, [100.0, 120.0]),
        (1, [140.0, 155.0]),
        (2, [110.0, 105.0]),
    ] {
        write_run(&folder.0.join(format!("a{run}.parquet")), 100.0, noise[0]);
        write_run(&folder.0.join(format!("b{run}.parquet")), 200.0, noise[1]);
    }
    let config = "[gate]\nmay_fail = [\"series/sides/*/mean\"]\n";
    std::fs::write(folder.0.join("stats.toml"), config).expect("writable");
    let sides = "--before a*.parquet --after b*.parquet --html page.html";
    let output = stats(&folder.0, &format!("compare {sides}"));
    output.ends(1);
    let page = std::fs::read_to_string(folder.0.join("page.html")).expect("it was written");
    let document = check(&page);
    let headline =
        "✗ 1 metric is worse, 1 cannot be judged, 2 series are newly over their budgets</h2>";
    assert!(page.contains(headline));
    assert!(page.contains(" to judge 1 of 2 metrics that may fail"));
    let unclear = "series/sides/noise/mean cannot be judged, because it varies so much";
    assert!(page.contains(unclear), "{}", output.stdout);
    let judged = rows(&document, "Judged metrics");
    let of = |name: &str| {
        let row = judged.iter().find(|row| row[0] == name);
        row.expect("a row for each metric")
    };
    let count = of("series/sides/count/mean");
    let expected = [
        "WORSE",
        "100",
        "200",
        "+100.0 %",
        "identical in all runs of a side",
        "–",
    ];
    assert_eq!(count[1..7], expected);
    assert_eq!(count[7], "3 + 3");
    let noise = of("series/sides/noise/mean");
    assert_eq!(noise[1], "cannot tell");
    assert!(noise[5].contains(" to ") && noise[6] != "–", "{noise:?}");
    // One of three runs after the change is over the budget of the noise.
    let budgets = rows(&document, "Budgets");
    let expected = [
        [
            "sides/count",
            "OVER, new",
            "150",
            "0.00 %",
            "100.00 %",
            "1.00 %",
            "100",
            "200",
        ],
        [
            "sides/noise",
            "OVER, new",
            "150",
            "0.00 %",
            "33.33 %",
            "1.00 %",
            "140",
            "155",
        ],
    ];
    assert_eq!(budgets.len(), 2, "{budgets:?}");
    for (row, expected) in budgets.iter().zip(expected) {
        assert_eq!(row[..8], expected);
    }
    // The way back: nothing is over its budget any more, and both sides show it.
    let back = "compare --before b*.parquet --after a*.parquet";
    let text = stats(&folder.0, back).stdout;
    let line = |path: &str| {
        let mut lines = text
            .split("BUDGETS")
            .nth(1)
            .into_iter()
            .flat_map(str::lines);
        let line = lines.find(|line| line.trim_start().starts_with(path));
        line.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let count = "sides/count no longer over 150 100.00 % 0.00 % 1.00 % 200 100 0";
    assert_eq!(line("sides/count").as_deref(), Some(count), "{text}");
    let noise = "sides/noise no longer over 150 33.33 % 0.00 % 1.00 % 155 140 0";
    assert_eq!(line("sides/noise").as_deref(), Some(noise), "{text}");
}

#[test]
fn a_budget_is_compared_with_that_of_its_scenario_if_one_side_has_several() {
    let folder = Folder::new("html-sides-scenarios");
    for (name, scenario, count) in [
        ("a0", "fight", 200.0),
        ("a1", "town", 140.0),
        ("b0", "fight", 100.0),
    ] {
        let file = folder.0.join(format!("{name}.parquet"));
        write_scenario(&file, Some(scenario), count, 50.0);
    }
    for (line, path, before) in [
        (
            "compare --before a*.parquet --after b0.parquet",
            "sides/count",
            "100.00 %",
        ),
        (
            "compare --before b0.parquet --after a*.parquet",
            "sides/count in fight",
            "0.00 %",
        ),
        (
            "compare --before b0.parquet --after a*.parquet",
            "sides/count in town",
            "–",
        ),
        // One scenario on each side.
        (
            "compare --before a1.parquet --after b0.parquet",
            "sides/count",
            "0.00 %",
        ),
    ] {
        let text = stats(&folder.0, &format!("{line} --format markdown")).stdout;
        let mut rows = text.lines().map(|line| line.split('|').map(str::trim));
        let row = rows.find_map(|row| {
            let row: Vec<&str> = row.collect();
            (row.len() > 9 && row[1] == path && row[3] == "150").then_some(row)
        });
        let row = row.unwrap_or_else(|| panic!("{line}: {text}"));
        assert_eq!(row[4], before, "{line}: {text}");
    }
}
