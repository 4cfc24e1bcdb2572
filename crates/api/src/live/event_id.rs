//! The ids of live events: a change and the number of its events that were sent.
//!
//! One change can cause two events. If a connection breaks between them, resuming from the first
//! must send the second, so the id names both the change and the position within it.

use std::{fmt, str::FromStr};

/// The position of a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventId {
    /// Everything before this change has been sent.
    pub(super) sequence: u64,
    /// How many events of this change have been sent; `None`: all of them.
    pub(super) sent: Option<usize>,
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sent {
            Some(sent) => write!(f, "{}.{sent}", self.sequence),
            None => write!(f, "{}", self.sequence),
        }
    }
}

impl FromStr for EventId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('.') {
            Some((sequence, sent)) => {
                Ok(Self { sequence: sequence.parse()?, sent: Some(sent.parse()?) })
            }
            None => Ok(Self { sequence: text.parse()?, sent: None }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip() {
        for text in ["0", "17", "17.1", "17.2"] {
            assert_eq!(text.parse::<EventId>().unwrap().to_string(), text);
        }
        for text in ["", ".", "1.", "-1", "x", "1.2.3"] {
            assert!(text.parse::<EventId>().is_err(), "{text}");
        }
    }
}
