//! `from` and `to` of a span of readings.

use larder_domain::{InvalidReadingTime, ReadingTime};
use larder_http::Params;

/// A span of time, both ends included.
pub(super) struct Span {
    pub(super) from: ReadingTime,
    pub(super) to: ReadingTime,
}

impl Span {
    /// Reads milliseconds since 1970. A `from` or `to` outside of the possible times of readings is
    /// valid, because it excludes nothing.
    pub(super) fn read(
        params: &mut Params,
        usual_to: ReadingTime,
        usual_from: impl FnOnce(ReadingTime) -> ReadingTime,
    ) -> Self {
        let to = params.optional("to", |text| {
            milliseconds(text)
                .and_then(|ms| ReadingTime::from_millis(ms.min(ReadingTime::MAX.as_millis())))
        });
        let from = params.optional("from", |text| {
            milliseconds(text)
                .and_then(|ms| ReadingTime::from_millis(ms.max(ReadingTime::MIN.as_millis())))
        });
        let to = to.unwrap_or(usual_to);
        let from = from.unwrap_or_else(|| usual_from(to));
        if from > to {
            params.refuse("from", "must not be after to");
        }
        Self { from, to }
    }
}

fn milliseconds(text: &str) -> Result<i64, InvalidReadingTime> {
    text.parse().map_err(|_| InvalidReadingTime)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(ms: i64) -> ReadingTime {
        ReadingTime::from_millis(ms).unwrap()
    }

    fn read(query: &str) -> Result<(i64, i64), Vec<String>> {
        let mut params = Params::parse(Some(query)).unwrap();
        let minute_before = |to: ReadingTime| time(to.as_millis() - 60_000);
        let Span { from, to } = Span::read(&mut params, time(1_800_000_000_000), minute_before);
        let times = (from.as_millis(), to.as_millis());
        params.finish(|| Some(times)).map_err(|problem| {
            problem.errors().iter().map(|error| error.field.to_string()).collect()
        })
    }

    #[test]
    fn a_span_is_in_milliseconds_and_what_is_not_given_is_as_usual() {
        assert_eq!(read(""), Ok((1_799_999_940_000, 1_800_000_000_000)));
        assert_eq!(read("to=1704067200000"), Ok((1_704_067_140_000, 1_704_067_200_000)));
        assert_eq!(
            read("from=1704067200000&to=1704067200000"),
            Ok((1_704_067_200_000, 1_704_067_200_000))
        );
        assert_eq!(
            read("from=0&to=9999999999999"),
            Ok((ReadingTime::MIN.as_millis(), ReadingTime::MAX.as_millis()))
        );
    }

    #[test]
    fn what_is_no_span_is_refused_by_the_field() {
        assert_eq!(read("from=yesterday&to=1.5"), Err(vec!["to".into(), "from".into()]));
        assert_eq!(read("from=1704067200001&to=1704067200000"), Err(vec!["from".into()]));
        assert_eq!(read("from=9999999999999&to=0"), Err(vec!["to".into(), "from".into()]));
    }
}
