//! The text of OpenMetrics.

use std::fmt::Write;

use crate::metric::{Buckets, Data, Labels, Metric, MetricUnit, Point};

/// Returns metrics as a page of OpenMetrics.
pub(crate) fn page<'a>(metrics: impl IntoIterator<Item = Metric<'a>>) -> String {
    let mut page = Page::default();
    for metric in metrics {
        page.metric(&metric);
    }
    page.text.push_str("# EOF\n");
    page.text
}

/// The page so far. Writing into its text does not fail.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn metric(&mut self, metric: &Metric<'_>) {
        let mut name = metric.name.replace('.', "_");
        let has_unit = metric.unit == MetricUnit::Seconds;
        if has_unit {
            name.push_str("_seconds");
        }
        let kind = match metric.data {
            Data::Counter(_) => "counter",
            Data::Gauge(_) => "gauge",
            Data::Histogram(_) => "histogram",
        };
        let _ = writeln!(self.text, "# TYPE {name} {kind}");
        if has_unit {
            let _ = writeln!(self.text, "# UNIT {name} seconds");
        }
        let _ = writeln!(self.text, "# HELP {name} {}", metric.help);
        match &metric.data {
            Data::Counter(points) => self.numbers(&format!("{name}_total"), points),
            Data::Gauge(points) => self.numbers(&name, points),
            Data::Histogram(points) => {
                for point in points {
                    self.buckets(&name, point.labels, &point.value);
                }
            }
        }
    }

    fn numbers(&mut self, name: &str, points: &[Point<'_, f64>]) {
        for point in points {
            self.sample(name, point.labels, None, point.value);
        }
    }

    fn buckets(&mut self, name: &str, labels: &Labels, buckets: &Buckets) {
        let mut all = 0;
        let bounds = buckets.bounds.iter().chain([&f64::INFINITY]);
        let bucket = format!("{name}_bucket");
        for (bound, count) in bounds.zip(buckets.cumulative()) {
            self.sample(&bucket, labels, Some(*bound), count as f64);
            all = count;
        }
        self.sample(&format!("{name}_count"), labels, None, all as f64);
        self.sample(&format!("{name}_sum"), labels, None, buckets.sum);
    }

    /// Adds a sample. A sample of a bucket has its bound as the last label.
    fn sample(&mut self, name: &str, labels: &Labels, bound: Option<f64>, value: f64) {
        self.text.push_str(name);
        let bound = bound.map(|bound| ("le", number(bound)));
        for (at, (name, value)) in labels.iter().chain(&bound).enumerate() {
            let separator = if at == 0 { '{' } else { ',' };
            let _ = write!(self.text, "{separator}{name}=\"");
            self.escaped(value);
            self.text.push('"');
        }
        if !labels.is_empty() || bound.is_some() {
            self.text.push('}');
        }
        let _ = writeln!(self.text, " {}", number(value));
    }

    fn escaped(&mut self, value: &str) {
        for letter in value.chars() {
            match letter {
                '\\' => self.text.push_str("\\\\"),
                '"' => self.text.push_str("\\\""),
                '\n' => self.text.push_str("\\n"),
                other => self.text.push(other),
            }
        }
    }
}

/// Returns a number as OpenMetrics writes it. Whole numbers have a decimal point, so that a bound
/// has the same text everywhere.
fn number(value: f64) -> String {
    if value == f64::INFINITY {
        "+Inf".to_owned()
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_and_the_page_ends() {
        let labels = [("path", "q\"u\\o\nte".to_owned()), ("unit", String::new())];
        let number = Point {
            labels: &labels,
            value: 0.5,
        };
        let buckets = Buckets {
            bounds: vec![2.0],
            counts: vec![3, 1],
            sum: 9.5,
            min: 0.5,
        };
        let metric = |name, unit, data| Metric {
            name,
            unit,
            help: "Help.",
            data,
        };
        let metrics = [
            metric("a.b", MetricUnit::Seconds, Data::Counter(vec![number])),
            metric(
                "c",
                MetricUnit::Other,
                Data::Histogram(Point::only(buckets)),
            ),
        ];
        assert_eq!(
            page(metrics),
            "# TYPE a_b_seconds counter\n# UNIT a_b_seconds seconds\n# HELP a_b_seconds Help.\n\
             a_b_seconds_total{path=\"q\\\"u\\\\o\\nte\",unit=\"\"} 0.5\n\
             # TYPE c histogram\n# HELP c Help.\n\
             c_bucket{le=\"2.0\"} 3.0\nc_bucket{le=\"+Inf\"} 4.0\nc_count 4.0\nc_sum 9.5\n# EOF\n"
        );
    }
}
