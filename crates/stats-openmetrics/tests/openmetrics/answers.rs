//! The answers of the server.

use std::io::Write;
use std::net::TcpStream;

use stats_core::{Recorder, Unit};
use stats_openmetrics::{OpenMetrics, OpenMetricsOptions};

use crate::alone;
use crate::http::{get, request};

fn serve() -> OpenMetrics {
    let address = "127.0.0.1:0".parse().expect("it is an address");
    OpenMetrics::serve(address).expect("a port is free")
}

/// Returns the value of a sample, by its name and labels.
fn sample(page: &str, name: &str) -> Option<f64> {
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line?.parse().ok()
}

#[test]
fn totals_begin_when_the_server_starts() {
    let _turn = alone();
    stats_core::counter("answers/shots").add(1_000);
    let metrics = serve();
    let page = || get(metrics.address(), "/metrics").expect("it answers");
    stats_core::counter("answers/shots").add(3);
    let shots = "stats_counter_total{path=\"answers/shots\",unit=\"\"}";
    assert_eq!(sample(&page(), shots), Some(3.0));
    stats_core::counter("answers/shots").add(4);
    stats_core::counter("answers/new").unit(Unit::Bytes).add(5);
    stats_core::up_down_counter("answers/enemies").add(2);
    stats_core::gauge("answers/wind").set(7.5);
    stats_core::timer("answers/update").record_ms(250.0);
    stats_core::timer("answers/update").record_ms(250.0);
    let update = "stats_timer_seconds_total{path=\"answers/update\"}";
    let first = page();
    assert_eq!(sample(&first, shots), Some(7.0));
    assert_eq!(sample(&first, update), Some(0.0), "it is new");
    for _ in 0..2 {
        // Asking again does not change the totals.
        let page = page();
        for (name, value) in [
            (shots, 7.0),
            ("stats_counter_total{path=\"answers/new\",unit=\"B\"}", 5.0),
            ("stats_level{path=\"answers/enemies\",unit=\"\"}", 2.0),
            ("stats_level{path=\"answers/wind\",unit=\"\"}", 7.5),
            (update, 0.5),
            ("stats_timer_calls_total{path=\"answers/update\"}", 2.0),
        ] {
            assert_eq!(sample(&page, name), Some(value), "{name}");
        }
        assert!(page.ends_with("# EOF\n"));
    }
}

/// A collector counts the difference between two pages, and nothing for the first one of a series.
#[test]
fn the_increase_of_a_series_that_appears_between_pages_is_complete() {
    let _turn = alone();
    let metrics = serve();
    let page = || get(metrics.address(), "/metrics").expect("it answers");
    page();
    let mut random = stats_testing::Random::new(8);
    let names = [
        "stats_counter_total{path=\"answers/late-N/count\",unit=\"\"}",
        "stats_timer_calls_total{path=\"answers/late-N/time\"}",
        "stats_timer_seconds_total{path=\"answers/late-N/time\"}",
        "stats_samples_count{path=\"answers/late-N/samples\",unit=\"\"}",
        "stats_samples_sum{path=\"answers/late-N/samples\",unit=\"\"}",
        "stats_samples_bucket{path=\"answers/late-N/samples\",unit=\"\",le=\"+Inf\"}",
    ];
    let (mut counted, mut increase, mut before) = ([0.0; 6], [0.0; 6], [None::<f64>; 6]);
    for page_number in 0..40 {
        // A new set of series every ten pages.
        let set = page_number / 10;
        if page_number % 10 == 0 {
            assert_eq!(counted, increase);
            (counted, increase, before) = ([0.0; 6], [0.0; 6], [None; 6]);
        }
        // None before the last two pages of a set, which then have everything.
        if page_number % 10 < 8 && random.below(3) > 0 {
            stats_core::counter(&format!("answers/late-{set}/count")).add(3);
            stats_core::timer(&format!("answers/late-{set}/time")).record_ms(1_000.0);
            stats_core::histogram(&format!("answers/late-{set}/samples")).record(8.0);
            for (sum, value) in counted.iter_mut().zip([3.0, 1.0, 1.0, 1.0, 8.0, 1.0]) {
                *sum += value;
            }
        }
        let page = page();
        for at in 0..6 {
            let now = sample(&page, &names[at].replace('N', &set.to_string()));
            increase[at] += now
                .zip(before[at])
                .map_or(0.0, |(now, before)| now - before);
            before[at] = now.or(before[at]);
        }
    }
    assert_eq!(counted, increase);
}

