//! The slow frames of which a recording wants a picture.

/// The number of frames whose small pictures are on the device.
const KEPT: u64 = 4;
/// The number of frames within which a picture arrives.
const AWAITED: u64 = 8;

/// Slow frames whose pictures have not arrived, oldest first. A picture takes some frames to arrive,
/// and only one is on its way at a time.
#[derive(Debug, Default)]
pub(super) struct SlowFrames(Vec<u64>);

impl SlowFrames {
    pub(super) fn add(&mut self, frame: u64) {
        if self.0.last() != Some(&frame) {
            self.0.push(frame);
        }
    }

    /// Returns the oldest frame of which there still is a picture while frame `drawn` is drawn, and
    /// forgets those that are too old.
    pub(super) fn oldest(&mut self, drawn: u64) -> Option<u64> {
        self.0
            .retain(|frame| drawn.saturating_sub(*frame) < AWAITED);
        let has_picture = |frame: &u64| drawn.saturating_sub(*frame) < KEPT;
        self.0.iter().copied().find(has_picture)
    }

    /// Removes a frame whose picture has arrived. Returns whether it was a slow one.
    pub(super) fn remove(&mut self, frame: u64) -> bool {
        let before = self.0.len();
        self.0.retain(|slow| *slow != frame);
        self.0.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_frame_waits_until_the_picture_before_it_has_arrived() {
        let mut slow = SlowFrames::default();
        assert_eq!(slow.oldest(10), None);
        slow.add(10);
        slow.add(10);
        assert_eq!(slow.oldest(11), Some(10));
        slow.add(11);
        assert_eq!(slow.oldest(12), Some(10));
        assert!(!slow.remove(9), "nobody wants it");
        assert!(slow.remove(10));
        assert_eq!(slow.oldest(13), Some(11));
        assert!(slow.remove(11));
        assert_eq!(slow.oldest(14), None);
    }

    #[test]
    fn a_frame_without_a_picture_on_the_device_is_not_asked_for_but_may_still_arrive() {
        let mut slow = SlowFrames::default();
        slow.add(10);
        assert_eq!(slow.oldest(13), Some(10));
        assert_eq!(slow.oldest(14), None);
        assert_eq!(slow.oldest(17), None);
        assert!(slow.remove(10));
        slow.add(20);
        assert_eq!(slow.oldest(28), None);
        assert!(!slow.remove(20), "nothing is kept for good");
    }
}
