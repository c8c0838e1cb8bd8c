//! Tables as people have them.

use super::super::testing::{durations, fuzz, paths, read, read_with, refused, starts, values};
use super::super::{Options, is_table};

#[test]
fn times_that_only_grow_are_moments_and_others_are_durations() {
    // FRAPS, as it writes it, and as a spreadsheet saves it.
    for text in [
        "Frame, Time (ms)\n    1,     0.000\n    2,    10.500\n    3,    22.500\n    4,    33.5\n",
        "Frame;Time (ms);Note\n1;0,000;a\n2;10,5;\n3;22,5;\n4;33,5;b\n",
        "Frame;Time (ms);Frametime (ms);Mean\n1;0,000;;11,1\n2;10,5;10,5;\n3;22,5;12;\n4;33,5;11;\n;;;\n;;;\n",
    ] {
        let log = read(text);
        assert_eq!(
            (durations(&log), starts(&log)),
            (vec![10.5, 12.0, 11.0], vec![0.0, 10.5, 22.5])
        );
        assert_eq!(
            log.said[0],
            "csv: 3 frames between the 4 times in \"Time (ms)\""
        );
        let has_numbers = text.contains("Mean");
        assert_eq!(paths(&log).len(), if has_numbers { 2 } else { 0 });
    }
    // Unity's Profile Analyzer.
    let log = read(
        "Frame Offset;Frame Index;Frame Time (ms);Time from first frame (ms)\r\n0;301;10.5;0\r\n1;302;9;10.5\r\n2;303;12;20\r\n",
    );
    assert_eq!(
        (durations(&log), starts(&log)),
        (vec![10.5, 9.0, 12.0], vec![0.0, 10.5, 20.0])
    );
    // Our own export.
    let log = read(
        "frame,start s,duration ms,ai/paths ms,net/bytes B,ai/requests\n5,1,10,2.5,100,7\n6,1.01,8,,200,9\n",
    );
    assert_eq!(
        (durations(&log), starts(&log)),
        (vec![10.0, 8.0], vec![0.0, 10.0])
    );
    assert_eq!(values(&log, "ai/paths"), [Some(2.5), None]);
    let units: Vec<_> = log
        .series
        .iter()
        .map(|(record, _)| record.unit.as_str())
        .collect();
    assert_eq!(
        (paths(&log), units),
        (
            vec!["ai/paths", "net/bytes", "ai/requests"],
            vec!["ms", "B", ""]
        )
    );
}

#[test]
fn a_row_of_a_clock_that_was_cut_off_is_left_out() {
    let moments = |text: String| {
        let log = read(format!("Frame,Time (ms)\n{text}"));
        (durations(&log), log.said.join("; "))
    };
    let row = |at: u32| format!("{at},{}.50\n", 1000 + 10 * at);
    let rows = |count| (0..count).map(row).collect::<String>();
    // The last row, and one in the middle.
    let (times, said) = moments(rows(40) + "40,14");
    assert_eq!(times, [10.0; 39]);
    assert!(
        said.contains("1 row was left out") && said.contains("line 42"),
        "{said}"
    );
    let (times, _) = moments(rows(20) + "20,1\n" + &(21..40).map(row).collect::<String>());
    assert_eq!((times.len(), times.iter().sum::<f64>()), (38, 390.0));
}

#[test]
fn a_clock_that_began_again_is_said_and_durations_that_vary_are_not() {
    let table = |name: &str, times: &mut dyn Iterator<Item = f64>| {
        let rows: Vec<String> = times.map(|time| format!("{time}\n")).collect();
        read(format!("{name}\n{}", rows.concat()))
    };
    let clock = |row: u32| f64::from(row % 50) * 16.0 + 5.0;
    for name in ["Time (ms)", "frame time (ms)"] {
        let log = table(name, &mut (0..100).map(clock));
        let said = log.said.join("; ");
        assert!(
            said.contains("fall 1 time, first in line 52, as if a clock had begun again"),
            "{said}"
        );
        let log = table(name, &mut (0..200).map(clock));
        assert!(log.said.join("; ").contains("fall 3 times"), "{name}");
        // Frame times rise and fall.
        let mut random = stats_testing::Random::new(7);
        let log = table(
            name,
            &mut (0..500).map(|_| 16.0 + random.below(100) as f64 / 50.0),
        );
        assert!(!log.said.join("; ").contains("clock"), "{:?}", log.said);
        // Or stay the same but for a few.
        let log = table(
            name,
            &mut (0..500).map(|row| if row % 100 == 9 { 33.0 } else { 16.0 }),
        );
        assert!(!log.said.join("; ").contains("clock"), "{:?}", log.said);
    }
}

#[test]
fn times_that_are_named_durations_are_durations_even_if_they_only_grow() {
    for name in [
        "frame time (ms)",
        "Frametime (ms)",
        "frame_time_ms",
        "frame duration ms",
        "Duration (ms)",
    ] {
        let log = read(format!("{name}\n10\n11\n12\n"));
        assert_eq!(
            (durations(&log), starts(&log)),
            (vec![10.0, 11.0, 12.0], vec![0.0, 10.0, 21.0]),
            "{name}"
        );
        assert!(
            log.said[1].contains("only grow; if they are when the frames were"),
            "{:?}",
            log.said
        );
        assert_eq!(read(format!("{name}\n10\n11\n9\n")).said.len(), 1);
    }
    assert_eq!(durations(&read("time (ms)\n10\n21\n33\n")), [11.0, 12.0]);
}

