//! The values of one sensor.
//!
//! Sensors measure in decimal steps: most values are integers divided by one power of ten, and
//! close to the previous one. The few exceptions are stored verbatim, and so are columns with many
//! of them.

use larder_domain::SensorValue;

use crate::codec::{DecodeError, Input, varint};
use crate::readings::numbers;

/// The most decimal places of a scaled column.
const MAX_SCALE: usize = 15;
/// In the place of the scale: every value as its eight bytes.
const RAW: u8 = 255;
/// One exception per this many values does not make the column [`RAW`].
const SCALED_PER_EXCEPTION: usize = 16;

/// Powers of ten that are exact, as are all whole numbers up to [`MAX_MANTISSA`]: so their quotient is the value
/// nearest to the decimal number, which is the one that its text is read as.
const POWERS: [f64; MAX_SCALE + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
const MAX_MANTISSA: i64 = 1 << 53;

/// Writes values, at least one.
pub(super) fn encode(out: &mut Vec<u8>, values: &[f64]) {
    let Some(scale) = common_scale(values) else {
        out.push(RAW);
        for value in values {
            out.extend_from_slice(&value.to_le_bytes());
        }
        return;
    };
    out.push(scale.to_le_bytes()[0]);
    let (mut mantissas, mut exceptions) = (Vec::with_capacity(values.len()), Vec::new());
    let mut last = 0;
    for (at, value) in values.iter().enumerate() {
        match mantissa(*value, scale) {
            Some(mantissa) => last = mantissa,
            None => exceptions.push((at, *value)),
        }
        mantissas.push(last);
    }
    varint(out, exceptions.len() as u64);
    for (at, value) in exceptions {
        varint(out, at as u64);
        out.extend_from_slice(&value.to_le_bytes());
    }
    numbers::encode_steps(out, mantissas);
}

/// Reads this many values, at least one.
pub(super) fn decode(input: &mut Input<'_>, count: usize) -> Result<Vec<SensorValue>, DecodeError> {
    let scale = input.byte()?;
    if scale == RAW {
        return (0..count).map(|_| bits(input)).collect();
    }
    let power = POWERS.get(usize::from(scale)).ok_or(DecodeError("an unknown scale"))?;
    let exceptions = (0..input.count(1 + size_of::<f64>())?)
        .map(|_| Ok((usize::try_from(input.varint()?).unwrap_or(usize::MAX), bits(input)?)))
        .collect::<Result<Vec<_>, DecodeError>>()?;
    let mantissas = numbers::decode_steps(input, count)?;
    let mut values = mantissas
        .into_iter()
        .map(|mantissa| value(quotient(mantissa, *power)))
        .collect::<Result<Vec<_>, _>>()?;
    for (at, exception) in exceptions {
        *values.get_mut(at).ok_or(DecodeError("a value beyond the last"))? = exception;
    }
    Ok(values)
}

/// The smallest scale for all values but a few exceptions; `None` if there are too many.
fn common_scale(values: &[f64]) -> Option<usize> {
    let mut exceptions_left = values.len() / SCALED_PER_EXCEPTION;
    let mut of_scale = [0; MAX_SCALE + 1];
    for value in values {
        match (0..=MAX_SCALE).find(|scale| mantissa(*value, *scale).is_some()) {
            Some(scale) => of_scale[scale] += 1,
            None => exceptions_left = exceptions_left.checked_sub(1)?,
        }
    }
    let mut scale = MAX_SCALE;
    while scale > 0 && of_scale[scale] <= exceptions_left {
        exceptions_left -= of_scale[scale];
        scale -= 1;
    }
    Some(scale)
}

/// The whole number that is exactly this value when divided by the power of ten.
#[expect(clippy::cast_possible_truncation, reason = "what does not come back is not taken")]
fn mantissa(value: f64, scale: usize) -> Option<i64> {
    let scaled = value * POWERS[scale];
    let rounded = (scaled + 0.5_f64.copysign(scaled)) as i64;
    let fits = (-MAX_MANTISSA..=MAX_MANTISSA).contains(&rounded)
        && quotient(rounded, POWERS[scale]).to_bits() == value.to_bits();
    fits.then_some(rounded)
}

#[expect(clippy::cast_precision_loss, reason = "those that were written are exact")]
fn quotient(mantissa: i64, power: f64) -> f64 {
    mantissa as f64 / power
}

fn bits(input: &mut Input<'_>) -> Result<SensorValue, DecodeError> {
    value(f64::from_le_bytes(input.array()?))
}

fn value(value: f64) -> Result<SensorValue, DecodeError> {
    SensorValue::new(value).map_err(|_| DecodeError("a value is out of range"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(values: &[f64]) -> Vec<u8> {
        let mut out = Vec::new();
        encode(&mut out, values);
        out
    }

    fn read(bytes: &[u8], count: usize) -> Vec<u64> {
        let mut input = Input::new(bytes);
        let values = decode(&mut input, count).unwrap();
        input.end().unwrap();
        values.into_iter().map(|value| value.get().to_bits()).collect()
    }

    #[test]
    fn decimal_steps_take_few_bits() {
        let values: Vec<_> = (0..128).map(|n| 1013.25 + f64::from(n % 4) / 100.0).collect();
        let bytes = written(&values);
        assert_eq!(bytes[0], 2);
        assert!(bytes.len() < 60, "{} bytes", bytes.len());
        assert_eq!(read(&bytes, 128), values.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
    }

    #[test]
    fn one_odd_value_does_not_widen_its_column() {
        let mut values = vec![22.5; 32];
        values[7] = std::f64::consts::PI;
        values[9] = 22.123_456_789;
        let bytes = written(&values);
        assert_eq!(bytes[0], 1);
        assert_eq!(read(&bytes, 32), values.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
    }

    #[test]
    fn many_odd_values_are_kept_as_they_are() {
        let values = [std::f64::consts::PI, 1e125, -1e-130, 0.0, 0.1 + 0.2];
        let bytes = written(&values);
        assert_eq!((bytes[0], bytes.len()), (RAW, 1 + 5 * 8));
        assert_eq!(read(&bytes, 5), values.map(f64::to_bits));
    }

    proptest! {
        #[test]
        fn values_come_back_bit_for_bit(
            values in prop::collection::vec(
                prop_oneof![
                    any::<f64>(),
                    (-100_000_i32..100_000).prop_map(|n| f64::from(n) / 100.0),
                    (-100_000_i32..100_000, 0..20).prop_map(|(n, e)| f64::from(n) / 10_f64.powi(e)),
                ],
                1..100,
            ),
        ) {
            let values: Vec<_> = values
                .into_iter()
                .filter_map(|value| SensorValue::new(value).ok())
                .map(SensorValue::get)
                .collect();
            if !values.is_empty() {
                let bits: Vec<_> = values.iter().map(|value| value.to_bits()).collect();
                prop_assert_eq!(read(&written(&values), values.len()), bits);
            }
        }
    }
}
