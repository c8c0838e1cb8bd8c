//! The attributes that identify the process, named by OpenTelemetry's conventions.

use std::hash::{BuildHasher, RandomState};
use std::process;

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::resource::v1::Resource;

use super::OtlpOptions;

/// Returns the resource of this process.
pub(super) fn resource(options: &OtlpOptions) -> Resource {
    let text = |key, value: &str| attribute(key, Value::StringValue(value.to_owned()));
    let own = [
        text("service.name", &options.service_name),
        text("service.instance.id", &random_uuid()),
        attribute("process.pid", Value::IntValue(process::id().into())),
        text("telemetry.sdk.language", "rust"),
        text("telemetry.sdk.name", env!("CARGO_PKG_NAME")),
        text("telemetry.sdk.version", env!("CARGO_PKG_VERSION")),
    ];
    let is_replaced = |own: &KeyValue| options.attributes.iter().any(|(key, _)| *key == own.key);
    let others = options.attributes.iter();
    Resource {
        attributes: (own.into_iter().filter(|own| !is_replaced(own)))
            .chain(others.map(|(key, value)| text(key, value)))
            .collect(),
        ..Resource::default()
    }
}

pub(super) fn attribute(key: &str, value: Value) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}

/// Returns a UUID of version 4. The keys of the standard library's hash tables are random.
fn random_uuid() -> String {
    let random = || u128::from(RandomState::new().hash_one(0));
    let bits = random() << 64 | random();
    let version = bits & !(0xf << 76) & !(0b11 << 62) | 4 << 76 | 0b10 << 62;
    let digits = format!("{version:032x}");
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::random_uuid;

    #[test]
    fn the_id_of_an_instance_is_a_random_uuid() {
        let [a, b] = [random_uuid(), random_uuid()];
        assert_ne!(a, b);
        for id in [a, b] {
            let parts: Vec<&str> = id.split('-').collect();
            assert_eq!(
                parts.iter().map(|part| part.len()).collect::<Vec<_>>(),
                [8, 4, 4, 4, 12]
            );
            assert!(parts[2].starts_with('4'), "the version: {id}");
            assert!(
                parts[3].starts_with(['8', '9', 'a', 'b']),
                "the variant: {id}"
            );
        }
    }
}
