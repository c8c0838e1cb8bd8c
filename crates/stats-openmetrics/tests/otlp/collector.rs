//! A collector that decodes exports with OpenTelemetry's own messages.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsPartialSuccess, ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, HistogramDataPoint, Metric, NumberDataPoint, metric, number_data_point,
};
use prost::Message;

/// The answer to a request.
#[derive(Clone)]
pub(crate) enum Reply {
    Taken,
    Status(&'static str),
    Rejected(i64, &'static str),
    /// An answer with a body that no collector sends.
    Strange,
    /// The connection stays open without an answer.
    Never,
}

pub(crate) struct Collector {
    pub(crate) address: SocketAddr,
    pub(crate) exports: Receiver<Export>,
    /// The connections without an answer.
    pub(crate) unanswered: Receiver<TcpStream>,
}

impl Collector {
    /// Answers `replies` one after another, and takes all further exports.
    pub(crate) fn start(replies: &[Reply]) -> Self {
        Self::start_at("127.0.0.1:0", replies)
    }

    pub(crate) fn start_at(address: &str, replies: &[Reply]) -> Self {
        let listener = TcpListener::bind(address).expect("the port is free");
        let address = listener.local_addr().expect("it has an address");
        let (send, exports) = mpsc::channel();
        let (keep, unanswered) = mpsc::channel();
        let replies = replies.to_vec();
        thread::spawn(move || {
            for (at, stream) in listener.incoming().enumerate() {
                let reply = replies.get(at).unwrap_or(&Reply::Taken);
                answer(stream.expect("it is accepted"), reply, &send, &keep);
            }
        });
        Self {
            address,
            exports,
            unanswered,
        }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the next export.
    pub(crate) fn next(&self) -> Export {
        let export = self.exports.recv_timeout(Duration::from_secs(30));
        export.expect("it is sent at an interval")
    }

    /// Returns the newest export.
    pub(crate) fn newest(&self) -> Export {
        let next = self.next();
        self.exports.try_iter().last().unwrap_or(next)
    }
}

/// Reads a request and answers it.
fn answer(mut stream: TcpStream, reply: &Reply, send: &Sender<Export>, keep: &Sender<TcpStream>) {
    let mut reader = BufReader::new(stream.try_clone().expect("it can be cloned"));
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("it is text");
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    assert_eq!(lines[0], "POST /v1/metrics HTTP/1.1");
    let header = |name: &str| {
        let of_line = |line: &String| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        };
        lines.iter().find_map(of_line)
    };
    assert_eq!(
        header("content-type").as_deref(),
        Some("application/x-protobuf")
    );
    let length = header("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.expect("it has a length")];
    reader.read_exact(&mut body).expect("it is complete");
    let request = ExportMetricsServiceRequest::decode(&body[..]).expect("it is OTLP");
    // A test may have ended.
    let _ = send.send(Export::checked(request));
    let response = match reply {
        Reply::Taken => ExportMetricsServiceResponse::default(),
        Reply::Rejected(rejected_data_points, message) => ExportMetricsServiceResponse {
            partial_success: Some(ExportMetricsPartialSuccess {
                rejected_data_points: *rejected_data_points,
                error_message: (*message).to_owned(),
            }),
        },
        Reply::Status(status) => {
            let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        Reply::Strange => {
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>");
            return;
        }
        Reply::Never => {
            let _ = keep.send(stream);
            return;
        }
    };
    let body = response.encode_to_vec();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&body);
}

/// One export.
#[derive(Debug)]
pub(crate) struct Export {
    pub(crate) resource: Vec<KeyValue>,
    pub(crate) metrics: Vec<Metric>,
}

impl Export {
    /// Checks rules that every export obeys: numbers are finite, totals are cumulative, and each
    /// bucket has its bound.
    fn checked(request: ExportMetricsServiceRequest) -> Self {
        let [of_resource] = &request.resource_metrics[..] else {
            panic!("there is one resource: {request:?}");
        };
        let [of_scope] = &of_resource.scope_metrics[..] else {
            panic!("there is one scope: {of_resource:?}");
        };
        let scope = of_scope.scope.clone().unwrap_or_default();
        assert_eq!(scope.name, "stats-openmetrics");
        let resource = of_resource.resource.clone().unwrap_or_default();
        let export = Self {
            resource: resource.attributes,
            metrics: of_scope.metrics.clone(),
        };
        let cumulative = AggregationTemporality::Cumulative as i32;
        for metric in &export.metrics {
            match metric.data.as_ref() {
                Some(metric::Data::Sum(sum)) => {
                    assert!(sum.is_monotonic && sum.aggregation_temporality == cumulative);
                }
                Some(metric::Data::Histogram(histogram)) => {
                    assert_eq!(histogram.aggregation_temporality, cumulative);
                    histogram.data_points.iter().for_each(check_buckets);
                }
                Some(metric::Data::Gauge(_)) => {}
                other => panic!("no such kind: {other:?}"),
            }
            for point in numbers(metric) {
                assert!(of(point).is_finite(), "{metric:?}");
                let is_sum = matches!(metric.data, Some(metric::Data::Sum(_)));
                assert_eq!(point.start_time_unix_nano > 0, is_sum);
                assert!(point.start_time_unix_nano < point.time_unix_nano);
            }
            assert!(!metric.description.is_empty());
        }
        export
    }

    fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// Returns the unit of a metric.
    pub(crate) fn unit(&self, name: &str) -> &str {
        self.metric(name).map_or("no metric", |metric| &metric.unit)
    }

    /// Returns the point of a series in a metric; an empty path for one without attributes.
    pub(crate) fn point(&self, name: &str, path: &str) -> Option<&NumberDataPoint> {
        let mut points = numbers(self.metric(name)?).iter();
        points.find(|point| text(&point.attributes, "path") == path)
    }

    /// Returns the value of a series in a metric.
    pub(crate) fn value(&self, name: &str, path: &str) -> Option<f64> {
        self.point(name, path).map(of)
    }

    pub(crate) fn histogram(&self, name: &str, path: &str) -> Option<&HistogramDataPoint> {
        match &self.metric(name)?.data {
            Some(metric::Data::Histogram(histogram)) => {
                let mut points = histogram.data_points.iter();
                points.find(|point| text(&point.attributes, "path") == path)
            }
            _ => None,
        }
    }
}

pub(crate) fn numbers(metric: &Metric) -> &[NumberDataPoint] {
    match &metric.data {
        Some(metric::Data::Sum(sum)) => &sum.data_points,
        Some(metric::Data::Gauge(gauge)) => &gauge.data_points,
        _ => &[],
    }
}

fn check_buckets(point: &HistogramDataPoint) {
    assert_eq!(point.bucket_counts.len(), point.explicit_bounds.len() + 1);
    assert_eq!(point.bucket_counts.iter().sum::<u64>(), point.count);
    assert!(point.explicit_bounds.is_sorted_by(|a, b| a < b));
    assert!(point.explicit_bounds.iter().all(|bound| bound.is_finite()));
    assert!(point.sum.is_none_or(f64::is_finite));
    assert!(point.start_time_unix_nano > 0);
    assert!(point.start_time_unix_nano < point.time_unix_nano);
}

fn of(point: &NumberDataPoint) -> f64 {
    match point.value {
        Some(number_data_point::Value::AsDouble(value)) => value,
        _ => f64::NAN,
    }
}

/// Returns an attribute that is a text; an empty one if there is none.
pub(crate) fn text<'a>(attributes: &'a [KeyValue], key: &str) -> &'a str {
    let attribute = attributes.iter().find(|attribute| attribute.key == key);
    let value = attribute.and_then(|attribute| attribute.value.as_ref()?.value.as_ref());
    match value {
        Some(any_value::Value::StringValue(text)) => text,
        _ => "",
    }
}
