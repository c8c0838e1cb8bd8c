//! Sets of runs. A run has one value of each metric.
//!
//! - [`expectations`]: `stats.toml`, and the rules that follow from it.
//! - [`run_figures`]: the metrics and budgets of a run.
//! - [`reading`]: reads runs from files, several at once.
//! - [`facts`]: the facts that identify runs.
//! - [`scenario`]: the scenarios of runs.
//! - [`left_out_frames`]: the frames of runs that are left out.
//! - [`hitches`]: the text about hitches and periodic stalls.
//! - [`growth`]: the text about levels that grow.
//! - [`slowdowns`](mod@slowdowns): the text about runs that became slower.
//! - [`freezes`](mod@freezes): the text about frames that did not end.
//! - [`moments`](mod@moments): the text about what a person marked.
//! - [`ready`]: the text about the time without a processor.
//! - [`budgets`]: series that are over budget in too many frames.
//! - [`warnings`](mod@warnings): why runs may not be comparable.

mod budgets;
mod expectations;
mod facts;
mod freezes;
mod growth;
mod hitches;
mod left_out_frames;
mod moments;
mod reading;
mod ready;
mod run_figures;
mod scenario;
mod slowdowns;
mod warnings;

pub(crate) use budgets::{
    BudgetFinding, NEVER_OVER, budget_section, by_importance, judge_budgets, newly_over,
    unmatched_budgets,
};
pub(crate) use expectations::{ConfigArguments, rules, rules_of, unmatched};
pub(crate) use facts::{Identity, differences, identity_table};
pub(crate) use freezes::freezes;
pub(crate) use growth::{Grown, grown, growth_sentences, growth_text};
pub(crate) use hitches::{
    culprit_name, culprits_text, lasting, longest_text, moved_text, named, own_ms, recurs_text,
    share_text, shares_text, times_text, too_few_frames,
};
pub(crate) use left_out_frames::LeftOutFrames;
pub(crate) use moments::{hitches_before, moments, moments_of};
pub(crate) use reading::{read_each, read_metrics, read_readable, read_runs};
pub(crate) use ready::{is_busy, ready_text};
pub(crate) use run_figures::{RunFigures, series_budgets};
pub(crate) use scenario::{check_scenario, scenarios};
pub(crate) use slowdowns::{slowdown_table, slowdowns, slowdowns_text};
pub(crate) use warnings::warnings;
