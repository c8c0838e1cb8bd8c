//! A folder of pages about all runs of a lake, for a static web server.
//!
//! `index.html` lists the scenarios by platform and machine. Each of them has a page with its
//! history, and each run has a page with its report. A report is written once, and again if its
//! capture changes. Each team of `stats.toml` has a page about all scenarios.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use stats_analysis::format::count_text;
use stats_config::{Config, Pattern};

use super::{contents, json, since_release};
use crate::failure::Failure;
use crate::history::History;
use crate::html;
use crate::lake::{HitchRow, Summary, hash};
use crate::pages::{
    Group, INDEX, RunLink, Team, TeamLink, history_page, index_page, page_of_files, team_page,
};
use crate::progress::Progress;
use crate::runs::{RunFigures, read_each};

/// The folder of the reports.
const REPORTS: &str = "runs";

/// Writes the pages of all runs of a lake. Returns the errors of reports that could not be written.
pub(super) fn write(
    lake: &Path,
    site: &Path,
    runs: &[RunFigures],
    last: Option<usize>,
    config: &Config,
) -> Result<Vec<Failure>, Failure> {
    let folder = site.join(REPORTS);
    fs::create_dir_all(&folder).map_err(Failure::writing(&folder))?;
    let failures = write_reports(lake, &folder, runs, config);
    let mut by_kind: BTreeMap<(String, String, String), Vec<RunFigures>> = BTreeMap::new();
    for run in runs {
        let kind = (
            run.scenario().to_owned(),
            run.run.platform.clone(),
            run.machine.clone(),
        );
        by_kind.entry(kind).or_default().push(run.clone());
    }
    let mut groups = Vec::with_capacity(by_kind.len());
    for ((scenario, platform, machine), runs) in by_kind {
        let history = History::of(runs, last, config);
        let page = format!("{}.html", file_name(&[&scenario, &platform, &machine]));
        let links: Vec<RunLink> = history
            .runs
            .iter()
            .map(|run| link(&folder, lake, run))
            .collect();
        let mut document = contents::changes(&history);
        let runs = count_text(history.runs.len() as u64, "run", "runs");
        document.title = format!("{scenario} on {machine}, {runs}");
        let verdict = contents::verdict(&history);
        let json = json::json(&history);
        let direction = since_release::verdict(&history);
        let text = history_page(&direction, &verdict, &document, &history, &links, &json);
        html::write(&site.join(&page), &text)?;
        groups.push(Group {
            page,
            scenario,
            platform,
            machine,
            links,
            tone: history.outcome().into(),
            verdict: contents::sentences(&history).swap_remove(0),
            history,
        });
    }
    let teams = write_teams(lake, site, &groups, config)?;
    html::write(&site.join(INDEX), &index_page(&groups, &teams))?;
    Ok(failures)
}

/// Writes a page for each team.
fn write_teams(
    lake: &Path,
    site: &Path,
    groups: &[Group],
    config: &Config,
) -> Result<Vec<TeamLink>, Failure> {
    let mut hitches: HashMap<PathBuf, Vec<HitchRow>> = HashMap::new();
    if !config.teams.is_empty() {
        let rows = Summary::read(lake)?.with_hitches()?;
        hitches.extend(
            rows.into_iter()
                .map(|row| (lake.join(&*row.run), row.hitches)),
        );
    }
    let mut groups: Vec<&Group> = groups.iter().collect();
    groups.sort_by_key(|group| Reverse(group.history.runs.last().map(RunFigures::began)));
    let write = |(name, patterns): (&String, &Vec<Pattern>)| {
        let team = Team {
            name,
            patterns,
            groups: &groups,
            hitches: &hitches,
        };
        let place = |group: &&Group| format!("{} on {}", group.scenario, group.machine);
        let histories = groups.iter().map(|group| (place(group), &group.history));
        let link = TeamLink {
            page: format!("team-{}.html", file_name(&[name])),
            name: name.clone(),
            verdict: since_release::team_verdict(name, histories),
            hitches: (groups.iter().flat_map(|group| &group.history.runs))
                .map(|run| team.hitches_of(run).count())
                .sum(),
        };
        html::write(&site.join(&link.page), &team_page(&team, &link.verdict))?;
        Ok(link)
    };
    config.teams.iter().map(write).collect()
}

/// Writes the reports that are missing or older than their captures, several at once.
fn write_reports(lake: &Path, folder: &Path, runs: &[RunFigures], config: &Config) -> Vec<Failure> {
    let modified = |file: &Path| {
        fs::metadata(file)
            .and_then(|metadata| metadata.modified())
            .ok()
    };
    let due: Vec<(PathBuf, PathBuf)> = runs
        .iter()
        .map(|run| (run.file.clone(), folder.join(report_name(lake, run))))
        .filter(|(capture, report)| {
            modified(capture).is_some_and(|of_capture| modified(report) < Some(of_capture))
        })
        .collect();
    let mut progress = Progress::new("writing reports", due.len());
    let write = |(capture, report): &(PathBuf, PathBuf)| {
        let page = page_of_files(std::slice::from_ref(capture), None, &[], config)?;
        html::write(report, &page)
    };
    let written = read_each(&due, write, &mut progress);
    written.into_iter().filter_map(Result::err).collect()
}

fn link(folder: &Path, lake: &Path, run: &RunFigures) -> RunLink {
    let report = report_name(lake, run);
    RunLink {
        run: run
            .file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        began: run.run.started_at.clone(),
        commit: run.run.commit.clone().unwrap_or_default(),
        report: folder
            .join(&report)
            .exists()
            .then(|| format!("{REPORTS}/{report}")),
    }
}

/// Returns the name of a run's report, which depends only on the run's path in the lake.
fn report_name(lake: &Path, run: &RunFigures) -> String {
    let path = run.file.strip_prefix(lake).unwrap_or(&run.file);
    let name = run.file.file_stem().unwrap_or_default().to_string_lossy();
    format!("{}.html", file_name(&[&name, &path.to_string_lossy()]))
}

/// Returns a name for a file: the letters and digits of the first text, and a hash of all texts.
fn file_name(texts: &[&str]) -> String {
    let readable: String = (texts[0].chars())
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .take(40)
        .collect();
    format!("{readable}-{:08x}", hash(&texts.join("\0")))
}
