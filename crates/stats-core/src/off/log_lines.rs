//! Lines of the log: nobody keeps them.

pub(crate) fn keep_log_line(_: &str) {}
