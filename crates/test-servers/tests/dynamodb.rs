//! DynamoDB Local as tests get it, spoken to without an SDK.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use larder_test_servers::DynamoDbLocal;

const TABLE: &str = r#"{"TableName":"kept","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}"#;

/// Calls an operation; the whole answer as text.
fn call(server: &DynamoDbLocal, operation: &str, body: &str) -> String {
    let mut connection = TcpStream::connect(server.address()).unwrap();
    let request = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/x-amz-json-1.0\r\nContent-Length: {}\r\n\
         X-Amz-Target: DynamoDB_20120810.{operation}\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/dynamodb/aws4_request, \
         SignedHeaders=host, Signature=none\r\n\r\n{body}",
        body.len()
    );
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_shared_one_answers_and_is_the_same_for_all() {
    let server = DynamoDbLocal::shared();
    assert!(call(server, "ListTables", "{}").contains("TableNames"));
    assert_eq!(server.endpoint(), DynamoDbLocal::shared().endpoint());
    assert_eq!(server.endpoint(), format!("http://{}", server.address()));
}

#[test]
fn tables_in_files_are_there_after_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let server = DynamoDbLocal::start_in(directory.path());
    let created = call(&server, "CreateTable", TABLE);
    assert!(created.starts_with("HTTP/1.1 200"), "{created}");
    server.kill();
    TcpStream::connect(server.address()).unwrap_err();
    server.start_again();
    let tables = call(&server, "ListTables", "{}");
    assert!(tables.ends_with(r#"{"TableNames":["kept"]}"#), "{tables}");
}
