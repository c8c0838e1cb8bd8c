//! Frames that did more work, but took no longer, beside hitches.

use std::path::Path;

use stats_testing::Folder;

use super::written::WrittenRun;
use super::{check, page, rows};

/// Writes a run of `frames` frames of `usual_ms`, half of which waits for a display. `more_ms` is by how
/// much a search takes longer in a frame, and the frame itself.
fn write_run(
    file: &Path,
    frames: u64,
    usual_ms: impl Fn(u64) -> f64,
    more_ms: impl Fn(u64) -> [f64; 2],
) {
    let frame_ms = |frame| usual_ms(frame) + more_ms(frame)[1];
    let search_ms = |frame| usual_ms(frame) / 4.0 + more_ms(frame)[0];
    let wait_ms = |frame| frame_ms(frame) - usual_ms(frame) / 4.0 - search_ms(frame);
    let mut run = WrittenRun::new(frames, frame_ms);
    run.timer("paths/search", search_ms);
    run.timer("present", wait_ms).wait = true;
    run.write(file);
}

#[test]
fn frames_with_more_work_alone_are_not_called_hitches() {
    let folder = Folder::new("html-work");
    let more_ms = |frame| match frame {
        200 | 300 | 380 => [6.0, 0.0],
        _ => [0.0; 2],
    };
    write_run(&folder.0.join("run.parquet"), 400, |_| 16.0, more_ms);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let listed = rows(&document, "Frames with more work");
    let frames: Vec<&str> = listed.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(frames, ["200", "300", "380"]);
    for name in ["Hitches", "Slowest frames"] {
        assert!(rows(&document, name).is_empty(), "{name}");
    }
    assert!(page.contains("No frame is a hitch. A hitch is"));
    assert!(page.contains("3 frames did more work, but took no longer."));
}

#[test]
fn frames_with_more_work_alone_displace_no_hitch() {
    let folder = Folder::new("html-work-many");
    // Frames are slower later, so that those with more work there take longer than the hitches.
    let usual_ms = |frame| if frame < 1000 { 16.0 } else { 32.0 };
    let is_hitch = |frame| (100..1000).contains(&frame) && frame % 30 == 10;
    let is_work = |frame| frame >= 1400 && frame % 20 == 0;
    let more_ms = |frame| match (is_hitch(frame), is_work(frame)) {
        (true, _) => [10.0; 2],
        (_, true) => [8.0, 0.0],
        _ => [0.0; 2],
    };
    write_run(&folder.0.join("run.parquet"), 2000, usual_ms, more_ms);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let frames = |table: &str| -> Vec<u64> {
        let rows = rows(&document, table);
        let frames = rows.iter().map(|row| row[0].parse().expect("a frame"));
        frames.collect()
    };
    let all: Vec<u64> = (0..1000).filter(|frame| is_hitch(*frame)).collect();
    assert_eq!(frames("Hitches"), all);
    assert!(page.contains(&format!("{} hitches. A hitch is", all.len())));
    let others = frames("Frames with more work");
    assert_eq!(others.len(), 50 - all.len());
    assert!(others.iter().all(|frame| is_work(*frame)), "{others:?}");
    let text = format!(
        "30 frames did more work, but took no longer. These are the {} longest.",
        others.len()
    );
    assert!(page.contains(&text), "{text}");
    // Each row has the base of its excess.
    let hitch = &rows(&document, "Hitches")[0];
    assert_eq!(hitch[2..5], ["26.00 ms", "16.00 ms", "10.00 ms"]);
}
