//! Logs with the traps of MangoHud's format.

use super::super::Options;
use super::super::testing::{durations, fuzz, paths, read, read_with, refused, starts, values};

const FACTS: &str = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n";

/// A log of frames of these milliseconds. `fps` is smoothed, so it fits no single row.
fn log(machine: &str, unit_per_ms: f64, frames: &[f64]) -> String {
    let mut text =
        format!("{FACTS}{machine}\nfps,frametime,cpu_load,gpu_temp,gpu_vram_used,elapsed\n");
    let mut elapsed_ns = 700_000_000.0;
    for ms in frames {
        elapsed_ns += ms * 1e6;
        text += &format!("90,{},25.5,60,1.5,{elapsed_ns}\n", ms * unit_per_ms);
    }
    text
}

const FRAMES: [f64; 5] = [10.0, 12.0, 8.0, 30.0, 11.0];
const MACHINE: &str = "An OS,A CPU,A GPU,16384000,6.1,4.5 Mesa 22.3,performance";

#[test]
fn frame_times_are_milliseconds_or_microseconds_under_one_name() {
    for unit_per_ms in [1.0, 1e3] {
        let log = read(log(MACHINE, unit_per_ms, &FRAMES));
        assert_eq!(durations(&log), FRAMES);
        // `elapsed` is when a frame ended.
        assert_eq!(starts(&log), [0.0, 10.0, 22.0, 30.0, 60.0]);
        assert_eq!(
            log.said.iter().any(|said| said.contains("microseconds")),
            unit_per_ms > 1.0
        );
        assert_eq!(
            paths(&log),
            [
                "machine/cpu load",
                "machine/gpu temp",
                "machine/gpu vram used"
            ]
        );
        assert_eq!(
            values(&log, "machine/gpu vram used")[0],
            Some(1.5 * (1_u64 << 30) as f64)
        );
        assert_eq!(log.run.scenario.as_deref(), Some("GAME"));
        assert_eq!(log.run.started_at, "2024-01-31T12:34:56.000Z");
    }
}

#[test]
fn a_row_that_was_cut_off_does_not_hide_that_frames_are_missing() {
    // A row every 100 ms.
    let mut text = log(MACHINE, 1.0, &[]);
    for at in 0..60 {
        let row = format!("90,11,25.5,60,1.5,{}", (at + 1) * 100_000_000_u64);
        text += if at == 30 { "90,11,25.5" } else { &row };
        text.push('\n');
    }
    assert!(refused(text).contains("every 100 ms, not of every frame"));
}

#[test]
fn a_last_row_that_was_cut_off_in_its_last_column_begins_after_the_one_before_it() {
    let log = read(log(MACHINE, 1.0, &FRAMES) + "90,11,25.5,60,1.5,6");
    assert_eq!(starts(&log), [0.0, 10.0, 22.0, 30.0, 60.0, 71.0]);
}

#[test]
fn a_log_that_a_spreadsheet_saved_has_semicolons_and_decimal_commas() {
    let text = log(MACHINE, 1.0, &FRAMES)
        .replace(',', ";")
        .replace('.', ",");
    let log = read(text);
    assert_eq!(durations(&log), FRAMES);
    assert_eq!(values(&log, "machine/cpu load")[0], Some(25.5));
    let machine = &log.run.machine;
    let texts = [&machine.os, &machine.cpu, &machine.gpu, &machine.driver];
    assert_eq!(
        texts.map(|text| text.as_deref().unwrap_or_default()),
        ["An OS", "A CPU", "A GPU", "4,5 Mesa 22,3"]
    );
    assert_eq!(machine.memory_bytes, Some(16_384_000 * 1024));
    assert_eq!(log.run.platform, "linux");
}

#[test]
fn a_comma_in_the_name_of_the_graphics_card_does_not_shift_the_others() {
    let log = read(log(
        "An OS,A CPU,A GPU (X, rev 2),16384000,6.1,,performance",
        1.0,
        &FRAMES,
    ));
    let machine = &log.run.machine;
    assert_eq!(machine.gpu.as_deref(), Some("A GPU (X,rev 2)"));
    assert_eq!(machine.memory_bytes, Some(16_384_000 * 1024));
    assert_eq!(
        (machine.driver.as_deref(), machine.power.as_deref()),
        (None, Some("performance"))
    );
    assert_eq!(log.run.labels["kernel"], "6.1");
}

