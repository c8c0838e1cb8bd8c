//! How often the insight and its peers find the cause of a hitch.
//!
//! A game is played once up to the frame of its fault. Then each fault is tried on a copy of the game at
//! that frame.

use stats_analysis::insight::{Insight, Role};

use crate::engine;
use crate::parallel::in_parallel;
use crate::rankers::{self, Columns, History};
use crate::scenario::{Family, Game};

/// The faults of games that know nothing of the system.
const SCOPES: [(&str, Family); 8] = [
    ("one scope, 8 to 40 ms", Family::Scope(8.0, 40.0)),
    ("one scope, 3 to 4 ms", Family::Scope(3.0, 4.0)),
    ("one scope, while a load ends", Family::ScopeAndLoad),
    ("a scope and a counter", Family::ScopeAndCounter),
    ("two scopes", Family::TwoScopes),
    ("a wait for a worker", Family::Wait),
    (COUNTER, Family::Counter),
    (BROAD, Family::Broad),
];

/// The faults of games that know where the time of the frame's thread goes.
const SYSTEM: [(&str, Family); 5] = [
    ("no processor", Family::Preempted),
    ("no processor beside a scope", Family::PreemptedBeside),
    ("no processor for a worker", Family::PreemptedWorker),
    ("a scope that waits for a disk", Family::Disk),
    (FAULTS, Family::Faults),
];

/// The faults of games in which other programs take the processor all the time.
const CROWDED: [(&str, Family); 1] = [(
    "one scope, 15 ms, and no processor in a third of the frames",
    Family::Crowded(0.33),
)];

const COUNTER: &str = "a counter alone";
const BROAD: &str = "everything (no single culprit)";
const FAULTS: &str = "page faults in several scopes (named)";

/// The number of frames after which the deferred values of a frame are known.
const LATE: u64 = 3;

/// The first three paths of each ranker for the fault of a game. Those of the insight are empty if
/// it did not notice the frame.
struct Answers {
    first: Vec<Vec<String>>,
    is_single: bool,
    /// Whether the verdict contains the words of the fault.
    has_words: bool,
    is_beyond_record: bool,
    culprits: Vec<String>,
}

/// Prints the rows of all families of games with this many series.
pub(crate) fn measure(series: usize, games: u64, seed: u64) {
    let plain = |seed| Game::new(Family::Clean, series, seed);
    rows(&SCOPES, series, games, seed, plain);
    rows(&SYSTEM, series, games, seed, |seed| {
        plain(seed).with_system()
    });
    rows(&CROWDED, series, games, seed, |seed| {
        Game::new(CROWDED[0].1, series, seed)
    });
}

fn rows(
    families: &[(&str, Family)],
    series: usize,
    games: u64,
    seed: u64,
    new: impl Fn(u64) -> Game + Sync,
) {
    let all = in_parallel(games, |game| {
        answers(families, new(seed + game), seed + game)
    });
    for (at, (name, _)) in families.iter().enumerate() {
        let games: Vec<&Answers> = all.iter().map(|answers| &answers[at]).collect();
        match *name {
            BROAD => share(name, series, &games, |game| !game.is_single),
            FAULTS => share(name, series, &games, |game| game.has_words),
            _ => row(name, series, &games),
        }
        if *name == COUNTER {
            let is_beyond = |game: &&Answers| game.is_beyond_record;
            let beyond: Vec<_> = games.into_iter().filter(is_beyond).collect();
            row("… beyond its record", series, &beyond);
        }
    }
}

/// Plays a game to its fault, and returns the answers for a fault of each family.
fn answers(families: &[(&str, Family)], mut game: Game, seed: u64) -> Vec<Answers> {
    let mut insight = engine(&game);
    let mut history = History::new(game.facts.len());
    for frame in 0..game.fault_frame {
        let frame_ms = game.step();
        insight.take_frame(frame, frame_ms, &game.values);
        history.push(&game.values);
    }
    let columns = history.columns();
    let faults = families.iter().map(|(_, family)| game.with_fault(*family));
    faults
        .map(|game| answer(game, insight.clone(), &columns, seed))
        .collect()
}

fn answer(mut game: Game, mut insight: Insight, columns: &Columns, seed: u64) -> Answers {
    let mut others = Vec::new();
    for frame in game.fault_frame..=game.fault_frame + LATE {
        let frame_ms = game.step();
        insight.take_frame(frame, frame_ms, &game.values);
        if frame == game.fault_frame {
            others = columns.rankings(&game).to_vec();
            others.push(rankers::random(&game, seed));
        }
    }
    insight.rank_noticed();
    for (number, value) in game.late() {
        insight.set_late_value(number, game.fault_frame, value);
    }
    insight.rank_noticed();
    let hitch = insight
        .hitches()
        .iter()
        .find(|hitch| hitch.frame == game.fault_frame);
    let mut paths: Vec<String> = Vec::new();
    for finding in hitch.iter().flat_map(|hitch| &hitch.findings) {
        if matches!(finding.role, Role::Culprit | Role::MovedWith | Role::Wait) {
            paths.push(finding.path.clone());
        }
    }
    if std::env::var_os("INSIGHT_SHOW").is_some()
        && hitch.is_none_or(|hitch| !game.culprits.contains(&hitch.findings[0].path))
    {
        println!(
            "{seed} {:?} {:?}",
            game.culprits,
            hitch.map(|hitch| &hitch.verdict)
        );
        for finding in hitch.iter().flat_map(|hitch| hitch.findings.iter().take(4)) {
            println!("    {finding:?}");
        }
    }
    paths.truncate(3);
    others.insert(0, paths);
    Answers {
        first: others,
        is_single: hitch.is_some_and(|hitch| hitch.single_culprit),
        has_words: hitch.is_some_and(|hitch| hitch.verdict.contains(game.words)),
        is_beyond_record: game.is_beyond_record,
        culprits: game.culprits,
    }
}

fn row(name: &str, series: usize, games: &[&Answers]) {
    let share = |ranker: usize, of: usize| {
        let is_found = |game: &&&Answers| {
            let first = game.first.get(ranker);
            let mut paths = first.into_iter().flatten().take(of);
            paths.any(|path| game.culprits.contains(path))
        };
        games.iter().filter(is_found).count() as f64 / games.len().max(1) as f64
    };
    let cells: Vec<String> = (0..5)
        .map(|ranker| format!("{:.2} / {:.2}", share(ranker, 1), share(ranker, 3)))
        .collect();
    println!(
        "| {name} | {series} | {} | {} |",
        games.len(),
        cells.join(" | ")
    );
}

/// Prints the share of games whose answer is right, of a family that has no path to rank.
fn share(name: &str, series: usize, games: &[&Answers], is_right: impl Fn(&Answers) -> bool) {
    let right = games.iter().filter(|game| is_right(game)).count();
    println!(
        "| {name} | {series} | {} | {:.2} | – | – | – | – |",
        games.len(),
        right as f64 / games.len() as f64
    );
}
