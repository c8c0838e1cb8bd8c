//! The values of a hitch's own series in the frame of the hitch and in the frames after it, for
//! hitches that are noticed while no panes are on screen.
//!
//! Only panes keep the values of all series. A hitch is ranked a few frames after it was noticed;
//! until then, all series that may explain it are kept.

use std::collections::VecDeque;

/// The number of frames after a hitch that are kept.
const FRAMES: usize = 120;
/// The maximum number of series of a ranked hitch.
const MAX_SERIES: usize = 8;
/// The maximum memory of all values, in bytes. The oldest hitches are dropped first.
const MAX_BYTES: usize = 64 << 10;

/// The frames after the last hitches.
#[derive(Debug, Default)]
pub(crate) struct Aftermath {
    /// In the order of their first frames.
    windows: VecDeque<Window>,
}

/// The values of some series in consecutive frames.
#[derive(Debug)]
struct Window {
    /// The numbers of the series.
    series: Vec<u32>,
    first: u64,
    /// The values of all series in one frame after the other. Unknown values are NaN.
    values: Vec<f64>,
}

impl Aftermath {
    /// Begins to keep some series, with the frame of a hitch.
    pub(crate) fn begin(&mut self, frame: u64, series: Vec<u32>) {
        self.windows.retain(|window| window.first < frame);
        self.windows.push_back(Window {
            series,
            first: frame,
            values: Vec::new(),
        });
    }

    /// Takes the values of all series in a frame.
    pub(crate) fn take(&mut self, frame: u64, values: &[f64]) {
        for window in self.windows.iter_mut().rev() {
            let Some(at) = frame.checked_sub(window.first) else {
                continue;
            };
            if at > FRAMES as u64 {
                break;
            }
            window.take(at as usize, values);
        }
    }

    /// Keeps only the given series of a hitch, and none if there are none.
    fn narrow(&mut self, frame: u64, series: impl Iterator<Item = u32>) {
        let Ok(at) = (self.windows).binary_search_by_key(&frame, |window| window.first) else {
            return;
        };
        let window = &self.windows[at];
        let mut places = Vec::new();
        for number in series {
            let place = window.series.iter().position(|known| *known == number);
            places.extend(place.filter(|place| !places.contains(place)));
        }
        places.truncate(MAX_SERIES);
        if places.is_empty() {
            _ = self.windows.remove(at);
            return;
        }
        self.windows[at] = window.part(&places);
        let mut bytes: usize = self.windows.iter().map(Window::bytes).sum();
        while bytes > MAX_BYTES
            && self.windows.len() > 1
            && let Some(oldest) = self.windows.pop_front()
        {
            bytes -= oldest.bytes();
        }
    }

    /// Keeps only the own series of the hitches from a frame on, now that they are ranked.
    pub(crate) fn narrow_from(&mut self, frame: u64, series_of: impl Fn(u64) -> Vec<u32>) {
        let frames = self.windows.iter().map(|window| window.first);
        let frames: Vec<u64> = frames.filter(|first| *first >= frame).collect();
        for frame in frames {
            self.narrow(frame, series_of(frame).into_iter());
        }
    }

    /// Drops the hitches before a frame.
    pub(crate) fn drop_before(&mut self, frame: u64) {
        while self
            .windows
            .front()
            .is_some_and(|window| window.first < frame)
        {
            self.windows.pop_front();
        }
    }

    /// Returns the frames and the kept values of a series, given by its number, oldest first.
    pub(crate) fn values_of(&self, number: u32) -> impl Iterator<Item = (u64, f64)> {
        let mut next = 0;
        self.windows
            .iter()
            .flat_map(move |window| window.values_of(number))
            // Windows overlap if two hitches are near each other.
            .filter(move |(frame, _)| {
                let is_new = *frame >= next;
                next = next.max(frame + 1);
                is_new
            })
    }
}

