//! The prepared questions. Their SQL uses only features that both DuckDB and Spark support.

use crate::failure::Failure;

/// A prepared question.
pub(super) struct Question {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// One query, after a comment line that says what it answers.
    pub(super) sql: &'static str,
}

macro_rules! questions {
    ($($name:literal),* $(,)?) => {
        [$(Question {
            name: $name,
            sql: include_str!(concat!("questions/", $name, ".sql")),
        }),*]
    };
}

pub(super) const QUESTIONS: [Question; 6] = questions![
    "frame-percentiles",
    "worst-hitches",
    "changed-series",
    "memory-by-level",
    "over-budget",
    "machines-that-differ",
];

impl Question {
    /// Returns the question of this name.
    pub(super) fn named(name: &str) -> Result<&'static Self, Failure> {
        QUESTIONS
            .iter()
            .find(|question| question.name == name)
            .ok_or_else(|| {
                let names: Vec<&str> = QUESTIONS.iter().map(|question| question.name).collect();
                Failure::Usage(format!(
                    "there is no question {name:?}; there are {}",
                    names.join(", ")
                ))
            })
    }

    /// Returns what the question answers, in one sentence.
    pub(super) fn sentence(&self) -> &'static str {
        let first = self.sql.lines().next().unwrap_or_default();
        first.trim_start_matches("--").trim()
    }
}

#[cfg(test)]
mod tests {
    use super::QUESTIONS;

    #[test]
    fn every_question_says_what_it_answers() {
        for question in &QUESTIONS {
            let sentence = question.sentence();
            assert!(
                sentence.ends_with('.') && sentence.len() < 100,
                "{sentence:?}"
            );
        }
    }
}
