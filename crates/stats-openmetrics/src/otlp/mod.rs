//! Metrics for an OpenTelemetry collector.

mod collector;
mod message;
mod options;
mod push;
mod resource;
mod times;

pub use collector::OtlpError;
pub use options::OtlpOptions;
pub use push::Otlp;
