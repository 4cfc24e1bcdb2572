//! The meaning of a value's name: quantity, sensor and unit.

use crate::Words;

/// Known quantities by the end of names before the unit, longer ones first, with the key of their
/// word.
const QUANTITIES: [(&str, &str); 15] = [
    ("soil_moisture", "sensors-quantity-soil-moisture"),
    ("moisture", "sensors-quantity-soil-moisture"),
    ("dew_point", "sensors-quantity-dew-point"),
    ("temperature", "sensors-quantity-temperature"),
    ("temp", "sensors-quantity-temperature"),
    ("humidity", "sensors-quantity-humidity"),
    ("pressure", "sensors-quantity-pressure"),
    ("co2", "sensors-quantity-co2"),
    ("illuminance", "sensors-quantity-light"),
    ("light", "sensors-quantity-light"),
    ("battery", "sensors-quantity-battery"),
    ("voltage", "sensors-quantity-voltage"),
    ("power", "sensors-quantity-power"),
    ("energy", "sensors-quantity-energy"),
    ("weight", "sensors-quantity-weight"),
];

/// The notation of units, by the last part of a name. A single letter is a unit only after a known
/// quantity: the `c` of `temp_c` is a unit, that of `room_c` is not.
const UNITS: [(&str, &str); 24] = [
    ("c", "°C"),
    ("f", "°F"),
    ("k", "K"),
    ("pct", "%"),
    ("percent", "%"),
    ("hpa", "hPa"),
    ("kpa", "kPa"),
    ("pa", "Pa"),
    ("ppm", "ppm"),
    ("ppb", "ppb"),
    ("lux", "lx"),
    ("lx", "lx"),
    ("v", "V"),
    ("mv", "mV"),
    ("ma", "mA"),
    ("w", "W"),
    ("kw", "kW"),
    ("wh", "Wh"),
    ("kwh", "kWh"),
    ("kg", "kg"),
    ("g", "g"),
    ("db", "dB"),
    ("dbm", "dBm"),
    ("hz", "Hz"),
];

/// A parsed name of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measure<'a> {
    /// The key of the word for the quantity.
    quantity: Option<&'static str>,
    /// The part that distinguishes it from others of the same kind; the whole of an unknown name.
    rest: &'a str,
    unit: &'static str,
}

impl<'a> Measure<'a> {
    /// Parses a name such as `bme280_temp_c`; an unknown one is kept whole.
    pub(super) fn of(name: &'a str) -> Self {
        let Some((stem, unit)) = name.rsplit_once('_').and_then(with_unit) else {
            let (quantity, rest) = split_quantity(name);
            return Self { quantity, rest, unit: "" };
        };
        let (quantity, rest) = split_quantity(stem);
        if quantity.is_none() && name.len() - stem.len() == 2 {
            return Self { quantity, rest: name, unit: "" };
        }
        Self { quantity, rest, unit }
    }

    /// The label: `Temperature (bme280)`.
    pub(super) fn label(&self, words: &Words) -> String {
        match (self.quantity, self.rest) {
            (None, rest) => rest.to_owned(),
            (Some(quantity), "") => words.get(quantity).into_owned(),
            (Some(quantity), rest) => format!("{} ({rest})", words.get(quantity)),
        }
    }

    /// The same with the unit, as a heading of bare numbers.
    pub(super) fn heading(&self, words: &Words) -> String {
        let label = self.label(words);
        if self.unit.is_empty() { label } else { format!("{label}, {}", self.unit) }
    }

    /// A value with its unit: `22.5 °C`, `45%`.
    pub(super) fn value(&self, value: f64) -> String {
        let number = number(value);
        match self.unit {
            "" => number,
            "%" => number + "%",
            unit => format!("{number} {unit}"),
        }
    }

    /// A value at a glance: with one decimal, unless it is small.
    pub(super) fn brief(&self, value: f64) -> String {
        let rounded = (value * 10.0).round() / 10.0;
        // Adding 0 drops the sign of a zero.
        self.value(if value.abs() < 0.1 { value } else { rounded + 0.0 })
    }

