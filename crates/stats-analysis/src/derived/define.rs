//! Adds derived series to a running program.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use stats_core::source::Listed;
use stats_core::{
    AddComputedError, Computation, Evaluate, Recorder, SeriesId, Source, Unit, own_memory,
};

use super::definitions::{DefinitionError, Definitions, MAX_DERIVED};
use super::evaluation::Evaluation;
use super::formula::Formula;

/// The formulas that were defined for the whole program, by path.
static DEFINED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// Defines a series of the program by a [`Formula`]. From then on, all recorders compute it in their
/// own frames, and it is read, searched, captured and judged like any other series, whose description
/// is the formula.
///
/// A series that the formula needs may be registered later; until then, the derived one has no values.
/// It costs nothing while nobody reads it. To define the same again does nothing. Does nothing but
/// check the formula without the feature `enabled`.
///
/// ```
/// use stats_core::{Recorder, counter, gauge};
///
/// let (cost, agents) = (counter("ai/cost"), gauge("ai/agents"));
/// stats_analysis::derived::define("ai/cost per agent", "ai/cost / ai/agents")?;
///
/// let mut recorder = Recorder::new();
/// # if stats_core::ENABLED {
/// let watch = recorder.watch(stats_core::find("ai/cost per agent").unwrap());
/// cost.add(6);
/// agents.set(4);
/// recorder.end_frame();
/// assert_eq!(recorder.history(&watch, 1).last(), Some(1.5));
/// # }
/// # Ok::<(), stats_analysis::derived::DefinitionError>(())
/// ```
///
/// # Errors
///
/// [`DefinitionError`] if
///
/// - the formula or the path is wrong, or the path belongs to another series;
/// - parts of two units are added;
/// - series need each other in a circle, which is found for several series only with the feature
///   `enabled`;
/// - there are [`MAX_DERIVED`].
///
/// If an input is registered later and its unit does not fit, the sentence about it is shown in place of
/// values.
pub fn define(path: &str, formula: &str) -> Result<(), DefinitionError> {
    let _memory = own_memory("stats-analysis");
    let mut defined = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
    let of_path = || path.to_owned();
    match defined.get(path) {
        Some(known) if known == formula => return Ok(()),
        Some(_) => return Err(DefinitionError::Twice { path: of_path() }),
        None if defined.len() == MAX_DERIVED => {
            return Err(DefinitionError::TooMany { path: of_path() });
        }
        None => {}
    }
    let mut recorder = Recorder::with_history(1);
    match add(&mut recorder, path, formula, false) {
        Err(DefinitionError::Fixed { .. }) if !stats_core::ENABLED => {}
        added => drop(added?),
    }
    defined.insert(of_path(), formula.to_owned());
    Ok(())
}

/// Defines a series of a source by a [`Formula`], because the user of a view asked for it. All series
/// that the formula needs must be listed. Returns the id.
///
/// # Errors
///
/// Those of [`define`], [`DefinitionError::Missing`] if the source does not list an input, and
/// [`DefinitionError::Fixed`] if it cannot compute new series.
pub fn define_in(
    source: &mut dyn Source,
    path: &str,
    formula: &str,
) -> Result<SeriesId, DefinitionError> {
    let _memory = own_memory("stats-analysis");
    add(source, path, formula, true)
}

/// Checks a formula, and adds a series to a source.
fn add(
    source: &mut dyn Source,
    path: &str,
    text: &str,
    needs_all: bool,
) -> Result<SeriesId, DefinitionError> {
    Definitions::new([(path, text)])?;
    let wrong = |error| DefinitionError::Formula {
        path: path.to_owned(),
        error,
    };
    let formula: Formula = text.parse().map_err(wrong)?;
    let mut units = Vec::new();
    for input in formula.inputs() {
        match source.find(input) {
            Some(id) => units.push(unit_of(source, id)),
            None if needs_all => {
                return Err(DefinitionError::Missing {
                    path: path.to_owned(),
                    input: input.clone(),
                });
            }
            None => {}
        }
    }
    if units.len() == formula.inputs().len() {
        formula.unit(&units).map_err(wrong)?;
    }
    let description = format!("= {formula}");
    let added = source.add_computed(path, &description, Arc::new(formula));
    let path = path.to_owned();
    added.map_err(|error| match error {
        AddComputedError::Taken => DefinitionError::Taken { path },
        AddComputedError::Circle { paths } => DefinitionError::Circle { paths },
        AddComputedError::Full => DefinitionError::Full { path },
        _ => DefinitionError::Fixed { path },
    })
}

fn unit_of(source: &dyn Source, id: SeriesId) -> Unit {
    let mut unit = None;
    let mut visit = |series: Listed, is_all: bool| {
        source.list(series, &mut |info| {
            if info.id == id {
                unit = Some(info.unit);
            }
            match unit.is_some() && is_all {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    };
    let number = id.number();
    if visit(Listed::Numbers(number..number + 1), false).is_none() {
        visit(Listed::All, true);
    }
    unit.unwrap_or_default()
}

impl Computation for Formula {
    fn inputs(&self) -> &[String] {
        Self::inputs(self)
    }

    fn unit(&self, units: &[Unit]) -> Result<Unit, String> {
        Self::unit(self, units).map_err(|error| error.to_string())
    }

    fn begin(&self) -> Box<Evaluate> {
        let (formula, mut evaluation) = (self.clone(), Evaluation::new(self));
        Box::new(move |values, frame_ms| evaluation.next(&formula, values, frame_ms))
    }
}
