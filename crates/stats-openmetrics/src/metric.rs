//! Metrics, before they are encoded in a format.

/// A metric, whose points differ in their labels.
#[derive(Debug)]
pub(crate) struct Metric<'a> {
    /// The name in OTLP. Prometheus derives its name from this one and the unit, as the page does.
    pub(crate) name: &'static str,
    pub(crate) unit: MetricUnit,
    pub(crate) help: &'static str,
    pub(crate) data: Data<'a>,
}

/// The unit of all points of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetricUnit {
    Seconds,
    /// No unit, or one for each series, which becomes a label.
    Other,
}

#[derive(Debug)]
pub(crate) enum Data<'a> {
    /// The sums since the totals began.
    Counter(Vec<Point<'a, f64>>),
    /// The values at this moment.
    Gauge(Vec<Point<'a, f64>>),
    Histogram(Vec<Point<'a, Buckets>>),
}

/// The names and values of the labels of a point.
pub(crate) type Labels = [(&'static str, String)];

#[derive(Debug)]
pub(crate) struct Point<'a, T> {
    pub(crate) labels: &'a Labels,
    pub(crate) value: T,
}

impl<T> Point<'_, T> {
    /// Returns the only point of a metric without labels.
    pub(crate) fn only(value: T) -> Vec<Self> {
        vec![Self { labels: &[], value }]
    }
}

/// The samples of a histogram by their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Buckets {
    /// The inclusive upper bounds of the buckets, ascending.
    pub(crate) bounds: Vec<f64>,
    /// The number of samples in each bucket, and finally the number above all bounds.
    pub(crate) counts: Vec<u64>,
    pub(crate) sum: f64,
    /// The smallest sample, also of those from before the export; 0 without samples.
    pub(crate) min: f64,
}

impl Buckets {
    /// Returns the number of samples at or below each bound, and finally the total.
    pub(crate) fn cumulative(&self) -> impl Iterator<Item = u64> {
        self.counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        })
    }
}
