//! Clients that resend the same readings repeatedly, in different orders and batches, whatever
//! happens to the server meanwhile.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::engine::scale;
use crate::it::support::{Answer, BOOT_ID, Client, Random, Server, TestDevice, batch_ids, now_ms};

const CLIENTS: usize = 8;
const DEVICES: usize = 4;
/// The maximal number of readings in a request.
const MOST: u64 = 100;

/// How far all clients together are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    /// Readings that were acknowledged or called duplicates.
    pub(crate) answered: u64,
    /// Requests that were answered 503.
    pub(crate) refused: u64,
    /// Requests without an answer.
    pub(crate) unanswered: u64,
}

/// All clients.
pub(crate) struct Resending {
    devices: Vec<TestDevice>,
    work: Arc<Work>,
    starts: watch::Sender<u64>,
    clients: Vec<JoinHandle<Told>>,
}

struct Work {
    /// Any device of the household may send the readings of all.
    sender: TestDevice,
    readings: Vec<Value>,
    progress: watch::Sender<Progress>,
    /// How often the server was started again.
    starts: watch::Receiver<u64>,
}

impl Resending {
    /// The number of readings until all clients have an answer for all.
    pub(crate) fn total() -> u64 {
        (CLIENTS * scale().resent_readings) as u64
    }

    /// Registers devices and sets the clients to work.
    pub(crate) async fn begin(server: &Server, anna: &Client, random: &mut Random) -> Self {
        let mut devices = Vec::new();
        for number in 0..DEVICES {
            devices.push(anna.add_device(server, &format!("AA:BB:CC:DD:EE:0{number}")).await);
        }
        let (starts, started) = watch::channel(0);
        let work = Arc::new(Work {
            sender: devices[0].clone(),
            readings: make_readings(&devices),
            progress: watch::channel(Progress::default()).0,
            starts: started,
        });
        let clients = (0..CLIENTS)
            .map(|_| tokio::spawn(send_everything(Arc::clone(&work), random.fork())))
            .collect();
        Self { devices, work, starts, clients }
    }

    /// Works until this is so.
    pub(crate) async fn until(&self, enough: impl FnMut(&Progress) -> bool) -> Progress {
        let mut progress = self.work.progress.subscribe();
        *progress.wait_for(enough).await.expect("the clients are at work")
    }

    /// Wakes the clients that wait for the server.
    pub(crate) fn server_is_back(&self) {
        self.starts.send_modify(|starts| *starts += 1);
    }

    /// Waits for all clients, and finds each reading once, as it was sent.
    pub(crate) async fn assert_kept_exactly_once(self, anna: &Client) {
        let mut acknowledged: Vec<String> = Vec::new();
        for client in self.clients {
            let told = client.await.unwrap();
            let heard: HashSet<_> = told.acknowledged.iter().chain(&told.duplicate).collect();
            assert_eq!(heard.len(), scale().resent_readings, "each client hears of each reading");
            acknowledged.extend(told.acknowledged);
        }
        let once: HashSet<_> = acknowledged.iter().collect();
        assert_eq!(once.len(), acknowledged.len(), "no reading is acknowledged twice");
        let progress = *self.work.progress.borrow();
        let all = scale().resent_readings;
        eprintln!("{} of {all} heard acknowledged, {progress:?}", once.len());
        for device in &self.devices {
            let is_its_own =
                |reading: &&Value| reading["hardware_id"] == device.hardware_id.as_str();
            let sent: Vec<_> = self.work.readings.iter().filter(is_its_own).cloned().collect();
            assert_kept(anna, device, &sent).await;
        }
    }
}