impl Window {
    /// Sets the values of the frame with an index in the window.
    fn take(&mut self, at: usize, values: &[f64]) {
        let count = self.series.len();
        if self.values.len() > at * count {
            // It was taken while the engine was away.
            return;
        }
        if self.values.capacity() == 0 {
            // A ranked hitch keeps growing; the others are narrowed soon.
            self.values.reserve_exact(count * 4);
        }
        // The frames in between were not examined.
        self.values.resize(at * count, f64::NAN);
        let values_of = |series: &u32| values.get(*series as usize).copied().unwrap_or(f64::NAN);
        self.values.extend(self.series.iter().map(values_of));
    }

    /// Returns a window of some of its series, with memory for all frames.
    fn part(&self, places: &[usize]) -> Self {
        let mut values = Vec::with_capacity(places.len() * (FRAMES + 1));
        for row in self.values.chunks_exact(self.series.len()) {
            values.extend(places.iter().map(|place| row[*place]));
        }
        Self {
            series: places.iter().map(|place| self.series[*place]).collect(),
            first: self.first,
            values,
        }
    }

    fn values_of(&self, number: u32) -> impl Iterator<Item = (u64, f64)> {
        let place = self.series.iter().position(|known| *known == number);
        let rows = (self.first..).zip(self.values.chunks_exact(self.series.len().max(1)));
        place
            .into_iter()
            .flat_map(move |place| rows.clone().map(move |(frame, row)| (frame, row[place])))
    }

    fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<f64>() + self.series.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(frame: u64, series: usize) -> f64 {
        (frame * 1000 + series as u64) as f64
    }

    fn take(aftermath: &mut Aftermath, frames: std::ops::Range<u64>) {
        for frame in frames {
            let values: Vec<f64> = (0..8).map(|series| value(frame, series)).collect();
            aftermath.take(frame, &values);
        }
    }

    fn frames_of(aftermath: &Aftermath, series: u32) -> Vec<u64> {
        let all = aftermath.values_of(series);
        let known = all.filter(|(_, value)| !value.is_nan());
        let known =
            known.inspect(|(frame, kept)| assert_eq!(*kept, value(*frame, series as usize)));
        known.map(|(frame, _)| frame).collect()
    }

    #[test]
    fn the_own_series_of_a_hitch_keep_its_frame_and_the_120_after_it() {
        let mut aftermath = Aftermath::default();
        aftermath.begin(500, vec![1, 4, 6]);
        take(&mut aftermath, 500..503);
        aftermath.narrow(500, [4, 7, 4].into_iter());
        take(&mut aftermath, 504..700);
        let expected: Vec<u64> = (500..=620).filter(|frame| *frame != 503).collect();
        assert_eq!(frames_of(&aftermath, 4), expected);
        assert_eq!(frames_of(&aftermath, 1), [0; 0]);
        aftermath.drop_before(501);
        assert_eq!(frames_of(&aftermath, 4), [0; 0]);
    }

    #[test]
    fn near_hitches_share_their_frames_and_one_without_series_keeps_nothing() {
        let mut aftermath = Aftermath::default();
        aftermath.begin(100, vec![1, 2]);
        take(&mut aftermath, 100..150);
        aftermath.begin(150, vec![2, 3]);
        take(&mut aftermath, 150..160);
        aftermath.narrow(100, [2].into_iter());
        aftermath.narrow(150, [2].into_iter());
        aftermath.begin(160, vec![5]);
        aftermath.narrow(160, [].into_iter());
        take(&mut aftermath, 160..400);
        assert_eq!(frames_of(&aftermath, 2), (100..=270).collect::<Vec<_>>());
        assert_eq!(aftermath.windows.len(), 2);
    }

    #[test]
    fn the_memory_is_bounded_and_the_oldest_hitch_goes_first() {
        let mut aftermath = Aftermath::default();
        for hitch in 0..300 {
            let frame = hitch * 10;
            aftermath.begin(frame, (0..8).collect());
            take(&mut aftermath, frame..frame + 10);
            aftermath.narrow(frame, 0..8);
            let bytes: usize = aftermath.windows.iter().map(Window::bytes).sum();
            assert!(bytes <= MAX_BYTES, "{bytes}");
        }
        assert_eq!(frames_of(&aftermath, 3).last(), Some(&2999));
        assert!(aftermath.windows.len() >= 8);
    }
}
