//! The text of OpenMetrics.

use std::fmt::Write;

/// A page of metrics. Writing into its text does not fail.
#[derive(Debug, Default)]
pub(crate) struct Page {
    text: String,
}

impl Page {
    /// Begins a family: all its samples follow.
    pub(crate) fn family(&mut self, name: &str, kind: &str, unit: Option<&str>, help: &str) {
        let _ = writeln!(self.text, "# TYPE {name} {kind}");
        if let Some(unit) = unit {
            let _ = writeln!(self.text, "# UNIT {name} {unit}");
        }
        let _ = writeln!(self.text, "# HELP {name} {help}");
    }

    /// Adds a sample.
    pub(crate) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        self.text.push_str(name);
        self.labels(labels);
        let _ = writeln!(self.text, " {}", number(value));
    }

    /// Adds a bucket of a histogram: the number of samples up to a bound.
    pub(crate) fn bucket(&mut self, name: &str, labels: &[(&str, &str)], bound: f64, count: u64) {
        let bound = number(bound);
        let mut labels = labels.to_vec();
        labels.push(("le", &bound));
        self.sample(&format!("{name}_bucket"), &labels, count as f64);
    }

    fn labels(&mut self, labels: &[(&str, &str)]) {
        for (at, (name, value)) in labels.iter().enumerate() {
            let separator = if at == 0 { '{' } else { ',' };
            let _ = write!(self.text, "{separator}{name}=\"");
            for letter in value.chars() {
                match letter {
                    '\\' => self.text.push_str("\\\\"),
                    '"' => self.text.push_str("\\\""),
                    '\n' => self.text.push_str("\\n"),
                    other => self.text.push(other),
                }
            }
            self.text.push('"');
        }
        if !labels.is_empty() {
            self.text.push('}');
        }
    }

    /// Ends the page.
    pub(crate) fn end(mut self) -> String {
        self.text.push_str("# EOF\n");
        self.text
    }
}

/// Returns a number as OpenMetrics writes it. Numbers of buckets have a point, so that they have the
/// same text everywhere.
fn number(value: f64) -> String {
    if value == f64::INFINITY {
        "+Inf".to_owned()
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn labels_are_escaped_and_the_page_ends() {
        let mut page = Page::default();
        page.family("a", "counter", Some("seconds"), "Help.");
        page.sample("a_total", &[("path", "q\"u\\o\nte"), ("unit", "")], 0.5);
        page.bucket("b", &[], f64::INFINITY, 3);
        assert_eq!(
            page.end(),
            "# TYPE a counter\n# UNIT a seconds\n# HELP a Help.\n\
             a_total{path=\"q\\\"u\\\\o\\nte\",unit=\"\"} 0.5\n\
             b_bucket{le=\"+Inf\"} 3.0\n# EOF\n"
        );
    }
}
