//! Clients that keep writing through all faults, and keep a ledger.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::{ANSWERS_WITHIN, assert_come_back_later};
use crate::it::support::{Client, PATIENCE, hundredths, id_of};

const WRITERS: usize = 6;
const READERS: usize = 2;

/// The pause before a retry. Clients are asked to wait a second or more; these are less polite, so
/// that more attempts coincide with the fault.
const PAUSE: Duration = Duration::from_millis(20);

/// The ledger of all clients.
#[derive(Debug, Default, Clone)]
struct Books {
    /// Adjustments, each by one, that were answered with success.
    acknowledged: i64,
    reads: u64,
    refused: u64,
    answers: u64,
    longest: Duration,
}

/// Clients that adjust and read one item, each adjustment under a key of its own and repeated until
/// it is acknowledged.
pub(super) struct Load {
    clients: Vec<JoinHandle<()>>,
    books: watch::Receiver<Books>,
    going_on: watch::Sender<bool>,
    watcher: Client,
    item: String,
}

impl Load {
    pub(super) async fn start(client: &Client) -> Self {
        let item = id_of(&client.add("Counted", 1, "個").await).to_owned();
        let (book, books) = watch::channel(Books::default());
        let book = Arc::new(book);
        let (going_on, on) = watch::channel(true);
        let worker = |number| {
            let (client, item, book, on) =
                (client.clone(), item.clone(), Arc::clone(&book), on.clone());
            let worker = Worker { client, item, book };
            tokio::spawn(async move {
                if number < WRITERS {
                    worker.write(number, on).await;
                } else {
                    worker.read(on).await;
                }
            })
        };
        let clients = (0..WRITERS + READERS).map(worker).collect();
        Self { clients, books, going_on, watcher: client.clone(), item }
    }

    /// Waits until so many more adjustments and reads have succeeded.
    pub(super) async fn goes_well(&self, times: u32) {
        let before = self.books.borrow().clone();
        self.until("the clients get on", |now| {
            now.acknowledged - before.acknowledged >= i64::from(times) && now.reads > before.reads
        })
        .await;
    }

    /// Waits until so many more requests were refused temporarily.
    pub(super) async fn is_refused(&self, times: u64) {
        let before = self.books.borrow().refused;
        self.until("clients are told to come later", |now| now.refused - before >= times).await;
    }

    /// Waits until so many more requests were answered, in one way or the other.
    pub(super) async fn is_answered(&self, times: u64) {
        let before = self.books.borrow().answers;
        self.until("clients are answered", |now| now.answers - before >= times).await;
    }

    /// Lets every client finish its request, then compares their ledger with the item.
    pub(super) async fn adds_up(self) {
        self.going_on.send_replace(false);
        for client in self.clients {
            timeout(PATIENCE, client).await.expect("a client gets its last answer").unwrap();
        }
        let books = self.books.borrow().clone();
        eprintln!("{books:?}");
        let item = self.watcher.item(&self.item).await;
        // One by the creation, one more and a new version by each that was acknowledged.
        assert_eq!(hundredths(&item["quantity"]), (1 + books.acknowledged) * 100, "{books:?}");
        assert_eq!(item["version"], 1 + books.acknowledged, "{books:?}");
        assert!(books.longest <= ANSWERS_WITHIN, "one answer took {:?}", books.longest);
    }

    async fn until(&self, what: &str, wanted: impl FnMut(&Books) -> bool) {
        let mut books = self.books.clone();
        // A client with an unacceptable answer has panicked, which is more informative than our
        // own.
        let reached =
            timeout(PATIENCE, books.wait_for(wanted)).await.is_ok_and(|seen| seen.is_ok());
        assert!(reached, "{what} within {PATIENCE:?}, but the books are {:?}", self.books.borrow());
    }
}

struct Worker {
    client: Client,
    item: String,
    book: Arc<watch::Sender<Books>>,
}

impl Worker {
    async fn write(&self, writer: usize, on: watch::Receiver<bool>) {
        let path = format!("/inventory/items/{}/adjust", self.item);
        for number in 0.. {
            if !*on.borrow() {
                return;
            }
            let key = format!("writer-{writer}-{number}");
            while !self.attempt(Method::POST, &path, Some(&key)).await {
                tokio::time::sleep(PAUSE).await;
            }
            self.record(|books| books.acknowledged += 1);
        }
    }

    async fn read(&self, on: watch::Receiver<bool>) {
        let path = format!("/inventory/items/{}", self.item);
        while *on.borrow() {
            if self.attempt(Method::GET, &path, None).await {
                self.record(|books| books.reads += 1);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Whether it succeeded. If not, it must be refused with `Retry-After`.
    async fn attempt(&self, method: Method, path: &str, key: Option<&str>) -> bool {
        let mut request = self.client.request(method, path);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key).json(&json!({ "delta": 1 }));
        }
        let asked = Instant::now();
        let answer = self.client.send(request).await;
        let took = asked.elapsed();
        self.record(|books| {
            books.answers += 1;
            books.longest = books.longest.max(took);
        });
        if answer.status == 200 {
            return true;
        }
        assert_come_back_later(&answer);
        self.record(|books| books.refused += 1);
        false
    }

    fn record(&self, change: impl FnOnce(&mut Books)) {
        self.book.send_modify(change);
    }
}
