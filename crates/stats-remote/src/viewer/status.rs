//! How well a viewer follows a game.

use std::fmt;
use std::time::Duration;

use super::link::ConnectError;

/// How well a viewer follows a game.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RemoteStatus {
    /// The name of the program, as it says itself.
    pub program: String,
    /// The number of its process.
    pub process: u32,
    /// The number of series that the game sends at a time, to all viewers together; 0 before it answers.
    pub max_watches: usize,
    /// Why there is no connection; `None` while there is one.
    pub error: Option<ConnectError>,
    /// How late the newest frame is, in seconds: its age beyond that of the frame that arrived fastest.
    pub behind_secs: f64,
    /// The number of times that frames were lost on the way, most of which were sent again.
    pub gaps: u64,
    /// How long the newest ping took.
    pub round_trip: Option<Duration>,
    /// Whether times are rounded to whole nanoseconds, as the [address](crate::RemoteAddress) asked for.
    pub is_rounded: bool,
    /// The number of watched series that are not sent, because too many are watched.
    pub refused: usize,
    /// The number of series among which views do not look for hitches and the like, because the game
    /// sends only so many at a time. 0 while no view looks.
    pub unsurveyed: usize,
}

/// Writes what a person should know, for the header of a viewer.
impl fmt::Display for RemoteStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            None => {}
            Some(ConnectError::Pending) => return f.write_str("connecting"),
            Some(error) => return write!(f, "not connected: {error}"),
        }
        write!(f, "{:.1} s behind", self.behind_secs)?;
        if self.gaps > 0 {
            let gaps = if self.gaps == 1 { "gap" } else { "gaps" };
            write!(f, ", {} {gaps}", self.gaps)?;
        }
        if let Some(time) = self.round_trip {
            write!(f, ", {} ms round trip", time.as_millis())?;
        }
        if self.is_rounded {
            f.write_str(", times rounded to ns")?;
        }
        if self.refused > 0 {
            write!(f, ", {} series over the limit", self.refused)?;
        }
        if self.unsurveyed > 0 {
            write!(f, ", {} series not searched for hitches", self.unsurveyed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_says_what_is_worth_knowing() {
        let mut status = RemoteStatus::default();
        assert_eq!(status.to_string(), "0.0 s behind");
        status.gaps = 1;
        assert_eq!(status.to_string(), "0.0 s behind, 1 gap");
        (status.behind_secs, status.gaps, status.refused) = (1.26, 3, 2);
        status.unsurveyed = 40;
        status.is_rounded = true;
        status.round_trip = Some(Duration::from_millis(20));
        assert_eq!(
            status.to_string(),
            "1.3 s behind, 3 gaps, 20 ms round trip, times rounded to ns, 2 series over the limit, \
             40 series not searched for hitches"
        );
        let why = "nothing listens there".to_owned();
        let error = ConnectError::NoAnswer("127.0.0.1:8766".to_owned(), why);
        status.error = Some(error.clone());
        let said = status.to_string();
        assert_eq!(said, format!("not connected: {error}"));
        assert!(said.contains("nothing listens there") && said.contains("STATS_REMOTE=1"));
        status.error = Some(ConnectError::Pending);
        assert_eq!(status.to_string(), "connecting");
    }
}
