//! A simulated game: its series, frame by frame, and a fault whose cause is known.

use stats_analysis::insight::Facts;
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// The number of frames in ten seconds.
pub(crate) const FRAMES: u64 = 600;

/// The kind of a game's fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Family {
    /// One scope takes this much longer, in milliseconds.
    Scope(f64, f64),
    /// One scope takes longer, and another one ends that was open for many frames.
    ScopeAndLoad,
    /// A scope takes longer because it is called more often, and a counter of its folder jumps.
    ScopeAndCounter,
    TwoScopes,
    /// The frame waits for a scope of another thread.
    Wait,
    /// A counter jumps, and the frame is longer in no scope.
    Counter,
    /// Another program takes the processor, in any scope or in none.
    Preempted,
    /// The same in one scope, while another one takes longer.
    PreemptedBeside,
    /// The frame waits for another thread, from which the processor was taken.
    PreemptedWorker,
    /// Other programs take the processor for 50 to 100 ms in this share of the frames, and in one
    /// frame, a scope runs for 15 ms more.
    Crowded(f64),
    /// Memory is touched for the first time, in several scopes and in none.
    Faults,
    /// A scope waits for a disk.
    Disk,
    /// Everything takes longer.
    Broad,
    /// Nothing happens.
    Clean,
}

/// How a level leaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Leaking {
    Evenly,
    /// Its list doubles its capacity whenever it is full.
    InStairs,
    /// To a third of its slope after this many seconds.
    Slower(f64),
}

/// The behavior of a series.
#[derive(Clone, Copy, Debug)]
enum Law {
    /// The series of a timer: its number, and total, calls or self time.
    Timer(usize, u8),
    /// Independent counts around a mean.
    Counts(f64),
    /// Mostly nothing, and sometimes far more.
    Bursts(f64),
    Walk(f64),
    /// Follows another series.
    Coupled(usize, f64),
    /// The rate of the display.
    Rate,
    /// A pass of the GPU, whose value comes three frames late.
    Gpu(f64),
    /// A level with noise, and the number of frames after which it is freed.
    Level(f64, u64),
    /// A figure that the system keeps of threads.
    System(usize),
    /// A gauge without a unit that grows by this much per second, such as an angle.
    Turning(f64),
}

#[derive(Clone, Debug)]
struct Scope {
    usual_ms: f64,
    noise: f64,
    is_bursty: bool,
    parent: Option<usize>,
    thread: usize,
    calls: f64,
    total_ms: f64,
    self_ms: f64,
    calls_now: f64,
}

/// A game, and the fault in it.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) facts: Vec<Facts>,
    /// The values of the newest frame.
    pub(crate) values: Vec<f64>,
    /// The paths that explain the fault; empty if none does.
    pub(crate) culprits: Vec<String>,
    /// The words that the verdict on the fault should contain.
    pub(crate) words: &'static str,
    pub(crate) fault_frame: u64,
    /// Whether the counter of a fault jumps beyond all of its earlier values.
    pub(crate) is_beyond_record: bool,
    /// The deferred series and their values of the last three frames.
    late: Vec<(usize, [f64; 3])>,
    family: Family,
    random: Random,
    scopes: Vec<Scope>,
    laws: Vec<Law>,
    walks: Vec<f64>,
    wait: usize,
    present: Option<usize>,
    guilty: Vec<(usize, f64)>,
    /// The scope that ends in the frame of the fault, and its time before that frame.
    load: Option<(usize, f64)>,
    guilty_counter: Option<(usize, f64)>,
    extra_ms: f64,
    /// A scope, or no scope, and how long another program takes its processor.
    preempted: Option<(Option<usize>, f64)>,
    /// A scope, and how long it waits for a disk.
    disk: Option<(usize, f64)>,
    /// The excess that page faults cause.
    faults_ms: f64,
    /// What the system knows, by [`SYSTEM`]; `None` if it does not tell.
    system: Option<[f64; SYSTEM.len()]>,
    /// Apart from the other random numbers, so that a game is the same with and without the system.
    noise_of_system: Random,
    frame: u64,
    /// A leak: the series, and its growth per second.
    leak: Option<(usize, f64)>,
    leaking: Leaking,
    /// The share of the leaking level that is allocated and freed all the time.
    leak_saw: f64,
    /// A periodic stall: its period in frames, and its scope.
    comb: Option<(u64, usize)>,
    /// A stall at equal intervals: its period in seconds, and its scope.
    timed_comb: Option<(f64, usize)>,
    /// When the next one is due.
    due_secs: f64,
    /// When the frame begins.
    pub(crate) secs: f64,
    /// The probability of a stall of a random scope in a frame.
    stalls: f64,
    /// How long other programs took the processor in the newest frame.
    crowded_ms: f64,
}

