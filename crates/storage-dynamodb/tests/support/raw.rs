//! Raw requests to DynamoDB Local, without an SDK.

use std::io::{Read, Write};
use std::net::TcpStream;

use larder_storage_dynamodb::DynamoOptions;
use serde_json::Value;

const GIVEN: &str = "the options of a test have it";

/// Sends one operation and returns the answer, whatever it is. DynamoDB Local reads account and
/// region from the credential and checks no signature.
pub(crate) fn ask(options: &DynamoOptions, operation: &str, body: &Value) -> Value {
    let endpoint = options.endpoint.as_ref().expect(GIVEN).trim_start_matches("http://");
    let key = &options.access_key.as_ref().expect(GIVEN).id;
    let region = options.region.as_ref().expect(GIVEN);
    let body = body.to_string();
    let length = body.len();
    let request = format!(
        "POST / HTTP/1.0\r\nhost: {endpoint}\r\ncontent-length: {length}\r\n\
         content-type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.{operation}\r\n\
         authorization: AWS4-HMAC-SHA256 Credential={key}/20260101/{region}/dynamodb/aws4_request, \
         SignedHeaders=host, Signature=none\r\n\r\n{body}"
    );
    let mut connection = TcpStream::connect(endpoint).expect("DynamoDB Local listens");
    connection.write_all(request.as_bytes()).expect("DynamoDB Local reads");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("DynamoDB Local answers");
    let (_, body) = answer.split_once("\r\n\r\n").expect("an answer has a head and a body");
    serde_json::from_str(body).expect("DynamoDB Local answers in JSON")
}
