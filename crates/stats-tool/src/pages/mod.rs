//! Reports as self-contained HTML files.
//!
//! Each page walks the sections of a document, and adds graphs to some of them.
//!
//! - [`run`]: one run, or several of the same scenario.
//! - [`comparison`](mod@comparison): runs before and after a change.
//! - [`history`](mod@history), [`index`]: many runs, and a site about them.
//! - [`team`]: a team of `stats.toml` in the site.

mod comparison;
mod history;
mod index;
mod run;
mod team;

pub(crate) use comparison::comparison_page;
pub(crate) use history::history_page;
pub(crate) use index::{Group, INDEX, RunLink, TeamLink, index_page};
pub(crate) use run::{page_of_files, run_page};
pub(crate) use team::{Team, team_page};

use stats_core::FIGURES;

use crate::html::{Markup, element, joined};

/// Returns the definitions of the terms of a page, those of frame figures last.
fn definitions(terms: &'static str) -> Markup {
    let figure = |figure: &stats_core::Figure| {
        let name = element("dt", &[], figure.name(true));
        joined([name, element("dd", &[], figure.definition)])
    };
    let terms = Markup::fixed(terms);
    joined([
        terms,
        element("dl", &[], FIGURES.iter().map(figure).collect::<Markup>()),
    ])
}
