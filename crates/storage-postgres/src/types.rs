//! Times and dates between the domain and the wire. PostgreSQL counts both from the year 2000.

use jiff::{SignedDuration, Span, Timestamp, civil::Date};
use sqlx::{
    Postgres,
    encode::IsNull,
    error::BoxDynError,
    postgres::{
        PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueFormat, PgValueRef, types::Oid,
    },
};

/// 2000-01-01T00:00:00Z, in microseconds since 1970.
const EPOCH_MICROS: i64 = 946_684_800_000_000;
const EPOCH_DAY: Date = jiff::civil::date(2000, 1, 1);

/// A `TIMESTAMPTZ`, in milliseconds, the precision of every engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instant(pub(crate) Timestamp);

/// A `DATE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Day(pub(crate) Date);

impl sqlx::Type<Postgres> for Instant {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1184))
    }
}

impl PgHasArrayType for Instant {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1185))
    }
}

impl sqlx::Type<Postgres> for Day {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1082))
    }
}

impl sqlx::Encode<'_, Postgres> for Instant {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let micros = self.0.as_millisecond() * 1000 - EPOCH_MICROS;
        sqlx::Encode::<Postgres>::encode(micros, buffer)
    }
}

impl sqlx::Encode<'_, Postgres> for Day {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let days = self.0.duration_since(EPOCH_DAY).as_hours() / 24;
        sqlx::Encode::<Postgres>::encode(i32::try_from(days)?, buffer)
    }
}

impl sqlx::Decode<'_, Postgres> for Instant {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        match value.format() {
            PgValueFormat::Binary => {
                let micros = <i64 as sqlx::Decode<Postgres>>::decode(value)?;
                let since_epoch = SignedDuration::from_micros(micros);
                Ok(Self(Timestamp::from_microsecond(EPOCH_MICROS)?.checked_add(since_epoch)?))
            }
            PgValueFormat::Text => Ok(Self(value.as_str()?.parse()?)),
        }
    }
}

impl sqlx::Decode<'_, Postgres> for Day {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        match value.format() {
            PgValueFormat::Binary => {
                let days = <i32 as sqlx::Decode<Postgres>>::decode(value)?;
                Ok(Self(EPOCH_DAY.checked_add(Span::new().try_days(days)?)?))
            }
            PgValueFormat::Text => Ok(Self(value.as_str()?.parse()?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Encode;

    use super::*;

    fn encoded(value: &impl for<'a> Encode<'a, Postgres>) -> Vec<u8> {
        let mut buffer = PgArgumentBuffer::default();
        let is_null = value.encode_by_ref(&mut buffer).unwrap();
        assert!(matches!(is_null, IsNull::No));
        buffer.to_vec()
    }

    #[test]
    fn times_count_microseconds_from_2000_and_keep_milliseconds() {
        let at: Timestamp = "2000-01-01T00:00:01.234999Z".parse().unwrap();
        assert_eq!(encoded(&Instant(at)), 1_234_000_i64.to_be_bytes());
        let before: Timestamp = "1999-12-31T23:59:59Z".parse().unwrap();
        assert_eq!(encoded(&Instant(before)), (-1_000_000_i64).to_be_bytes());
    }

    #[test]
    fn dates_count_days_from_2000() {
        assert_eq!(encoded(&Day(jiff::civil::date(2000, 3, 1))), 60_i32.to_be_bytes());
        assert_eq!(encoded(&Day(jiff::civil::date(1999, 12, 31))), (-1_i32).to_be_bytes());
        assert_eq!(encoded(&Day(jiff::civil::date(2100, 12, 31))), 36_889_i32.to_be_bytes());
    }
}
