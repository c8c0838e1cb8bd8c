//! Several games as one source.

use std::ops::{ControlFlow, Range};
use std::time::Instant;

use stats_core::source::{Listed, Survey, WatchList};
use stats_core::{
    FRAME_TIME, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, SeriesKind, Source, Watch,
};

use stats_remote::RemoteSource;

use super::column::{Fold, GameColumn, Offset, Timed};
use super::surveyed::Surveyed;
use crate::view::placed;

/// How often marks are put in their places, in calls of [`Joined::pump`]: the frames of a mark may
/// arrive after it.
const MARKS_EVERY: u32 = 32;

/// A game on its own clock.
pub(in crate::view) trait Member: Source {
    /// Takes in what arrived.
    fn pump(&mut self);

    /// Returns the seconds that turn a time of the game into one since `start` if they are added, and by how
    /// much they may be wrong. `None` if they are not known yet.
    fn clock(&self, start: Instant) -> Option<(f64, f64)>;
}

/// Several games on the axis of the first: its frames, and for each frame what the others did in it.
///
/// The series of a game are named `NAME/…`. In a frame, a series of another game has the sum of what was
/// counted in the ticks that ended in the frame, or the last level. It has no value if no tick ended.
///
/// A survey has only the values of the first game, because those of the others become known after its
/// frames.
pub(in crate::view) struct Joined<M> {
    /// The first one has the axis.
    pub(in crate::view) games: Vec<M>,
    names: Vec<String>,
    /// What the paths of the first one begin with.
    first_prefix: String,
    /// The beginning of the axis.
    start: Instant,
    offsets: Vec<Option<Offset>>,
    columns: WatchList<GameColumn>,
    marks: Vec<Mark>,
    /// The newest mark of the first game that is in `marks`.
    newest_mark: Option<Mark>,
    surveyed: Surveyed,
    pumps: u32,
}

impl<M: Member> Joined<M> {
    /// Joins games. If two games have the same name, the second one's gets a number.
    pub(in crate::view) fn new(games: Vec<(String, M)>) -> Self {
        let (mut names, mut members) = (Vec::<String>::new(), Vec::new());
        for (name, game) in games {
            let name = name.replace('/', "-");
            let numbered = (2..).map(|number| format!("{name} {number}"));
            let mut all = std::iter::once(name.clone()).chain(numbered);
            names.extend(all.find(|name| !names.contains(name)));
            members.push(game);
        }
        Self {
            start: Instant::now(),
            offsets: vec![None; members.len()],
            games: members,
            first_prefix: names
                .first()
                .map_or(String::new(), |name| format!("{name}/")),
            names,
            columns: WatchList::default(),
            marks: Vec::new(),
            newest_mark: None,
            surveyed: Surveyed::default(),
            pumps: 0,
        }
    }

    /// Returns the names of the games.
    pub(in crate::view) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the path of the frame time of a game.
    pub(in crate::view) fn frame_time_of(&self, game: usize) -> String {
        format!("{}/{FRAME_TIME}", self.names[game])
    }

    /// Takes in what arrived from all games.
    pub(in crate::view) fn pump(&mut self) {
        for (game, offset) in self.games.iter_mut().zip(&mut self.offsets) {
            game.pump();
            // A game that was started again has a clock of its own, which is not known at first.
            let clock = game.clock(self.start);
            *offset = clock.map(|(secs, error_secs)| Offset { secs, error_secs });
        }
        let mut columns = std::mem::take(&mut self.columns);
        columns.sweep();
        let marks = self.take(&mut columns);
        self.columns = columns;
        if let Some(marks) = marks {
            self.newest_mark = self.games[0].marks().last().cloned();
            self.marks = marks;
        }
        self.pumps = self.pumps.wrapping_add(1);
        self.add_new_marks();
    }

    /// Adds the new marks of the first game, whose frames are known: a search for hitches reads the marks
    /// of a frame when it ends.
    fn add_new_marks(&mut self) {
        let all = self.games[0].marks();
        let is_new = |mark: &&Mark| {
            let newest = self.newest_mark.as_ref();
            newest.is_none_or(|newest| {
                mark.frames.start != newest.frames.start || mark.name != newest.name
            })
        };
        let new = all.iter().rev().take_while(is_new).count();
        if new == 0 || new == all.len() && self.newest_mark.is_some() {
            // There is no new mark, or the game has forgotten the known ones. Then all marks are put in
            // their places soon.
            return;
        }
        self.marks.extend_from_slice(&all[all.len() - new..]);
        self.marks.sort_by_key(|mark| mark.frames.start);
        self.newest_mark = all.last().cloned();
    }

