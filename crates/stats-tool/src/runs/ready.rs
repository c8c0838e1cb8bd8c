//! The text about the time in which the thread of the frame waited for a processor.

/// The least share of the time without a processor at which the machine was busy.
const BUSY: f64 = 0.03;

/// Returns whether the machine was busy in a run, by the share of the time in which the thread of the
/// frame waited for a processor.
pub(crate) fn is_busy(ready_share: f64) -> bool {
    ready_share >= BUSY
}

/// Returns that share as a sentence, without the capital letter and the period.
pub(crate) fn ready_text(ready_share: f64) -> String {
    let percent = 100.0 * ready_share;
    if is_busy(ready_share) {
        return format!(
            "the machine was busy with other threads, of this program or of others: for {percent:.0} % of the time, the thread of the frame waited for a processor"
        );
    }
    format!("the thread of the frame waited for a processor for {percent:.1} % of the time")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_percent_without_a_processor_are_a_busy_machine() {
        assert_eq!(
            ready_text(0.0296),
            "the thread of the frame waited for a processor for 3.0 % of the time"
        );
        assert!(!is_busy(0.0) && !is_busy(0.0299) && is_busy(0.03));
        let busy = ready_text(0.345);
        assert!(
            busy.starts_with("the machine was busy with other threads"),
            "{busy}"
        );
        assert!(busy.contains(": for 34 % of the time, "), "{busy}");
    }
}
