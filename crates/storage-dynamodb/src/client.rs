//! The SDK's client, with our timeouts and without its retries: the engine retries by itself, since
//! only it knows which requests are idempotent.

use aws_config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;

use crate::DynamoOptions;

/// Creates a client without connecting: credentials and the endpoint are resolved with the first
/// request.
pub(crate) async fn client(options: &DynamoOptions) -> Client {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(options.connect_timeout)
        .operation_attempt_timeout(options.attempt_timeout)
        .build();
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .http_client(Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https())
        .retry_config(RetryConfig::disabled())
        .timeout_config(timeouts);
    if let Some(region) = &options.region {
        loader = loader.region(Region::new(region.clone()));
    }
    if let Some(endpoint) = &options.endpoint {
        loader = loader.endpoint_url(endpoint);
    }
    if let Some(key) = &options.access_key {
        loader = loader.credentials_provider(Credentials::new(
            &key.id,
            &key.secret,
            None,
            None,
            "given",
        ));
    }
    Client::new(&loader.load().await)
}