#[test]
fn a_table_without_names_has_numbered_columns() {
    let with = |text: &str, time: &str| {
        let options = Options {
            time: Some(time.to_owned()),
            unit_ms: Some(1.0),
            ..Options::default()
        };
        super::read_text(text, &options).map(|log| durations(&log))
    };
    assert_eq!(with("10.5\n9\n12\n", "column 1"), Ok(vec![10.5, 9.0, 12.0]));
    assert_eq!(
        with("1,10.5\n2,9\n3,12\n", "column 2"),
        Ok(vec![10.5, 9.0, 12.0])
    );
    let error = super::read_text("10.5\n9\n12\n", &Options::default()).unwrap_err();
    assert!(
        error.contains("the file has column 1); `stats import --time COLUMN"),
        "{error}"
    );
}

#[test]
fn figures_beside_the_frames_are_columns() {
    for header in [
        "Frame;Time (ms);Min;Max;Avg",
        "Frame;Frametime (ms);Average FPS;Avg FPS;1% low",
    ] {
        let is_fraps = header.contains("Time (ms);Min");
        let times = if is_fraps {
            ["0,0", "10,5", "22,5", "33,5"]
        } else {
            ["10,5", "12", "11", "10"]
        };
        let rows = (1..)
            .zip(times)
            .map(|(row, time)| format!("{row};{time};1;2;3\n"));
        let log = read(format!("{header}\n{}", rows.collect::<String>()));
        assert_eq!(durations(&log)[..3], [10.5, 12.0, 11.0], "{header}");
    }
}

#[test]
fn a_row_a_second_is_no_row_a_frame() {
    let monitor = |step: f64| {
        let mut text = "Date,Time,\"CPU [°C]\",\"Frame Time [ms]\"\n".to_owned();
        for row in 0..20 {
            let secs = f64::from(row) * step;
            text += &format!("31.1.2024,12:34:{secs:06.3},50,{}\n", 10 + row % 3);
        }
        text
    };
    let error = refused(monitor(2.0));
    assert!(
        error.starts_with("it is a CSV log of every 2000 ms, not of every frame"),
        "{error}"
    );
    assert_eq!(read(monitor(0.011)).frames.len(), 20);
    let mut text = "time (s),frame time (ms)\n".to_owned();
    (0..20).for_each(|row| text += &format!("{row},{}\n", 10 + row % 3));
    assert!(refused(&text).starts_with("it is a CSV log of every 1000 ms"));
}

#[test]
fn any_column_can_be_named_and_needs_a_unit() {
    let text = "index,cost,other\n0,10000,1\n1,12000,2\n2,11000,3\n";
    let with = |time: &str, unit_ms: Option<f64>| {
        let options = Options {
            time: Some(time.to_owned()),
            unit_ms,
            ..Options::default()
        };
        (super::read_text(text, &options)).map(|log| durations(&log))
    };
    assert_eq!(with("cost", Some(1e-3)), Ok(vec![10.0, 12.0, 11.0]));
    assert!(
        with("cost", None)
            .unwrap_err()
            .contains("\"cost\" has no unit in its name; --unit ms, s, us or ns tells it")
    );
    assert!(
        with("none", Some(1.0))
            .unwrap_err()
            .contains("no column is named \"none\"; the file has index, cost, other")
    );
    let error = super::read_text(text, &Options::default()).unwrap_err();
    assert!(
        error.contains(
            "the file has index, cost, other); `stats import --time COLUMN --unit ms` names it"
        ),
        "{error}"
    );
    // An unknown table is not recognized, and a known one is.
    assert_eq!(refused(text), "it has no known format");
    assert!(read_with("Frame Time (ms)\n10\n9\n", &Options::default()).is_ok());
}

#[test]
fn text_before_the_names_and_comments_are_no_frames() {
    for text in [
        "# engine 1.0\n# build 17\nframe,frame_time_ms\n0,10\n1,12\n2,11\n",
        "#frame,time_ms\n0,10\n1,12\n2,11\n",
        "performance log\n\nframe,frame_time_ms\n0,10\n// level, 2\n1,12\n2,11\n",
        "sep=;\r\nframe;frame_time_ms\r\n0;10,0\r\n1;12,0\r\n2;11,0\r\n",
        "frame,delta_ms\n0,10\n1,12\n2,11\n# total_frames,12345\n",
    ] {
        let log = read(text);
        assert_eq!(durations(&log), [10.0, 12.0, 11.0], "{text}");
        assert_eq!(log.said.len(), 1, "{:?}", log.said);
    }
}

