//! Whom the server answers: requests as bytes, so that no client changes them.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use stats_openmetrics::{OpenMetrics, OpenMetricsOptions, ServeError};

use crate::alone;

fn start(hosts: &[&str]) -> Result<OpenMetrics, ServeError> {
    let mut options = OpenMetricsOptions::default();
    options.address = "127.0.0.1:0".parse().expect("it is an address");
    options.hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
    OpenMetrics::start(&options)
}

/// Returns the status of the answer to a request, given up to its empty line. A refusal has none of
/// the metrics.
fn status(address: SocketAddr, head: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let patience = stream.set_read_timeout(Some(Duration::from_secs(20)));
    patience.expect("it is not zero");
    let request = [head, b"\r\n\r\n"].concat();
    stream.write_all(&request).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let status = status.expect("it has a status");
    assert_eq!(status == 200, answer.contains("stats_counter"), "{answer}");
    status
}

/// Returns the status of the answer to a request with these headers.
fn with(address: SocketAddr, headers: &str) -> u16 {
    status(
        address,
        format!("GET /metrics HTTP/1.1{headers}").as_bytes(),
    )
}

#[test]
fn a_page_that_points_its_name_to_this_machine_reads_nothing() {
    let _turn = alone();
    let metrics = start(&[]).expect("a port is free");
    let (address, port) = (metrics.address(), metrics.address().port());
    // The rules themselves are tested in `host`.
    for host in ["evil.com", "localhost evil.com", "localhost, evil.com", ""] {
        for host in [host.to_owned(), format!("{host}:{port}")] {
            assert_eq!(with(address, &format!("\r\nHost: {host}")), 403, "{host}");
        }
    }
    assert_eq!(
        status(address, b"GET /metrics HTTP/1.1\r\nHost: localhost\xff"),
        403
    );
    // Other paths and methods say nothing, either.
    for request in ["GET /", "POST /metrics", "OPTIONS *", "HEAD /metrics"] {
        let head = format!("{request} HTTP/1.1\r\nHost: evil.com");
        assert_eq!(status(address, head.as_bytes()), 403, "{request}");
    }
}

#[test]
fn loopback_names_and_addresses_are_answered() {
    let _turn = alone();
    let metrics = start(&[]).expect("a port is free");
    let (address, port) = (metrics.address(), metrics.address().port());
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        for host in [host.to_owned(), format!("{host}:{port}")] {
            for header in [format!("Host: {host}"), format!("hOST:\t{host} \t")] {
                assert_eq!(with(address, &format!("\r\n{header}")), 200, "{header}");
            }
        }
    }
}

#[test]
fn a_request_without_one_clear_host_is_refused() {
    let _turn = alone();
    let metrics = start(&["metrics.example"]).expect("a port is free");
    for headers in [
        "",
        "\r\nAccept: */*",
        "\r\nHost: localhost\r\nHost: localhost",
        "\r\nHost: localhost\r\nhost: evil.com",
        "\r\nHost: evil.com\r\nHost: localhost",
        "\r\nHost : localhost",
        "\r\nHost localhost",
        "\r\n Host: localhost",
        "\r\nHost: localhost\r\n .evil.com",
        "\r\nHost: localhost\r\n\t",
        "\r\n: localhost\r\nHost: localhost",
    ] {
        assert_eq!(with(metrics.address(), headers), 400, "{headers:?}");
    }
}

#[test]
fn the_host_of_a_whole_address_is_checked_as_well() {
    let _turn = alone();
    let metrics = start(&["metrics.example"]).expect("a port is free");
    for (target, host, expected) in [
        ("http://localhost/metrics", "localhost", 200),
        ("HTTP://127.0.0.1:80/metrics?a=b", "localhost", 200),
        ("http://metrics.example/metrics", "metrics.example", 200),
        ("http://localhost/metrics", "evil.com", 403),
        ("http://evil.com/metrics", "localhost", 403),
        ("http://evil.com:80/metrics", "localhost", 403),
        ("https://evil.com?/metrics", "localhost", 403),
        ("http://evil.com@localhost/metrics", "localhost", 403),
        ("http://localhost@evil.com/metrics", "localhost", 403),
        ("http:///metrics", "localhost", 403),
        ("http://localhost", "localhost", 404),
        ("//evil.com/metrics", "localhost", 404),
        ("ftp://localhost/metrics", "localhost", 404),
        ("metrics", "localhost", 404),
    ] {
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}");
        let status = status(metrics.address(), head.as_bytes());
        assert_eq!(status, expected, "{target} {host}");
    }
}

#[test]
fn given_names_are_answered_in_any_case_and_no_others() {
    let _turn = alone();
    let metrics = start(&["Metrics.example", "10.0.0.5"]).expect("a port is free");
    for (host, expected) in [
        ("METRICS.EXAMPLE.:443", 200),
        ("10.0.0.5:9464", 200),
        ("localhost", 200),
        ("a.metrics.example", 403),
    ] {
        let status = with(metrics.address(), &format!("\r\nHost: {host}"));
        assert_eq!(status, expected, "{host}");
    }
    for bad in [
        "http://metrics.example",
        "metrics.example:80",
        "*.example",
        "",
    ] {
        let error = start(&[bad]).expect_err("it is not a name").to_string();
        assert!(error.contains(&format!("{bad:?} is not a name")), "{error}");
    }
}

#[test]
fn a_page_of_another_origin_is_refused() {
    let _turn = alone();
    let metrics = start(&["metrics.example"]).expect("a port is free");
    let link = "\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document";
    let frame = "\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe";
    for (headers, expected) in [
        ("\r\nOrigin: http://evil.com".to_owned(), 403),
        ("\r\nOrigin: null".to_owned(), 403),
        ("\r\nOrigin: ".to_owned(), 403),
        ("\r\nOrigin: localhost:80".to_owned(), 403),
        ("\r\nOrigin: http://localhost:3000".to_owned(), 403),
        ("\r\nOrigin: http://localhost".to_owned(), 403),
        ("\r\nOrigin: http://metrics.example".to_owned(), 403),
        (
            "\r\nOrigin: http://localhost:80\r\nOrigin: http://evil.com".to_owned(),
            403,
        ),
        ("\r\nOrigin: http://LocalHost:80".to_owned(), 200),
        ("\r\nOrigin: https://localhost:80".to_owned(), 200),
        ("\r\nSec-Fetch-Site: cross-site".to_owned(), 403),
        ("\r\nSec-Fetch-Site: same-site".to_owned(), 403),
        ("\r\nSec-Fetch-Site: none".to_owned(), 200),
        ("\r\nSec-Fetch-Site: same-origin".to_owned(), 200),
        (format!("\r\nSec-Fetch-Site: cross-site{frame}"), 403),
        // A person who follows a link, such as Prometheus shows to its targets.
        (format!("\r\nSec-Fetch-Site: cross-site{link}"), 200),
        (
            format!("\r\nSec-Fetch-Site: cross-site{link}\r\nOrigin: http://evil.com"),
            403,
        ),
    ] {
        let status = with(
            metrics.address(),
            &format!("\r\nHost: localhost:80{headers}"),
        );
        assert_eq!(status, expected, "{headers:?}");
    }
}