#[test]
fn lines_of_versions_before_the_names_are_skipped() {
    let text = log(MACHINE, 1.0, &FRAMES).replace("\nfps", "\n----FRAME METRICS----\nfps");
    let log = read(format!("v1\n0.8.1\n----SYSTEM INFO----\n{text}"));
    assert_eq!(durations(&log), FRAMES);
    assert_eq!(log.run.labels["imported"], "mangohud 0.8.1");
    assert_eq!(log.run.machine.cpu.as_deref(), Some("A CPU"));
}

#[test]
fn samples_and_logs_without_names_are_refused_with_the_cure() {
    let mut text = format!("{FACTS}{MACHINE}\nfps,frametime,elapsed\n");
    for row in 1..40_u64 {
        text += &format!("240,4.1,{}\n", row * 100_000_000);
    }
    let error = refused(&text);
    assert!(
        error.contains("a MangoHud log of every 100 ms, not of every frame: 39 rows cover 3.8 s"),
        "{error}"
    );
    assert!(
        error.contains("; record with log_interval=0, or `stats import --sampled`"),
        "{error}"
    );
    let error = refused(format!(
        "{FACTS}{MACHINE}\n60,10,20,16000\n60,10,20,32000\n"
    ));
    assert!(
        error.contains("without the names of its columns"),
        "{error}"
    );
    let error = refused(format!("{FACTS}{MACHINE}\nfps,frametime,elapsed\n"));
    assert!(error.contains("without rows"), "{error}");
}

#[test]
fn changed_logs_are_read_or_refused() {
    fuzz(log(MACHINE, 1.0, &FRAMES), 3);
}

#[test]
fn columns_may_have_any_order_and_a_summary_may_follow() {
    let mut text = format!("{FACTS}{MACHINE}\nfps,cpu_temp,frametime\n");
    (0..40).for_each(|row| text += &format!("90,60,{}\n", 10 + row % 3));
    text += "97%,60,62\n";
    let log = read(text);
    assert_eq!(
        (log.frames.len(), durations(&log)[..3].to_vec()),
        (40, vec![10.0, 11.0, 12.0])
    );
    assert_eq!(paths(&log), ["machine/cpu temp"]);
    assert!(
        log.said[1].starts_with("1 of 41 rows have no frame time"),
        "{:?}",
        log.said
    );
}

#[test]
fn samples_are_series_without_frame_times_if_they_are_wanted() {
    let mut text = format!("{FACTS}{MACHINE}\nfps,frametime,gpu_power,elapsed\n");
    (0..40)
        .for_each(|row| text += &format!("200,5,{},{}\n", 150 + row, (row + 7) * 100_000_000_u64));
    let error = refused(&text);
    assert!(
        error.starts_with(
            "it is a MangoHud log of every 100 ms, not of every frame: 40 rows cover 3.9 s"
        ) && error.ends_with("or `stats import --sampled` imports it without figures of frames"),
        "{error}"
    );
    let options = Options {
        are_samples_wanted: true,
        ..Options::default()
    };
    let logs = read_with(&text, &options).expect("samples are wanted");
    let log = &logs[0];
    assert_eq!((durations(log), starts(log)[39]), (vec![0.0; 40], 3_900.0));
    assert_eq!(paths(log), ["sampled/frame time", "machine/gpu power"]);
    assert_eq!(values(log, "sampled/frame time")[0], Some(5.0));
    assert_eq!(log.run.labels["sampled"], "every 100 ms");
    // A pause between frames is no sampling.
    let mut text = format!("{FACTS}{MACHINE}\nfps,frametime,elapsed\n");
    for row in 0..40_u64 {
        let pause_ns = if row < 20 { 0 } else { 60_000_000_000 };
        text += &format!("100,10,{}\n", (row + 1) * 10_000_000 + pause_ns);
    }
    assert_eq!(durations(&read(text)), vec![10.0; 40]);
}
