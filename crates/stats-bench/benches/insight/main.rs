//! The accuracy of the insight for hitches in simulated games, and its cost.
//!
//! `cargo bench -p stats-bench --bench insight -- GAMES SEED SERIES` plays GAMES games of each
//! family (default: 100), the first one with SEED, and with up to SERIES series (default: 100,000).
//! `INSIGHT_SHOW=1` prints each game without the right answer.

mod cost;
mod rankers;
mod scenario;

use stats_analysis::insight::{Insight, Leak, Periodic, Role};

use rankers::History;
use scenario::{FRAMES, Family, Game, Leaking};

/// The first seed of the published tables. The rules were developed with smaller seeds.
const FIRST_SEED: u64 = 1_000_000;

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok());
    let games: u64 = arguments.next().unwrap_or(100);
    let seed: u64 = arguments.next().unwrap_or(FIRST_SEED);
    let max_series: usize = arguments.next().unwrap_or(100_000) as usize;
    println!("| family | series | games | insight | max z | BARO | inclusive | random |");
    println!("|---|---|---|---|---|---|---|---|");
    // Games with more series take longer.
    for (series, games) in [
        (300, games),
        (10_000, games.div_ceil(2)),
        (100_000, games.div_ceil(10)),
    ]
    .into_iter()
    .filter(|(series, _)| *series <= max_series)
    {
        for (name, family) in [
            ("one scope, 8 to 40 ms", Family::Scope(8.0, 40.0)),
            ("one scope, 3 to 4 ms", Family::Scope(3.0, 4.0)),
            ("one scope, while a load ends", Family::ScopeAndLoad),
            ("a scope and a counter", Family::ScopeAndCounter),
            ("two scopes", Family::TwoScopes),
            ("a wait for a worker", Family::Wait),
            ("a counter alone", Family::Counter),
            ("no processor", Family::Preempted),
            ("no processor beside a scope", Family::PreemptedBeside),
            ("no processor for a worker", Family::PreemptedWorker),
            (
                "one scope, 15 ms, and no processor in a third of the frames",
                Family::Crowded(0.33),
            ),
            ("a scope that waits for a disk", Family::Disk),
        ] {
            hitches(name, family, series, games, seed);
        }
        page_faults(series, games, seed);
        broad(series, games, seed);
    }
    println!();
    leaks(games, seed);
    slower_leaks(games, seed);
    combs(games, seed);
    clean(games.div_ceil(10), seed);
    println!();
    cost::measure();
}

fn engine(game: &Game) -> Insight {
    let mut insight = Insight::new();
    for (number, facts) in game.facts.iter().enumerate() {
        insight.set_series(number as u32, facts.clone());
    }
    insight.set_frame_thread(Some("main"));
    insight
}

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

