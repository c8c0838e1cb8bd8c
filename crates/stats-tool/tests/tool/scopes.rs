//! The scopes of a capture in reports and explanations.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use stats_capture::{Capture, CaptureOptions, SpanFrames};
use stats_testing::Folder;

use crate::stats;

const LONG_FRAME: u32 = 150;

/// Held while a capture records: a collector sees the scopes of all threads, those of other tests, too.
static ALONE: Mutex<()> = Mutex::new(());

/// Records short frames with all scopes. In one frame, the third of 37 calls waits.
fn record(folder: &Folder, root: &str, more_scopes: u32) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = folder.0.join("run.parquet");
    let mut options = CaptureOptions::default();
    options.spans = SpanFrames::All;
    let _alone = crate::alone();
    let mut capture = Capture::create(path, options).expect("a folder");
    let frame_timer = stats_core::timer(&format!("{root}/frame"));
    let step = stats_core::timer(&format!("{root}/frame/step"));
    for frame in 0..200 {
        frame_timer.time(|| {
            for call in 1..=37 {
                step.time(|| {
                    if frame == LONG_FRAME && call == 3 {
                        std::thread::sleep(Duration::from_millis(60));
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(1));
        });
        if frame == 10 {
            (0..more_scopes).for_each(|_| step.time(|| {}));
        }
        capture.end_frame();
    }
    capture.finish().expect("a capture");
}

#[test]
fn a_long_frame_is_drawn_and_its_longest_call_is_named() {
    let folder = Folder::new("tool-scopes");
    record(&folder, "scopes", 0);
    let text = stats(&folder.0, "explain run.parquet --frame 150").stdout;
    // Other tests, which keep the machine busy, may be the cause instead.
    let is_culprit = text.contains("% scopes/frame/step");
    let one = stats(&folder.0, "explain run.parquet --frame 150 --format json")
        .ends(0)
        .json();
    if is_culprit {
        assert!(
            text.contains("The longest call of scopes/frame/step was call 3 of 37: "),
            "{text}"
        );
        let call = &one["longest_call"];
        let place = (call["call"].as_u64(), call["of"].as_u64());
        assert_eq!(place, (Some(3), Some(37)), "{one:#}");
        assert!(call["ms"].as_f64() >= Some(60.0), "{call}");
    }
    let output = stats(&folder.0, "report run.parquet --html page.html");
    assert!(
        !output.stdout.contains("Lost while recording"),
        "{}",
        output.stdout
    );
    let page = std::fs::read_to_string(folder.0.join("page.html")).expect("a page");
    let details = page
        .split("<details")
        .find(|part| part.contains("Frame 150: "));
    let details = details.expect("the long frame has a timeline");
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or_default();
    for part in [
        "<svg class=\"timeline\"",
        "<title>scopes/frame/step: ",
        "<title>scopes/frame: ",
        &format!(">{thread} (the thread of the frame)<"),
        // The verdict.
        " · +",
    ] {
        assert!(
            details.contains(part),
            "{part}: {}",
            &details[..details.len().min(4000)]
        );
    }
}

#[test]
fn a_report_says_how_many_scopes_were_lost() {
    let folder = Folder::new("tool-scopes-lost");
    record(&folder, "scopes-lost", 400_000);
    let output = stats(&folder.0, "report run.parquet");
    let text = &output.stdout;
    assert!(
        text.contains("Lost while recording: "),
        "{text} {}",
        output.stderr
    );
}

#[cfg(unix)]
#[test]
fn record_passes_on_which_scopes_to_keep() {
    for scopes in ["hitches", "all", "none"] {
        let folder = Folder::new("tool-record-scopes");
        // The program records nothing, so this fails; its output tells what it was given.
        let arguments = format!("record --scopes {scopes} -- printenv STATS_CAPTURE_SCOPES");
        stats(&folder.0, &arguments).ends(3);
        let log = std::fs::read_to_string(folder.0.join("runs/001.log")).expect("a log");
        assert_eq!(log.trim(), scopes);
    }
    let folder = Folder::new("tool-record-scopes-bad");
    let output = stats(&folder.0, "record --scopes some -- true");
    output.ends(64);
}
