//! Bevy's diagnostics and the size of the main world, as gauges.

use std::collections::HashMap;

use bevy_diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore};
use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use stats_core::{Gauge, GaugeHandle, Unit, gauge};

static ENTITIES: Gauge = Gauge::new("bevy/entities");
static ARCHETYPES: Gauge = Gauge::new("bevy/archetypes");

/// Sets the number of entities and archetypes. Adds up the entities of each archetype, because
/// there are far fewer archetypes than entities.
pub(crate) fn publish_world(world: &World) {
    let archetypes = world.archetypes();
    let entities: u64 = archetypes.iter().map(|kind| u64::from(kind.len())).sum();
    ENTITIES.set(entities);
    ARCHETYPES.set(archetypes.len());
}

/// A diagnostic that had a measurement.
#[derive(Debug)]
pub(crate) struct Published {
    gauge: GaugeHandle,
    /// The factor from the unit of the diagnostic to that of the gauge.
    scale: f64,
    /// When the current value of the gauge was measured.
    measured: Instant,
}

/// Sets the gauge of each diagnostic that has a new measurement. The handles are kept, so that each
/// path is looked up only once.
pub(crate) fn publish_diagnostics(
    store: Option<Res<DiagnosticsStore>>,
    mut all: Local<HashMap<DiagnosticPath, Published>>,
) {
    for diagnostic in store.iter().flat_map(|store| store.iter()) {
        if let Some(measurement) = diagnostic.measurement()
            && diagnostic.is_enabled
            && measurement.value.is_finite()
        {
            let (value, time) = (measurement.value, measurement.time);
            match all.get_mut(diagnostic.path()) {
                Some(published) if published.measured == time => {}
                Some(published) => published.set(value, time),
                None => {
                    let mut published = Published::new(diagnostic, time);
                    published.set(value, time);
                    all.insert(diagnostic.path().clone(), published);
                }
            }
        }
    }
}

impl Published {
    fn new(diagnostic: &Diagnostic, measured: Instant) -> Self {
        let (unit, scale) = unit_of(&diagnostic.suffix);
        let gauge = gauge(&format!("bevy/{}", diagnostic.path())).unit(unit);
        Self {
            gauge,
            scale,
            measured,
        }
    }

    fn set(&mut self, value: f64, measured: Instant) {
        self.gauge.set(value * self.scale);
        self.measured = measured;
    }
}

/// Returns the unit of a suffix, and the factor that converts to that unit.
fn unit_of(suffix: &str) -> (Unit, f64) {
    let bytes = |exponent| (Unit::Bytes, f64::from(1u32 << exponent));
    match suffix.trim() {
        "us" => (Unit::Microseconds, 1.0),
        "bytes" => bytes(0),
        "KiB" => bytes(10),
        "MiB" => bytes(20),
        "GiB" => bytes(30),
        symbol => (Unit::from_symbol(symbol).unwrap_or_default(), 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_name_units() {
        assert_eq!(unit_of(""), (Unit::Count, 1.0));
        assert_eq!(unit_of("ms"), (Unit::Milliseconds, 1.0));
        assert_eq!(unit_of("us"), (Unit::Microseconds, 1.0));
        assert_eq!(unit_of("%"), (Unit::Percent, 1.0));
        assert_eq!(unit_of(" bytes"), (Unit::Bytes, 1.0));
        assert_eq!(unit_of("GiB"), (Unit::Bytes, 1_073_741_824.0));
        assert_eq!(unit_of(" slabs"), (Unit::Custom("slabs"), 1.0));
    }
}