/// Returns the bounds of a histogram on a page, each with its count.
fn buckets(page: &str, path: &str) -> Vec<(String, f64)> {
    let start = format!("stats_samples_bucket{{path=\"{path}\",");
    let lines = page.lines().filter_map(|line| line.strip_prefix(&start));
    let bucket = |line: &str| {
        let (bound, count) = line.split_once("le=\"")?.1.split_once("\"} ")?;
        Some((bound.to_owned(), count.parse().ok()?))
    };
    lines.filter_map(bucket).collect()
}

#[test]
fn a_histogram_has_the_counts_up_to_each_bound() {
    let _turn = alone();
    let samples = stats_core::histogram("answers/samples");
    samples.record(30.0);
    let metrics = serve();
    for n in [0.15, 0.15, 1.5, 30.0, 700.0, -4.0] {
        samples.record(n);
    }
    let page = get(metrics.address(), "/metrics").expect("it answers");
    let below = |bound: &str| {
        let name =
            format!("stats_samples_bucket{{path=\"answers/samples\",unit=\"\",le=\"{bound}\"}}");
        sample(&page, &name)
    };
    let bounds = [
        "0.001",
        "0.1",
        "0.2",
        "1.0",
        "2.0",
        "20.0",
        "50.0",
        "1000.0",
        "1000000000.0",
        "+Inf",
    ];
    let expected = [1.0, 1.0, 3.0, 3.0, 4.0, 4.0, 5.0, 6.0, 6.0, 6.0];
    assert_eq!(bounds.map(below), expected.map(Some));
    let of_all = |part: &str| {
        let name = format!("stats_samples_{part}{{path=\"answers/samples\",unit=\"\"}}");
        sample(&page, &name).unwrap_or_default()
    };
    assert_eq!(of_all("count"), 6.0);
    assert!((of_all("sum") - 727.8).abs() < 1e-9);
}

#[test]
fn the_bounds_of_a_histogram_are_there_before_its_samples_and_stay() {
    let _turn = alone();
    let metrics = serve();
    let page = || get(metrics.address(), "/metrics").expect("it answers");
    let samples = stats_core::histogram("answers/fixed").unit(Unit::Milliseconds);
    let mut before = buckets(&page(), "answers/fixed");
    assert_eq!(before.len(), 26);
    assert!(before.iter().all(|(_, count)| *count == 0.0), "{before:?}");
    assert!(before.iter().all(|(bound, _)| bound != "0.0"));
    for n in [5.0, 1e-7, 3e9, -8.0, 100.5, 0.0] {
        samples.record(n);
        // The totals go on over runs.
        stats_core::begin_run();
        let now = buckets(&page(), "answers/fixed");
        for ((bound, count), (of, count_before)) in now.iter().zip(&before) {
            assert_eq!(bound, of);
            let upper = bound.replace("+Inf", "inf").parse::<f64>();
            let is_in = upper.is_ok_and(|upper| n <= upper);
            let grown = count - count_before;
            assert_eq!(grown, f64::from(u8::from(is_in)), "{n} up to {bound}");
        }
        assert_eq!(now.len(), before.len());
        before = now;
    }
}

