//! Exact decimals in JSON.

use larder_domain::Quantity;
use serde::{Serialize, Serializer};

/// Hundredths as a JSON number with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hundredths(pub i64);

impl From<Quantity> for Hundredths {
    fn from(quantity: Quantity) -> Self {
        Self(quantity.hundredths())
    }
}

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return serializer.serialize_i64(self.0 / 100);
        }
        // At most twelve digits: the nearest double prints as exactly these decimals.
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let number = self.0 as f64 / 100.0;
        serializer.serialize_f64(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_print_exactly() {
        for (hundredths, text) in [
            (0, "0"),
            (100, "1"),
            (150, "1.5"),
            (1, "0.01"),
            (-50, "-0.5"),
            (9_999_999_999, "99999999.99"),
            (2_999_999_999, "29999999.99"),
        ] {
            assert_eq!(serde_json::to_string(&Hundredths(hundredths)).unwrap(), text);
        }
    }
}
