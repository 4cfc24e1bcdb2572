//! Names for unknown barcodes: from a dump of Open Food Facts, and from a service in its format.

use std::io::Write as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use flate2::{Compression, write::GzEncoder};
use futures_util::stream;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::it::support::{Answer, Client, Server, ServerSettings, until};

const PEN: &str = "4006381333931";
const GUM: &str = "96385074";
const TISSUES: &str = "036000291452";

async fn ask(client: &Client, code: &str) -> Answer {
    client.get(&format!("/products/by-barcode/{code}")).await
}

/// The suggestion for a barcode that no product has.
async fn suggestion(client: &Client, code: &str) -> Option<Value> {
    let problem = ask(client, code).await.expect_problem(404, "BARCODE_NOT_FOUND");
    problem.get("suggestion").cloned()
}

async fn until_suggested(client: &Client, code: &str) -> Value {
    until("the catalog knows it", async || suggestion(client, code).await.is_some()).await;
    suggestion(client, code).await.unwrap()
}

fn dump(directory: &TempDir, bytes: &[u8]) -> ServerSettings {
    let path = directory.path().join("dump");
    std::fs::write(&path, bytes).unwrap();
    ServerSettings::default().with("LARDER_BARCODE_CATALOG", path.to_str().unwrap())
}

const TABLE: &str = "code\tproduct_name\tbrands\tquantity\n\
    4006381333931\tPen <b>88</b>\tStabilo, Schwan\t1 piece\n\
    broken row\n\
    036000291452\tTissues\t\t\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dump_suggests_names_until_a_product_has_the_barcode() {
    let directory = TempDir::new().unwrap();
    let mut server = Server::embedded(dump(&directory, TABLE.as_bytes())).await;
    let anna = server.with_household("anna").await;
    assert_eq!(
        until_suggested(&anna, PEN).await,
        json!({ "name": "Pen <b>88</b>", "brand": "Stabilo", "quantity": "1 piece" })
    );
    assert_eq!(suggestion(&anna, "0036000291452").await, Some(json!({ "name": "Tissues" })));
    assert_eq!(suggestion(&anna, GUM).await, None);
    let body = json!({ "name": "My pen", "quantity": 1, "unit": "個", "barcode": PEN });
    anna.add_item(body).await;
    assert_eq!(ask(&anna, PEN).await.expect(200)["name"], "My pen");
    until("the import is logged", async || server.log().contains("barcode catalog imported")).await;
    let log = server.log();
    let line = log.lines().find(|line| line.contains("barcode catalog imported")).unwrap();
    for field in ["\"rows\":3", "\"skipped\":1", "\"barcodes\":2"] {
        assert!(line.contains(field), "{field} is not in {line}");
    }

    assert!(server.terminate().await.success());
    assert!(server.store().data_directory().join("barcode-catalog.index").is_file());
    server.restart().await;
    until_suggested(&anna, TISSUES).await;
    until("the index is reused", async || server.log().contains("barcode catalog opened")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_compressed_dump_of_json_is_read_too() {
    let directory = TempDir::new().unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let line = json!({ "code": GUM, "product_name": "ガム", "quantity": "14 g", "images": {} });
    writeln!(encoder, "{line}").unwrap();
    let settings = dump(&directory, &encoder.finish().unwrap());
    let server = Server::embedded(settings).await;
    let anna = server.with_household("anna").await;
    assert_eq!(until_suggested(&anna, GUM).await, json!({ "name": "ガム", "quantity": "14 g" }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_no_dump_is_logged_and_disturbs_nobody() {
    let directory = TempDir::new().unwrap();
    let server = Server::embedded(dump(&directory, b"<html>")).await;
    let anna = server.with_household("anna").await;
    until("it is logged", async || {
        server.log().contains("barcode catalog not readable, will retry")
    })
    .await;
    assert_eq!(suggestion(&anna, PEN).await, None);
}

/// A service that records the paths of its calls.
struct Service {
    settings: ServerSettings,
    paths: Arc<Mutex<Vec<String>>>,
}

type Answers = fn() -> Response;

impl Service {
    async fn answering(answer: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let paths = Arc::<Mutex<Vec<String>>>::default();
        let receive = move |State(paths): State<Arc<Mutex<Vec<String>>>>, uri: Uri| async move {
            paths.lock().unwrap().push(uri.path().to_owned());
            answer()
        };
        let router = Router::new().fallback(receive).with_state(Arc::clone(&paths));
        tokio::spawn(axum::serve(listener, router).into_future());
        let settings = ServerSettings::default().with("LARDER_BARCODE_ENDPOINT", &url);
        Self { settings, paths }
    }

    fn calls(&self) -> usize {
        self.paths.lock().unwrap().len()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_is_asked_once_for_each_barcode() {
    let service = Service::answering(|| {
        let product = json!({ "product_name": "Pen", "brands": "Stabilo", "quantity": "" });
        json!({ "status": 1, "product": product }).to_string().into_response()
    })
    .await;
    let server = Server::embedded(service.settings.clone()).await;
    let anna = server.with_household("anna").await;
    for _ in 0..2 {
        let pen = json!({ "name": "Pen", "brand": "Stabilo" });
        assert_eq!(suggestion(&anna, PEN).await, Some(pen));
    }
    assert_eq!(*service.paths.lock().unwrap(), [format!("/api/v2/product/{PEN}.json")]);
    // What the household knows is nobody else's business.
    let body = json!({ "name": "Gum", "quantity": 1, "unit": "個", "barcode": GUM });
    anna.add_item(body).await;
    ask(&anna, GUM).await.expect(200);
    assert_eq!(service.calls(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_or_hostile_service_costs_a_moment_and_nothing_else() {
    let hostile: [Answers; 5] = [
        || Response::new(Body::from_stream(stream::pending::<std::io::Result<Bytes>>())),
        || (StatusCode::FOUND, [(header::LOCATION, "http://127.0.0.1:1/")]).into_response(),
        || StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        || "[".repeat(1 << 20).into_response(),
        || {
            json!({ "status": 1, "product": { "product_name": { "a": [] } } })
                .to_string()
                .into_response()
        },
    ];
    for (number, answer) in hostile.into_iter().enumerate() {
        let service = Service::answering(answer).await;
        let server = Server::embedded(service.settings.clone()).await;
        let anna = server.with_household("anna").await;
        let started = Instant::now();
        assert_eq!(suggestion(&anna, PEN).await, None, "answer {number}");
        // Two seconds, and some for a busy machine.
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
        assert_eq!(service.calls(), 1, "answer {number}");
    }
}
