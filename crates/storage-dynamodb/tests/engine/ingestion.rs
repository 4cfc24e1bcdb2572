//! Readings are stored once: by one request with the reading and its batch id, recognised if its
//! answer was lost.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use larder_domain::{BatchId, FirmwareVersion, HardwareId, HouseholdId, Reading, ReadingTime};
use larder_storage::{ReadingRange, ReadingState};
use larder_storage_dynamodb::{DynamoEngine, DynamoOptions};
use larder_storage_item::{
    AppendReadings, ProcessedBatch, ReadingEngine, ReadingQuery, RecordEngine, Table,
    processed_batch_record,
};
use larder_storage_testkit::START;
use larder_test_servers::{DynamoDbLocal, Fault, FaultProxy};
use serde_json::{Value, json};

use crate::launch;
use crate::scripted::{Answer, ScriptedEndpoint};

const HOME: HouseholdId = HouseholdId::fixed(0x3333_3333_3333_4333_8333_3333_3333_0001);

/// A device that no other test has.
fn device() -> HardwareId {
    let number = launch::own_number().to_be_bytes();
    HardwareId::from_bytes([2, 0, 0, number[5], number[6], number[7]])
}

fn reading(device: HardwareId, number: i64) -> Reading {
    let seconds = START.as_second() + number;
    Reading {
        hardware_id: device,
        time: ReadingTime::from_millis(seconds * 1000).unwrap(),
        batch_id: BatchId::parse(&format!("{device}_{number}")).unwrap(),
        boot_id: "7c9e6679-7425-40de-944b-e07fc1f90ae7".parse().unwrap(),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        sensors: larder_domain::Sensors::new(vec![]).unwrap(),
        sensor_status: larder_domain::SensorStatuses::new(vec![]).unwrap(),
        expires_at_s: seconds + 90 * 24 * 60 * 60,
    }
}

fn append(readings: Vec<Reading>) -> AppendReadings {
    AppendReadings { household: Some(HOME), readings, at: START }
}

/// The refusal because of this existing record.
fn canceled(held: &ProcessedBatch) -> Answer {
    let record = processed_batch_record(held);
    let field = |name: &str| (name.to_owned(), json!({ "S": record.text(name) }));
    let names = ["batch_id", "hardware_id", "received_at", "family_id"];
    let mut item: serde_json::Map<_, _> = names.map(field).into_iter().collect();
    let expires = record.number("expiration_time").unwrap().to_string();
    item.insert("expiration_time".to_owned(), json!({ "N": expires }));
    let failed = json!({ "Code": "ConditionalCheckFailed", "Item": item });
    let kind = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException";
    let reasons = json!([failed, { "Code": "None" }]);
    (400, json!({ "__type": kind, "message": "as told", "CancellationReasons": reasons }))
}

fn out_of_order() -> Answer {
    let kind = "com.amazonaws.dynamodb.v20120810#InternalServerError";
    (500, json!({ "__type": kind, "message": "as told" }))
}

/// The requests, in order: the operation and its body.
type Sent = Arc<Mutex<Vec<(String, Value)>>>;

/// An engine whose endpoint gives these answers, then success.
async fn answering(answers: Vec<Answer>) -> (DynamoEngine, Sent) {
    let sent = Sent::default();
    let (log, mut answers) = (Arc::clone(&sent), answers.into_iter());
    let endpoint = ScriptedEndpoint::start(move |operation, body| {
        log.lock().unwrap().push((operation.to_owned(), body.clone()));
        answers.next().unwrap_or((200, json!({})))
    });
    let options = launch::options(endpoint.url(), "home-");
    (launch::open(options, &launch::clock()).await, sent)
}

#[tokio::test]
async fn a_reading_and_its_batch_id_are_one_request_and_nothing_else_is_sent() {
    let (engine, sent) = answering(vec![]).await;
    let reading = reading(device(), 1);
    let states = engine.append_readings(append(vec![reading.clone()])).await.unwrap();
    assert_eq!(states, [ReadingState::Acknowledged]);
    engine.settled().await;
    let sent = sent.lock().unwrap();
    let operations: Vec<_> = sent.iter().map(|(operation, _)| operation.as_str()).collect();
    assert_eq!(operations, ["TransactWriteItems"]);
    let items = sent[0].1["TransactItems"].as_array().unwrap();
    assert_eq!(items.len(), 2, "no change record, no lock: {items:#?}");
    let [batch, row] = [&items[0]["Put"], &items[1]["Put"]];
    assert_eq!(batch["TableName"], "home-processed_batches");
    assert_eq!(batch["ConditionExpression"], "(attribute_not_exists(#0) OR #1 <= :0)");
    let names = json!({ "#0": "batch_id", "#1": "expiration_time" });
    assert_eq!(batch["ExpressionAttributeNames"], names);
    assert_eq!(row["TableName"], "home-device_readings");
    assert_eq!(row.get("ConditionExpression"), None, "a forgotten reading is written over");
    assert_eq!(row["Item"]["batch_id"]["S"], reading.batch_id.as_str());
}

#[tokio::test]
async fn a_request_that_may_have_been_done_is_repeated_under_the_same_token() {
    let (engine, sent) = answering(vec![out_of_order(), out_of_order()]).await;
    let states = engine.append_readings(append(vec![reading(device(), 1)])).await.unwrap();
    assert_eq!(states, [ReadingState::Acknowledged]);
    let sent = sent.lock().unwrap();
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|request| *request == sent[0]), "{sent:#?}");
    assert!(sent[0].1["ClientRequestToken"].is_string());
}