async fn assert_kept(anna: &Client, device: &TestDevice, sent: &[Value]) {
    let mut kept = anna.readings(device, "limit=1000&order=asc").await;
    for reading in &mut kept {
        // Fields added by the server.
        for name in ["friendly_name", "expiration_time"] {
            assert!(reading.as_object_mut().unwrap().remove(name).is_some(), "{name}");
        }
    }
    assert_eq!(batch_ids(&kept), batch_ids(sent), "{}", device.hardware_id);
    assert_eq!(kept, sent, "{}", device.hardware_id);
    let path = format!("{}/series?sensor=temp_c&buckets=7", device.path());
    let series = anna.get(&path).await.expect(200);
    let buckets = series["buckets"].as_array().unwrap().iter();
    let counted: u64 = buckets.map(|bucket| bucket["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, sent.len() as u64);
    assert_eq!(anna.latest(device).await.expect(200)["batch_id"], sent[sent.len() - 1]["batch_id"]);
}

/// Readings of all devices in order of their times, half of them with batch ids in the firmware's
/// format.
fn make_readings(devices: &[TestDevice]) -> Vec<Value> {
    let start = now_ms() - 3_600_000;
    let numbers = (0..u32::MAX).take(scale().resent_readings).zip(devices.iter().cycle());
    numbers
        .map(|(number, device)| {
            let ms = start + 10 * i64::from(number);
            let id = match number % 8 {
                0..4 => format!("{}_{BOOT_ID}_{}_{ms}", device.hardware_id, ms - 40),
                _ => format!("reading-{number}"),
            };
            let mut reading = device.reading(ms, &id);
            let value = f64::from(number) / 8.0;
            reading["sensors"] = json!({ "temp_c": value, "humidity_pct": 100.0 - value });
            reading
        })
        .collect()
}

/// Sends every reading in an order and in batches of its own, until each was answered.
async fn send_everything(work: Arc<Work>, mut random: Random) -> Told {
    let mut below = |bound: usize| usize::try_from(random.below(bound as u64)).unwrap();
    let mut left: Vec<Value> = work.readings.clone();
    for at in (1..left.len()).rev() {
        left.swap(at, below(at + 1));
    }
    let most = usize::try_from(MOST).unwrap();
    let mut told = Told::default();
    while !left.is_empty() {
        let rest = left.len().saturating_sub(1 + below(most));
        let batch = &left[rest..];
        let starts = *work.starts.borrow();
        match work.sender.try_send(batch).await {
            Ok(answer) if answer.status == 200 => {
                told.hear(&answer, batch);
                let count = batch.len() as u64;
                work.progress.send_modify(|progress| progress.answered += count);
                left.truncate(rest);
            }
            // No promise was made; the next attempt decides.
            Ok(answer) => {
                answer.expect_refusal(503);
                work.progress.send_modify(|progress| progress.refused += 1);
            }
            // Slow, but not dead: no restart will follow, so the client just sends again.
            Err(error) if error.is_timeout() => {
                work.progress.send_modify(|progress| progress.unanswered += 1);
            }
            Err(_) => {
                work.progress.send_modify(|progress| progress.unanswered += 1);
                let mut restarted = work.starts.clone();
                restarted.wait_for(|now| *now > starts).await.unwrap();
            }
        }
    }
    told
}

/// The answers of one client.
#[derive(Default)]
struct Told {
    acknowledged: Vec<String>,
    duplicate: Vec<String>,
}

impl Told {
    /// Each reading of the request is in one of the two lists, in order.
    fn hear(&mut self, answer: &Answer, batch: &[Value]) {
        let answer = answer.json();
        let list =
            |name: &str| -> Vec<String> { serde_json::from_value(answer[name].clone()).unwrap() };
        let (acknowledged, duplicate) =
            (list("acknowledged_batch_ids"), list("duplicate_batch_ids"));
        let is_acknowledged: HashSet<_> = acknowledged.iter().map(String::as_str).collect();
        let (first, second): (Vec<_>, Vec<_>) =
            batch_ids(batch).into_iter().partition(|id| is_acknowledged.contains(id));
        assert_eq!((&acknowledged, &duplicate), (&owned(&first), &owned(&second)));
        self.acknowledged.extend(acknowledged);
        self.duplicate.extend(duplicate);
    }
}

fn owned(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}
