//! Why saved settings could not be read, and where in their text the reason stands.

use std::path::{Path, PathBuf};
use std::{error, fmt, io};

use serde_core::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected,
    Visitor,
};

use crate::persist::part::{Step, Wrong};
use stats_ui::text::one_line;

/// Why saved settings could not be read. Its text says what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not what the overlay writes.
    Damaged {
        /// The file; `None` for text that did not come from one.
        path: Option<PathBuf>,
        /// The line, counted from 1.
        line: usize,
        /// The byte in that line, counted from 1.
        column: usize,
        /// What stands there, or should.
        problem: String,
    },
    /// The text is longer than 4 MiB.
    TooLong {
        /// The file; `None` for text that did not come from one.
        path: Option<PathBuf>,
    },
    /// What has this name is a folder, a device or a pipe.
    NotAFile {
        /// Its path.
        path: PathBuf,
    },
    /// The system did not let the file be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl LoadError {
    /// Text that is not JSON.
    pub(crate) fn syntax(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let problem = text
            .strip_suffix(&format!(" at line {line} column {column}"))
            .unwrap_or(&text);
        // It can quote all of a long text.
        Self::Damaged {
            path: None,
            line: line.max(1),
            column: column.max(1),
            problem: one_line(problem, 200),
        }
    }

    /// JSON with a value of a wrong type.
    pub(crate) fn wrong(json: &str, wrong: &Wrong) -> Self {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        match (Place {
            steps: &wrong.at,
            wrong,
        })
        .deserialize(&mut deserializer)
        {
            Err(error) => Self::syntax(&error),
            // Where a name stands twice in an object, the value behind the first of them may be
            // right.
            Ok(()) => Self::Damaged {
                path: None,
                line: 1,
                column: 1,
                problem: format!("expected {wrong}"),
            },
        }
    }

    /// Text that is not UTF-8, which ends with these bytes' first `valid`.
    pub(crate) fn not_utf8(bytes: &[u8], valid: usize) -> Self {
        let before = &bytes[..valid];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before
            .iter()
            .rev()
            .take_while(|&&byte| byte != b'\n')
            .count();
        Self::Damaged {
            path: None,
            line,
            column,
            problem: "expected text in UTF-8".to_owned(),
        }
    }

    /// The same, of this file.
    pub(crate) fn of(self, file: &Path) -> Self {
        let file = file.to_path_buf();
        match self {
            Self::Damaged {
                line,
                column,
                problem,
                ..
            } => Self::Damaged {
                path: Some(file),
                line,
                column,
                problem,
            },
            Self::TooLong { .. } => Self::TooLong { path: Some(file) },
            other => other,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Option<PathBuf>| {
            path.as_ref().map_or_else(
                || "saved settings".to_owned(),
                |path| path.display().to_string(),
            )
        };
        match self {
            Self::Damaged {
                path,
                line,
                column,
                problem,
            } => {
                write!(
                    f,
                    "{}, line {line}, column {column}: {problem}. Correct it there, or remove it to begin with the defaults.",
                    name(path)
                )
            }
            Self::TooLong { path } => {
                write!(
                    f,
                    "{} is longer than 4 MiB, more than the overlay ever saves. Is it another file? Move it away.",
                    name(path)
                )
            }
            Self::NotAFile { path } => {
                write!(
                    f,
                    "{} is not a regular file. Move it away, or give the path of a file.",
                    path.display()
                )
            }
            Self::Unreadable { path, error } => {
                write!(
                    f,
                    "{} cannot be read: {error}. Give this user the right to read it, or another path.",
                    path.display()
                )
            }
        }
    }
}

impl error::Error for LoadError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl Wrong {
    pub(crate) fn version() -> Self {
        Self {
            at: vec![Step::Field("version")],
            expected: "a whole number from 1".to_owned(),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.expected)?;
        for (at, step) in self.at.iter().enumerate() {
            f.write_str(if at == 0 { " as " } else { "" })?;
            match step {
                Step::Field(name) => write!(f, "{}{name}", if at == 0 { "" } else { "." })?,
                Step::Item(item) => write!(f, "[{item}]")?,
            }
        }
        Ok(())
    }
}

/// Walks to a wrong value and fails there, so that the error has its line and column.
#[derive(Clone, Copy)]
struct Place<'a> {
    steps: &'a [Step],
    wrong: &'a Wrong,
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.steps.first() {
            Some(Step::Field(_)) => deserializer.deserialize_map(self),
            Some(Step::Item(_)) => deserializer.deserialize_seq(self),
            // Reads the value, so that a position is known, and finds any wrong.
            None => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.wrong)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let [Step::Field(wanted), steps @ ..] = self.steps else {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        };
        while let Some(name) = map.next_key::<String>()? {
            if name == *wanted {
                map.next_value_seed(Place { steps, ..self })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let [Step::Item(wanted), steps @ ..] = self.steps else {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        };
        for _ in 0..*wanted {
            items.next_element::<IgnoredAny>()?;
        }
        items.next_element_seed(Place { steps, ..self })?;
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
