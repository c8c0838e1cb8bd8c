//! The facts that identify runs.

use stats_capture::Run;

use crate::document::Table;

/// A run, and the machine that it ran on, without its power state.
pub(crate) type Identity<'a> = (&'a Run, String);

/// A fact that identifies a run: its name, and its value, which is empty if it is not known.
type Fact = (&'static str, fn(&Identity<'_>) -> String);

/// The facts that are the same in comparable runs.
const COMPARED: [Fact; 7] = [
    ("scenario", |(run, _)| known(&run.scenario)),
    ("seed", |(run, _)| known(&run.seed)),
    ("build", |(run, _)| known(&run.build)),
    ("machine", |(_, machine)| machine.clone()),
    ("platform", |(run, _)| run.platform.clone()),
    ("power state", |(run, _)| known(&run.machine.power)),
    ("refresh rate", |(run, _)| {
        known(&run.refresh_hz.map(|hz| format!("{hz} Hz")))
    }),
];

/// The facts that may differ.
const OTHERS: [Fact; 5] = [
    ("commit", |(run, _)| known(&run.commit)),
    ("branch", |(run, _)| known(&run.branch)),
    ("started", |(run, _)| run.started_at.clone()),
    ("labels", |(run, _)| {
        let label = |(name, value): (&String, &String)| format!("{name} = {value}");
        run.labels.iter().map(label).collect::<Vec<_>>().join(", ")
    }),
    ("command", |(run, _)| run.command.join(" ")),
];

fn known(value: &Option<impl ToString>) -> String {
    value.as_ref().map_or(String::new(), ToString::to_string)
}

/// Returns a table of all facts, with a column of values for each set of runs.
pub(crate) fn identity_table(titles: &[&str], sides: &[Vec<Identity<'_>>]) -> Table {
    let mut table = Table::of_texts(titles);
    for (name, of) in COMPARED.iter().chain(&OTHERS) {
        let values = sides.iter().map(|runs| {
            let mut values = distinct(runs, *of);
            values.retain(|value| !value.is_empty());
            values.join(" · ")
        });
        let values: Vec<String> = values.collect();
        if values.iter().any(|value| !value.is_empty()) {
            table.row(std::iter::once((*name).to_owned()).chain(values));
        }
    }
    table
}

/// Returns the facts in which runs differ although they should not, with the different values.
pub(crate) fn differing(runs: &[Identity<'_>]) -> Vec<(&'static str, Vec<String>)> {
    let facts = COMPARED
        .iter()
        .map(|(name, of)| (*name, distinct(runs, *of)));
    facts.filter(|(_, values)| values.len() > 1).collect()
}

/// Returns the different values of a fact, in the order of the runs.
fn distinct(runs: &[Identity<'_>], of: fn(&Identity<'_>) -> String) -> Vec<String> {
    let mut values = Vec::new();
    for value in runs.iter().map(of) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}
