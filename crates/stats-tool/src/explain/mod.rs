//! `stats explain`: the causes of frames that took longer than usual.
//!
//! [`contents`] and [`json`] show an [`Explanation`] as text and as JSON.

mod contents;
mod json;

use std::collections::BTreeMap;

use stats_analysis::insight::Hitch;
use stats_capture::CaptureFile;

use crate::document::Format;
use crate::failure::{Failure, Outcome};
use crate::input::{one_file, open};
use crate::metrics::{Columns, Explanation, Log, LongestCall, RunExplanation, log_beside};
use crate::output::print;
use crate::runs::{ConfigArguments, rules_of};

/// What a capture tells about frames besides their values.
struct Beside {
    /// The longest calls of the culprits, if the capture has their scopes, by frame.
    calls: BTreeMap<u64, LongestCall>,
    /// The lines of the log.
    log: Log,
}

/// The arguments of `stats explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A capture, a journal, the log of another program, or `-` for standard input
    #[arg(value_name = "RUN")]
    run: String,
    /// Explain this frame, compared with the frames before it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    frame: Option<u64>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Explains the hitches of a run, or one frame. The outcome is unknown if no frame is left to
/// judge.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let config = arguments.config.config()?;
    let mut capture = open(&one_file(&arguments.run)?)?;
    let rules = rules_of(&capture, &config);
    rules.check_budgets(capture.series())?;
    let columns = Columns::read(&capture)?;
    let explanation = match arguments.frame {
        Some(frame) => Explanation::of_frame(&columns, &rules, frame)?,
        None => Explanation::Run(RunExplanation::of(&columns, &rules)),
    };
    let beside = beside(&mut capture, &explanation);
    let has_frames = !matches!(&explanation, Explanation::Run(run) if run.frames == 0);
    let document = || contents::document(&explanation, &beside);
    print(
        arguments
            .format
            .of(document, || json::json(&explanation, &beside)),
    )?;
    Ok(if has_frames {
        Outcome::Fine
    } else {
        Outcome::Unknown
    })
}

fn beside(capture: &mut CaptureFile, explanation: &Explanation) -> Beside {
    let (hitches, log) = match explanation {
        Explanation::Frame(hitch) => (
            std::slice::from_ref(hitch),
            log_beside(capture, std::slice::from_ref(hitch)),
        ),
        Explanation::Run(run) => (&run.hitches[..], run.log.clone()),
    };
    let mut of = |hitch: &Hitch| {
        let culprit = hitch.culprit().filter(|culprit| culprit.series.is_some())?;
        let call = LongestCall::find(capture, hitch.frame, &culprit.path)?;
        Some((hitch.frame, call))
    };
    Beside {
        calls: hitches.iter().filter_map(&mut of).collect(),
        log,
    }
}
