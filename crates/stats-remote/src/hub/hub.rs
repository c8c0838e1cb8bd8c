//! The thread that serves the viewers.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use stats_core::source::Listed;
use stats_core::{Recorder, Source};

use super::dispatch::pass_on;
use super::distributions::send_distributions;
use super::intake::Intake;
use super::lanes::LaneList;
use super::listing::list;
use super::per_second::PerSecond;
use super::rounding::Rounding;
use super::viewer::Viewer;
use crate::feed::feed::MAX_ROWS;
use crate::feed::{Command, Feed};
use crate::http::Rules;
use crate::own_series::VIEWERS;
use crate::token::Token;
use crate::wire::VERSION;
use crate::wire::to_game::{Hello, ToGame};
use crate::wire::to_viewer::{
    Welcome, encode_marks, encode_pong, encode_refused, encode_thread, encode_welcome,
};
use crate::words::{WordWriter, words};

/// How often the thread looks: with a connection, and without.
const BUSY: Duration = Duration::from_millis(10);
const IDLE: Duration = Duration::from_millis(50);

/// The maximum number of viewers, and of connections with those that have not greeted yet.
pub(crate) const MAX_VIEWERS: usize = 8;
const MAX_CONNECTIONS: usize = 16;

/// The wrong tokens in a second after which none is looked at for the rest of it.
const MAX_FAILURES: u32 = 5;

/// The words of the queue from the game: 1 MiB, four seconds of 512 series at 60 frames per second.
const GAME_WORDS: usize = 1 << 17;
const COMMAND_WORDS: usize = 1 << 12;

/// The commands that wait for a game that takes none before no further message is read. A message
/// gives at most a few thousand.
const MAX_WAITING: usize = 1 << 14;

/// What the game's thread and the hub share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// One more whenever there is an offer, or a command: all that the game looks at in each frame.
    pub(crate) news: AtomicU64,
    /// What the game has instead of its feed from now on, until it takes that: the end of the queues, or
    /// nothing after the last viewer.
    pub(crate) offer: Mutex<Option<Option<Feed>>>,
    pub(crate) is_closed: AtomicBool,
}

impl Shared {
    /// Lets the game look at the offer and the commands in its next frame.
    pub(crate) fn tell(&self) {
        // Release: a game that sees the number sees them.
        self.news.fetch_add(1, Ordering::Release);
    }
}

pub(crate) struct Hub {
    pub(crate) shared: Arc<Shared>,
    pub(crate) listeners: Vec<TcpListener>,
    pub(crate) rules: Rules,
    pub(crate) token: Token,
    pub(crate) welcome: Welcome,
    pub(crate) max_watches: usize,
}

impl Hub {
    /// Serves viewers until the game closes the connection.
    pub(crate) fn run(self) {
        let _memory = stats_core::own_memory("stats-remote");
        let mut serving = Serving::new(self, Instant::now());
        // Acquire: it needs nothing that was written before; the thread just ends.
        while !serving.hub.shared.is_closed.load(Ordering::Acquire) {
            serving.look(Instant::now());
            let is_idle = serving.viewers.is_empty();
            thread::park_timeout(if is_idle { IDLE } else { BUSY });
        }
        VIEWERS.sub(serving.places);
    }
}

struct Serving {
    hub: Hub,
    listing: Recorder,
    viewers: Vec<Viewer>,
    next_number: u32,
    /// The wrong tokens.
    failures: PerSecond,
    /// `None` while nobody is connected.
    link: Option<Link>,
    /// The number of viewers.
    places: usize,
    /// How many viewers watch a series, and whether its values are deferred.
    watched: HashMap<u32, (usize, bool)>,
    /// How many viewers have a series on screen.
    rows: HashMap<u32, usize>,
    rounding: Rounding,
    /// The lanes of scopes.
    lanes: LaneList,
}

/// The queues to and from the game.
struct Link {
    intake: Intake,
    commands: WordWriter,
    /// The commands that have no room yet.
    waiting: VecDeque<Command>,
}

impl Serving {
    fn new(hub: Hub, now: Instant) -> Self {
        Self {
            hub,
            // Lists the series; it ends no frame.
            listing: Recorder::with_history(1),
            viewers: Vec::new(),
            next_number: 0,
            failures: PerSecond::new(now),
            link: None,
            places: 0,
            watched: HashMap::new(),
            rows: HashMap::new(),
            rounding: Rounding::new(),
            lanes: LaneList::default(),
        }
    }

    /// Does everything that there is to do.
    fn look(&mut self, now: Instant) {
        self.accept(now);
        let mut viewers = std::mem::take(&mut self.viewers);
        viewers.retain_mut(|viewer| self.hear(viewer, now));
        for viewer in viewers.iter_mut().filter(|viewer| !viewer.is_greeted) {
            self.leave(viewer);
        }
        self.connect(viewers.iter().any(|viewer| viewer.is_greeted));
        for viewer in viewers.iter_mut().filter(|viewer| viewer.is_greeted) {
            // First: scopes name series by their numbers.
            list(&self.listing, viewer);
        }
        self.take_in(&mut viewers, now);
        for viewer in viewers.iter_mut().filter(|viewer| viewer.is_greeted) {
            send_distributions(&self.listing, viewer, now);
            self.pass_on_wants(viewer);
        }
        self.command();
        viewers.retain_mut(|viewer| {
            let is_there = viewer.write(now).is_ok();
            if !is_there {
                self.leave(viewer);
            }
            is_there
        });
        self.viewers = viewers;
    }