#[tokio::test]
async fn what_the_household_sent_before_is_a_duplicate() {
    let reading = reading(device(), 1);
    let held =
        ProcessedBatch::received(reading.batch_id.clone(), Some(HOME), reading.hardware_id, START);
    let (engine, sent) = answering(vec![canceled(&held)]).await;
    let states = engine.append_readings(append(vec![reading])).await.unwrap();
    assert_eq!(states, [ReadingState::Duplicate]);
    assert_eq!(sent.lock().unwrap().len(), 1);
}

/// An engine behind a proxy, and the proxy.
async fn behind_proxy(deadline: Duration) -> (Arc<DynamoEngine>, FaultProxy) {
    let shared = launch::shared_tables().await;
    let proxy = FaultProxy::in_front_of(DynamoDbLocal::shared().address()).await;
    let options = DynamoOptions {
        deadline,
        attempt_timeout: deadline / 4,
        connect_timeout: deadline / 4,
        ..launch::options(format!("http://{}", proxy.address()), &shared.prefix)
    };
    (Arc::new(launch::open(options, &launch::clock()).await), proxy)
}

/// All stored readings of a device.
async fn kept(engine: &DynamoEngine, device: HardwareId) -> Vec<Reading> {
    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    let query = ReadingQuery { device, range, after: None, limit: 1000, at: START };
    let page = engine.find_readings(query).await.unwrap();
    assert_eq!(page.next, None);
    page.items
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reading_whose_acknowledgement_is_lost_is_acknowledged_and_no_duplicate() {
    let (engine, proxy) = behind_proxy(Duration::from_secs(40)).await;
    let direct = launch::open(launch::shared_tables().await, &launch::clock()).await;
    engine.ready().await.unwrap();
    let device = device();
    for number in 0..3 {
        let reading = reading(device, number);
        // The request arrives whole, but its answer is lost.
        proxy.set(Fault::TruncateAfter(20)).await;
        let (writing, sent) = (Arc::clone(&engine), append(vec![reading.clone()]));
        let writer = tokio::spawn(async move { writing.append_readings(sent).await });
        while !kept(&direct, device).await.contains(&reading) {}
        proxy.set(Fault::None).await;
        let states = writer.await.unwrap().unwrap();
        assert_eq!(states, [ReadingState::Acknowledged], "the batch id that is held is its own");
        let again = engine.append_readings(append(vec![reading])).await.unwrap();
        assert_eq!(again, [ReadingState::Duplicate]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readings_that_come_while_nobody_answers_are_kept_when_somebody_does() {
    let (engine, proxy) = behind_proxy(Duration::from_secs(40)).await;
    let device = device();
    let readings: Vec<_> = (0..20).map(|number| reading(device, number)).collect();
    for fault in [Fault::Drop, Fault::Blackhole] {
        proxy.set(fault).await;
        let (writing, sent) = (Arc::clone(&engine), append(readings.clone()));
        let writer = tokio::spawn(async move { writing.append_readings(sent).await });
        assert!(engine.ready().await.is_err(), "{fault:?}");
        proxy.set(Fault::None).await;
        let states = writer.await.unwrap().unwrap();
        let expected = match fault {
            Fault::Drop => ReadingState::Acknowledged,
            _ => ReadingState::Duplicate,
        };
        assert_eq!(states, vec![expected; readings.len()], "{fault:?}");
    }
    assert_eq!(kept(&engine, device).await, readings);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_error_left_kept_is_a_duplicate_the_next_time() {
    let (engine, proxy) = behind_proxy(Duration::from_secs(2)).await;
    let direct = launch::open(launch::shared_tables().await, &launch::clock()).await;
    engine.ready().await.unwrap();
    let (device, reading) = (device(), |device| reading(device, 1));
    proxy.set(Fault::TruncateAfter(20)).await;
    let failed = engine.append_readings(append(vec![reading(device)])).await;
    assert!(failed.is_err(), "nobody heard an answer: {failed:?}");
    assert_eq!(kept(&direct, device).await, [reading(device)]);
    proxy.set(Fault::None).await;
    let again = engine.append_readings(append(vec![reading(device)])).await.unwrap();
    assert_eq!(again, [ReadingState::Duplicate]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_line_that_breaks_all_the_time_every_reading_is_kept_and_acknowledged_once() {
    let (engine, proxy) = behind_proxy(Duration::from_secs(40)).await;
    engine.ready().await.unwrap();
    let device = device();
    let mut expected = Vec::new();
    let faults = [
        // After the first answer of a connection, or some more, in the middle of one.
        Fault::TruncateAfter(900),
        Fault::TruncateAfter(1_500),
        Fault::Delay(Duration::from_millis(20)),
        Fault::TruncateAfter(2_600),
    ];
    for (fault, first) in faults.into_iter().zip((0..).step_by(25)) {
        let readings: Vec<_> = (first..first + 25).map(|number| reading(device, number)).collect();
        proxy.set(fault).await;
        let states = engine.append_readings(append(readings.clone())).await.unwrap();
        assert_eq!(states, vec![ReadingState::Acknowledged; 25], "{fault:?}");
        let again = engine.append_readings(append(readings.clone())).await.unwrap();
        assert_eq!(again, vec![ReadingState::Duplicate; 25], "{fault:?}");
        expected.extend(readings);
    }
    proxy.set(Fault::None).await;
    assert_eq!(kept(&engine, device).await, expected);
    let nothing = engine.journal_after(Table::DeviceReadings, &device.to_string(), 0, 10).await;
    assert!(nothing.unwrap().is_empty(), "nobody is told of readings");
}
