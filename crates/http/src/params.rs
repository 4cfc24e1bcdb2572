//! Query parameters, read like the fields of a body: none unknown, no duplicates, all errors
//! reported at once.

use std::{borrow::Cow, convert::Infallible, fmt::Display};

use axum::{extract::FromRequestParts, http::request::Parts};

use crate::{
    FieldError, Problem,
    fields::{conclude, unknown_field},
    read::refusal,
};

/// The parameters of a query string. Also an extractor.
///
/// ```
/// # use larder_http::{Params, Problem};
/// # fn main() -> Result<(), Problem> {
/// # struct ListItems { search: Option<String>, limit: i64 }
/// let mut params = Params::parse(Some("search=milk"))?;
/// let search = params.text("search");
/// let limit = params.integer("limit", 1..=200).unwrap_or(50);
/// let query = params.finish(|| Some(ListItems { search, limit }))?;
/// # assert_eq!((query.search.as_deref(), query.limit), (Some("milk"), 50));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Params {
    given: Vec<Given>,
    errors: Vec<FieldError>,
}

#[derive(Debug)]
struct Given {
    name: String,
    value: String,
    asked_for: bool,
}

impl Params {
    /// The parameters of a query string, percent-decoded.
    pub fn parse(query: Option<&str>) -> Result<Self, Problem> {
        let mut given: Vec<Given> = Vec::new();
        for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decode(name)?, decode(value)?);
            // Linear, because hyper's limit on the request line leaves no room for many.
            if given.iter().any(|earlier| earlier.name == name) {
                return Err(Problem::bad_request("DUPLICATE_KEY", "A parameter is given twice")
                    .field_error(name, "is given more than once"));
            }
            given.push(Given { name, value, asked_for: false });
        }
        Ok(Self { given, errors: Vec::new() })
    }

    /// A parameter that may be absent.
    pub fn optional<T, E: Display>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let given = self.given.iter_mut().find(|given| given.name == name)?;
        given.asked_for = true;
        match parse(&given.value) {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(name, refusal(error));
                None
            }
        }
    }

    /// A required parameter. `None` means that an error was recorded.
    pub fn required<T, E: Display>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        if !self.given.iter().any(|given| given.name == name) {
            self.refuse(name, "is required");
        }
        self.optional(name, parse)
    }

    /// `true` or `false`; absent is `None`.
    pub fn boolean(&mut self, name: &'static str) -> Option<bool> {
        self.optional(name, |text| text.parse::<bool>().map_err(|_| "must be true or false"))
    }

    /// A whole number within bounds.
    pub fn integer(
        &mut self,
        name: &'static str,
        bounds: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        self.optional(name, |text| {
            let number = text.parse::<i64>().ok().filter(|number| bounds.contains(number));
            number.ok_or_else(|| {
                format!("must be a whole number from {} to {}", bounds.start(), bounds.end())
            })
        })
    }

    /// A text as it is.
    pub fn text(&mut self, name: &'static str) -> Option<String> {
        self.optional(name, |text| Ok::<_, Infallible>(text.to_owned()))
    }

    /// Records an error that no single parser could see.
    pub fn refuse(&mut self, name: &'static str, message: impl Into<Cow<'static, str>>) {
        self.errors.push(FieldError { field: Cow::Borrowed(name), message: message.into() });
    }

    /// Builds the query if every parameter was valid and none was unknown.
    pub fn finish<T>(self, build: impl FnOnce() -> Option<T>) -> Result<T, Problem> {
        let unknown = self.given.iter().filter(|given| !given.asked_for);
        conclude(unknown.map(|given| unknown_field(&given.name)).collect(), self.errors, build)
    }
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Self::parse(parts.uri.query())
    }
}

/// Decodes `application/x-www-form-urlencoded` text, as sent by forms and `URLSearchParams`.
fn decode(text: &str) -> Result<String, Problem> {
    let malformed = || Problem::bad_request("MALFORMED_QUERY", "The query string is malformed");
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => match (bytes.next().and_then(hex_digit), bytes.next().and_then(hex_digit)) {
                (Some(high), Some(low)) => high << 4 | low,
                _ => return Err(malformed().detail("% must be followed by two hex digits")),
            },
            byte => byte,
        });
    }
    String::from_utf8(decoded)
        .map_err(|_| Problem::bad_request("INVALID_UTF8", "The query string is not UTF-8"))
}

fn hex_digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(query: &str) -> &'static str {
        Params::parse(Some(query)).unwrap_err().code()
    }

    #[test]
    fn parameters_are_decoded() {
        let mut params =
            Params::parse(Some("search=a%20b+%E7%89%9B&limit=5&lowStock=true")).unwrap();
        assert_eq!(params.text("search").as_deref(), Some("a b 牛"));
        assert_eq!(params.integer("limit", 1..=200), Some(5));
        assert_eq!(params.boolean("lowStock"), Some(true));
        assert_eq!(params.boolean("includeDepleted"), None);
        assert!(params.finish(|| Some(())).is_ok());
    }

    #[test]
    fn a_parameter_without_a_value_is_empty_text() {
        let mut params = Params::parse(Some("&search&")).unwrap();
        assert_eq!(params.text("search").as_deref(), Some(""));
        assert!(Params::parse(None).unwrap().finish(|| Some(())).is_ok());
    }

    #[test]
    fn every_mistake_is_reported_at_once() {
        let mut params = Params::parse(Some("limit=0&lowStock=1")).unwrap();
        params.integer("limit", 1..=200);
        params.boolean("lowStock");
        params.required("status", str::parse::<u8>);
        let problem = params.finish(|| Some(())).unwrap_err();
        assert_eq!(problem.code(), "INVALID_FIELDS");
        let messages: Vec<_> =
            problem.errors().iter().map(|error| (&*error.field, &*error.message)).collect();
        assert_eq!(
            messages,
            [
                ("limit", "must be a whole number from 1 to 200"),
                ("lowStock", "must be true or false"),
                ("status", "is required"),
            ]
        );
    }

    #[test]
    fn an_unknown_parameter_is_named() {
        let problem = Params::parse(Some("serach=x")).unwrap().finish(|| Some(())).unwrap_err();
        assert_eq!(problem.code(), "UNKNOWN_FIELD");
        assert_eq!(problem.errors()[0].field, "serach");
    }

    #[test]
    fn bad_query_strings_have_their_codes() {
        assert_eq!(code("a=1&%61=2"), "DUPLICATE_KEY");
        assert_eq!(code("a=%ff"), "INVALID_UTF8");
        assert_eq!(code("a=%4"), "MALFORMED_QUERY");
        assert_eq!(code("a=%zz"), "MALFORMED_QUERY");
    }
}