    fn accept(&mut self, now: Instant) {
        for listener in &self.hub.listeners {
            for _ in 0..MAX_CONNECTIONS {
                // An error, such as that of too many open files, may be over at the next look.
                let Ok((stream, _)) = listener.accept() else {
                    break;
                };
                // One too many is closed at once.
                if self.viewers.len() < MAX_CONNECTIONS {
                    self.next_number = (self.next_number + 1) % (1 << 20);
                    self.viewers
                        .extend(Viewer::new(stream, self.next_number, now));
                }
            }
        }
    }

    /// Reads the messages of a viewer. Returns false if it is gone.
    fn hear(&mut self, viewer: &mut Viewer, now: Instant) -> bool {
        viewer.begin_look();
        loop {
            let waiting = self.link.as_ref().map_or(0, |link| link.waiting.len());
            if viewer.is_greeted && waiting >= MAX_WAITING {
                if !viewer.is_silent(now) {
                    return true;
                }
                // The game has taken nothing for long. Without viewers, its commands are dropped.
                self.leave(viewer);
                return false;
            }
            match viewer.read(&self.hub.rules, now) {
                Ok(Some(message)) => self.obey(viewer, message, now),
                Ok(None) => return true,
                Err(_) => {
                    self.leave(viewer);
                    return false;
                }
            }
        }
    }

    fn obey(&mut self, viewer: &mut Viewer, message: ToGame, now: Instant) {
        match message {
            ToGame::Hello(hello) if !viewer.is_greeted => self.greet(viewer, &hello, now),
            _ if !viewer.is_greeted => viewer.end("the viewer does not begin with a greeting", now),
            ToGame::Hello(_) => viewer.end("the viewer greets twice", now),
            ToGame::Watch(ids) => self.watch(viewer, &ids),
            ToGame::Unwatch(ids) => {
                for id in ids {
                    if viewer.watches.remove(&id) {
                        self.unwatch(id);
                    }
                }
            }
            ToGame::Rows(ids) => self.set_rows(viewer, &ids),
            ToGame::Histograms(ids) => viewer.histograms.ask(&ids),
            ToGame::Want(wants) => wants.into_iter().for_each(|want| viewer.want(want)),
            ToGame::Ack(block) => viewer.acknowledge(block),
            ToGame::Ping(number) => {
                // Not before the ping was heard, as `now` may be.
                let now = Instant::now();
                let link = self.link.as_ref();
                let game_secs = link.and_then(|link| link.intake.clock.at(now));
                viewer.send(encode_pong(number, game_secs));
            }
        }
    }

    fn greet(&mut self, viewer: &mut Viewer, hello: &Hello, now: Instant) {
        if self.failures.count(now) >= MAX_FAILURES {
            return viewer.end("too many wrong tokens: wait a second, and try again", now);
        }
        if hello.token != self.hub.token {
            self.failures.add(now);
            return viewer.end(
                "the token is wrong: a game that was started again has another. Copy the address that \
                 the game prints now",
                now,
            );
        }
        if hello.version != VERSION {
            let reason = format!(
                "the game has version {VERSION} of the protocol, and the viewer {}: use the viewer that \
                 belongs to the version of the game",
                hello.version
            );
            return viewer.end(&reason, now);
        }
        if self.places >= MAX_VIEWERS {
            let reason = format!("{MAX_VIEWERS} viewers are connected already: close one of them");
            return viewer.end(&reason, now);
        }
        viewer.send(encode_welcome(&self.hub.welcome));
        (viewer.is_greeted, viewer.has_place) = (true, true);
        viewer.is_rounded = hello.is_rounded;
        self.places += 1;
        VIEWERS.add(1);
    }

    /// Gives up what a viewer has asked for.
    fn leave(&mut self, viewer: &mut Viewer) {
        if !std::mem::take(&mut viewer.has_place) {
            return;
        }
        self.places -= 1;
        VIEWERS.sub(1);
        for id in std::mem::take(&mut viewer.watches) {
            self.unwatch(id);
        }
        self.set_rows(viewer, &[]);
        self.ask(Command::Forget {
            viewer: viewer.number,
        });
    }

    fn watch(&mut self, viewer: &mut Viewer, wanted: &[(u32, bool)]) {
        let nothing = Listed::Numbers(0..0);
        let end = self.listing.list(nothing, &mut |_| ControlFlow::Break(()));
        let mut refused = Vec::new();
        for &(series, is_deferred) in wanted {
            let is_new = !self.watched.contains_key(&series);
            let is_full = is_new && self.watched.len() >= self.hub.max_watches;
            if is_full || end.is_none_or(|end| series >= end) {
                refused.push(series);
            } else if viewer.watches.insert(series) {
                self.watched.entry(series).or_insert((0, is_deferred)).0 += 1;
                if is_new {
                    self.rounding.learn(&self.listing, series);
                    self.ask(Command::Watch {
                        series,
                        is_deferred,
                    });
                }
            }
        }
        if !refused.is_empty() {
            viewer.send(encode_refused(&refused));
        }
    }

