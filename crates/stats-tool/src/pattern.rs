//! Patterns of names.

use stats_config::Pattern;

use crate::failure::Failure;

/// Parses a pattern from an option of the command line.
pub(crate) fn pattern(option: &str, text: &str) -> Result<Pattern, Failure> {
    let parsed = Pattern::try_from(text.to_owned());
    parsed.map_err(|error| Failure::Usage(format!("{option} {error}")))
}
