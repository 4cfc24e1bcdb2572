//! The readings of a request, parsed in one pass and without unnecessary copies: this is the only
//! route on which JSON parsing time matters.
//!
//! Numbers are read as literals, so that a value beyond the range of floats is an error of its
//! reading and not of the whole text. Every error, also a value of another type, is named by its
//! place: `readings[3].boot_id`.

mod lenient;
mod mistakes;
mod per_sensor;
mod reading;

use std::borrow::Cow;

use larder_http::Problem;
use larder_storage::{MAX_READINGS_PER_REQUEST, NewReading};
use serde::{
    Deserialize,
    de::{DeserializeSeed as _, IgnoredAny, MapAccess, SeqAccess},
};

use self::{
    lenient::{Compound, Lenient},
    mistakes::Mistakes,
    reading::ReadingFields,
};

/// The content of a valid request.
#[derive(Debug)]
pub(super) struct SentReadings<'a> {
    /// In the order of the request.
    pub(super) readings: Vec<NewReading>,
    /// Their batch ids, as written in the request.
    pub(super) batch_ids: Vec<Cow<'a, str>>,
    /// The number of unknown fields.
    pub(super) unknown_fields: u64,
}

/// Why all readings of a request are refused.
#[derive(Debug)]
pub(super) struct Refused {
    /// The problem for the client.
    pub(super) problem: Problem,
    /// The number of refused readings, as far as they were parsed.
    pub(super) readings: u64,
}

impl<'a> SentReadings<'a> {
    pub(super) fn parse(body: &'a [u8]) -> Result<Self, Refused> {
        let mut request = Request::default();
        match request.read(body).and_then(|()| request.mistakes.take_problem()) {
            Ok(()) => {
                let Request { readings, batch_ids, unknown_fields, .. } = request;
                Ok(Self { readings, batch_ids, unknown_fields })
            }
            Err(problem) => Err(Refused { problem, readings: request.found }),
        }
    }
}

/// The parsed content so far.
#[derive(Default)]
struct Request<'a> {
    readings: Vec<NewReading>,
    batch_ids: Vec<Cow<'a, str>>,
    found: u64,
    unknown_fields: u64,
    mistakes: Mistakes,
}

impl<'a> Request<'a> {
    fn read(&mut self, body: &'a [u8]) -> Result<(), Problem> {
        let text = std::str::from_utf8(body).map_err(|error| {
            Problem::bad_request("INVALID_UTF8", "The body is not UTF-8")
                .detail(format!("the first bad byte is at offset {}", error.valid_up_to()))
        })?;
        if text.trim_ascii().is_empty() {
            return Err(Problem::bad_request("BODY_REQUIRED", "A JSON object is needed"));
        }
        let mut json = serde_json::Deserializer::from_str(text);
        let read =
            Lenient(Body(self)).deserialize(&mut json).and_then(|read| json.end().map(|()| read));
        match read {
            Ok(Some(())) => Ok(()),
            Ok(None) => {
                Err(Problem::bad_request("NOT_AN_OBJECT", "The body must be a JSON object"))
            }
            Err(error) => Err(self.mistakes.malformed(&error)),
        }
    }
}

/// The body: an object with the one field `readings`.
struct Body<'c, 'a>(&'c mut Request<'a>);

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum BodyField {
    Readings,
    #[serde(other)]
    Unknown,
}

impl<'a> Compound<'a> for Body<'_, 'a> {
    type Value = ();

    fn object<A: MapAccess<'a>>(self, mut map: A) -> Result<Option<()>, A::Error> {
        let Self(request) = self;
        let mut is_given = false;
        while let Some(field) = map.next_key()? {
            match field {
                BodyField::Readings if !is_given => {
                    is_given = true;
                    if map.next_value_seed(Lenient(List(request)))?.is_none() {
                        request.mistakes.of_body("must be a list");
                    }
                }
                BodyField::Readings => {
                    map.next_value::<IgnoredAny>()?;
                    request.mistakes.of_body("is given more than once");
                }
                BodyField::Unknown => {
                    map.next_value::<IgnoredAny>()?;
                    request.unknown_fields += 1;
                }
            }
        }
        if !is_given {
            request.mistakes.of_body("is required");
        }
        Ok(Some(()))
    }
}

/// The list of readings.
struct List<'c, 'a>(&'c mut Request<'a>);

impl<'a> Compound<'a> for List<'_, 'a> {
    type Value = ();

    fn list<A: SeqAccess<'a>>(self, mut list: A) -> Result<Option<()>, A::Error> {
        let Self(request) = self;
        for index in 0..MAX_READINGS_PER_REQUEST {
            request.mistakes.enter_reading(index);
            let fields = ReadingFields {
                mistakes: &mut request.mistakes,
                unknown_fields: &mut request.unknown_fields,
            };
            let Some(read) = list.next_element_seed(Lenient(fields))? else { break };
            request.found += 1;
            match read {
                Some(Some((reading, batch_id))) => {
                    request.readings.push(reading);
                    request.batch_ids.push(batch_id);
                }
                Some(None) => {}
                None => request.mistakes.of_reading("must be an object"),
            }
        }
        request.mistakes.leave_readings();
        while list.next_element::<IgnoredAny>()?.is_some() {
            request.found += 1;
        }
        let fits = 1..=u64::try_from(MAX_READINGS_PER_REQUEST).unwrap_or(u64::MAX);
        if !fits.contains(&request.found) {
            let max = MAX_READINGS_PER_REQUEST;
            request.mistakes.of_body(format!("must have 1 to {max} elements"));
        }
        Ok(Some(()))
    }
}

#[cfg(test)]
mod tests;
