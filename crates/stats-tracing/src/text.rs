//! The text of an event as a line of the log.

use std::fmt::{self, Display, Formatter};

use stats_core::{LogLevel, LogLine};
use tracing_core::field::{Field, Visit};
use tracing_core::{Event, Level};
use tracing_subscriber::filter::Targets;

/// The target of the events that tracing-log makes of records of the crate `log`.
const LOG: &str = "log";
/// The field of such an event that has the target of the record.
const LOG_TARGET: &str = "log.target";
/// The fields of such an event that are no text.
const LOG_FIELDS: [&str; 4] = [LOG_TARGET, "log.module_path", "log.file", "log.line"];

/// Keeps the text of an event that the filter lets through.
pub(crate) fn keep_text(event: &Event<'_>, filter: &Targets) {
    let callsite = event.metadata();
    if callsite.target() == LOG {
        let mut found = LogTarget {
            filter,
            event,
            is_found: false,
        };
        event.record(&mut found);
        if found.is_found {
            return;
        }
    }
    keep(event, callsite.target(), filter);
}

fn keep(event: &Event<'_>, target: &str, filter: &Targets) {
    let level = *event.metadata().level();
    if filter.would_enable(target, &level) {
        let level = match level {
            Level::ERROR => LogLevel::Error,
            Level::WARN => LogLevel::Warn,
            Level::INFO => LogLevel::Info,
            Level::DEBUG => LogLevel::Debug,
            Level::TRACE => LogLevel::Trace,
        };
        LogLine::keep(level, target, format_args!("{}", Text(event)));
    }
}

/// Finds the target of a record of the crate `log`.
struct LogTarget<'a> {
    filter: &'a Targets,
    event: &'a Event<'a>,
    is_found: bool,
}

impl Visit for LogTarget<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == LOG_TARGET && !self.is_found {
            self.is_found = true;
            keep(self.event, value, self.filter);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

/// Writes the message of an event, then its other fields as `name=value`.
struct Text<'a>(&'a Event<'a>);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut fields = Fields {
            to: f,
            is_message: true,
            is_first: true,
            written: Ok(()),
        };
        self.0.record(&mut fields);
        fields.is_message = false;
        self.0.record(&mut fields);
        fields.written
    }
}

struct Fields<'a, 'b> {
    to: &'a mut Formatter<'b>,
    /// Whether to write the message, or else the other fields.
    is_message: bool,
    /// Whether nothing is written yet.
    is_first: bool,
    written: fmt::Result,
}

impl Fields<'_, '_> {
    fn write(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        let name = field.name();
        if self.written.is_err()
            || (name == "message") != self.is_message
            || LOG_FIELDS.contains(&name)
        {
            return;
        }
        let gap = if self.is_first { "" } else { " " };
        self.is_first = false;
        self.written = if self.is_message {
            write!(self.to, "{gap}{value}")
        } else {
            write!(self.to, "{gap}{name}={value}")
        };
    }
}

impl Visit for Fields<'_, '_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.write(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.write(field, format_args!("{value:?}"));
    }
}
