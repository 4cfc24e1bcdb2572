//! Error texts say how to fix the problem.

use larder_storage_dynamodb::DynamoOptions;
use larder_storage_dynamodb::tables::{self, TablesError};

use crate::account::refusal;
use crate::at;
use crate::scripted::ScriptedEndpoint;

async fn refused_with(kind: &'static str, message: &'static str) -> TablesError {
    let endpoint = ScriptedEndpoint::start(move |_, _| refusal(kind, message));
    tables::verify(&at(endpoint.url(), "")).await.expect_err("it refuses")
}

#[tokio::test]
async fn a_denied_operation_is_named_with_its_table_and_where_the_policy_is() {
    let denied = refused_with("AccessDeniedException", "User bob is not authorized").await;
    let text = denied.to_string();
    assert!(matches!(denied, TablesError::AccessDenied { .. }), "{text}");
    for part in ["DescribeTable", "InventoryManagement", "docs/dynamodb.md", "bob"] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

#[tokio::test]
async fn credentials_that_the_region_does_not_know_are_told_apart() {
    for kind in
        ["UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException"]
    {
        let error = refused_with(kind, "The security token is invalid").await;
        let text = error.to_string();
        assert!(matches!(error, TablesError::BadCredentials { .. }), "{text}");
        assert!(text.contains("belong to this region"), "{text}");
    }
}

#[tokio::test]
async fn another_refusal_keeps_what_the_service_said() {
    let error = refused_with("ValidationException", "one thing is wrong").await;
    let text = error.to_string();
    assert!(matches!(error, TablesError::Refused { .. }), "{text}");
    assert!(text.contains("one thing is wrong"), "{text}");
}

#[tokio::test]
async fn an_endpoint_that_does_not_answer_is_named() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = tables::verify(&at(format!("http://{closed}"), "")).await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, TablesError::Unreachable { .. }), "{text}");
    assert!(text.contains(&format!("the endpoint http://{closed} cannot be reached")), "{text}");
}

#[tokio::test]
async fn a_prefix_that_makes_no_name_is_refused_before_anyone_is_asked() {
    let endpoint = ScriptedEndpoint::start(|_, _| refusal("ValidationException", "never asked"));
    let options: DynamoOptions = at(endpoint.url(), "my home ");
    let error = tables::create(&options, |_| {}).await.unwrap_err();
    assert!(matches!(error, TablesError::Name { .. }), "{error}");
    assert_eq!(endpoint.asked(), Vec::<String>::new());
}
