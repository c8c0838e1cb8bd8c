//! A run that becomes slower says so, and has no hitch because of it.

use stats_capture::RecordedKind;
use stats_testing::Folder;

use crate::stats;
use crate::written::WrittenRun;

/// Writes frames of 8 ms whose drawing and entities grow by `factor` of the frame.
fn written(folder: &Folder, frames: u64, factor: impl Fn(u64) -> f64 + Copy) {
    let vary = |frame: u64| 0.97 + (frame * 7919 % 61) as f64 / 1000.0;
    let draw_ms = move |frame| (5.0 + 6.0 * factor(frame)) * vary(frame);
    let mut run = WrittenRun::new(frames, |frame| draw_ms(frame) + 3.0);
    run.timer_on("main", "render/draw", draw_ms);
    run.timer_on("main", "sim/step", |frame| 2.0 * vary(frame + 3));
    run.series("entities", RecordedKind::Gauge, "", |frame| {
        (300.0 + 600.0 * factor(frame)).round()
    });
    run.series("net/packets", RecordedKind::Counter, "", |frame| {
        (frame % 5) as f64
    });
    run.write(folder.0.join("run.parquet"));
}

#[test]
fn a_step_to_slower_frames_is_a_slowdown_and_no_hitch() {
    let folder = Folder::new("tool-slower-step");
    written(&folder, 4_000, |frame| f64::from(u8::from(frame >= 2_000)));
    let json = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    assert_eq!(
        json["hitches"].as_array().map(Vec::len),
        Some(0),
        "{json:#}"
    );
    let slowdowns = json["slowdowns"].as_array().expect("a list");
    assert_eq!(slowdowns.len(), 1, "{json:#}");
    let slowdown = &slowdowns[0];
    let first = slowdown["first_frame"].as_u64().expect("a frame");
    assert!(first.abs_diff(2_000) <= 1, "{slowdown:#}");
    assert_eq!(
        (&slowdown["last_frame"], &slowdown["gradual"]),
        (&().into(), &false.into())
    );
    let ms = |name: &str| slowdown[name].as_f64().expect("a time");
    assert!((ms("from_ms") - 8.0).abs() < 0.1 && (ms("to_ms") - 14.0).abs() < 0.1);
    let findings: Vec<_> = slowdown["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| finding["path"].as_str().expect("a path"))
        .collect();
    assert_eq!(findings[..2], ["render/draw", "entities"], "{slowdown:#}");
    for verb in ["explain", "report"] {
        let text = stats(&folder.0, &format!("{verb} run.parquet")).stdout;
        let told = format!("lower since frame {first}: 8.02 ms to 13.99 ms, ");
        let text = text.replace(['\n'], " ").replace("  ", " ");
        assert!(text.contains("Hitches: 0."), "{text}");
        assert!(text.contains(&told), "{told} {text}");
        assert!(
            text.contains("% render/draw; with it entities 300 → 900. "),
            "{text}"
        );
    }
    let text = stats(&folder.0, "explain run.parquet").stdout;
    assert!(text.contains("Slowdowns: 1."), "{text}");
    let fields: Vec<_> = slowdown.as_object().expect("an object").keys().collect();
    assert_eq!(
        fields,
        [
            "findings",
            "first_frame",
            "from_ms",
            "gradual",
            "last_frame",
            "to_ms"
        ]
    );
}

#[test]
fn a_slowdown_that_ends_has_its_last_frame_and_a_hitch_in_it_is_one() {
    let folder = Folder::new("tool-slower-ends");
    written(&folder, 4_000, |frame| match frame {
        2_200 => 5.0,
        2_000..2_800 => 1.0,
        _ => 0.0,
    });
    let json = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    let frames: Vec<_> = json["hitches"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|hitch| hitch["frame"].clone())
        .collect();
    assert_eq!(frames, [2_200]);
    let last = json["slowdowns"][0]["last_frame"]
        .as_u64()
        .expect("it ends");
    assert!(last.abs_diff(2_799) <= 1, "{last}");
    let text = stats(&folder.0, "explain run.parquet").stdout;
    assert!(text.contains(&format!(" to {last}: 8.0")), "{text}");
}

#[test]
fn a_run_that_becomes_slower_little_by_little_says_so() {
    let folder = Folder::new("tool-slower-drift");
    let frames = 6_000;
    written(&folder, frames, |frame| frame as f64 / frames as f64);
    let json = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    let slowdowns = json["slowdowns"].as_array().expect("a list");
    assert_eq!(slowdowns.len(), 1, "{json:#}");
    assert_eq!(slowdowns[0]["gradual"], true);
    assert_eq!(slowdowns[0]["findings"][0]["path"], "render/draw");
    let text = stats(&folder.0, "report run.parquet").stdout;
    assert!(text.contains("lower little by little: 8.0"), "{text}");
    // Neither waves nor noise are a slowdown.
    for wave in [0.0, 0.3] {
        written(&folder, frames, |frame| {
            wave * (frame as f64 / 700.0).sin().max(0.0)
        });
        let json = stats(&folder.0, "explain run.parquet --format json")
            .ends(0)
            .json();
        assert_eq!(json["slowdowns"], serde_json::json!([]), "{json:#}");
    }
}

#[test]
fn several_slowdowns_are_one_sentence_and_a_table() {
    let folder = Folder::new("tool-slower-several");
    written(&folder, 9_000, |frame| match frame {
        2_000..2_800 => 1.0,
        5_000..5_800 => 0.5,
        _ => 0.0,
    });
    let json = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    let slowdowns = json["slowdowns"].as_array().expect("a list");
    assert_eq!(slowdowns.len(), 2, "{json:#}");
    for verb in ["explain", "report"] {
        let text = stats(&folder.0, &format!("{verb} run.parquet")).stdout;
        let sentence = "2 slowdowns, the largest in frames 2000 to 2799: 8.0";
        assert_eq!(text.matches(sentence).count(), 1, "{text}");
        assert_eq!(text.matches("in frames 5000 to 5799").count(), 1, "{text}");
        assert!(!text.contains("lower in frames"), "{text}");
    }
    std::fs::copy(folder.0.join("run.parquet"), folder.0.join("other.parquet")).expect("a copy");
    let text = stats(&folder.0, "report run.parquet other.parquet").stdout;
    for run in ["run", "other"] {
        let row = format!("in frames 5000 to 5799 in {run}");
        assert_eq!(text.matches(&row).count(), 1, "{text}");
    }
}

#[test]
fn the_frames_before_a_slowdown_are_none_of_an_earlier_one() {
    let folder = Folder::new("tool-slower-before");
    written(&folder, 4_000, |frame| match frame {
        1_000..1_800 | 2_100..2_900 => 1.0,
        _ => 0.0,
    });
    let json = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    let slowdowns = json["slowdowns"].as_array().expect("a list");
    let last: Vec<_> = slowdowns.iter().map(|one| &one["last_frame"]).collect();
    assert_eq!(last, [1_799, 2_899], "{json:#}");
    for slowdown in slowdowns {
        let draw = &slowdown["findings"][0];
        assert_eq!(draw["path"], "render/draw");
        let usual_ms = draw["usual"].as_f64().expect("a time");
        assert!((usual_ms - 5.0).abs() < 0.05, "{slowdown:#}");
    }
}
