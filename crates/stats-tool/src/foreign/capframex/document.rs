//! The JSON of a record. Unknown fields are skipped without being stored.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// Numbers; some may be null.
pub(super) type Numbers = Option<Vec<Option<f64>>>;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(super) struct Document {
    #[serde(deserialize_with = "or_default")]
    pub(super) info: Info,
    #[serde(deserialize_with = "or_default")]
    pub(super) runs: Vec<Recording>,
}

/// Reads null as the default.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The facts about the record.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(super) struct Info {
    pub(super) app_version: Option<String>,
    pub(super) processor: Option<String>,
    pub(super) game_name: Option<String>,
    pub(super) process_name: Option<String>,
    pub(super) creation_date: Option<String>,
    pub(super) motherboard: Option<String>,
    #[serde(rename = "OS")]
    pub(super) os: Option<String>,
    pub(super) system_ram: Option<String>,
    #[serde(rename = "GPU")]
    pub(super) gpu: Option<String>,
    #[serde(rename = "GPUDriverVersion")]
    pub(super) gpu_driver_version: Option<String>,
    pub(super) comment: Option<String>,
    pub(super) api_info: Option<String>,
    pub(super) resizable_bar: Option<String>,
    pub(super) win_game_mode: Option<String>,
    #[serde(rename = "HAGS")]
    pub(super) hags: Option<String>,
    pub(super) presentation_mode: Option<String>,
    pub(super) resolution_info: Option<String>,
}

/// One capture of a record.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(super) struct Recording {
    pub(super) present_mon_runtime: Option<String>,
    #[serde(deserialize_with = "or_default")]
    pub(super) capture_data: CaptureData,
    #[serde(rename = "SensorData2", deserialize_with = "sensors")]
    pub(super) sensor_data_2: Option<Vec<(String, Sensor)>>,
}

/// The arrays of a capture.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(super) struct CaptureData {
    pub(super) time_in_seconds: Numbers,
    pub(super) ms_between_presents: Numbers,
    #[serde(rename = "MsInPresentAPI")]
    pub(super) ms_in_present_api: Numbers,
    pub(super) ms_between_display_change: Numbers,
    pub(super) ms_until_displayed: Numbers,
    pub(super) dropped: Option<Vec<Option<Flag>>>,
    pub(super) gpu_active: Numbers,
    pub(super) cpu_active: Numbers,
    pub(super) pc_latency: Numbers,
    pub(super) animation_error: Numbers,
}

/// Whether a frame was dropped, as a boolean or as a number.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Flag {
    Is(bool),
    Number(f64),
}

impl Flag {
    pub(super) fn number(self) -> f64 {
        match self {
            Self::Is(is) => f64::from(u8::from(is)),
            Self::Number(number) => f64::from(u8::from(number != 0.0)),
        }
    }
}

/// A sensor of the hardware.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(super) struct Sensor {
    #[serde(deserialize_with = "or_default")]
    pub(super) name: String,
    #[serde(rename = "Type", deserialize_with = "or_default")]
    pub(super) kind: String,
    values: Numbers,
}

impl Sensor {
    pub(super) fn numbers(&self) -> Vec<f64> {
        let values = self.values.iter().flatten();
        values.map(|value| value.unwrap_or(f64::NAN)).collect()
    }

    /// Returns the symbol of the unit of its type.
    pub(super) fn unit(&self) -> &'static str {
        match self.kind.as_str() {
            "Power" => "W",
            "Temperature" => "°C",
            "Clock" | "Frequency" => "MHz",
            "Load" | "Control" | "Level" => "%",
            "Data" => "GiB",
            "SmallData" => "MiB",
            "Voltage" => "V",
            "Fan" => "rpm",
            _ => "",
        }
    }
}

/// Reads the sensors in their order. Anything else but a map has none.
fn sensors<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<(String, Sensor)>>, D::Error> {
    struct Sensors;

    impl<'de> Visitor<'de> for Sensors {
        type Value = Option<Vec<(String, Sensor)>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map of sensors")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(id) = map.next_key::<String>()? {
                all.push((id, map.next_value::<Option<Sensor>>()?.unwrap_or_default()));
            }
            Ok(Some(all))
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(
            self,
            mut seq: A,
        ) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(None)
        }
    }

    deserializer.deserialize_any(Sensors)
}
