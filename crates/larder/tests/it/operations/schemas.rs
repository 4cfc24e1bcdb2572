//! The request bodies that `/openapi.json` describes are the ones that handlers read.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::it::support::Server;

/// Follows a reference within the document.
fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).expect("references lead somewhere"),
        None => schema,
    }
}

/// Whether a property accepts a list: its type is "array", or one of several is.
fn is_list(property: &Value) -> bool {
    let kind = &property["type"];
    *kind == "array" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("array")))
}

#[tokio::test]
async fn every_documented_field_is_read_and_every_required_one_is_asked_for() {
    let server = Server::start().await;
    let client = server.with_household("mia").await;
    let api_key = client.api_key().await;
    let document = client.get_root("/openapi.json").await.expect(200);
    let mut bodies = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let schema = resolve(&document, schema);
            let Some(properties) = schema["properties"].as_object() else { continue };
            bodies += 1;
            let what = format!("{method} {path}");
            let example = |part| match part {
                "{urlId}" => "0000000000000000000000",
                "{hardware_id}" => "AA:BB:CC:DD:EE:FF",
                "{urn}" | "{principal}" => "urn:pp:Box::00000000-0000-0000-0000-000000000001",
                "{memberUrn}" => "urn:pp:Box::00000000-0000-0000-0000-000000000002",
                part if str::starts_with(part, "{") => client.user_id.as_str(),
                part => part,
            };
            let path: Vec<_> = path.split('/').map(example).collect();
            let method: Method = method.to_uppercase().parse().unwrap();
            let fields_of_errors = async |body: Value| -> BTreeSet<String> {
                let request = client.request_root(method.clone(), &path.join("/")).json(&body);
                let request = request.header("X-API-Key", &api_key).header("If-Match", "*");
                let problem = client.send(request).await.expect_problem(400, "INVALID_FIELDS");
                let errors = problem["errors"].as_array().unwrap().iter();
                errors.map(|error| error["field"].as_str().unwrap().to_owned()).collect()
            };
            // Lists get an object and everything else a list, so every field that is read is
            // invalid, and none is unknown.
            let wrong_for =
                |property: &Value| if is_list(property) { json!({}) } else { json!([]) };
            let wrong: Map<_, _> = properties
                .iter()
                .map(|(name, property)| (name.clone(), wrong_for(property)))
                .collect();
            let all: BTreeSet<_> = properties.keys().cloned().collect();
            assert_eq!(fields_of_errors(Value::Object(wrong)).await, all, "{what}");

            let required = schema["required"].as_array().into_iter().flatten();
            let required: BTreeSet<_> =
                required.map(|name| name.as_str().unwrap().to_owned()).collect();
            if !required.is_empty() {
                assert_eq!(fields_of_errors(json!({})).await, required, "{what}");
            }
        }
    }
    assert!(bodies >= 12, "only {bodies} request bodies were found");
}