    /// Whether it is a temperature, which people look at first.
    pub(super) fn is_temperature(&self) -> bool {
        self.quantity == Some("sensors-quantity-temperature")
    }
}

fn with_unit<'a>((stem, suffix): (&'a str, &str)) -> Option<(&'a str, &'static str)> {
    let (_, unit) = UNITS.iter().find(|(known, _)| *known == suffix)?;
    Some((stem, unit))
}

/// The quantity at the end of a name, and the part before it.
fn split_quantity(stem: &str) -> (Option<&'static str>, &str) {
    let known = QUANTITIES.iter().find_map(|(name, key)| {
        let rest = stem.strip_suffix(name)?;
        (rest.is_empty() || rest.ends_with('_')).then(|| (*key, rest.trim_end_matches('_')))
    });
    known.map_or((None, stem), |(key, rest)| (Some(key), rest))
}

/// A readable number: at most two decimals, four if it is small; scientific notation if it would
/// have too many digits.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    let text = if value != 0.0 && !(1e-4..1e7).contains(&size) {
        format!("{value:.3e}")
    } else {
        let decimals = if size < 1.0 { 4 } else { 2 };
        let text = format!("{value:.decimals$}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use larder_domain::Language;

    use super::*;

    #[test]
    fn a_name_says_what_is_measured_where_and_in_which_unit() {
        let (en, ja) = (Words::of(Language::English), Words::of(Language::Japanese));
        for (name, english, japanese, value) in [
            ("temperature_c", "Temperature", "温度", "1.5 °C"),
            ("bme280_temp_c", "Temperature (bme280)", "温度 (bme280)", "1.5 °C"),
            ("humidity_pct", "Humidity", "湿度", "1.5%"),
            ("soil_moisture_pct", "Soil moisture", "土壌水分", "1.5%"),
            ("pressure_hpa", "Pressure", "気圧", "1.5 hPa"),
            ("rssi_dbm", "rssi", "rssi", "1.5 dBm"),
            ("battery_v", "Battery", "電池", "1.5 V"),
            ("humidity", "Humidity", "湿度", "1.5"),
        ] {
            let measure = Measure::of(name);
            assert_eq!(measure.label(en), english, "{name}");
            assert_eq!(measure.label(ja), japanese, "{name}");
            assert_eq!(measure.value(1.5), value, "{name}");
        }
        assert_eq!(Measure::of("bme280_temp_c").heading(en), "Temperature (bme280), °C");
        assert_eq!(Measure::of("people").heading(en), "people");
    }

    #[test]
    fn what_is_unknown_stays_as_it_is() {
        let words = Words::of(Language::English);
        for name in ["people", "room_c", "zone_a", "contemp", "_", "c", "", "温度計", "<script>"]
        {
            assert_eq!(Measure::of(name).label(words), name);
            assert_eq!(Measure::of(name).value(3.0), "3", "{name}");
        }
    }

    #[test]
    fn at_a_glance_one_decimal_is_enough() {
        let temperature = Measure::of("temperature_c");
        for (value, text) in [
            (21.336_666, "21.3 °C"),
            (-18.25, "−18.3 °C"),
            (-0.44, "−0.4 °C"),
            (100.0, "100 °C"),
            (0.012_345, "0.0123 °C"),
            (0.0, "0 °C"),
        ] {
            assert_eq!(temperature.brief(value), text);
        }
        assert_eq!(Measure::of("pressure_hpa").brief(1_013.25), "1013.3 hPa");
    }

    #[test]
    fn numbers_have_no_more_digits_than_they_need() {
        for (value, text) in [
            (22.5, "22.5"),
            (-18.0, "−18"),
            (0.0, "0"),
            (21.336_666, "21.34"),
            (0.012_345, "0.0123"),
            (1_013.25, "1013.25"),
            (12_345_678.0, "1.235e7"),
            (-0.000_000_5, "−5.000e−7"),
            (100.0, "100"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
