//! Asks the game for what views read.

use std::collections::HashSet;
use std::time::Duration;

use super::history::frames_of_each;
use super::source::{RemoteSource, Sent};
use super::surveys;
use super::{Instant, Link};
use crate::wire::to_game::{CLOCK, MAX_IDS, ToGame, Want};

/// How long a row counts as on screen after it was read, and how often the rows are sent. A row that was
/// read since the last call of `pump` always counts, so a long frame of the viewer does not drop it.
const ROW: Duration = Duration::from_millis(500);
const ROWS_EVERY: Duration = Duration::from_millis(100);

/// How long an answer with past values may take, before their frames are shown without them.
const PAST: Duration = Duration::from_secs(10);

impl RemoteSource {
    /// Asks for frames of the clock again.
    pub(super) fn want_clock(&mut self, from: u64, to: u64) {
        let Some(session) = &self.session else {
            return;
        };
        self.clock_asked = Some(Instant::now());
        self.durations_ms.hold(from);
        self.starts_secs.hold(from);
        self.link.send(ToGame::Want(vec![Want {
            series: CLOCK,
            from: from.saturating_sub(session.first_frame),
            to: to.saturating_sub(session.first_frame),
        }]));
    }

    /// Asks for frames of all series again that something but the survey watches.
    pub(super) fn want_again(&mut self, from: u64, to: u64) {
        let Some(session) = &self.session else {
            return;
        };
        let mut wants = Vec::new();
        for history in self.watches.iter_mut() {
            let of_game = self.listing.to_game(history.series);
            let (Some(series), Some(sent)) = (of_game, self.watched.get_mut(&history.series))
            else {
                continue;
            };
            if history.is_deferred || !sent.has_past {
                continue;
            }
            sent.asked = Some(Instant::now());
            history.hold(from);
            wants.push(Want {
                series,
                from: from.saturating_sub(session.first_frame),
                to: to.saturating_sub(session.first_frame),
            });
        }
        send_wants(&self.link, &wants);
    }

    /// Tells the game which series are watched now.
    pub(super) fn sync_watches(&mut self) {
        self.watches.sweep();
        let frames = frames_of_each(self.watches.len());
        for history in self.watches.iter_mut() {
            let is_viewed = self.viewed.contains(&history.series);
            let most = if is_viewed { frames } else { surveys::FRAMES };
            history.keep(frames.min(most));
        }
        if self.status.error.is_some() {
            return;
        }
        let Self {
            watches,
            watched,
            refused,
            viewed,
            listing,
            link,
            ..
        } = self;
        let (mut new, mut past, mut alive) = (Vec::new(), Vec::new(), 0);
        for history in watches.iter_mut().filter(|history| !history.is_clock) {
            let is_viewed = viewed.contains(&history.series);
            if let Some(sent) = watched.get_mut(&history.series) {
                alive += 1;
                let is_new = is_viewed && !sent.has_past && !refused.contains(&history.series);
                if let Some(of_game) = listing.to_game(history.series).filter(|_| is_new) {
                    // Until now, only the survey read it.
                    (sent.asked, sent.has_past) = (Some(Instant::now()), true);
                    history.hold(0);
                    past.push((of_game, 0));
                }
                continue;
            }
            let Some(of_game) = listing.to_game(history.series) else {
                continue;
            };
            let sent = Sent {
                asked: is_viewed.then(Instant::now),
                has_past: is_viewed,
            };
            watched.insert(history.series, sent);
            alive += 1;
            history.is_deferred = listing.is_deferred(history.series);
            new.push((of_game, history.is_deferred));
            if is_viewed {
                // What is there already is shown: the values after it are missing.
                history.hold(history.end());
                past.push((of_game, history.end()));
            }
        }
        if watched.len() > alive {
            let kept: HashSet<u32> = watches.iter_mut().map(|history| history.series).collect();
            viewed.retain(|series| kept.contains(series));
            let mut gone = Vec::new();
            watched.retain(|series, _| {
                let is_kept = kept.contains(series);
                if !is_kept {
                    refused.remove(series);
                    gone.extend(listing.to_game(*series));
                }
                is_kept
            });
            gone.chunks(MAX_IDS)
                .for_each(|ids| link.send(ToGame::Unwatch(ids.to_vec())));
        }
        let first = self
            .session
            .as_ref()
            .map_or(0, |session| session.first_frame);
        for part in new.chunks(MAX_IDS) {
            link.send(ToGame::Watch(part.to_vec()));
        }
        // What begins together ends together, so that a few messages ask for everything.
        past.sort_unstable_by_key(|(_, end)| *end);
        for part in past.chunk_by(|a, b| a.1 == b.1) {
            let wants = part.iter().map(|(series, end)| Want {
                series: *series,
                from: end.saturating_sub(first),
                to: u64::MAX,
            });
            send_wants(link, &wants.collect::<Vec<_>>());
        }
    }

    /// Tells the game which rows are on screen now.
    pub(super) fn sync_rows(&mut self) {
        let now = Instant::now();
        self.rows
            .retain(|_, row| std::mem::take(&mut row.is_new) || now - row.asked < ROW);
        if now - self.rows_sent.0 < ROWS_EVERY || self.status.error.is_some() {
            return;
        }
        let listed = self.rows.keys().filter_map(|id| self.listing.to_game(*id));
        let mut rows: Vec<u32> = listed.take(MAX_IDS).collect();
        rows.sort_unstable();
        if rows != self.rows_sent.1 {
            self.link.send(ToGame::Rows(rows.clone()));
        }
        self.rows_sent = (now, rows);
    }

    /// Shows frames without the values of a past that does not arrive.
    pub(super) fn give_up_waiting(&mut self) {
        let is_over = |asked: Option<Instant>| asked.is_some_and(|asked| asked.elapsed() > PAST);
        if is_over(self.clock_asked) {
            self.clock_asked = None;
            self.starts_secs.release();
            self.durations_ms.release();
        }
        for history in self.watches.iter_mut() {
            let sent = self.watched.get_mut(&history.series);
            if let Some(sent) = sent.filter(|sent| is_over(sent.asked)) {
                sent.asked = None;
                history.release();
            }
        }
    }
}

/// Asks for past values of several series, those of the same frames in each message.
fn send_wants(link: &Link, wants: &[Want]) {
    for part in wants.chunks(MAX_IDS) {
        link.send(ToGame::Want(part.to_vec()));
    }
}
