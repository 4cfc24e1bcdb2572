//! Records as any user of the SDK reads them: past the engine, by a plain `GetItem`.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use larder_storage_dynamodb::DynamoOptions;
use larder_storage_item::Table;
use serde_json::{Map, Value, json};

/// The record with this key, in the form of the seeds; `None` if it does not exist.
pub(crate) async fn get(
    options: &DynamoOptions,
    table: Table,
    key: &[(&str, &str)],
) -> Option<Map<String, Value>> {
    let mut request = client(options)
        .get_item()
        .table_name(format!("{}{}", options.prefix, table.name()))
        .consistent_read(true);
    for (name, text) in key {
        request = request.key(*name, AttributeValue::S((*text).to_owned()));
    }
    let record = request.send().await.unwrap().item?;
    Some(record.into_iter().map(|(name, value)| (name, plain(&value))).collect())
}

fn client(options: &DynamoOptions) -> Client {
    let key = options.access_key.as_ref().unwrap();
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https())
        .region(Region::new(options.region.clone().unwrap()))
        .endpoint_url(options.endpoint.clone().unwrap())
        .credentials_provider(Credentials::new(&key.id, &key.secret, None, None, "given"))
        .build();
    Client::from_conf(config)
}

/// A value as the seeds write it.
fn plain(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => json!(text),
        AttributeValue::N(number) => serde_json::from_str(number).unwrap(),
        AttributeValue::Bool(flag) => json!(flag),
        AttributeValue::Null(_) => Value::Null,
        AttributeValue::L(values) => values.iter().map(plain).collect(),
        AttributeValue::M(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), plain(value)));
            Value::Object(fields.collect())
        }
        other => panic!("no example has {other:?}"),
    }
}