    /// Takes in the values of other games. Returns the marks, if they are put in their places now.
    fn take(&self, columns: &mut WatchList<GameColumn>) -> Option<Vec<Mark>> {
        let first = self.timed(0)?;
        for column in columns.iter_mut().filter(|column| column.game > 0) {
            if let Some(other) = self.timed(column.game) {
                column.take(first, other);
            }
        }
        let is_due = self.pumps.is_multiple_of(MARKS_EVERY);
        is_due.then(|| self.placed_marks(first))
    }

    /// Says how well the clocks are known: `clocks ±2 ms`, the largest error of two games. Empty until
    /// it is known.
    pub(in crate::view) fn clocks(&self) -> String {
        let errors: Option<Vec<f64>> = (self.offsets.iter())
            .map(|offset| offset.map(|offset| offset.error_secs))
            .collect();
        let Some((first, others)) = errors.as_deref().and_then(<[f64]>::split_first) else {
            return "the clocks are not known yet".to_owned();
        };
        let error_ms = (first + others.iter().copied().fold(0.0, f64::max)) * 1e3;
        let frame_ms = self.games[0].frame_times(1).last().unwrap_or(f64::INFINITY);
        let note = if error_ms > frame_ms / 2.0 {
            ", more than half a frame"
        } else {
            ""
        };
        format!("clocks ±{error_ms:.1} ms{note}")
    }

    fn timed(&self, game: usize) -> Option<Timed<'_>> {
        let source = self.games.get(game)?;
        let offset = self.offsets[game]?;
        Some(Timed { source, offset })
    }

    /// Returns the marks of all games in frames of the first.
    fn placed_marks(&self, first: Timed<'_>) -> Vec<Mark> {
        let mut marks = first.source.marks().to_vec();
        for game in 1..self.games.len() {
            let Some(other) = self.timed(game) else {
                continue;
            };
            let place = |tick: u64| {
                let end_secs = other.offset.end_secs(&other.source.frame(tick)?);
                Some(frame_at(first, end_secs))
            };
            for mark in other.source.marks() {
                let Some(begin) = place(mark.frames.start) else {
                    continue;
                };
                let last = mark.frames.end.saturating_sub(1);
                let end = match mark.is_open() {
                    true => u64::MAX,
                    false => place(last).map_or(u64::MAX, |last| last.max(begin) + 1),
                };
                let name = format!("{}: {}", self.names[game], mark.name);
                marks.push(Mark::new(name, begin..end, mark.is_point));
            }
        }
        marks.sort_by_key(|mark| mark.frames.start);
        marks
    }

    /// Returns the game and the series that an id belongs to. The first id is that of the frame time of
    /// the first game. After it, the ids of the games alternate.
    fn of(&self, id: SeriesId) -> (usize, SeriesId) {
        let games = self.games.len();
        let series = match id.number().checked_sub(1) {
            Some(number) => SeriesId::new(number / games as u32),
            None => self.games[0].find(FRAME_TIME).unwrap_or(id),
        };
        (game_of(id, games), series)
    }

    fn id(&self, game: usize, id: SeriesId) -> SeriesId {
        id_among(self.games.len(), game, id)
    }

    /// Lists series of a game under their paths and ids among all. Returns whether to go on.
    fn list_game(
        &self,
        game: usize,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.games[game].list(series, &mut |info| {
            if flow.is_continue() {
                let path = format!("{}/{}", self.names[game], info.path);
                let mut joined = placed(info, &path, |id| self.id(game, id));
                // The clock of the source is another.
                if joined.kind == SeriesKind::FrameTime {
                    joined.kind = SeriesKind::Gauge;
                }
                flow = visit(joined);
            }
            flow
        });
        flow
    }

    /// Returns what becomes of several values of a series. A part of another series, such as the calls
    /// of a timer, is not listed by itself, and is added.
    fn fold(&self, game: usize, id: SeriesId) -> Fold {
        let mut kind = SeriesKind::Counter;
        let numbers = id.number()..id.number() + 1;
        self.games[game].list(Listed::Numbers(numbers), &mut |info| {
            if info.id == id {
                kind = info.kind;
            }
            ControlFlow::Continue(())
        });
        Fold::of(kind)
    }
}

