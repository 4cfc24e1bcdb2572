//! Errors of tables. Each text says how to fix it.

use std::error::Error as StdError;
use std::fmt::Write as _;

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use thiserror::Error;

use crate::DynamoOptions;

/// Why tables could not be created or compared.
#[derive(Debug, Error)]
pub enum TablesError {
    /// A table cannot have this name.
    #[error("a table cannot be named {name:?}: {reason}; choose another prefix")]
    Name {
        /// The name, with its prefix.
        name: String,
        /// The rule that the name breaks.
        reason: String,
    },
    /// No region is configured.
    #[error("no region is set: add 'region=…' to the store's address, or set AWS_REGION")]
    NoRegion,
    /// No credentials were found.
    #[error(
        "no AWS credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, \
         or run where a container or instance role gives them ({detail})"
    )]
    NoCredentials {
        /// The SDK's error.
        detail: String,
    },
    /// The endpoint does not answer.
    #[error(
        "{place} cannot be reached: check the network, and that region and endpoint are spelled right \
         ({detail})"
    )]
    Unreachable {
        /// Region or endpoint.
        place: String,
        /// The SDK's error.
        detail: String,
    },
    /// The credentials are not good at this place.
    #[error(
        "{place} does not know these credentials: check that they are current and belong to this region \
         ({detail})"
    )]
    BadCredentials {
        /// Region or endpoint.
        place: String,
        /// The service's error.
        detail: String,
    },
    /// The credentials are good, but not for this.
    #[error(
        "these credentials may not {operation} on table {table}: docs/dynamodb.md has the policy that \
         allows it ({detail})"
    )]
    AccessDenied {
        /// The operation, by its name in policies.
        operation: &'static str,
        /// The table.
        table: String,
        /// The service's error.
        detail: String,
    },
    /// A table did not reach the requested state in time.
    #[error("table {table} is still {waiting_for} after {seconds} s: run the command again later")]
    Deadline {
        /// The table.
        table: String,
        /// The change in progress.
        waiting_for: String,
        /// How long was waited.
        seconds: u64,
    },
    /// The service refused for another reason.
    #[error("{operation} on table {table} failed at {place}: {detail}")]
    Refused {
        /// The operation, by its name in policies.
        operation: &'static str,
        /// The table.
        table: String,
        /// Region or endpoint.
        place: String,
        /// The service's error.
        detail: String,
    },
}

/// One request for one table, for errors to name.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) operation: &'static str,
    pub(super) table: &'a str,
    pub(super) place: &'a str,
}

impl Request<'_> {
    /// The error of a failed request, for operators.
    pub(super) fn failed<E>(&self, error: &SdkError<E, HttpResponse>) -> TablesError
    where
        E: ProvideErrorMetadata + StdError + 'static,
    {
        let (operation, table) = (self.operation, self.table.to_owned());
        let (place, detail) = (self.place.to_owned(), whole_text(error));
        match error {
            SdkError::ServiceError(_) => match error.code().unwrap_or_default() {
                "AccessDeniedException" => TablesError::AccessDenied { operation, table, detail },
                "UnrecognizedClientException"
                | "InvalidSignatureException"
                | "IncompleteSignatureException"
                | "MissingAuthenticationTokenException"
                | "InvalidAccessKeyId"
                | "ExpiredTokenException" => TablesError::BadCredentials { place, detail },
                _ => TablesError::Refused { operation, table, place, detail },
            },
            // The SDK has no types for these two; only their texts tell them apart.
            _ if detail.to_lowercase().contains("credential") => {
                TablesError::NoCredentials { detail }
            }
            _ if detail.to_lowercase().contains("region") => TablesError::NoRegion,
            _ => TablesError::Unreachable { place, detail },
        }
    }
}

/// The destination of requests, for people.
pub(super) fn place(options: &DynamoOptions) -> String {
    match (&options.endpoint, &options.region) {
        (Some(endpoint), _) => format!("the endpoint {endpoint}"),
        (None, Some(region)) => format!("DynamoDB in the region {region}"),
        (None, None) => "DynamoDB in the region of the environment".to_owned(),
    }
}

/// Whether the endpoint does not support this operation, as opposed to refusing it.
pub(super) fn is_unknown_operation<E>(error: &SdkError<E, HttpResponse>) -> bool
where
    E: ProvideErrorMetadata,
{
    matches!(error.code(), Some("UnknownOperationException" | "UnsupportedOperationException"))
}

/// An error with all its causes on one line: the SDK's innermost cause matters most.
fn whole_text(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use aws_config::profile::ProfileFileCredentialsProvider;
    use aws_config::provider_config::ProviderConfig;
    use aws_sdk_dynamodb::config::{BehaviorVersion, Builder, Credentials, Region};
    use aws_sdk_dynamodb::{Client, Config};

    use super::*;

    /// The error of a request. No server listens at the endpoint, so there is no other cause.
    async fn failure(configure: fn(Builder) -> Builder) -> TablesError {
        let builder = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .http_client(aws_smithy_http_client::Builder::new().build_http());
        let client = Client::from_conf(configure(builder).build());
        let error = client.describe_table().table_name("Changes").send().await.unwrap_err();
        Request { operation: "DescribeTable", table: "Changes", place: "nowhere" }.failed(&error)
    }

    /// Reads only an empty file: a test must not find the credentials of its user.
    #[expect(deprecated, reason = "the newer names are in a crate that nothing else here needs")]
    fn nobody() -> ProfileFileCredentialsProvider {
        use aws_config::profile::profile_file::{ProfileFileKind, ProfileFiles};
        let http = aws_smithy_http_client::Builder::new().build_http();
        ProfileFileCredentialsProvider::builder()
            .configure(&ProviderConfig::without_region().with_http_client(http))
            .profile_files(
                ProfileFiles::builder().with_contents(ProfileFileKind::Credentials, "").build(),
            )
            .profile_name("nobody")
            .build()
    }

    #[tokio::test]
    async fn without_credentials_it_says_where_they_are_looked_for() {
        let error = failure(|builder| {
            let builder = builder.region(Region::new("eu-central-1"));
            builder.credentials_provider(nobody()).endpoint_url("http://127.0.0.1:9")
        })
        .await;
        let text = error.to_string();
        assert!(matches!(error, TablesError::NoCredentials { .. }), "{text}");
        assert!(text.contains("AWS_ACCESS_KEY_ID"), "{text}");
    }

    #[tokio::test]
    async fn without_a_region_it_says_where_to_set_one() {
        let error = failure(|builder| {
            builder.credentials_provider(Credentials::new("someone", "secret", None, None, "test"))
        })
        .await;
        assert!(matches!(error, TablesError::NoRegion), "{error}");
    }
}
