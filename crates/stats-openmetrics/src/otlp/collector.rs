//! The collector: its address, and its answers.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceResponse;
use prost::Message;

/// How long a collector may take to answer, in seconds, as in OpenTelemetry's own exporters.
const TIMEOUT_SECONDS: u64 = 10;

/// The maximum number of bytes of an answer that are read.
const MAX_ANSWER: u64 = 64 << 10;

/// The reason why the export cannot start.
#[non_exhaustive]
pub enum OtlpError {
    /// The endpoint is not the address of a collector.
    Endpoint(String),
    /// The endpoint asks for encryption.
    Encrypted(String),
    /// [`OtlpOptions::bounds`](crate::OtlpOptions::bounds) are not bounds of a histogram, for the
    /// reason given.
    Bounds(String),
    /// The system refused a thread.
    Thread(io::Error),
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for OtlpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for OtlpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endpoint(endpoint) => write!(
                f,
                "{endpoint:?} is not the address of a collector: write http://HOST:PORT with a name or an \
                 IPv4 address, such as http://localhost:4318"
            ),
            Self::Encrypted(endpoint) => write!(
                f,
                "{endpoint:?} asks for encryption, which this crate does not support: send to a \
                 collector on this machine, http://localhost:4318, and let it forward with TLS"
            ),
            Self::Bounds(reason) => f.write_str(reason),
            Self::Thread(error) => {
                write!(
                    f,
                    "cannot start the export thread: {error}. End some other threads"
                )
            }
        }
    }
}

impl Error for OtlpError {}

/// The address that metrics are sent to.
#[derive(Debug)]
pub(super) struct Collector {
    url: String,
}

impl Collector {
    /// Returns the collector at an endpoint.
    pub(super) fn new(endpoint: &str) -> Result<Self, OtlpError> {
        let failed = || OtlpError::Endpoint(endpoint.to_owned());
        if endpoint.starts_with("https://") {
            return Err(OtlpError::Encrypted(endpoint.to_owned()));
        }
        let address = endpoint.strip_prefix("http://").ok_or_else(failed)?;
        let server = address.split('/').next().unwrap_or("");
        let (host, port) = server.split_once(':').unwrap_or((server, "80"));
        let is_plain = |letter: char| letter.is_ascii_graphic() && !"?#@".contains(letter);
        let is_address =
            !host.is_empty() && port.parse::<u16>().is_ok() && address.chars().all(is_plain);
        if !is_address {
            return Err(failed());
        }
        Ok(Self {
            url: format!("{}/v1/metrics", endpoint.trim_end_matches('/')),
        })
    }

    /// Sends a message. The error says what to do.
    pub(super) fn send(&self, message: &impl Message) -> Result<(), String> {
        let url = &self.url;
        let unreachable = |error: &dyn fmt::Display| {
            format!(
                "cannot send metrics to {url}: {error}. Start a collector there that receives OTLP over \
                 HTTP, or correct the endpoint; the next export sends everything again"
            )
        };
        let answer = minreq::post(url)
            .with_header("Content-Type", "application/x-protobuf")
            .with_header("User-Agent", USER_AGENT)
            .with_header("Connection", "close")
            .with_body(message.encode_to_vec())
            .with_timeout(TIMEOUT_SECONDS)
            .with_follow_redirects(false)
            .send_lazy()
            .map_err(|error| unreachable(&error))?;
        let status = answer.status_code;
        if !(200..300).contains(&status) {
            let reason = &answer.reason_phrase;
            return Err(format!(
                "the collector at {url} refused the metrics: {status} {reason}. Its log says why; the \
                 next export sends everything again"
            ));
        }
        let mut body = Vec::new();
        let mut limited = answer.take(MAX_ANSWER);
        limited
            .read_to_end(&mut body)
            .map_err(|error| unreachable(&error))?;
        let answer = ExportMetricsServiceResponse::decode(&body[..])
            .map_err(|error| unreachable(&format!("its answer is not OTLP: {error}")))?;
        match answer.partial_success {
            Some(part) if part.rejected_data_points > 0 => Err(format!(
                "the collector at {url} rejected {}: {}. Fix what it names, in its settings or in \
                 the game",
                values_text(part.rejected_data_points),
                part.error_message
            )),
            _ => Ok(()),
        }
    }
}

fn values_text(count: i64) -> String {
    if count == 1 {
        return "1 value".to_owned();
    }
    format!("{count} values")
}

const USER_AGENT: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