/// Returns which of `games` games has a series.
pub(super) fn game_of(id: SeriesId, games: usize) -> usize {
    id.number().saturating_sub(1) as usize % games.max(1)
}

/// Returns the id of a series of one of `games` games among the series of all.
pub(super) fn id_among(games: usize, game: usize, id: SeriesId) -> SeriesId {
    SeriesId::new(1 + games as u32 * id.number() + game as u32)
}

/// Returns the frame in which a time is.
fn frame_at(first: Timed<'_>, secs: f64) -> u64 {
    let frames = first.source.frames();
    let (mut low, mut high) = (frames.start, frames.end);
    while low < high {
        let middle = low + (high - low) / 2;
        let frame = first.source.frame(middle);
        if frame.is_some_and(|frame| first.offset.end_secs(&frame) < secs) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

impl<M: Member> Source for Joined<M> {
    fn generation(&self) -> u64 {
        self.games.iter().map(Source::generation).sum()
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let ends = self.games.iter().map(|game| {
            let nothing = Listed::Numbers(0..0);
            let end = game.list(nothing, &mut |_| ControlFlow::Continue(()));
            end.unwrap_or(0)
        });
        let end = 1 + self.games.len() as u32 * ends.max().unwrap_or(0);
        let clock = SeriesInfo::frame_time(SeriesId::new(0));
        let _ = match series {
            Listed::ChangedSince(since) if since >= self.generation() => ControlFlow::Continue(()),
            Listed::All | Listed::ChangedSince(_) => {
                let mut games = 0..self.games.len();
                match visit(clock) {
                    ControlFlow::Continue(()) => {
                        games.try_for_each(|game| self.list_game(game, Listed::All, visit))
                    }
                    ControlFlow::Break(()) => ControlFlow::Break(()),
                }
            }
            Listed::Numbers(numbers) => {
                (numbers.start..numbers.end.min(end)).try_for_each(|number| {
                    if number == 0 {
                        return visit(clock);
                    }
                    let (game, id) = self.of(SeriesId::new(number));
                    let one = Listed::Numbers(id.number()..id.number() + 1);
                    self.list_game(game, one, visit)
                })
            }
            _ => return None,
        };
        Some(end)
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        if path == FRAME_TIME {
            return Some(SeriesId::new(0));
        }
        let (name, path) = path.split_once('/')?;
        let game = self.names.iter().position(|known| known == name)?;
        Some(self.id(game, self.games[game].find(path)?))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        let (game, of_game) = self.of(id);
        let fold = self.fold(game, of_game);
        let source = &mut self.games[game];
        (self.columns).watch(id, || GameColumn::new(game, source.watch(of_game), fold))
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        match self.columns.get(watch) {
            Some(column) if column.game == 0 => self.games[0].history(&column.watch, frames),
            Some(column) => column.window(frames),
            None => FrameSlice::new(self.frames().end, &[], &[]),
        }
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        let (game, id) = self.of(id);
        self.games[game].peek(id)
    }

    fn frames(&self) -> Range<u64> {
        self.games[0].frames()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.games[0].frame(index)
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        self.games[0].frame_times(frames)
    }

    fn survey(&mut self) -> Option<Survey<'_>> {
        let (games, end) = (self.games.len(), self.frames().end);
        let first = &mut self.games[0];
        let clock = first.find(FRAME_TIME);
        Some(self.surveyed.place(first.survey()?, (games, clock, end)))
    }

    fn survey_of(&mut self, frame: u64) -> Option<Survey<'_>> {
        let (games, end) = (self.games.len(), self.frames().end);
        let first = &mut self.games[0];
        let clock = first.find(FRAME_TIME);
        let survey = first.survey_of(frame)?;
        Some(self.surveyed.place(survey, (games, clock, end)))
    }

    fn frame_thread(&self) -> Option<&str> {
        self.games[0].frame_thread()
    }

    fn clock_prefix(&self) -> &str {
        &self.first_prefix
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }
}

impl Member for RemoteSource {
    fn pump(&mut self) {
        Self::pump(self);
    }

    fn clock(&self, start: Instant) -> Option<(f64, f64)> {
        self.clock_offset(start)
    }
}