#[test]
fn names_of_a_further_table_may_begin_as_a_comment() {
    let log = read("frame,frame_time_ms\n0,99\n#index,delta_ms\n# note\n0,10\n1,12\n2,11\n");
    assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
    assert_eq!(log.said[1], "1 other table was left out");
}

#[test]
fn text_before_names_that_are_not_known_is_left_out() {
    for text in [
        "performance log\n\nindex,cost\n0,10\n1,12\n2,11\n",
        "engine 1.0, build 17, debug\nindex,cost\n0,10\n1,12\n2,11\n",
    ] {
        let head = |text: &str| super::Head {
            bytes: text.as_bytes().to_vec(),
            lines: text.lines().map(str::to_owned).collect(),
        };
        assert!(is_table(&head(text)), "{text}");
        assert!(!is_table(&head(
            "a letter,\nwith many commas, and a year\n"
        )));
        let error = super::read_text(text, &Options::default()).unwrap_err();
        assert!(error.contains("the file has index, cost)"), "{error}");
    }
}

#[test]
fn further_brackets_are_a_part_of_the_name() {
    let log = read("frame,Frame Time (GPU) (ms),Frame Time (ms)\n0,5,10\n1,6,12\n2,5,11\n");
    assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
    assert_eq!(paths(&log), ["Frame Time (GPU)"]);
    let text = "Frame Time (avg) [ms]\n10\n12\n11\n";
    assert_eq!(refused(text), "it has no known format");
    let options = Options {
        time: Some("Frame Time (avg)".to_owned()),
        ..Options::default()
    };
    let log = super::read_text(text, &options);
    assert_eq!(log.map(|log| durations(&log)), Ok(vec![10.0, 12.0, 11.0]));
}

#[test]
fn the_usual_names_of_frame_times_are_known() {
    for (name, ms) in [
        ("frameTimeMs", 1.0),
        ("FrameTimeMS", 1.0),
        ("FrameTime_us", 1e-3),
        ("delta_time_s", 1e3),
        ("DeltaTime (s)", 1e3),
        ("Delta (ms)", 1.0),
        ("dt_ms", 1.0),
    ] {
        let log = read(format!("index,{name}\n0,10\n1,12\n2,11\n"));
        assert_eq!(
            durations(&log),
            [10.0, 12.0, 11.0].map(|time| time * ms),
            "{name}"
        );
    }
    // The time in a column named for the frame is its duration, beside the clock.
    let log = read("Time (sec),Frame (ms), GT (ms)\n0.00,10.25,5\n0.01,12.5,6\n0.02,11.75,5\n");
    assert_eq!(durations(&log), [10.25, 12.5, 11.75]);
    assert_eq!(paths(&log), ["GT"]);
}

#[test]
fn the_percentiles_of_an_unreal_chart_are_no_frames() {
    let figures = "Percentile,Frame (ms), GT (ms),Context\n25,10.5,5,0\n50,11,5,0\n";
    let frames = "Time (sec),Frame (ms), GT (ms),Context\n0.00,10,5,0\n0.01,12,6,0\n0.02,11,5,0\n";
    assert_eq!(durations(&read(frames)), [10.0, 12.0, 11.0]);
    for text in [format!("{figures}{frames}"), format!("{frames}{figures}")] {
        let log = read(&text);
        assert_eq!(durations(&log), [10.0, 12.0, 11.0], "{text}");
        assert!(
            log.said.contains(&"1 other table was left out".to_owned()),
            "{:?}",
            log.said
        );
    }
    assert_eq!(
        refused(figures),
        "it contains figures, not frames; name the log with the frames"
    );
}

#[test]
fn a_comma_that_is_also_the_decimal_point_is_refused() {
    let error = refused("frame,frame_time_ms\n0,16,603\n1,17\n2,15,2\n");
    assert!(
        error.starts_with(
            "line 2 has more fields than names, as if a comma were also the decimal point; write"
        ),
        "{error}"
    );
    // Decimals begin with zeros now and then, and whole milliseconds are no frame times.
    for text in [
        "frame,frame_time_us\n0,16500,25\n1,17500,05\n",
        "frame,frame_time_us\n0,16500,2\n1,17500\n2,16000,3\n",
        "frame,frame_time_ms\n0,16,5\n1,17,3\n",
    ] {
        let error = refused(text);
        assert!(error.contains("or name all columns"), "{error}");
    }
    // Quotes, a text with commas, and columns without names are no such sign.
    for text in [
        "frame,frame_time_ms\n0,\"16,5\"\n1,\"17,5\"\n",
        "frame,frame_time_ms,event\n0,16.5,a, b\n1,17.5,c, 7\n",
        "frame,frame_time_ms\n0,16.5,3\n1,17.5,4\n",
        "frame,frame_time_us\n0,16500,3\n1,17500,4\n",
        "frame;time_us\n0;16500;3\n1;17500;4\n",
    ] {
        assert_eq!(durations(&read(text)), [16.5, 17.5], "{text}");
    }
}

#[test]
fn changed_tables_are_read_or_refused() {
    fuzz(
        "Frame;Time (ms);Note\n1;0,000;a\n2;10,5;\n3;22,5;\n4;33,5;b\n",
        6,
    );
}
