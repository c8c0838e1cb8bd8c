//! Publishes Bevy's diagnostics as gauges: each becomes `bevy/<path of the diagnostic>`.

use std::collections::HashMap;

use bevy::diagnostic::{
    Diagnostic, DiagnosticPath, DiagnosticsStore, EntityCountDiagnosticsPlugin,
    FrameTimeDiagnosticsPlugin,
};
use bevy::prelude::*;
use stats_core::{GaugeHandle, Unit, gauge};

/// Sets a gauge for each diagnostic, once per frame.
pub(crate) struct DiagnosticsPlugin;

impl Plugin for DiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            FrameTimeDiagnosticsPlugin::default(),
            EntityCountDiagnosticsPlugin::default(),
        ));
        app.init_resource::<Gauges>();
        app.add_systems(Last, publish);
    }
}

/// The gauge of each diagnostic seen so far. The handles are kept, so that each path is looked up
/// in the registry only once.
#[derive(Resource, Default)]
struct Gauges(HashMap<DiagnosticPath, GaugeHandle>);

fn publish(diagnostics: Res<DiagnosticsStore>, mut gauges: ResMut<Gauges>) {
    for diagnostic in diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_enabled)
    {
        let Some(value) = diagnostic.value() else {
            continue;
        };
        if !gauges.0.contains_key(diagnostic.path()) {
            gauges
                .0
                .insert(diagnostic.path().clone(), gauge_of(diagnostic));
        }
        gauges.0[diagnostic.path()].set(value);
    }
}

fn gauge_of(diagnostic: &Diagnostic) -> GaugeHandle {
    let gauge = gauge(&format!("bevy/{}", diagnostic.path()));
    if diagnostic.suffix == "ms" {
        gauge.unit(Unit::Milliseconds)
    } else {
        gauge
    }
}
