//! What the rows on screen show of their series: texts, and the newest values.
//!
//! The source is read before the rows are painted: [`read`](RowReader::read) fills a
//! [`RowValues`] for each row on screen, and the painters get these. Values are read in every pass,
//! and formatted at each refresh.

use std::collections::HashMap;
use std::sync::Arc;

use stats_core::{Distribution, FrameSlice, SeriesId, SeriesKind, Source, Unit, Watch};

use crate::data::samples::{Samples, samples_text};
use crate::data::selection::Selection;
use crate::data::snapshot::Snapshot;
use crate::paint::sparkline::{RANGE_FRAMES, SPARK_FRAMES, extremes};
use crate::tree::ranking::Columns;
use stats_analysis::format::{NO_VALUE, write_value};
use stats_ui::text::one_line;

/// The texts in the row of a series.
#[derive(Clone, Debug, Default)]
pub(super) struct RowText {
    pub(super) value: String,
    /// The smallest and the largest recent value; empty for a histogram, and for a series without a
    /// history.
    pub(super) range: String,
    /// The mean of a histogram's samples, for a row without room for `value`; empty for any other
    /// series.
    pub(super) mean: String,
    /// The sum of a histogram's samples in the newest frame, and its samples in this run; empty for
    /// any other series.
    pub(super) samples: String,
}

impl RowText {
    fn clear(&mut self) {
        for text in [
            &mut self.value,
            &mut self.range,
            &mut self.mean,
            &mut self.samples,
        ] {
            text.clear();
        }
    }
}

/// What a row shows besides its name.
#[derive(Clone, Debug, Default)]
pub(super) enum Shows {
    /// Nothing: a heading, or a folder.
    #[default]
    Nothing,
    /// The newest value. If the series has a history, also its recent range and a small graph.
    Value,
    /// The reason for having no values.
    Reason,
    /// The columns of a ranking.
    Columns(Columns),
}

/// What a row on screen shows of its series.
#[derive(Debug, Default)]
pub(super) struct RowValues {
    pub(super) shows: Shows,
    pub(super) text: Arc<RowText>,
    /// The newest values, from the oldest to the newest, and the frame of the first one.
    newest: (u64, Vec<f64>),
}

impl RowValues {
    /// Returns the newest values; empty for a series without a history.
    pub(super) fn newest(&self) -> FrameSlice<'_> {
        FrameSlice::new(self.newest.0, &self.newest.1, &[])
    }

    /// Shows a text in place of values.
    fn say(&mut self, shows: Shows, text: &str) {
        self.shows = shows;
        let all = Arc::make_mut(&mut self.text);
        all.clear();
        all.value.push_str(text);
    }

    fn set_newest(&mut self, values: FrameSlice<'_>) {
        let end = values.frames().end;
        let newest = values.within(end.saturating_sub(SPARK_FRAMES)..end);
        self.newest.0 = newest.first_frame();
        self.newest.1.clear();
        let (older, newer) = newest.as_slices();
        self.newest.1.extend_from_slice(older);
        self.newest.1.extend_from_slice(newer);
    }
}

/// The subject of a row.
pub(super) enum Subject<'a> {
    /// No series: a heading, or a folder.
    Nothing,
    /// A path that no series has.
    Missing,
    /// A series whose values are not known, and the reason.
    Unknown(&'a str),
    /// A series in a ranking: its columns, and the same as a sentence.
    Ranked(Columns, String),
    Series(SeriesId, SeriesKind, Unit),
}

/// The texts on screen, until numbers are refreshed.
#[derive(Debug, Default)]
pub(super) struct RowTexts {
    texts: HashMap<SeriesId, Arc<RowText>>,
    /// Texts that were on screen before, to reuse their memory.
    old: Vec<Arc<RowText>>,
}

impl RowTexts {
    /// Forgets the texts, so that the next pass writes them again.
    pub(super) fn forget(&mut self) {
        self.old.clear();
        self.old.extend(self.texts.drain().map(|(_, text)| text));
    }
}