fn answers(family: Family, series: usize, seed: u64) -> Answers {
    let mut game = Game::new(family, series, seed);
    let mut insight = engine(&game);
    let mut history = History::new(game.facts.len());
    let mut others = Vec::new();
    for frame in 0..FRAMES {
        let frame_ms = game.step();
        insight.take_frame(frame, frame_ms, &game.values);
        if frame == game.fault_frame {
            others = vec![
                history.max_z(&game),
                history.baro(&game),
                history.inclusive(&game),
                history.random(&game, seed),
            ];
        } else if frame < game.fault_frame {
            history.push(&game.values);
        }
        if frame == game.fault_frame + 3 {
            insight.rank_noticed();
            for (number, value) in game.late() {
                insight.set_late_value(number, game.fault_frame, value);
            }
        }
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

fn hitches(name: &str, family: Family, series: usize, games: u64, seed: u64) {
    let all: Vec<Answers> = (0..games)
        .map(|game| answers(family, series, seed + game))
        .collect();
    row(name, series, &all);
    if family == Family::Counter {
        let beyond: Vec<Answers> = all
            .into_iter()
            .filter(|game| game.is_beyond_record)
            .collect();
        row("… beyond its record", series, &beyond);
    }
}

fn row(name: &str, series: usize, games: &[Answers]) {
    let share = |ranker: usize, of: usize| {
        let is_found = |game: &&Answers| {
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

fn page_faults(series: usize, games: u64, seed: u64) {
    let all = (0..games).map(|game| answers(Family::Faults, series, seed + game));
    let named = all.filter(|game| game.has_words).count();
    println!(
        "| page faults in several scopes (named) | {series} | {games} | {:.2} | – | – | – | – |",
        named as f64 / games as f64
    );
}

fn broad(series: usize, games: u64, seed: u64) {
    let all = (0..games).map(|game| answers(Family::Broad, series, seed + game));
    let right = all.filter(|game| !game.is_single).count();
    println!(
        "| everything (no single culprit) | {series} | {games} | {:.2} | – | – | – | – |",
        right as f64 / games as f64
    );
}

/// Returns the paths of leaks after some frames.
fn leaks_after(game: &mut Game, insight: &mut Insight, frames: u64) -> Vec<String> {
    for frame in 0..frames {
        let frame_ms = game.step();
        insight.take_frame(frame, frame_ms, &game.values);
    }
    insight.leaks().into_iter().map(|leak| leak.path).collect()
}

fn leaks(games: u64, seed: u64) {
    println!("| problem | games | found | false alarms |");
    println!("|---|---|---|---|");
    for (name, (part, saw), leaking, secs) in [
        (
            "a leak of 1 % a second, in 10 s",
            (0.01, 0.0),
            Leaking::Evenly,
            10,
        ),
        (
            "the same under a sawtooth of 10 %",
            (0.01, 0.1),
            Leaking::Evenly,
            10,
        ),
        (
            "a leak of 0.1 % a second, in 60 s",
            (0.001, 0.0),
            Leaking::Evenly,
            60,
        ),
        (
            "a leak of 1 % a second through a list that doubles, in 120 s",
            (0.01, 0.0),
            Leaking::InStairs,
            120,
        ),
    ] {
        let (mut found, mut wrong) = (0, 0);
        for game in 0..games {
            let mut game = Game::new(Family::Clean, 300, seed + game)
                .with_leak(part, saw)
                .leaking(leaking)
                .with_turning();
            let mut insight = engine(&game);
            // Ten seconds of frames, which are 11 ms or 16.7 ms long.
            let frame_ms = game.step();
            let frames = (secs as f64 * 1e3 / frame_ms) as u64;
            let paths = leaks_after(&mut game, &mut insight, frames);
            found += u64::from(paths.contains(&game.culprits[0]));
            wrong += paths
                .iter()
                .filter(|path| !game.culprits.contains(path))
                .count();
        }
        println!(
            "| {name} | {games} | {:.2} | {wrong} |",
            found as f64 / games as f64
        );
    }
}

/// A leak that slows to a third: whether it is listed in each second after that, and slower at the
/// end.
fn slower_leaks(games: u64, seed: u64) {
    let (mut found, mut wrong) = (0, 0);
    for number in 0..games {
        let slows_at = 20.0 + (number % 41) as f64;
        let mut game = Game::new(Family::Clean, 300, seed + number)
            .with_leak(0.01, 0.0)
            .leaking(Leaking::Slower(slows_at))
            .with_turning();
        let mut insight = engine(&game);
        let (before, after) = (60 * slows_at as u64, 60 * (2.0 * slows_at) as u64 + 2_400);
        leaks_after(&mut game, &mut insight, before);
        let mut stays = true;
        for _ in 0..after / 60 {
            let paths = leaks_after(&mut game, &mut insight, 60);
            stays &= paths.contains(&game.culprits[0]);
        }
        let leaks = insight.leaks();
        let is_it = |leak: &&Leak| game.culprits.contains(&leak.path);
        found += u64::from(stays && leaks.iter().find(is_it).is_some_and(|leak| leak.is_slower));
        wrong += leaks.iter().filter(|leak| !is_it(leak)).count();
    }
    println!(
        "| a leak of 1 % a second that slows to a third after 20 to 60 s: listed at any time, and slower at the end | {games} | {:.2} | {wrong} |",
        found as f64 / games as f64
    );
}

fn combs(games: u64, seed: u64) {
    let (mut by_frames, mut by_time, mut wrong) = ([0; 2], [0; 2], 0);
    let note = |counts: &mut [u64; 2], found: Option<&Periodic>, game: &Game| {
        counts[0] += u64::from(found.is_some());
        counts[1] += u64::from(found.is_some_and(|comb| game.culprits.contains(&comb.path)));
    };
    let is = |found: f64, period: f64| (found / period - 1.0).abs() < 0.03;
    for game in 0..games {
        let clean = || Game::new(Family::Clean, 300, seed + game);
        let (mut game, period) = clean().with_comb(0.002);
        let combs = played(&mut game, 1800).periodic();
        let mut found = combs.iter();
        let found = found.find(|comb| is(comb.period_frames, period as f64));
        note(&mut by_frames, found, &game);
        let (mut game, period_secs) = clean().with_timed_comb(0.002);
        let combs = played(&mut game, 2400).periodic();
        let mut found = combs.iter();
        // A game that waits for a display has as many frames between two stalls as seconds.
        let frame_secs = game.secs / 2400.0;
        let secs = |comb: &Periodic| comb.period_secs.unwrap_or(comb.period_frames * frame_secs);
        let found = found.find(|comb| is(secs(comb), period_secs));
        note(&mut by_time, found, &game);
        wrong += played(&mut clean().with_stalls(0.002), 1800)
            .periodic()
            .len();
    }
    let share = |count: u64| count as f64 / games as f64;
    println!(
        "| a stall every 60 to 180 frames, in 1,800 frames beside 0.2 % random ones | {games} | {:.2}, named {:.2} | {:.3} a game |",
        share(by_frames[0]),
        share(by_frames[1]),
        wrong as f64 / games as f64
    );
    println!(
        "| a stall every 1 to 3 seconds at a rate that rises and falls by 35 %, in 2,400 frames | {games} | {:.2}, named {:.2} | – |",
        share(by_time[0]),
        share(by_time[1])
    );
}

fn played(game: &mut Game, frames: u64) -> Insight {
    let mut insight = engine(game);
    for frame in 0..frames {
        let frame_ms = game.step();
        if insight.take_frame(frame, frame_ms, &game.values) {
            insight.rank_noticed();
        }
    }
    insight
}

fn clean(games: u64, seed: u64) {
    let (mut alarms, mut leaks, mut hours) = (0, 0, 0.0);
    for game in 0..games {
        let mut game = Game::new(Family::Clean, 300, seed + game).with_turning();
        let mut insight = engine(&game);
        for frame in 0..36_000 {
            let frame_ms = game.step();
            hours += frame_ms / 3.6e6;
            alarms += u64::from(insight.take_frame(frame, frame_ms, &game.values));
            insight.rank_noticed();
        }
        leaks += insight.leaks().len();
    }
    println!(
        "| clean play, {hours:.1} hours | {games} | – | {:.2} hitches and {:.2} leaks an hour |",
        alarms as f64 / hours,
        leaks as f64 / hours
    );
}
