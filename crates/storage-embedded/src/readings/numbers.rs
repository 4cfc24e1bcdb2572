//! Columns of integers, in the shortest of three forms. Their count is stored elsewhere; a column
//! without numbers has no bytes.

use crate::codec::{DecodeError, Input, varint, zagzig, zigzag};

/// One varint for each number.
const VARINTS: u8 = 0;
/// Runs of equal numbers: a varint for how many, and one for the number.
const RUNS: u8 = 1;
/// From here on: all numbers with this many bits less, packed from the lowest bit on.
const PACKED: u8 = 2;

/// Writes numbers of any size; small ones are short.
pub(super) fn encode(out: &mut Vec<u8>, numbers: &[u64]) {
    if numbers.is_empty() {
        return;
    }
    let width = numbers.iter().fold(0, |all, number| all | number);
    let width = u64::BITS - width.leading_zeros();
    let packed = (numbers.len() * width as usize).div_ceil(8);
    let varints = numbers.iter().map(|number| length(*number)).sum();
    let runs = runs(numbers).map(|(count, number)| length(count) + length(number)).sum();
    if packed <= varints && packed <= runs {
        out.push(PACKED + width.to_le_bytes()[0]);
        pack(out, numbers, width);
    } else if varints <= runs {
        out.push(VARINTS);
        for number in numbers {
            varint(out, *number);
        }
    } else {
        out.push(RUNS);
        for (count, number) in self::runs(numbers) {
            varint(out, count);
            varint(out, number);
        }
    }
}

/// Reads this many numbers. The caller limits the count: a few bytes may encode all of them.
pub(super) fn decode(input: &mut Input<'_>, count: usize) -> Result<Vec<u64>, DecodeError> {
    let mut numbers = Vec::new();
    if count == 0 {
        return Ok(numbers);
    }
    match input.byte()? {
        VARINTS => {
            numbers.reserve(count);
            for _ in 0..count {
                numbers.push(input.varint()?);
            }
        }
        RUNS => {
            while numbers.len() < count {
                let run = usize::try_from(input.varint()?).unwrap_or(usize::MAX);
                if run == 0 || run > count - numbers.len() {
                    return Err(DecodeError("a run of numbers is too long or empty"));
                }
                numbers.resize(numbers.len() + run, input.varint()?);
            }
        }
        width => {
            let width = u32::from(width - PACKED);
            if width > u64::BITS {
                return Err(DecodeError("numbers are too wide"));
            }
            let packed = input.bytes((count * width as usize).div_ceil(8))?;
            unpack(&mut numbers, packed, count, width);
        }
    }
    Ok(numbers)
}

/// Writes numbers that are near to each other: the first, and then the steps.
pub(super) fn encode_steps(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = i64>) {
    let mut numbers = numbers.into_iter();
    let Some(mut last) = numbers.next() else { return };
    varint(out, zigzag(last));
    let steps: Vec<_> = numbers
        .map(|number| zigzag(number.wrapping_sub(std::mem::replace(&mut last, number))))
        .collect();
    encode(out, &steps);
}

/// Reads this many delta-encoded numbers.
pub(super) fn decode_steps(input: &mut Input<'_>, count: usize) -> Result<Vec<i64>, DecodeError> {
    let Some(steps) = count.checked_sub(1) else { return Ok(Vec::new()) };
    let mut number = zagzig(input.varint()?);
    let steps = decode(input, steps)?;
    let mut numbers = Vec::with_capacity(count);
    numbers.push(number);
    numbers.extend(steps.into_iter().map(|step| {
        number = number.wrapping_add(zagzig(step));
        number
    }));
    Ok(numbers)
}

/// The bytes of a varint.
const fn length(number: u64) -> usize {
    (number | 1).ilog2() as usize / 7 + 1
}

/// The runs of equal numbers.
fn runs(numbers: &[u64]) -> impl Iterator<Item = (u64, u64)> {
    numbers.chunk_by(|a, b| a == b).map(|run| (run.len() as u64, run[0]))
}

fn pack(out: &mut Vec<u8>, numbers: &[u64], width: u32) {
    let (mut waiting, mut bits) = (0_u128, 0);
    for number in numbers {
        waiting |= u128::from(*number) << bits;
        bits += width;
        while bits >= 8 {
            out.push(waiting.to_le_bytes()[0]);
            waiting >>= 8;
            bits -= 8;
        }
    }
    if bits > 0 {
        out.push(waiting.to_le_bytes()[0]);
    }
}

fn unpack(numbers: &mut Vec<u64>, packed: &[u8], count: usize, width: u32) {
    let mask = (1_u128 << width) - 1;
    let (mut waiting, mut bits) = (0_u128, 0);
    let mut bytes = packed.iter();
    numbers.extend((0..count).map(|_| {
        while bits < width {
            // The caller has counted the bytes, so one is left.
            waiting |= u128::from(bytes.next().copied().unwrap_or_default()) << bits;
            bits += 8;
        }
        let number = waiting & mask;
        waiting >>= width;
        bits -= width;
        // The mask leaves no more than 64 bits.
        u64::try_from(number).unwrap_or(u64::MAX)
    }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(numbers: &[u64]) -> Vec<u8> {
        let mut out = Vec::new();
        encode(&mut out, numbers);
        out
    }

    #[test]
    fn the_shortest_form_is_chosen() {
        assert!(written(&[]).is_empty());
        assert_eq!(written(&[0; 100]), [PACKED]);
        assert_eq!(written(&[7_776_000; 100]).len(), 1 + 1 + 4);
        assert_eq!(
            written(&(0..100).map(|n| n % 8).collect::<Vec<_>>()).len(),
            1 + 100 * 3 / 8 + 1
        );
        let outlier: Vec<_> = (0..100).map(|n| if n == 50 { u64::MAX } else { n % 8 }).collect();
        assert_eq!(written(&outlier).len(), 1 + 99 + 10);
    }

    #[test]
    fn what_was_not_written_is_refused() {
        for (bytes, count) in [
            (&[RUNS, 0, 1][..], 3),
            (&[RUNS, 4, 1], 3),
            (&[PACKED + 65, 0, 0, 0, 0], 1),
            (&[PACKED + 8, 1, 2], 3),
            (&[VARINTS, 1], 2),
            (&[], 1),
        ] {
            assert!(decode(&mut Input::new(bytes), count).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back(
            numbers in prop::collection::vec((0_u32..=64, any::<u64>(), 1_usize..4), 0..100),
        ) {
            let numbers: Vec<u64> = numbers
                .into_iter()
                .flat_map(|(bits, number, times)| {
                    vec![number & 1_u64.checked_shl(bits).map_or(u64::MAX, |bit| bit - 1); times]
                })
                .collect();
            let bytes = written(&numbers);
            let mut input = Input::new(&bytes);
            prop_assert_eq!(decode(&mut input, numbers.len()), Ok(numbers));
            prop_assert_eq!(input.end(), Ok(()));
        }

        #[test]
        fn steps_come_back(numbers in prop::collection::vec(any::<i64>(), 0..50)) {
            let mut bytes = Vec::new();
            encode_steps(&mut bytes, numbers.iter().copied());
            let mut input = Input::new(&bytes);
            prop_assert_eq!(decode_steps(&mut input, numbers.len()), Ok(numbers));
            prop_assert_eq!(input.end(), Ok(()));
        }
    }
}
