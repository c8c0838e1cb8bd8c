//! [`FrameStatistics`] as a table.

use std::fmt;

use super::figures::{FIGURES, Figure};
use super::rules::FrameRules;
use super::statistics::FrameStatistics;
use crate::Unit;
use crate::distribution::grouped;

/// A line of the table: name, milliseconds, frames per second, and a note.
type Line = (String, Option<f64>, Option<f64>, String);

impl fmt::Display for FrameStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines();
        let width = lines
            .iter()
            .map(|(name, ..)| name.chars().count())
            .max()
            .unwrap_or(0);
        for (at, (name, ms, fps, note)) in lines.iter().enumerate() {
            let ms = ms.map_or(String::new(), |ms| format!("{} ms", fixed(ms, 2)));
            let fps = fps
                .filter(|fps| fps.is_finite())
                .map_or(String::new(), |fps| format!("{} fps", fixed(fps, 1)));
            let line = format!("{name:<width$}  {ms:>13}  {fps:>12}  {note}");
            write!(f, "{}{}", if at > 0 { "\n" } else { "" }, line.trim_end())?;
        }
        Ok(())
    }
}

impl FrameStatistics {
    fn lines(&self) -> Vec<Line> {
        let is_frame_time = self.rules.is_frame_time;
        let seconds = fixed(self.total_ms / 1e3, 2);
        let note = format!("{} in {seconds} s", counted(self.frames));
        let mut lines = vec![("frames".to_owned(), None, None, note)];
        let has_rate = |figure: &&Figure| figure.unit == Unit::Milliseconds;
        for figure in FIGURES.iter().filter(has_rate) {
            let Some(ms) = (figure.of)(self) else {
                continue;
            };
            // The lows are rates.
            if figure.key.starts_with("slowest-") && !is_frame_time {
                continue;
            }
            let note = match figure.key {
                "high-water" => format!(
                    "frame {}, at {} s",
                    counted(self.slowest.frame),
                    fixed(self.slowest.start_ms / 1e3, 2)
                ),
                _ => String::new(),
            };
            let fps = is_frame_time.then_some(1e3 / ms);
            lines.push((figure.name(is_frame_time), Some(ms), fps, note));
        }
        lines.extend(self.over_budget_line());
        lines.extend(self.smoothness_lines());
        lines
    }

    fn over_budget_line(&self) -> Option<Line> {
        let (over, rules) = (self.over_budget.as_ref()?, &self.rules);
        let tolerance = match rules.budget_tolerance.max(0.0) * 100.0 {
            0.0 => String::new(),
            percent => format!(" by more than {} %", fixed(percent, 0)),
        };
        let name = format!(
            "over budget: over {} ms{tolerance}",
            fixed(rules.budget_ms()?, 2)
        );
        let (frames, run) = (counted(over.frames), counted(over.longest_run.len()));
        Some((
            name,
            None,
            None,
            format!(
                "{frames}, at most {run} in a row, {} ms lost",
                fixed(over.over_ms, 1)
            ),
        ))
    }

    fn smoothness_lines(&self) -> Vec<Line> {
        let line = |name: String, note: String| (name, None, None, note);
        let FrameRules {
            over_60_ms: rule,
            stutter,
            ..
        } = self.rules;
        let [threshold, ratio, dead] =
            [rule.threshold_ms, rule.ratio, rule.dead_time_ms].map(plain);
        let mut lines = vec![
            line(
                format!(
                    "frames over {threshold} ms: {ratio} × the previous frame, none for {dead} ms"
                ),
                counted(self.over_60_ms.len()),
            ),
            line(
                format!(
                    "stutter: over {} × the mean of the {} before",
                    plain(stutter.factor),
                    stutter.average_over
                ),
                format!(
                    "{}, {:.2} % of the time",
                    counted(self.stutter.len()),
                    self.stutter_share * 100.0
                ),
            ),
        ];
        if !self.rules.is_frame_time {
            return lines;
        }
        if let (Some(missed), Some(period_ms)) = (
            self.estimated_missed_refreshes,
            self.rules.refresh_period_ms,
        ) {
            let name = format!(
                "missed refreshes, estimated, at {} Hz",
                fixed(1e3 / period_ms, 2)
            );
            lines.push(line(name, grouped(missed.to_string())));
        }
        let mut above = None;
        for rate in &self.rates {
            let name = match above.replace(rate.from_fps) {
                None => format!("time at {} fps and more", plain(rate.from_fps)),
                Some(above) => format!("time at {} to {} fps", plain(rate.from_fps), plain(above)),
            };
            if rate.share > 0.0 {
                lines.push(line(name, format!("{:.2} %", rate.share * 100.0)));
            }
        }
        lines
    }
}

/// Formats with a number of decimals, or with an exponent if the digits would be unreadable.
fn fixed(value: f64, decimals: usize) -> String {
    if is_readable(value) {
        format!("{value:.decimals$}")
    } else {
        format!("{value:.3e}")
    }
}

/// Formats with all digits, or with an exponent.
fn plain(value: f64) -> String {
    if is_readable(value) && (value == 0.0 || value.abs() >= 1e-6) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

fn is_readable(value: f64) -> bool {
    value.abs() < 1e12 || !value.is_finite()
}

fn counted(count: usize) -> String {
    grouped(count.to_string())
}