    fn unwatch(&mut self, series: u32) {
        let Some((viewers, _)) = self.watched.get_mut(&series) else {
            return;
        };
        *viewers -= 1;
        if *viewers == 0 {
            self.watched.remove(&series);
            self.ask(Command::Unwatch { series });
        }
    }

    fn set_rows(&mut self, viewer: &mut Viewer, ids: &[u32]) {
        let wanted: BTreeSet<u32> = ids.iter().copied().collect();
        let gone: Vec<_> = viewer.rows.difference(&wanted).copied().collect();
        // First, so that they do not count among the most rows.
        for series in gone {
            viewer.rows.remove(&series);
            let Some(viewers) = self.rows.get_mut(&series) else {
                continue;
            };
            *viewers -= 1;
            if *viewers == 0 {
                self.rows.remove(&series);
                self.ask(Command::Unpeek { series });
            }
        }
        for &series in ids {
            let is_new = !self.rows.contains_key(&series);
            if (is_new && self.rows.len() >= MAX_ROWS) || !viewer.rows.insert(series) {
                continue;
            }
            *self.rows.entry(series).or_insert(0) += 1;
            if is_new {
                self.rounding.learn(&self.listing, series);
                self.ask(Command::Peek { series });
            }
        }
    }

    fn ask(&mut self, command: Command) {
        // Before the first viewer is connected, and after the last: see `connect`.
        if let Some(link) = &mut self.link {
            link.waiting.push_back(command);
        }
    }

    /// Makes the queues for the first viewer, and frees them after the last.
    fn connect(&mut self, is_anybody_there: bool) {
        if is_anybody_there == self.link.is_some() {
            return;
        }
        let (offer, link) = if is_anybody_there {
            let (out, game) = words(GAME_WORDS);
            let (commands, obeyed) = words(COMMAND_WORDS);
            let feed = Feed::new(out, obeyed, self.hub.max_watches);
            let link = Link {
                intake: Intake::new(game, feed.epoch),
                commands,
                waiting: self.commands_again(),
            };
            (Some(feed), Some(link))
        } else {
            self.lanes.clear();
            (None, None)
        };
        // Only tried, as in the game: whoever waits for a lock is woken by a system call of its
        // holder. Without success, the next look tries again.
        match self.hub.shared.offer.try_lock() {
            Ok(mut place) => *place = Some(offer),
            Err(TryLockError::Poisoned(mut place)) => **place.get_mut() = Some(offer),
            Err(TryLockError::WouldBlock) => return,
        }
        self.link = link;
        self.hub.shared.tell();
    }

    /// Returns the commands for what viewers asked for together with their greeting.
    fn commands_again(&self) -> VecDeque<Command> {
        let watches = self.watched.iter();
        let watches = watches.map(|(&series, &(_, is_deferred))| Command::Watch {
            series,
            is_deferred,
        });
        let rows = self.rows.keys().map(|&series| Command::Peek { series });
        watches.chain(rows).collect()
    }

    /// Takes what the game sent, and passes it on.
    fn take_in(&mut self, viewers: &mut [Viewer], now: Instant) {
        let Some(link) = &mut self.link else {
            return;
        };
        let (rounding, lanes) = (&self.rounding, &mut self.lanes);
        link.intake
            .read(now, |arrival| pass_on(arrival, viewers, rounding, lanes));
        let (list, thread) = (&link.intake.marks, &link.intake.thread);
        for viewer in viewers.iter_mut().filter(|viewer| viewer.is_greeted) {
            if viewer.thread != *thread && !thread.is_empty() {
                viewer.thread.clone_from(thread);
                viewer.send(encode_thread(thread));
            }
            if viewer.marks == list.version || !viewer.has_room() {
                continue;
            }
            let marks = list.marks.iter().enumerate();
            let new = marks.filter(|(_, (_, version))| *version > viewer.marks);
            let new = new.map(|(position, (mark, _))| (position, mark));
            for message in encode_marks(list.marks.len(), new) {
                viewer.send(message);
            }
            viewer.marks = list.version;
        }
    }

    fn pass_on_wants(&mut self, viewer: &mut Viewer) {
        // Without the queues, the request would be lost.
        while let Some(want) = self.link.as_ref().and_then(|_| viewer.next_want()) {
            self.ask(Command::Want {
                viewer: viewer.number,
                want,
            });
        }
    }

    /// Writes commands as far as the game has room for them.
    fn command(&mut self) {
        let Some(link) = &mut self.link else {
            return;
        };
        let before = link.waiting.len();
        while let Some(command) = link.waiting.front()
            && command.write(&mut link.commands)
        {
            link.waiting.pop_front();
        }
        if link.waiting.len() < before {
            self.hub.shared.tell();
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
