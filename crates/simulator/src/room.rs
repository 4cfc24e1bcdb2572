//! The environment of a device.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use crate::chance::Chance;

const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

/// The kind of environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Freezer,
    Pantry,
    Greenhouse,
}

/// The climate of one place.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    kind: Kind,
    /// How this one differs from others of its kind, in kelvin.
    offset: f64,
    pressure: f64,
    soil: f64,
}

impl Room {
    pub(crate) fn new(chance: &mut Chance) -> Self {
        let kind = match chance.between(0, 2) {
            0 => Kind::Freezer,
            1 => Kind::Pantry,
            _ => Kind::Greenhouse,
        };
        let soil = 40.0 + 30.0 * chance.unit();
        Self { kind, offset: 2.0 * chance.noise(), pressure: 1013.25, soil }
    }

    /// The sensors of a device there.
    pub(crate) fn sensors(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Freezer => &["ds18b20"],
            Kind::Pantry => &["bme280", "ds18b20"],
            Kind::Greenhouse => &["bme280", "ds18b20", "soil_moisture"],
        }
    }

    /// The measurements at this time (milliseconds since 1970): a day is warmest in the afternoon,
    /// air pressure drifts, soil dries until it is watered.
    pub(crate) fn measure(
        &mut self,
        at_ms: i64,
        chance: &mut Chance,
    ) -> BTreeMap<&'static str, f64> {
        #[expect(clippy::cast_precision_loss, reason = "a day's fraction needs no more")]
        let day = (at_ms as f64 / DAY_MS).fract();
        // Lowest at three in the morning, highest at three in the afternoon.
        let sun = -(TAU * (day - 0.125)).cos();
        let (mean, swing) = match self.kind {
            Kind::Freezer => (-18.5, 0.4),
            Kind::Pantry => (19.0, 1.5),
            Kind::Greenhouse => (21.0, 9.0),
        };
        let celsius = mean + self.offset + swing * sun + 0.15 * chance.noise();
        self.pressure = (self.pressure + 0.08 * chance.noise()).clamp(970.0, 1050.0);
        self.soil -= 0.02 * (1.5 + sun);
        if self.soil < 25.0 {
            self.soil = 75.0 + 3.0 * chance.noise();
        }
        let humidity = (55.0 - 1.2 * swing * sun + chance.noise()).clamp(5.0, 99.0);
        let mut values = BTreeMap::from([("ds18b20_temp_c", rounded(celsius, 100.0))]);
        if self.kind != Kind::Freezer {
            values.insert("bme280_temp_c", rounded(celsius + 0.3, 100.0));
            values.insert("humidity_pct", rounded(humidity, 10.0));
            values.insert("pressure_hpa", rounded(self.pressure, 100.0));
        }
        if self.kind == Kind::Greenhouse {
            values.insert("soil_moisture_pct", rounded(self.soil, 10.0));
        }
        values
    }
}

/// Rounds to the resolution of a sensor: this many steps per unit.
fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR_MS: i64 = 60 * 60 * 1000;
    const MIDNIGHT_MS: i64 = 1_704_067_200_000;

    fn room(kind: Kind) -> Room {
        Room { kind, offset: 0.0, pressure: 1013.25, soil: 60.0 }
    }

    #[test]
    fn a_greenhouse_is_warm_in_the_afternoon_and_cold_before_dawn() {
        let (mut room, mut chance) = (room(Kind::Greenhouse), Chance::new(1, 1));
        let mut at =
            |hour| room.measure(MIDNIGHT_MS + hour * HOUR_MS, &mut chance)["bme280_temp_c"];
        assert!(at(15) > at(3) + 12.0);
        assert!((at(9) - 21.3).abs() < 2.0);
    }

    #[test]
    fn a_freezer_stays_frozen() {
        let (mut room, mut chance) = (room(Kind::Freezer), Chance::new(1, 1));
        for hour in 0..48 {
            let values = room.measure(MIDNIGHT_MS + hour * HOUR_MS, &mut chance);
            assert!((-20.0..-17.0).contains(&values["ds18b20_temp_c"]), "{values:?}");
            assert_eq!(values.len(), 1);
        }
    }

    #[test]
    fn values_have_as_many_decimals_as_a_sensor_has() {
        assert_eq!(rounded(22.456_789, 100.0).to_string(), "22.46");
        assert_eq!(rounded(-18.449, 10.0).to_string(), "-18.4");
    }
}
