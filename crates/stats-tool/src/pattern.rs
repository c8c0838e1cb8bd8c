//! Patterns of names.

use glob::Pattern;

use crate::failure::Failure;

/// Parses a pattern from an option of the command line.
pub(crate) fn pattern(option: &str, text: &str) -> Result<Pattern, Failure> {
    Pattern::new(text).map_err(|error| {
        Failure::Usage(format!(
            "{option} {text:?} is not a pattern ({error}); write `[[]` for a `[`"
        ))
    })
}
