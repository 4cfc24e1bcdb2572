//! Retries, with a scripted endpoint.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use larder_storage::StorageError;
use larder_storage_dynamodb::{DynamoEngine, DynamoOptions};
use larder_storage_item::{
    Action, Condition, Key, Record, RecordEngine, Table, TransactError, Transaction,
};
use larder_storage_testkit::START;
use serde_json::{Value, json};

use crate::launch;
use crate::scripted::{Answer, ScriptedEndpoint};

const TABLE: Table = Table::InventoryManagement;

fn refusal(status: u16, kind: &str) -> Answer {
    let kind = format!("com.amazonaws.dynamodb.v20120810#{kind}");
    (status, json!({ "__type": kind, "message": "as told" }))
}

fn canceled(codes: &[&str]) -> Answer {
    let reasons: Vec<_> = codes.iter().map(|code| json!({ "Code": code })).collect();
    let (status, mut body) = refusal(400, "TransactionCanceledException");
    body["CancellationReasons"] = Value::Array(reasons);
    (status, body)
}

async fn engine(endpoint: &ScriptedEndpoint, deadline: Duration) -> DynamoEngine {
    let options = DynamoOptions { deadline, ..launch::options(endpoint.url(), "") };
    launch::open(options, &launch::clock()).await
}

/// A login: one unjournaled action.
fn login() -> Transaction {
    let record = Record::new().with("PK", "p").with("SK", "SESSION#1");
    let when = vec![Condition::NotExists];
    let put = Action::Put { table: TABLE, record, when, embed: None };
    Transaction { actor: "mia".to_owned(), at: START, actions: vec![put] }
}

/// An endpoint that gives these answers to transactions, then success; and the tokens that it
/// received.
fn answering(answers: Vec<Answer>) -> (ScriptedEndpoint, Arc<Mutex<Vec<String>>>) {
    let tokens = Arc::<Mutex<Vec<String>>>::default();
    let shown = Arc::clone(&tokens);
    let mut answers = answers.into_iter();
    let endpoint = ScriptedEndpoint::start(move |operation, body| {
        assert_eq!(operation, "TransactWriteItems");
        let token = body["ClientRequestToken"].as_str().unwrap().to_owned();
        shown.lock().unwrap().push(token);
        answers.next().unwrap_or((200, json!({})))
    });
    (endpoint, tokens)
}

#[tokio::test]
async fn faults_and_throttling_of_the_whole_request_are_repeated_with_the_same_token() {
    let (endpoint, tokens) = answering(vec![
        refusal(500, "InternalServerError"),
        refusal(503, "ServiceUnavailable"),
        refusal(400, "ThrottlingException"),
        refusal(400, "ProvisionedThroughputExceededException"),
        refusal(400, "RequestLimitExceeded"),
        refusal(400, "TransactionInProgressException"),
    ]);
    let engine = engine(&endpoint, Duration::from_secs(30)).await;
    engine.transact(login()).await.unwrap();
    let tokens = tokens.lock().unwrap();
    assert_eq!(tokens.len(), 7);
    assert!(tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
}

#[tokio::test]
async fn a_canceled_transaction_that_nobody_judged_starts_again_with_another_token() {
    let (endpoint, tokens) =
        answering(vec![canceled(&["TransactionConflict"]), canceled(&["ThrottlingError"])]);
    let engine = engine(&endpoint, Duration::from_secs(30)).await;
    engine.transact(login()).await.unwrap();
    let mut tokens = tokens.lock().unwrap().clone();
    tokens.sort();
    tokens.dedup();
    assert_eq!(tokens.len(), 3);
}

#[tokio::test]
async fn a_condition_that_is_not_met_is_told_at_once() {
    let (endpoint, tokens) = answering(vec![canceled(&["ConditionalCheckFailed"])]);
    let engine = engine(&endpoint, Duration::from_secs(30)).await;
    let refused = engine.transact(login()).await;
    let is_told =
        matches!(refused, Err(TransactError::ConditionFailed { action: 0, current: None }));
    assert!(is_told, "{refused:?}");
    assert_eq!(tokens.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_does_not_pass_is_not_repeated() {
    for (kind, unavailable) in [("AccessDeniedException", true), ("ValidationException", false)] {
        let (endpoint, tokens) = answering(vec![refusal(400, kind)]);
        let engine = engine(&endpoint, Duration::from_secs(30)).await;
        let Err(TransactError::Storage(error)) = engine.transact(login()).await else {
            panic!("{kind} is a failure");
        };
        assert_eq!(matches!(error, StorageError::Unavailable(_)), unavailable, "{error}");
        assert_eq!(tokens.lock().unwrap().len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn when_the_time_is_over_the_caller_learns_what_was_in_the_way() {
    let endpoint = ScriptedEndpoint::start(|_, _| refusal(500, "InternalServerError"));
    let engine = engine(&endpoint, Duration::from_secs(2)).await;
    let failed = engine.transact(login()).await;
    let Err(TransactError::Storage(StorageError::Unavailable(reason))) = failed else {
        panic!("{failed:?}");
    };
    assert!(reason.contains("InternalServerError") || reason == "no answer in time", "{reason}");
    assert!(endpoint.asked().len() > 1, "{:?}", endpoint.asked());

    let endpoint = ScriptedEndpoint::start(|_, _| canceled(&["TransactionConflict"]));
    let engine = self::engine(&endpoint, Duration::from_secs(2)).await;
    let failed = engine.transact(login()).await;
    match failed {
        Err(TransactError::Storage(StorageError::Contention(_))) => {}
        // The deadline passed during an attempt, whose outcome is unknown.
        Err(TransactError::Storage(StorageError::Unavailable(reason))) => {
            assert_eq!(reason, "no answer in time");
        }
        other => panic!("{other:?}"),
    }
    assert!(endpoint.asked().len() > 1, "{:?}", endpoint.asked());
}

#[tokio::test]
async fn keys_that_a_busy_table_left_out_are_asked_for_again() {
    let mut left_out = 2;
    let endpoint = ScriptedEndpoint::start(move |operation, body| {
        if operation == "TransactWriteItems" {
            return (200, json!({}));
        }
        assert_eq!(operation, "BatchGetItem");
        if left_out > 0 {
            left_out -= 1;
            return (200, json!({ "Responses": {}, "UnprocessedKeys": body["RequestItems"] }));
        }
        let item = json!({ "PK": { "S": "p" }, "SK": { "S": "SESSION#1" }, "n": { "N": "41" } });
        (200, json!({ "Responses": { "InventoryManagement": [item] }, "UnprocessedKeys": {} }))
    });
    let engine = engine(&endpoint, Duration::from_secs(30)).await;
    let changes = vec![larder_storage_item::Change::Add("n".into(), 1.into())];
    let key = Key::new("p", "SESSION#1");
    let update = Action::Update { table: TABLE, key, when: vec![], changes };
    let committed =
        engine.transact(Transaction { actions: vec![update], ..login() }).await.unwrap();
    let left = committed.images[0].as_ref().unwrap();
    assert_eq!(left.number("n"), Some(42.into()));
}
