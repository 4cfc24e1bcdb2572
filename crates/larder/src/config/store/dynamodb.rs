//! The address of a DynamoDB store: `dynamodb:?region=…&endpoint=…&prefix=…`.

use std::fmt;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use larder_http::PublicUrl;

/// The location of the tables. Without credentials: they come from the usual AWS sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DynamoDbAddress {
    /// The region; by default from the AWS environment.
    pub region: Option<String>,
    /// Another service than Amazon's own, as an http or https URL.
    pub endpoint: Option<String>,
    /// A prefix of every table name.
    pub prefix: String,
}

/// Mistakes in an address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Mistake {
    #[error("has parameters that do not begin with a question mark, as in dynamodb:?region=…")]
    NoQuestionMark,
    #[error("has the unknown parameter {0:?}, but only region, endpoint and prefix are known")]
    Unknown(String),
    #[error("has the parameter {0} twice")]
    Twice(&'static str),
    #[error("has the parameter {0} without a value")]
    Empty(&'static str),
    #[error("has a parameter {0} that is not UTF-8 text when decoded")]
    NotText(&'static str),
    #[error(
        "has an endpoint that is not an http or https URL without user name, query or fragment, such \
         as http://127.0.0.1:8000"
    )]
    Endpoint,
}

impl DynamoDbAddress {
    /// Parses the part after `dynamodb:`.
    pub(super) fn parse(text: &str) -> Result<Self, Mistake> {
        let parameters = match text.strip_prefix('?') {
            Some(parameters) => parameters,
            None if text.is_empty() => "",
            None => return Err(Mistake::NoQuestionMark),
        };
        let (mut region, mut endpoint, mut prefix) = (None, None, None);
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let (name, place) = match name {
                "region" => ("region", &mut region),
                "endpoint" => ("endpoint", &mut endpoint),
                "prefix" => ("prefix", &mut prefix),
                other => return Err(Mistake::Unknown(other.to_owned())),
            };
            let value = percent_decode_str(value).decode_utf8();
            let value = value.map_err(|_| Mistake::NotText(name))?.into_owned();
            if value.is_empty() {
                return Err(Mistake::Empty(name));
            }
            if place.replace(value).is_some() {
                return Err(Mistake::Twice(name));
            }
        }
        // The same demands as on our own address; above all, no password in it.
        if endpoint.as_ref().is_some_and(|endpoint| PublicUrl::parse(endpoint).is_none()) {
            return Err(Mistake::Endpoint);
        }
        Ok(Self { region, endpoint, prefix: prefix.unwrap_or_default() })
    }
}

/// In the syntax that it is parsed from; an address contains no secret.
impl fmt::Display for DynamoDbAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("dynamodb:")?;
        let prefix = Some(&self.prefix).filter(|prefix| !prefix.is_empty());
        let mut separator = '?';
        for (name, value) in [
            ("region", self.region.as_ref()),
            ("endpoint", self.endpoint.as_ref()),
            ("prefix", prefix),
        ] {
            if let Some(value) = value {
                write!(out, "{separator}{name}={}", Readable(value))?;
                separator = '&';
            }
        }
        Ok(())
    }
}

/// A value with the fewest characters encoded: those that would end it or be decoded again.
struct Readable<'a>(&'a str);

impl fmt::Display for Readable<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CLEAR: &percent_encoding::AsciiSet =
            &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b':').remove(b'/');
        utf8_percent_encode(self.0, CLEAR).fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(region: Option<&str>, endpoint: Option<&str>, prefix: &str) -> DynamoDbAddress {
        DynamoDbAddress {
            region: region.map(str::to_owned),
            endpoint: endpoint.map(str::to_owned),
            prefix: prefix.to_owned(),
        }
    }

    #[test]
    fn every_parameter_may_be_left_out() {
        for (text, expected) in [
            ("", address(None, None, "")),
            ("?", address(None, None, "")),
            ("?region=eu-central-1", address(Some("eu-central-1"), None, "")),
            ("?prefix=home-", address(None, None, "home-")),
            (
                "?prefix=p_&endpoint=http://127.0.0.1:8000&region=r",
                address(Some("r"), Some("http://127.0.0.1:8000"), "p_"),
            ),
        ] {
            assert_eq!(DynamoDbAddress::parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn values_are_percent_decoded() {
        assert_eq!(
            DynamoDbAddress::parse("?endpoint=http%3A%2F%2Flocalhost%3A8000&prefix=a%26b%3D"),
            Ok(address(None, Some("http://localhost:8000"), "a&b="))
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_name() {
        for (text, mistake) in [
            ("region=x", "has parameters that do not begin with a question mark"),
            ("//host", "has parameters that do not begin with a question mark"),
            ("?regoin=x", "has the unknown parameter \"regoin\", but only region, endpoint and"),
            ("?region=a&region=b", "has the parameter region twice"),
            ("?region", "has the parameter region without a value"),
            ("?prefix=", "has the parameter prefix without a value"),
            ("?prefix=%FF", "has a parameter prefix that is not UTF-8 text when decoded"),
            ("?endpoint=localhost:8000", "has an endpoint that is not an http or https URL"),
            ("?endpoint=http://key:hunter2@h", "has an endpoint that is not an http or https URL"),
        ] {
            let refusal = DynamoDbAddress::parse(text).unwrap_err().to_string();
            assert!(refusal.starts_with(mistake), "{text}: {refusal}");
            assert!(!refusal.contains("hunter2"), "{refusal}");
        }
    }

    #[test]
    fn an_address_is_shown_as_it_could_be_given_again() {
        for text in ["dynamodb:", "dynamodb:?region=r&endpoint=http://h:8000&prefix=a%26b"] {
            let address = DynamoDbAddress::parse(&text["dynamodb:".len()..]).unwrap();
            assert_eq!(address.to_string(), text);
        }
    }
}
