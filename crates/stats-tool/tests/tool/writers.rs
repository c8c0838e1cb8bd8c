//! The examples of docs/captures.md that write captures with other programs. Each is skipped where
//! its program is not installed.

use std::path::Path;
use std::process::Command;

use stats_testing::Folder;

use crate::stats;

/// Returns the first example of docs/captures.md in a language that contains a text.
fn example(language: &str, text: &str) -> String {
    let page = include_str!("../../../../docs/captures.md");
    let fence = format!("```{language}\n");
    let mut blocks = page.split(&fence).skip(1);
    let in_block = |rest: &'static str| rest.split("```").next();
    let block = blocks.find_map(|rest| in_block(rest).filter(|block| block.contains(text)));
    block.expect("an example").to_owned()
}

/// Returns whether a command ends well.
fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

fn python(folder: &Path, code: &str) -> Command {
    let mut python = Command::new("python3");
    python.arg("-c").arg(code).current_dir(folder);
    python
}

/// Runs an example, and compares what the command reports of its capture.
fn check(folder: &Folder, example: &mut Command, mean_ms: f64) {
    let output = example.output().expect("it was found before");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = stats(&folder.0, "report run.parquet --format json");
    let report = output.ends(0).json();
    assert_eq!(output.stderr, "");
    let metric = |name: &str| {
        let metrics = report["metrics"].as_array().expect("a list");
        let found = metrics.iter().find(|metric| metric["name"] == name);
        found.map(|metric| metric["value"].as_f64().expect("a number"))
    };
    assert_eq!(metric("run/frames"), Some(3.0));
    let step = metric("series/physics/step/mean").expect("the series");
    assert!((step - mean_ms).abs() < 1e-9, "{step}");
    // Nobody has measured it.
    assert_eq!(metric("capture/cost-per-frame"), None);
    assert_eq!(report["runs"][0]["doubts"], serde_json::json!([]));
    assert_eq!(report["runs"][0]["run"]["scenario"], "fly-through");
    let text = stats(&folder.0, "report run.parquet").stdout;
    assert!(!text.contains("crashed"));
}

#[test]
fn pyarrow_writes_a_capture() {
    let folder = Folder::new("writers-pyarrow");
    if !works(&mut python(&folder.0, "import pyarrow.parquet")) {
        eprintln!("skipped: pyarrow is not installed");
        return;
    }
    let mean = (4.5 + 4.25 + 20.5) / 3.0;
    check(
        &folder,
        &mut python(&folder.0, &example("python", "pyarrow")),
        mean,
    );
}

#[test]
fn duckdb_writes_a_capture() {
    let folder = Folder::new("writers-duckdb");
    if !works(&mut python(&folder.0, "import duckdb")) {
        eprintln!("skipped: DuckDB is not installed");
        return;
    }
    let code = format!(
        "import duckdb\nduckdb.sql(r'''{}''')",
        example("sql", "kv_metadata")
    );
    check(&folder, &mut python(&folder.0, &code), 5.5);
}

#[test]
fn arrow_for_cpp_writes_a_capture() {
    let folder = Folder::new("writers-cpp");
    // The package of Python contains the headers and the libraries.
    let find = "import pyarrow, glob, os; print(pyarrow.get_include()); d = pyarrow.get_library_dirs()[0]; print(d); \
                print(*[os.path.basename(sorted(glob.glob(d + '/lib' + n + '.so.*'))[0]) for n in ('arrow', 'parquet')])";
    let found = python(&folder.0, find)
        .output()
        .ok()
        .filter(|output| output.status.success());
    let (Some(found), true) = (found, works(Command::new("g++").arg("--version"))) else {
        eprintln!("skipped: Arrow for C++ or g++ is not installed");
        return;
    };
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    let [include, folder_of_libraries, names] = found.lines().collect::<Vec<_>>()[..] else {
        panic!("{found}");
    };
    let names: Vec<&str> = names.split(' ').collect();
    std::fs::write(folder.0.join("write.cpp"), example("cpp", "arrow/api.h"))
        .expect("a temporary file");
    let mut compiler = Command::new("g++");
    compiler.args([
        "-std=c++20",
        "write.cpp",
        "-o",
        "write",
        "-I",
        include,
        "-L",
        folder_of_libraries,
    ]);
    compiler.args(names.iter().map(|name| format!("-l:{name}")));
    compiler
        .arg(format!("-Wl,-rpath,{folder_of_libraries}"))
        .current_dir(&folder.0);
    let output = compiler.output().expect("it was found before");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    check(
        &folder,
        Command::new(folder.0.join("write")).current_dir(&folder.0),
        5.5,
    );
}
