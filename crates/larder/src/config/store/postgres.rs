//! The URL of a PostgreSQL database, whose password is never shown.

use std::fmt;

/// Parameters that the driver understands. It drops all others with only a log line, which would
/// show the value.
const PARAMETERS: &[&str] = &[
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
];

/// A `postgres://` URL as given, for the driver; printed without user name, password and
/// parameters.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    whole: String,
    shown: String,
}

impl PostgresUrl {
    /// Parses a URL, or describes the mistake without repeating the URL.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let Some(rest) = text.split_once("://").map(|(_, rest)| rest) else {
            return Err("is not a URL such as postgres://host/database".to_owned());
        };
        if let Some(unknown) = unknown_parameter(rest) {
            return Err(format!(
                "has the unknown parameter {unknown:?}, but only {} are known",
                PARAMETERS.join(", ")
            ));
        }
        Ok(Self { whole: text.to_owned(), shown: format!("postgres://{}", place(rest)) })
    }

    /// The whole URL, only for the driver.
    pub fn expose(&self) -> &str {
        &self.whole
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.shown)
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "PostgresUrl({})", self.shown)
    }
}

/// The name of the first parameter that the driver would drop, unless it may be part of a password.
fn unknown_parameter(rest: &str) -> Option<&str> {
    let (_, parameters) = rest.split_once('?')?;
    let names = parameters.split('&').filter_map(|parameter| parameter.split_once('='));
    let mut unknown = names
        .map(|(name, _)| name)
        .filter(|name| !PARAMETERS.contains(name) && !name.starts_with("options["));
    let name = unknown.next()?;
    let is_clear = !parameters.contains('@')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    Some(if is_clear { name } else { "…" })
}

/// Host, port and database, or an empty text if they cannot be told from a password for certain:
/// passwords are sometimes unencoded, and may contain any of `@ : / ?`.
fn place(rest: &str) -> &str {
    let (before_parameters, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let place = match before_parameters.rsplit_once('@') {
        Some((_, place)) => place,
        None if parameters.contains('@') => return "…",
        None => before_parameters,
    };
    let (host, database) = place.split_once('/').unwrap_or((place, ""));
    let after_address = host.rsplit_once(']').map_or(host, |(_, port)| port);
    let port = after_address.rsplit_once(':').map_or("", |(_, port)| port);
    let is_name = |name: &str, others: &str| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
    };
    let is_clear = is_name(host, ".-_:[]%")
        && is_name(database, "-_%")
        && (port.is_empty() || port.parse::<u16>().is_ok());
    if is_clear { place } else { "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_as_host_port_and_database() {
        for (url, shown) in [
            ("postgres://db/larder", "postgres://db/larder"),
            ("postgres://anna:hunter2@db:5432/larder", "postgres://db:5432/larder"),
            ("postgresql://anna:hunter2@[::1]:5432/larder", "postgres://[::1]:5432/larder"),
            ("postgres://anna@[::1]/larder", "postgres://[::1]/larder"),
            ("postgres://db/larder?password=hunter2", "postgres://db/larder"),
            ("postgres://anna:hunt@er2@db/larder", "postgres://db/larder"),
            ("postgres:///larder?host=/run/postgresql", "postgres:///larder"),
        ] {
            assert_eq!(PostgresUrl::parse(url).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn a_password_is_never_shown_however_it_is_written() {
        for url in [
            "postgres://anna:hunter2",
            "postgres://anna:hunter2/larder",
            "postgres://anna:hunter2?x",
            "postgres://anna:hun?ter2@db/larder",
            "postgres://anna:hun/ter2@db/larder",
            "postgres://db?password=hunter2@x",
            "postgres://db/larder?password=hunter2@x",
            "postgres://:hunter2@db",
            "postgres://anna:hunter2@d b/x",
        ] {
            let url = PostgresUrl::parse(url).unwrap();
            for shown in [url.to_string(), format!("{url:?}")] {
                assert!(!shown.contains("hun") && !shown.contains("ter2"), "{shown}");
            }
        }
    }

    #[test]
    fn the_driver_gets_the_url_as_it_was_given() {
        let url = "postgres://anna:hunter2@db/larder?sslmode=require";
        assert_eq!(PostgresUrl::parse(url).unwrap().expose(), url);
    }

    #[test]
    fn a_parameter_that_the_driver_would_drop_is_refused_by_name() {
        let refusal = PostgresUrl::parse("postgres://db/larder?sslmode=require&passwd=hunter2");
        let refusal = refusal.unwrap_err();
        assert!(refusal.starts_with("has the unknown parameter \"passwd\", but only"), "{refusal}");
        assert!(!refusal.contains("hunter2"), "{refusal}");
        let hidden = PostgresUrl::parse("postgres://anna:hun?ter2=x@db/larder").unwrap_err();
        assert!(hidden.starts_with("has the unknown parameter \"…\", but only"), "{hidden}");
        let known = "postgres://db/larder?sslmode=require&options[search_path]=larder&user=anna";
        assert_eq!(PostgresUrl::parse(known).unwrap().expose(), known);
    }

    #[test]
    fn a_url_without_slashes_is_refused() {
        assert_eq!(
            PostgresUrl::parse("postgres:larder"),
            Err("is not a URL such as postgres://host/database".to_owned())
        );
    }
}