/// The series of what the system knows.
const SYSTEM: [(&str, Unit); 10] = [
    ("frame/running", Unit::Milliseconds),
    ("frame/ready", Unit::Milliseconds),
    ("frame/blocked", Unit::Milliseconds),
    ("frame/page-faults", Unit::Count),
    ("frame/major-page-faults", Unit::Count),
    ("frame/preemptions", Unit::Count),
    ("threads/worker-1/ready", Unit::Milliseconds),
    ("threads/worker-2/ready", Unit::Milliseconds),
    ("threads/worker-3/ready", Unit::Milliseconds),
    ("machine/cpu", Unit::Percent),
];

const THREADS: [&str; 4] = ["main", "worker-1", "worker-2", "worker-3"];

impl Game {
    pub(crate) fn new(family: Family, series: usize, seed: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x51ed);
        let timers = (series * 2 / 15).max(12);
        let mut game = Self {
            facts: Vec::new(),
            values: Vec::new(),
            culprits: Vec::new(),
            words: "",
            fault_frame: FRAMES - 120 + random.below(100),
            is_beyond_record: true,
            late: Vec::new(),
            family,
            scopes: Vec::new(),
            laws: Vec::new(),
            walks: Vec::new(),
            wait: 0,
            present: None,
            guilty: Vec::new(),
            load: None,
            guilty_counter: None,
            extra_ms: 0.0,
            preempted: None,
            disk: None,
            faults_ms: 0.0,
            system: None,
            noise_of_system: Random::new(seed ^ 0x5e5),
            frame: 0,
            leak: None,
            leaking: Leaking::Evenly,
            leak_saw: 0.0,
            comb: None,
            timed_comb: None,
            due_secs: 1.0,
            secs: 0.0,
            stalls: 0.0,
            crowded_ms: 0.0,
            random,
        };
        game.add_scopes(timers);
        game.add_others(series);
        game.values = vec![0.0; game.facts.len()];
        game.walks = vec![0.0; game.facts.len()];
        game.plan();
        let is_of_system = matches!(
            family,
            Family::Preempted
                | Family::PreemptedBeside
                | Family::PreemptedWorker
                | Family::Crowded(_)
                | Family::Faults
                | Family::Disk
        );
        if is_of_system {
            game.with_system()
        } else {
            game
        }
    }

    /// Returns a game that is about to have its fault, with a fault of this family instead of that
    /// of its own. Games with different faults have the same frames before.
    pub(crate) fn with_fault(&self, family: Family) -> Self {
        let mut game = Self {
            family,
            ..self.clone()
        };
        game.plan();
        game
    }

    /// Adds the series of what the system knows.
    pub(crate) fn with_system(mut self) -> Self {
        self.system = Some([0.0; _]);
        for (at, (path, unit)) in SYSTEM.into_iter().enumerate() {
            let kind = match path {
                "machine/cpu" => SeriesKind::Gauge,
                _ => SeriesKind::Counter,
            };
            self.add(Facts::new(path, kind, unit), Law::System(at));
            self.values.push(0.0);
            self.walks.push(0.0);
        }
        self
    }

    /// Adds a level that grows by this share of itself per second.
    pub(crate) fn with_leak(mut self, part: f64, saw: f64) -> Self {
        self.leak_saw = saw;
        let level = |at: &usize| matches!(self.laws[*at], Law::Level(..));
        let levels: Vec<usize> = (0..self.laws.len()).filter(level).collect();
        let at = levels[self.random.index(levels.len())];
        self.leak = Some((at, part));
        self.culprits = vec![self.facts[at].path.clone()];
        self
    }

    /// Makes the level leak in another way.
    pub(crate) fn leaking(mut self, leaking: Leaking) -> Self {
        self.leaking = leaking;
        self
    }

    /// Adds gauges that turn.
    pub(crate) fn with_turning(mut self) -> Self {
        for (at, per_second) in [0.5, 15.0, 720.0, -3.0].into_iter().enumerate() {
            let path = format!("camera/angle-{at}");
            let gauge = Facts::new(path, SeriesKind::Gauge, Unit::Count);
            self.add(gauge, Law::Turning(per_second));
            self.values.push(0.0);
            self.walks.push(0.0);
        }
        self
    }

    /// Adds a scope that stalls periodically. Also returns the period.
    pub(crate) fn with_comb(mut self, stalls: f64) -> (Self, u64) {
        let period = 60 + self.random.below(120);
        let at = self.any_scope(0);
        self.comb = Some((period, at));
        self.culprits = vec![self.path_of(at)];
        self.stalls = stalls;
        (self, period)
    }

    /// Adds a scope that stalls at equal intervals, while the work of all scopes rises and falls.
    /// Also returns the period in seconds.
    pub(crate) fn with_timed_comb(mut self, stalls: f64) -> (Self, f64) {
        let secs = self.between(1.0, 3.0);
        let at = self.any_scope(0);
        self.timed_comb = Some((secs, at));
        self.culprits = vec![self.path_of(at)];
        self.stalls = stalls;
        (self, secs)
    }

    pub(crate) fn with_stalls(mut self, stalls: f64) -> Self {
        self.stalls = stalls;
        self
    }

    fn unit(&mut self) -> f64 {
        self.random.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    fn normal(&mut self) -> f64 {
        // The sum of four uniform numbers, from one random number.
        let bits = self.random.next();
        let sum: u64 = (0..4).map(|at| bits >> (16 * at) & 0xffff).sum();
        (sum as f64 / 65_536.0 - 2.0) * 3.0_f64.sqrt()
    }

    fn add(&mut self, facts: Facts, law: Law) -> usize {
        self.facts.push(facts);
        self.laws.push(law);
        self.facts.len() - 1
    }

    fn add_scopes(&mut self, count: usize) {
        for at in 0..count {
            // The wait and the presentation are scopes on the frame's thread, like others.
            let thread = if at < 6 || self.random.below(4) > 0 {
                0
            } else {
                1 + self.random.index(3)
            };
            let above = |scope: &Scope| scope.thread == thread;
            let candidates: Vec<usize> = (0..self.scopes.len())
                .filter(|at| *at > 1 && above(&self.scopes[*at]))
                .collect();
            let parent = (at >= 6 && !candidates.is_empty() && self.random.below(8) > 0)
                .then(|| candidates[self.random.index(candidates.len())]);
            let weight = self.normal().exp();
            let noise = self.between(0.03, 0.3);
            // Only small scopes have bursts: a burst of a large one would be a hitch.
            let is_bursty = self.random.below(4) == 0;
            let calls = if self.random.below(2) == 0 {
                1.0
            } else {
                1.0 + self.random.below(40) as f64
            };
            self.scopes.push(Scope {
                usual_ms: weight,
                noise,
                is_bursty,
                parent,
                thread,
                calls,
                total_ms: 0.0,
                self_ms: 0.0,
                calls_now: 0.0,
            });
        }
        for thread in 0..THREADS.len() {
            let budget = [8.0, 6.0, 5.0, 4.0][thread];
            let all: f64 = self
                .scopes
                .iter()
                .filter(|scope| scope.thread == thread)
                .map(|scope| scope.usual_ms)
                .sum();
            for scope in self
                .scopes
                .iter_mut()
                .filter(|scope| scope.thread == thread)
            {
                scope.usual_ms *= budget / all;
            }
        }
        for scope in &mut self.scopes {
            // Limits the variation of all scopes together to about 5 %, so that clean play has no
            // hitches.
            scope.noise = scope.noise.min(0.1 / scope.usual_ms);
            scope.is_bursty &= scope.usual_ms < 0.15;
        }
        self.wait = 0;
        self.scopes[0].usual_ms = 0.3;
        (self.scopes[0].is_bursty, self.scopes[1].is_bursty) = (false, false);
        self.present = (self.random.below(2) == 0).then_some(1);
        for at in 0..count {
            let name = match at {
                0 => "jobs/wait".to_owned(),
                1 => "render/present".to_owned(),
                _ => format!("system-{}/scope-{at}", at % 17),
            };
            let mut timer = Facts::new(name.clone(), SeriesKind::Timer, Unit::Milliseconds);
            timer.thread = Some(THREADS[self.scopes[at].thread].to_owned());
            timer.parent = self.scopes[at].parent.map(|parent| parent as u32 * 3);
            timer.is_wait = at == 0 || self.present == Some(at);
            self.add(timer, Law::Timer(at, 0));
            let of = Some(at as u32 * 3);
            let mut calls = Facts::new(name.clone(), SeriesKind::TimerCalls, Unit::Count);
            calls.of = of;
            self.add(calls, Law::Timer(at, 1));
            let mut own = Facts::new(name, SeriesKind::TimerSelf, Unit::Milliseconds);
            own.of = of;
            self.add(own, Law::Timer(at, 2));
        }
    }

    fn add_others(&mut self, series: usize) {
        let first = self.facts.len();
        let rate = Facts::new("display/rate", SeriesKind::Gauge, Unit::Hertz);
        self.add(rate, Law::Rate);
        while self.facts.len() < series {
            let at = self.facts.len();
            let path = format!("system-{}/count-{at}", at % 17);
            let mean = self.between(0.0, 6.0).exp();
            let kind = |kind, unit| Facts::new(path.clone(), kind, unit);
            let coupled = first + 1 + self.random.index((at - first).max(2) - 1);
            let (facts, law) = match self.random.below(16) {
                0..6 => (kind(SeriesKind::Counter, Unit::Count), Law::Counts(mean)),
                6..8 => (kind(SeriesKind::Counter, Unit::Count), Law::Bursts(mean)),
                8 => (kind(SeriesKind::Gauge, Unit::Meters), Law::Walk(mean)),
                9 => (
                    kind(SeriesKind::UpDownCounter, Unit::Count),
                    Law::Walk(mean),
                ),
                10..12 if coupled < at => (
                    kind(SeriesKind::Counter, Unit::Count),
                    Law::Coupled(coupled, mean),
                ),
                12 if self.late.len() < 20 => {
                    self.late.push((at, [0.0; 3]));
                    let mut gpu = kind(SeriesKind::Timer, Unit::Milliseconds);
                    gpu.is_deferred = true;
                    (gpu, Law::Gpu(0.2 + mean / 400.0))
                }
                13 => (
                    kind(SeriesKind::UpDownCounter, Unit::Bytes),
                    Law::Level(mean.max(10.0) * 1e5, 3 + self.random.below(20)),
                ),
                14 => (
                    kind(SeriesKind::UpDownCounter, Unit::Count),
                    Law::Level(mean.max(10.0) * 100.0, 3 + self.random.below(20)),
                ),
                _ => (kind(SeriesKind::Counter, Unit::Count), Law::Counts(mean)),
            };
            self.add(facts, law);
        }
    }

    fn path_of(&self, scope: usize) -> String {
        self.facts[scope * 3].path.clone()
    }

    fn any_scope(&mut self, thread: usize) -> usize {
        loop {
            let at = 2 + self.random.index(self.scopes.len() - 2);
            if (self.scopes[at].thread == 0) == (thread == 0) {
                return at;
            }
        }
    }

    fn plan(&mut self) {
        match self.family {
            Family::Scope(from, to) => {
                let scope = self.any_scope(0);
                self.guilty = vec![(scope, self.between(from, to))];
            }
            Family::ScopeAndCounter => {
                let scope = self.any_scope(0);
                self.guilty = vec![(scope, self.between(5.0, 20.0))];
                self.guilty_counter = self.a_counter();
            }
            Family::ScopeAndLoad => {
                let scope = self.any_scope(0);
                self.guilty = vec![(scope, self.between(8.0, 40.0))];
                let load = loop {
                    let load = self.any_scope(0);
                    if load != scope {
                        break load;
                    }
                };
                self.load = Some((load, 1e3 * self.between(0.0, 6.0).exp()));
            }
            Family::TwoScopes => {
                let [first, second] = self.two_scopes();
                let ms = self.between(5.0, 20.0);
                let other_ms = ms * self.between(0.6, 1.6);
                self.guilty = vec![(first, ms), (second, other_ms)];
            }
            Family::Wait => {
                let scope = self.any_scope(1);
                self.guilty = vec![(scope, self.between(8.0, 30.0))];
            }
            Family::Counter => {
                self.guilty_counter = self.a_counter();
                self.extra_ms = self.between(5.0, 20.0);
            }
            Family::Preempted => {
                let victim = (self.random.below(4) > 0).then(|| self.any_scope(0));
                self.preempted = Some((victim, self.between(8.0, 60.0)));
            }
            Family::PreemptedBeside => {
                let [scope, victim] = self.two_scopes();
                let ms = self.between(8.0, 30.0);
                // One of the two is longer.
                let times = match self.random.below(2) {
                    0 => self.between(0.3, 0.85),
                    _ => self.between(1.2, 3.0),
                };
                self.guilty = vec![(scope, ms)];
                self.preempted = Some((Some(victim), ms * times));
            }
            Family::PreemptedWorker => {
                let scope = self.any_scope(1);
                self.guilty = vec![(scope, self.between(8.0, 40.0))];
            }
            Family::Crowded(_) => self.guilty = vec![(self.any_scope(0), 15.0)],
            Family::Faults => self.faults_ms = self.between(6.0, 30.0),
            Family::Disk => self.disk = Some((self.any_scope(0), self.between(8.0, 60.0))),
            Family::Broad | Family::Clean => {}
        }
        self.name_culprits();
    }

    /// Chooses two scopes on the thread of the frame.
    fn two_scopes(&mut self) -> [usize; 2] {
        let first = self.any_scope(0);
        loop {
            let second = self.any_scope(0);
            if second != first {
                return [first, second];
            }
        }
    }

    fn name_culprits(&mut self) {
        let guilty = self.guilty.iter().map(|(scope, _)| self.path_of(*scope));
        self.culprits = guilty.collect();
        if let Some((at, _)) = self
            .guilty_counter
            .filter(|_| self.family == Family::Counter)
        {
            self.culprits = vec![self.facts[at].path.clone()];
        }
        let (of, words): (Option<String>, _) = match (self.family, self.preempted, self.disk) {
            (Family::PreemptedBeside, Some((_, ms)), _) if ms < self.guilty[0].1 => (None, ""),
            (Family::Preempted | Family::PreemptedBeside, ..) => (
                Some("frame/ready".to_owned()),
                "% waiting for a processor (machine 100 % busy)",
            ),
            (Family::PreemptedWorker, ..) => {
                let thread = THREADS[self.scopes[self.guilty[0].0].thread];
                let words = "% waiting for a processor in thread worker-";
                (Some(format!("threads/{thread}/ready")), words)
            }
            (Family::Faults, ..) => (None, " page faults"),
            (Family::Disk, _, Some((scope, _))) => (Some(self.path_of(scope)), ", blocked"),
            _ => (None, ""),
        };
        self.culprits = of.map_or_else(|| std::mem::take(&mut self.culprits), |path| vec![path]);
        self.words = words;
    }

    /// Chooses a counter, and the multiple of its usual value to which it jumps.
    fn a_counter(&mut self) -> Option<(usize, f64)> {
        loop {
            let at = self.random.index(self.laws.len());
            if matches!(self.laws[at], Law::Counts(_) | Law::Bursts(_)) {
                let times = self.between(0.7, 4.0).exp();
                return Some((at, times));
            }
        }
    }

    /// Simulates the next frame. Returns its duration.
    pub(crate) fn step(&mut self) -> f64 {
        let is_fault = self.frame == self.fault_frame;
        let all_times = if is_fault && self.family == Family::Broad {
            self.between(1.6, 2.5)
        } else if self.timed_comb.is_some() {
            1.0 + 0.35 * (self.secs / 5.0).sin()
        } else {
            1.0
        };
        for at in 0..self.scopes.len() {
            let bump = (self.scopes[at].noise * self.normal()).exp();
            let burst = if self.scopes[at].is_bursty && self.random.below(50) == 0 {
                1.0 + 3.0 * self.unit()
            } else {
                1.0
            };
            let calls = rounded(self.scopes[at].calls * (1.0 + 0.05 * self.normal())).max(1.0);
            let scope = &mut self.scopes[at];
            scope.self_ms = scope.usual_ms * bump * burst * all_times;
            scope.calls_now = calls;
        }
        let mut waited = 0.0;
        if is_fault {
            for (at, ms) in self.guilty.clone() {
                self.scopes[at].self_ms += ms;
                if self.family == Family::ScopeAndCounter || self.random.below(2) == 0 {
                    self.scopes[at].calls_now *= 2.0 + ms;
                }
                if matches!(self.family, Family::Wait | Family::PreemptedWorker) {
                    waited = ms * self.between(0.85, 1.0);
                }
            }
        }
        if let Some((period, scope)) = self.comb
            && self.frame % period == 1 + self.frame / period % 7 % 3
        {
            let ms = self.between(8.0, 20.0);
            self.scopes[scope].self_ms += ms;
        }
        if let Some((period_secs, scope)) = self.timed_comb
            && self.secs >= self.due_secs
        {
            self.due_secs += period_secs;
            let ms = self.between(12.0, 24.0);
            self.scopes[scope].self_ms += ms;
        }
        if self.stalls > 0.0 && self.unit() < self.stalls {
            let scope = self.any_scope(0);
            self.scopes[scope].self_ms += self.between(5.0, 30.0);
        }
        let mut extra = if is_fault { self.extra_ms } else { 0.0 };
        extra += self.add_crowd();
        if is_fault {
            extra += self.add_time_of_system();
        }
        self.scopes[self.wait].self_ms += waited;
        if let Some(present) = self.present {
            self.scopes[present].self_ms = 0.0;
        }
        let on_main = self.scopes.iter().filter(|scope| scope.thread == 0);
        let busy: f64 = on_main.map(|scope| scope.self_ms).sum();
        let outside = 0.4 * (0.1 * self.normal()).exp() * all_times + extra;
        let mut frame_ms = busy + outside;
        if let Some(present) = self.present {
            let refresh = 1e3 / 60.0;
            let until = (frame_ms / refresh).ceil() * refresh;
            self.scopes[present].self_ms = until - frame_ms;
            frame_ms = until;
        }
        if let Some((scope, ms)) = self.load.filter(|_| is_fault) {
            self.scopes[scope].self_ms += ms;
        }
        self.fill_system(is_fault, frame_ms);
        self.sum_up();
        self.fill(is_fault, frame_ms);
        self.frame += 1;
        self.secs += frame_ms / 1e3;
        frame_ms
    }

    /// Adds the time in which other programs have the processor, to up to three scopes. Returns its
    /// part in no scope.
    fn add_crowd(&mut self) -> f64 {
        self.crowded_ms = 0.0;
        let Family::Crowded(share) = self.family else {
            return 0.0;
        };
        if self.unit() >= share {
            return 0.0;
        }
        self.crowded_ms = self.between(50.0, 100.0);
        let parts = 1 + self.random.below(3);
        let mut outside = 0.0;
        for _ in 0..parts {
            let ms = self.crowded_ms / parts as f64;
            match self.random.below(4) {
                0 => outside += ms,
                _ => {
                    let scope = self.any_scope(0);
                    self.scopes[scope].self_ms += ms;
                }
            }
        }
        outside
    }

    /// Adds the time of a fault that is not work. Returns its part in no scope.
    fn add_time_of_system(&mut self) -> f64 {
        let mut outside = 0.0;
        if let Some((scope, ms)) = self.preempted {
            match scope {
                Some(scope) => self.scopes[scope].self_ms += ms,
                None => outside += ms,
            }
        }
        if let Some((scope, ms)) = self.disk {
            self.scopes[scope].self_ms += ms;
        }
        if self.faults_ms > 0.0 {
            // In several scopes and in none.
            const PARTS: usize = 6;
            for part in 0..PARTS {
                let ms = self.faults_ms / PARTS as f64;
                match self.any_scope(0) {
                    scope if part > 0 => self.scopes[scope].self_ms += ms,
                    _ => outside += ms,
                }
            }
        }
        outside
    }

    /// Computes what the system knows of a frame.
    fn fill_system(&mut self, is_fault: bool, frame_ms: f64) {
        let Some(system) = &mut self.system else {
            return;
        };
        let mut noise = || self.noise_of_system.below(1000) as f64 / 1000.0;
        // A processor is mostly free at once.
        let ready = |part: f64| {
            0.05 * part
                + if part > 0.95 {
                    6.0 * (part - 0.95)
                } else {
                    0.0
                }
        };
        let waits = [Some(self.wait), self.present].into_iter().flatten();
        let mut blocked: f64 = waits.map(|at| self.scopes[at].self_ms).sum();
        let mut of_frame = ready(noise()) + self.crowded_ms;
        let mut of_threads = [0.0; 3].map(|_| ready(noise()));
        let (mut faults, mut major, mut preemptions) = ((20.0 * noise()).floor(), 0.0, 0.0);
        let mut load = 20.0 + 20.0 * noise();
        if is_fault {
            if let Some((_, ms)) = self.preempted {
                (of_frame, preemptions, load) = (of_frame + ms, 1.0, 100.0);
            }
            if let Some((_, ms)) = self.disk {
                blocked += ms;
                // A file is read by a call, or mapped.
                major = if noise() < 0.5 {
                    (ms / 0.3).floor()
                } else {
                    0.0
                };
            }
            faults += (self.faults_ms / (0.0006 + 0.002 * noise())).floor();
            if self.family == Family::PreemptedWorker {
                let (scope, ms) = self.guilty[0];
                of_threads[self.scopes[scope].thread - 1] += ms;
            }
        }
        let running = (frame_ms - of_frame - blocked).max(0.0);
        let [first, second, third] = of_threads;
        *system = [
            running,
            of_frame,
            blocked,
            faults,
            major,
            preemptions,
            first,
            second,
            third,
            load,
        ];
    }

    /// Computes the times with all scopes inside. A parent comes before its children.
    fn sum_up(&mut self) {
        for scope in &mut self.scopes {
            scope.total_ms = scope.self_ms;
        }
        for at in (0..self.scopes.len()).rev() {
            if let Some(parent) = self.scopes[at].parent {
                self.scopes[parent].total_ms += self.scopes[at].total_ms;
            }
        }
    }

    fn fill(&mut self, is_fault: bool, frame_ms: f64) {
        for at in 0..self.laws.len() {
            self.values[at] = self.value(at, frame_ms);
            if let Some((guilty, times)) = self.guilty_counter.filter(|_| is_fault)
                && guilty == at
            {
                let usual = match self.laws[at] {
                    Law::Counts(mean) | Law::Bursts(mean) => mean,
                    _ => 1.0,
                };
                let jumped = (usual * times).ceil() + 1.0;
                self.is_beyond_record = jumped > self.walks[at] * 1.05;
                self.values[at] = jumped;
            }
        }
        for (at, known) in &mut self.late {
            let new = self.values[*at];
            self.values[*at] = known[0];
            *known = [known[1], known[2], new];
        }
    }

    /// Returns the deferred values of the frame that is three frames old.
    pub(crate) fn late(&self) -> impl Iterator<Item = (u32, f64)> {
        self.late.iter().map(|(at, known)| (*at as u32, known[0]))
    }

    /// Returns what has leaked of a level, as a share of it.
    fn leaked(&self, part: f64, mean: f64) -> f64 {
        let secs = self.frame as f64 / 60.0;
        match self.leaking {
            Leaking::Evenly => part * secs,
            Leaking::Slower(at) => part * (secs.min(at) + (secs - at).max(0.0) / 3.0),
            Leaking::InStairs => (part * secs * mean).log2().ceil().exp2() / mean,
        }
    }

    fn value(&mut self, at: usize, frame_ms: f64) -> f64 {
        match self.laws[at] {
            Law::Turning(per_second) => return per_second * self.secs,
            Law::System(figure) => return self.system.map_or(0.0, |system| system[figure]),
            _ => {}
        }
        let normal = self.normal();
        match self.laws[at] {
            Law::Timer(scope, part) => {
                let scope = &self.scopes[scope];
                [scope.total_ms, scope.calls_now, scope.self_ms][usize::from(part)]
            }
            Law::Counts(mean) => {
                let value = rounded(mean + mean.sqrt() * normal).max(0.0);
                self.walks[at] = self.walks[at].max(value);
                value
            }
            Law::Bursts(mean) => {
                let value = if self.random.below(40) == 0 {
                    rounded(mean * self.between(0.0, 2.5).exp())
                } else {
                    0.0
                };
                self.walks[at] = self.walks[at].max(value);
                value
            }
            Law::Walk(mean) => {
                self.walks[at] += 0.02 * mean * normal;
                rounded(mean * 10.0 + self.walks[at])
            }
            Law::Coupled(to, times) => {
                let times = times * (1.0 + 0.03 * normal);
                rounded(self.values[to].abs().min(1e9) * times)
            }
            // Returned above: they have no noise.
            Law::Turning(_) | Law::System(_) => 0.0,
            Law::Rate => 1e3 / frame_ms,
            Law::Gpu(ms) => ms * (0.1 * normal).exp(),
            Law::Level(mean, every) => {
                let saw = (self.frame % every) as f64 / every as f64;
                let leaked = match self.leak {
                    Some((leaking, part)) if leaking == at => mean * self.leaked(part, mean),
                    _ => 0.0,
                };
                let (noise, saw) = match self.leak {
                    Some((leaking, _)) if leaking == at => (0.001, self.leak_saw * saw),
                    _ => (0.004, 0.1 * saw),
                };
                rounded(mean * (1.0 + saw + noise * normal) + leaked)
            }
        }
    }
}

/// Returns the nearest whole number, like [`f64::round`], which is a call on processors without an
/// instruction for it. The number is below 2⁶³.
fn rounded(number: f64) -> f64 {
    let whole = number as i64 as f64;
    let rest = number - whole;
    if rest.abs() >= 0.5 {
        whole + 1.0_f64.copysign(rest)
    } else {
        whole
    }
}