/// Reads the source for the rows of a pass.
pub(crate) struct RowReader<'a> {
    pub(crate) source: &'a mut dyn Source,
    /// The copy that the views show while they are paused.
    pub(crate) paused: Option<&'a Snapshot>,
}

impl RowReader<'_> {
    /// Reads what a row shows of its subject.
    pub(super) fn read(
        &mut self,
        subject: Subject<'_>,
        selection: &Selection,
        texts: &mut RowTexts,
        values: &mut RowValues,
    ) {
        values.newest.1.clear();
        let (id, kind, unit) = match subject {
            Subject::Nothing => return values.say(Shows::Nothing, ""),
            Subject::Missing => return values.say(Shows::Value, "missing"),
            Subject::Unknown(why) => return values.say(Shows::Reason, &one_line(why, 600)),
            Subject::Ranked(columns, text) => return values.say(Shows::Columns(columns), &text),
            Subject::Series(id, kind, unit) => (id, kind, unit),
        };
        values.shows = Shows::Value;
        // Peeks even while the text stays, because a peek expires unless it is repeated.
        let watch = selection.watch_of(id);
        let is_peeked = watch.is_none() && self.paused.is_none();
        let peeked = is_peeked.then(|| self.source.peek(id));
        let peeked = peeked.flatten();
        let path = selection.path_of(id);
        let window = watch.map_or_else(Default::default, |watch| self.window_of(path, &watch));
        values.set_newest(window);
        if let Some(text) = texts.texts.get(&id) {
            values.text = Arc::clone(text);
            return;
        }
        let Some(value) = peeked.or_else(|| window.last()) else {
            return values.say(Shows::Value, NO_VALUE);
        };
        let is_histogram = kind == SeriesKind::Histogram;
        let distribution = is_histogram.then(|| self.distribution_of(selection, id));
        let mut text = texts.old.pop().unwrap_or_default();
        let all = Arc::make_mut(&mut text);
        write(all, (value, window), unit, distribution.flatten().as_ref());
        values.text = Arc::clone(&text);
        texts.texts.insert(id, text);
    }

    /// Returns the newest values of a selected series, or the values at the pause if the views are
    /// paused.
    fn window_of(&self, path: Option<&str>, watch: &Watch) -> FrameSlice<'_> {
        let Some(snapshot) = self.paused else {
            return self.source.history(watch, RANGE_FRAMES as usize);
        };
        let window = path.map_or_else(FrameSlice::default, |path| snapshot.window_of(path));
        let end = window.frames().end;
        window.within(end.saturating_sub(RANGE_FRAMES)..end)
    }

    /// Returns the distribution of a histogram, or the one at the pause if the views are paused;
    /// `None` if it is not known.
    fn distribution_of(&self, selection: &Selection, id: SeriesId) -> Option<Distribution> {
        match self.paused {
            None => self.source.distribution(id),
            Some(snapshot) => snapshot.distribution(selection.path_of(id)?).cloned(),
        }
    }
}

/// Writes the texts of a series with its newest value.
fn write(
    text: &mut RowText,
    (value, window): (f64, FrameSlice<'_>),
    unit: Unit,
    distribution: Option<&Distribution>,
) {
    text.clear();
    let RowText {
        value: now,
        range,
        mean,
        samples,
    } = text;
    if let Some(distribution) = distribution {
        match Samples::of(distribution) {
            Some(samples) => {
                let style = samples.style(None, unit);
                samples.write(style, now);
                style.write_text(samples.mean, mean);
            }
            None => now.push_str(NO_VALUE),
        }
        samples.push_str("sum of the newest frame: ");
        write_value(value, unit, samples);
        samples.push('\n');
        samples.push_str(&samples_text(distribution, unit));
        return;
    }
    write_value(value, unit, now);
    if let Some((lo, hi)) = extremes(window) {
        write_value(lo, unit, range);
        range.push_str(" … ");
        write_value(hi, unit, range);
    }
}
