//! The engines that answer: DuckDB on this computer, or a Spark cluster.
//!
//! A short Python script drives each of them. The script reads the tables and the question from a
//! file, and writes the answer to another file.
//!
//! Both receive the same statements, which use only SQL that both support. Each engine offers a
//! stable interface for Python, and none for a command that must not link it.

use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::answer::Answer;
use super::columns::Columns;
use super::tables::Tables;
use crate::failure::Failure;
use crate::input::{new_folder, remove_folder};

const DUCKDB: &str = include_str!("duckdb.py");
const SPARK: &str = include_str!("spark.py");

/// The maximum time for connecting to a cluster.
const CONNECT: Duration = Duration::from_secs(5);

/// The engine that answers a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// DuckDB, in a process of its own.
    DuckDb,
    /// A standalone cluster of Spark, by its address.
    Spark(String),
}

/// The answer that a script writes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Outcome {
    Answer(Answer),
    Error { error: String, is_usage: bool },
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("spark://") {
            None if text == "duckdb" => Ok(Self::DuckDb),
            Some(address) if address.contains(':') => Ok(Self::Spark(address.to_owned())),
            _ => Err("write duckdb, or spark://HOST:PORT".into()),
        }
    }
}

impl Engine {
    /// Asks a question.
    pub(super) fn ask(&self, tables: &Tables, sql: &str) -> Result<Answer, Failure> {
        let folder = Folder::new()?;
        let sql = sql.trim().trim_end_matches(';');
        let (script, name, columns) = match self {
            Self::DuckDb => (DUCKDB, "DuckDB", None),
            Self::Spark(_) => (SPARK, "Spark", Some(Columns::of(&tables.frames)?)),
        };
        let request = json!({ "tables": tables, "frames": columns, "sql": sql }).to_string();
        for (file, text) in [("ask.py", script), ("request.json", &request)] {
            let path = folder.0.join(file);
            fs::write(&path, text).map_err(Failure::writing(&path))?;
        }
        let mut command = match self {
            Self::DuckDb => Command::new(python_with_duckdb()?),
            Self::Spark(address) => spark_submit(address)?,
        };
        let output = command
            .args(["ask.py", "request.json", "answer.json"])
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            // The script prints only messages for the user.
            .stdout(std::io::stderr())
            .output();
        let output = output.map_err(|source| {
            Failure::Engine(format!(
                "{} cannot be started ({source}); install Spark or the Python package pyspark, and \
                 set SPARK_HOME or the search path to it",
                command.get_program().display()
            ))
        })?;
        let answer = fs::read_to_string(folder.0.join("answer.json"));
        let answer = answer
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        match answer {
            Some(Outcome::Answer(answer)) => Ok(answer),
            Some(Outcome::Error {
                error,
                is_usage: true,
            }) => Err(Failure::Usage(format!(
                "{name} rejects the question: {error}"
            ))),
            Some(Outcome::Error { error, .. }) => Err(Failure::Engine(format!("{name}: {error}"))),
            None => {
                let printed = String::from_utf8_lossy(&output.stderr);
                let lines: Vec<&str> = printed.lines().collect();
                let last = lines[lines.len().saturating_sub(5)..].join("\n");
                Err(Failure::Engine(format!(
                    "{name} ended without an answer:\n{last}"
                )))
            }
        }
    }
}

/// A temporary folder, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Failure> {
        new_folder().map(Self)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        remove_folder(&self.0);
    }
}

/// Returns the path of a Python with the package duckdb: the one in the search path, or that of a virtual
/// environment in the cache folder.
fn python_with_duckdb() -> Result<PathBuf, Failure> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    let environment = cache.or_else(home).unwrap_or_else(std::env::temp_dir);
    let environment = environment.join("stats/duckdb");
    let python = environment.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    let pythons = ["python3".into(), python.clone()];
    let found = pythons.into_iter().find(|python| has_duckdb(python));
    found.ok_or_else(|| {
        Failure::Engine(format!(
            "python3 has no package duckdb; install it for stats, once:\n  python3 -m venv '{}' && '{}' -m pip \
             install duckdb",
            environment.display(),
            python.display()
        ))
    })
}

fn has_duckdb(python: &Path) -> bool {
    let mut command = Command::new(python);
    let import = command
        .args(["-c", "import duckdb"])
        .stdin(Stdio::null())
        .output();
    import.is_ok_and(|output| output.status.success())
}

/// Returns the command that submits a script to a cluster. Fails if the cluster cannot be reached.
fn spark_submit(address: &str) -> Result<Command, Failure> {
    let connected = address.to_socket_addrs().and_then(|sockets| {
        let mut connected = Err(std::io::ErrorKind::NotFound.into());
        // A host name may have an IPv6 address on which nothing listens.
        for socket in sockets {
            connected = TcpStream::connect_timeout(&socket, CONNECT);
            if connected.is_ok() {
                break;
            }
        }
        connected
    });
    if let Err(why) = connected {
        return Err(Failure::Engine(format!(
            "the cluster spark://{address} cannot be reached ({why}); check the address, and that its \
             master runs"
        )));
    }
    let submit = match std::env::var_os("SPARK_HOME") {
        Some(home) => PathBuf::from(home).join("bin/spark-submit"),
        None => PathBuf::from("spark-submit"),
    };
    let mut command = Command::new(submit);
    command.args(["--master", &format!("spark://{address}")]);
    Ok(command)
}
