//! Takes in what the game sent.

use std::collections::HashMap;

use super::Instant;
use super::history::{History, MAX_FRAMES};
use super::source::RemoteSource;
use crate::wire::to_game::{CLOCK, SCOPES, ToGame, Want};
use crate::wire::to_viewer::{Marks, Past, ToViewer, Values};

impl RemoteSource {
    pub(super) fn take(&mut self, message: ToViewer, newest: &mut Option<u64>) {
        match message {
            ToViewer::List(list) => {
                self.listing.add(list.entries);
                self.listing.is_complete |= list.is_complete;
            }
            ToViewer::Values(values) => {
                *newest = Some(values.block);
                self.take_values(&values);
            }
            ToViewer::Past(past) => self.take_past(&past),
            ToViewer::Newest(values) => {
                for (id, value) in values {
                    let row = self
                        .listing
                        .of_game(id)
                        .and_then(|id| self.rows.get_mut(&id));
                    if let Some(row) = row {
                        row.value = (!value.is_nan()).then_some(value);
                    }
                }
            }
            ToViewer::Marks(marks) => self.take_marks(marks),
            ToViewer::Thread(name) => self.frame_thread = Some(name),
            ToViewer::Lanes(lanes) => lanes
                .into_iter()
                .for_each(|lane| self.scopes.add_lane(lane)),
            ToViewer::Scopes(frame) => self.take_scopes(&frame),
            ToViewer::Gained(gained) => {
                if let Some(series) = self.listing.of_game(gained.series) {
                    self.distributions.take(series, gained);
                }
            }
            ToViewer::Refused(ids) => {
                for id in ids {
                    let series = self.listing.of_game(id);
                    let watched = series.filter(|series| self.watched.contains_key(series));
                    self.refused.extend(watched);
                    self.answered(id);
                }
            }
            // The link keeps these.
            ToViewer::Welcome(_) | ToViewer::Pong(..) | ToViewer::Bye(_) => {}
        }
    }

    fn take_values(&mut self, values: &Values) {
        let Some(session) = &mut self.session else {
            return;
        };
        let first = session.first_frame + values.first_frame;
        let start_secs = session.start_secs;
        let is_first = !std::mem::replace(&mut session.has_frames, true);
        let end = self.durations_ms.end();
        let is_gap = !self.durations_ms.is_empty() && first > end;
        let (begin, is_empty) = (session.first_frame, self.durations_ms.is_empty());
        if is_gap && !is_first {
            self.status.gaps += 1;
        }
        for (at, frame) in (first..).take(values.durations_ms.len()).enumerate() {
            self.starts_secs
                .set(frame, values.starts_secs[at] + start_secs);
            self.durations_ms.set(frame, values.durations_ms[at]);
        }
        if is_empty || is_gap {
            // What is missing before these frames, or everything that the game kept.
            let from = if is_gap { end } else { begin };
            self.want_clock(from.max(first.saturating_sub(MAX_FRAMES)), first);
            if is_gap {
                self.want_again(end, first);
            }
        }
        let columns: HashMap<u32, &[f64]> =
            values.series.iter().map(|(id, v)| (*id, &v[..])).collect();
        let count = values.durations_ms.len() as u64;
        for history in self.watches.iter_mut() {
            if history.is_deferred || history.is_clock {
                continue;
            }
            let of_game = self.listing.to_game(history.series);
            let column = of_game.and_then(|id| columns.get(&id));
            match column {
                Some(column) => {
                    let frames = first..;
                    frames
                        .zip(*column)
                        .for_each(|(frame, value)| history.set(frame, *value));
                }
                // The game does not send it yet. What it has of these frames was asked for.
                None if self.watched.contains_key(&history.series) && !history.is_empty() => {
                    history.set(first + count.max(1) - 1, f64::NAN)
                }
                None => {}
            }
        }
        // Readers may not see these frames yet.
        let newest = values.starts_secs.last().zip(values.durations_ms.last());
        if let Some((newest_secs, duration_ms)) = newest {
            let end_secs = start_secs + newest_secs + duration_ms / 1e3;
            self.delay_secs = self.delay_secs.min(self.secs_of(self.heard) - end_secs);
        }
    }

    fn take_past(&mut self, past: &Past) {
        let Some(session) = &self.session else {
            return;
        };
        let (first, start_secs) = (session.first_frame + past.first_frame, session.start_secs);
        if past.series == SCOPES {
            self.scopes.answered(first);
            return;
        }
        if past.series == CLOCK {
            for (frame, start) in (first..).zip(&past.values) {
                self.starts_secs.set(frame, start + start_secs);
            }
            for (frame, duration) in (first..).zip(&past.durations_ms) {
                self.durations_ms.set(frame, *duration);
            }
            if past.is_done {
                self.starts_secs.answered();
                if self.durations_ms.answered() {
                    self.clock_asked = None;
                }
            }
            return;
        }
        let Some(series) = self.listing.of_game(past.series) else {
            return;
        };
        let of_series = |history: &&mut History| history.series == series;
        if let Some(history) = self.watches.iter_mut().find(of_series) {
            let (end, is_new) = (history.end(), history.is_deferred && !past.is_done);
            for (frame, value) in (first..).zip(&past.values) {
                history.set(frame, *value);
            }
            let sent = self.watched.get_mut(&series);
            let sent = sent.filter(|sent| sent.asked.is_none() && is_new && first > end);
            let sent = sent.filter(|sent| sent.has_past || end > 0);
            if let Some(sent) = sent {
                // Deferred values were left out before these.
                sent.asked = Some(Instant::now());
                history.hold(end);
                self.link.send(ToGame::Want(vec![Want {
                    series: past.series,
                    from: end.saturating_sub(session.first_frame),
                    to: past.first_frame,
                }]));
            }
        }
        if past.is_done {
            self.answered(past.series);
        }
    }

    /// Takes note that a request for a series of the game was answered.
    fn answered(&mut self, of_game: u32) {
        let Some(series) = self.listing.of_game(of_game) else {
            return;
        };
        let of_series = |history: &&mut History| history.series == series;
        let Some(history) = self.watches.iter_mut().find(of_series) else {
            return;
        };
        if history.answered() {
            history.trim();
            if let Some(sent) = self.watched.get_mut(&series) {
                sent.asked = None;
            }
        }
    }

    fn take_marks(&mut self, marks: Marks) {
        let Some(session) = &self.session else {
            return;
        };
        let (old, first) = (self.old_marks.len(), session.first_frame);
        self.marks.truncate(old + marks.total);
        for (position, mut mark) in marks.marks {
            let shifted = |frame: u64| match frame {
                u64::MAX => frame,
                frame => frame.saturating_add(first),
            };
            mark.frames = shifted(mark.frames.start)..shifted(mark.frames.end);
            match self.marks.get_mut(old + position) {
                Some(place) => *place = mark,
                None => self.marks.push(mark),
            }
        }
    }
}
