//! Metrics as the message that a collector reads.

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric as Message,
    NumberDataPoint, ResourceMetrics, ScopeMetrics, Sum, metric, number_data_point,
};
use opentelemetry_proto::tonic::resource::v1::Resource;

use crate::metric::{Buckets, Data, Labels, Metric, MetricUnit, Point};

use super::resource::attribute;
use super::times::Times;

/// Cumulative totals, so that a lost message loses no values.
const CUMULATIVE: i32 = AggregationTemporality::Cumulative as i32;

/// Returns metrics as a message. Those without points are left out.
pub(super) fn message<'a>(
    metrics: impl IntoIterator<Item = Metric<'a>>,
    resource: Resource,
    times: &Times,
) -> ExportMetricsServiceRequest {
    let metrics = metrics.into_iter();
    let scope_metrics = ScopeMetrics {
        scope: Some(InstrumentationScope {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..InstrumentationScope::default()
        }),
        metrics: metrics
            .filter_map(|metric| of_metric(metric, times))
            .collect(),
        ..ScopeMetrics::default()
    };
    ExportMetricsServiceRequest {
        resource_metrics: vec![ResourceMetrics {
            resource: Some(resource),
            scope_metrics: vec![scope_metrics],
            ..ResourceMetrics::default()
        }],
    }
}

fn of_metric(metric: Metric<'_>, times: &Times) -> Option<Message> {
    let data = match &metric.data {
        Data::Counter(points) if !points.is_empty() => metric::Data::Sum(Sum {
            data_points: numbers(points, times.begun, times.now),
            aggregation_temporality: CUMULATIVE,
            is_monotonic: true,
        }),
        Data::Gauge(points) if !points.is_empty() => metric::Data::Gauge(Gauge {
            data_points: numbers(points, 0, times.now),
        }),
        Data::Histogram(points) if !points.is_empty() => metric::Data::Histogram(Histogram {
            data_points: points.iter().map(|point| buckets(point, times)).collect(),
            aggregation_temporality: CUMULATIVE,
        }),
        _ => return None,
    };
    let unit = match metric.unit {
        MetricUnit::Seconds => "s",
        MetricUnit::Other => "",
    };
    Some(Message {
        name: metric.name.to_owned(),
        description: metric.help.to_owned(),
        unit: unit.to_owned(),
        data: Some(data),
        ..Message::default()
    })
}

fn numbers(points: &[Point<'_, f64>], begun: u64, now: u64) -> Vec<NumberDataPoint> {
    let point = |point: &Point<'_, f64>| NumberDataPoint {
        attributes: attributes(point.labels),
        start_time_unix_nano: begun,
        time_unix_nano: now,
        value: Some(number_data_point::Value::AsDouble(point.value)),
        ..NumberDataPoint::default()
    };
    points.iter().map(point).collect()
}

fn buckets(point: &Point<'_, Buckets>, times: &Times) -> HistogramDataPoint {
    let buckets = &point.value;
    HistogramDataPoint {
        attributes: attributes(point.labels),
        start_time_unix_nano: times.begun,
        time_unix_nano: times.now,
        count: buckets.counts.iter().sum(),
        // OTLP takes a sum for a total, which negative samples would decrease.
        sum: (buckets.min >= 0.0 && buckets.sum.is_finite()).then_some(buckets.sum),
        bucket_counts: buckets.counts.clone(),
        explicit_bounds: buckets.bounds.clone(),
        ..HistogramDataPoint::default()
    }
}

fn attributes(labels: &Labels) -> Vec<KeyValue> {
    let text = |value: &String| Value::StringValue(value.clone());
    let attributes = labels
        .iter()
        .map(|(key, value)| attribute(key, text(value)));
    attributes.collect()
}