#[test]
fn bounds_of_the_options_replace_those_of_the_unit() {
    let _turn = alone();
    let start = |bounds: Vec<f64>| {
        let mut options = OpenMetricsOptions::default();
        options.address = "127.0.0.1:0".parse().expect("it is an address");
        options.bounds = vec![("answers/own".to_owned(), bounds)];
        OpenMetrics::start(&options)
    };
    let metrics = start(vec![0.0, 16.0, 250.0]).expect("a port is free");
    let own = stats_core::histogram("answers/own");
    for n in [0, 16, 17, 250, 260] {
        own.record(n);
    }
    let page = get(metrics.address(), "/metrics").expect("it answers");
    let expected = [("0.0", 1.0), ("16.0", 2.0), ("250.0", 3.0), ("+Inf", 5.0)];
    let expected = expected.map(|(bound, count)| (bound.to_owned(), count));
    assert_eq!(buckets(&page, "answers/own"), expected);
    let error = start(vec![16.7]).expect_err("a bucket of two digits does not end there");
    assert!(error.to_string().contains("16.7"), "{error}");
}

#[test]
fn frames_have_a_histogram_a_maximum_and_a_count_over_60_ms() {
    let _turn = alone();
    let mut metrics = serve();
    let mut recorder = Recorder::new();
    let mut time = 0.0;
    for ms in [16.0, 16.0, 90.0, 16.0, 33.0] {
        time += ms / 1e3;
        recorder.end_frame_at(time);
        metrics.end_frame(&recorder);
        metrics.end_frame(&recorder);
    }
    let page = get(metrics.address(), "/metrics").expect("it answers");
    let frames = ["0.017", "0.034", "0.101", "+Inf"].map(|bound| {
        sample(
            &page,
            &format!("stats_frame_seconds_bucket{{le=\"{bound}\"}}"),
        )
    });
    let count = sample(&page, "stats_frame_seconds_count");
    assert_eq!((frames[3], count), (Some(5.0), Some(5.0)));
    assert_eq!(sample(&page, "stats_frames_over_60_ms_total"), Some(1.0));
    let max = sample(&page, "stats_frame_max_seconds");
    assert!(max.is_some_and(|max| (max - 0.09).abs() < 1e-9), "{max:?}");
    assert!(frames[0] < frames[1] && frames[1] < frames[2]);
}

#[test]
fn only_the_path_of_the_metrics_is_answered() {
    let _turn = alone();
    let metrics = serve();
    let head = |method, path| request(metrics.address(), method, path).map(|(head, _)| head);
    let is = |method, path, text: &str| head(method, path).is_some_and(|head| head.contains(text));
    assert!(is("GET", "/metrics?a=b", "application/openmetrics-text"));
    assert!(is("HEAD", "/metrics", " 200 "));
    assert!(is("GET", "/", " 404 ") && is("GET", "/metrics/../etc", " 404 "));
    assert!(is("POST", "/metrics", " 405 "));
    let address = metrics.address();
    drop(metrics);
    assert_eq!(
        get(address, "/metrics"),
        None,
        "dropping it ends the server"
    );
}

#[test]
fn a_client_that_reads_no_answer_does_not_keep_the_server_running() {
    let _turn = alone();
    let metrics = serve();
    let mut client = TcpStream::connect(metrics.address()).expect("it listens");
    let requests = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(4_000);
    client
        .write_all(requests.as_bytes())
        .expect("the requests are read");
    drop(metrics);
}

#[test]
fn addresses_that_others_can_reach_are_refused() {
    for address in ["0.0.0.0:0", "192.168.1.1:9464", "[::]:0"] {
        let error = OpenMetrics::serve(address.parse().expect("it is an address"));
        let message = error.expect_err("it is not loopback").to_string();
        assert!(message.contains("serve on 127.0.0.1:"), "{message}");
    }
    let taken = serve();
    let error = OpenMetrics::serve(taken.address()).expect_err("the port is taken");
    assert!(
        error
            .to_string()
            .contains("Another program may use the port")
    );
}
