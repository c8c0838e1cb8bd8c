//! The samples of a histogram, as what changed since they were last sent.
//!
//! The buckets of a run only gain samples, so a message has the buckets that did, each with how many. A
//! bucket is named by a value in it, the same one each time.

use stats_core::{Bucket, Distribution, DistributionSummary, Precision};

use super::Malformed;
use super::bytes::{Bytes, put_number};
use super::column::{self, MAX_FRAMES};
use super::reading::column as read_column;

/// The most buckets of a histogram. One with more is not sent.
pub(crate) const MAX_BUCKETS: usize = 1 << 14;

const PRECISIONS: [Precision; 3] = [
    Precision::TwoDigits,
    Precision::ThreeDigits,
    Precision::FourDigits,
];

const IS_NEW: u8 = 1 << 2;
const IS_LAST: u8 = 1 << 3;
const IS_WHOLE: u8 = 1 << 4;

/// Samples that a histogram gained, in part or whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gained {
    pub(crate) series: u32,
    pub(crate) precision: Precision,
    /// Whether what was sent before belongs to another run.
    pub(crate) is_new: bool,
    /// A value in each bucket, and the samples that it gained.
    pub(crate) buckets: Vec<(f64, u64)>,
    /// The moments of all samples, with the last part.
    pub(crate) summary: Option<DistributionSummary>,
}

/// The moments of no samples.
const NONE: DistributionSummary = DistributionSummary {
    count: 0,
    sum: 0.0,
    min: f64::INFINITY,
    max: f64::NEG_INFINITY,
    mean: 0.0,
    squares: 0.0,
    is_whole: true,
};

impl Gained {
    /// Returns what a histogram gained since it was sent `before`, in parts that fit into a message. Empty
    /// if it did not change.
    pub(crate) fn since(
        series: u32,
        before: Option<&Distribution>,
        now: &Distribution,
    ) -> Vec<Self> {
        if before == Some(now) {
            return Vec::new();
        }
        let precision = now.precision();
        let of_run = before.filter(|before| before.precision() == precision);
        let gained = of_run.and_then(|before| gained(before, now));
        let is_new = gained.is_none();
        let all = || now.buckets().map(|bucket| (middle(&bucket), bucket.count));
        let buckets = gained.unwrap_or_else(|| all().collect());
        let count = buckets.len().div_ceil(MAX_FRAMES).max(1);
        let part = |at: usize| Self {
            series,
            precision,
            is_new: is_new && at == 0,
            buckets: (buckets.iter().skip(at * MAX_FRAMES).take(MAX_FRAMES))
                .copied()
                .collect(),
            summary: (at + 1 == count).then(|| now.summary().unwrap_or(NONE)),
        };
        (0..count).map(part).collect()
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.series.into());
        let precision = PRECISIONS.iter().position(|one| *one == self.precision);
        let summary = self.summary.unwrap_or(NONE);
        let flags = [
            (self.is_new, IS_NEW),
            (self.summary.is_some(), IS_LAST),
            (summary.is_whole, IS_WHOLE),
        ];
        let set = flags.iter().filter(|(is_set, _)| *is_set);
        let flags = set.fold(0, |all, (_, flag)| all | flag);
        out.push(flags | precision.unwrap_or(0) as u8);
        put_number(out, self.buckets.len() as u64);
        put_column(out, self.buckets.iter().map(|(value, _)| *value));
        for (_, count) in &self.buckets {
            put_number(out, *count);
        }
        if self.summary.is_some() {
            put_number(out, summary.count);
            let DistributionSummary {
                sum,
                min,
                max,
                mean,
                squares,
                ..
            } = summary;
            put_column(out, [sum, min, max, mean, squares].into_iter());
        }
    }

    pub(super) fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        let series = bytes.number32()?;
        let flags = bytes.byte()?;
        let precision = PRECISIONS.get(usize::from(flags & 3));
        let precision = *precision.ok_or(Malformed)?;
        if flags >= IS_WHOLE << 1 {
            return Err(Malformed);
        }
        let count = bytes.count(MAX_FRAMES)?;
        let values = read_column(bytes, count)?.1;
        let mut buckets = Vec::with_capacity(count);
        for value in values {
            let count = bytes.number()?;
            if !value.is_finite() || count == 0 {
                return Err(Malformed);
            }
            buckets.push((value, count));
        }
        let mut summary = None;
        if flags & IS_LAST != 0 {
            let count = bytes.number()?;
            let moments = read_column(bytes, 5)?.1;
            summary = Some(DistributionSummary {
                count,
                sum: moments[0],
                min: moments[1],
                max: moments[2],
                mean: moments[3],
                squares: moments[4],
                is_whole: flags & IS_WHOLE != 0,
            });
        }
        Ok(Self {
            series,
            precision,
            is_new: flags & IS_NEW != 0,
            buckets,
            summary,
        })
    }
}

/// Returns the buckets that gained samples; `None` if one lost some, which then belongs to another run.
fn gained(before: &Distribution, now: &Distribution) -> Option<Vec<(f64, u64)>> {
    let mut before = before.buckets().peekable();
    let mut gained = Vec::new();
    for bucket in now.buckets() {
        let same = before.next_if(|earlier| earlier.from == bucket.from);
        match bucket
            .count
            .checked_sub(same.map_or(0, |same| same.count))?
        {
            0 => {}
            count => gained.push((middle(&bucket), count)),
        }
    }
    before.next().is_none().then_some(gained)
}

/// Returns a value in a bucket that does not depend on its samples.
fn middle(bucket: &Bucket) -> f64 {
    match (bucket.from.is_finite(), bucket.to.is_finite()) {
        (true, true) => bucket.from.midpoint(bucket.to),
        (true, false) => 2.0 * bucket.from,
        _ => 2.0 * bucket.to,
    }
}

fn put_column(out: &mut Vec<u8>, values: impl Iterator<Item = f64>) {
    let (values, mut bytes) = (values.collect::<Vec<_>>(), Vec::new());
    let form = column::encode(&values, &mut bytes);
    put_number(out, u64::from(form));
    out.extend_from_slice(&bytes);
}
