//! The facts that identify runs.

use stats_capture::Run;

use crate::document::Table;

/// A run, and the machine that it ran on, without its power state.
pub(crate) type Identity<'a> = (&'a Run, String);

/// The value of a fact that is not known.
const UNKNOWN: &str = "unknown";

/// The maximum number of values that a sentence lists for a fact.
const MAX_NAMED: usize = 3;

/// A fact that identifies a run: its name, and its value, which is empty if the run has none.
type Fact = (&'static str, fn(&Identity<'_>) -> String);

/// The facts that are the same in comparable runs.
const COMPARED: [Fact; 7] = [
    ("scenario", |(run, _)| known(&run.scenario)),
    ("seed", |(run, _)| known(&run.seed)),
    ("build", |(run, _)| known(&run.build)),
    ("machine", |(_, machine)| or_unknown(machine)),
    ("platform", |(run, _)| or_unknown(&run.platform)),
    ("power state", |(run, _)| known(&run.machine.power)),
    ("refresh rate", |(run, _)| {
        known(&run.refresh_hz.map(|hz| format!("{hz} Hz")))
    }),
];

/// The facts that may differ.
const OTHERS: [Fact; 5] = [
    ("commit", |(run, _)| known(&run.commit)),
    ("branch", |(run, _)| known(&run.branch)),
    ("started", |(run, _)| or_unknown(&run.started_at)),
    ("labels", |(run, _)| {
        let label = |(name, value): (&String, &String)| format!("{name} = {value}");
        run.labels.iter().map(label).collect::<Vec<_>>().join(", ")
    }),
    ("command", |(run, _)| or_unknown(&run.command.join(" "))),
];

fn known(value: &Option<impl ToString>) -> String {
    let value = value.as_ref().map(ToString::to_string);
    or_unknown(&value.unwrap_or_default())
}

fn or_unknown(value: &str) -> String {
    if value.is_empty() { UNKNOWN } else { value }.to_owned()
}

/// Returns a table of the facts that any run knows, with a column of values for each set of runs.
pub(crate) fn identity_table(titles: &[&str], sides: &[Vec<Identity<'_>>]) -> Table {
    let mut table = Table::of_texts(titles);
    for (name, of) in COMPARED.iter().chain(&OTHERS) {
        let values: Vec<_> = sides.iter().map(|runs| distinct(runs, *of)).collect();
        let is_known = |value: &String| !value.is_empty() && value != UNKNOWN;
        if values.iter().flatten().any(is_known) {
            let cells = values.iter().map(|values| values.join(" · "));
            table.row(std::iter::once((*name).to_owned()).chain(cells));
        }
    }
    table
}

/// Returns a sentence for each fact in which runs differ although they should not, without the
/// capital letter and the period.
pub(crate) fn differences(runs: &[Identity<'_>]) -> Vec<String> {
    let of_fact = |(name, of): &Fact| {
        let mut values = distinct(runs, *of);
        values.sort();
        let named = values[..values.len().min(MAX_NAMED)].join(" · ");
        let more = if values.len() > MAX_NAMED {
            " · …"
        } else {
            ""
        };
        (values.len() > 1).then(|| {
            format!(
                "the runs differ in their {name} ({named}{more}), so they may not be comparable"
            )
        })
    };
    COMPARED.iter().filter_map(of_fact).collect()
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
