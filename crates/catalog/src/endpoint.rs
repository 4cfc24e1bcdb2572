//! A service in the format of Open Food Facts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use larder_app::{BarcodeCatalog, CatalogEntry};
use larder_domain::Gtin;
use larder_outbound::{Calls, ClientError, OutboundUrl, USER_AGENT};
use larder_storage::{Cache, Clock, Lookup, ReadAt};
use serde::Deserialize;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::dump::Product;

/// Time limit of a call, from connecting to the end of the answer: a person waits for it.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// The largest answer. The requested fields of a product fit a hundred times.
const MAX_ANSWER_BYTES: usize = 64 << 10;
/// The most calls at once. Others get no suggestion, so that a slow service collects no requests.
const MAX_CALLS: usize = 8;
/// The most barcodes whose answers are cached.
const MAX_CACHED: usize = 10_000;
/// How long an answer is cached: products are rarely renamed.
const CACHED_FOR_S: i64 = 24 * 60 * 60;

/// Asks a service over the network, and caches what it knows and what it does not.
pub struct EndpointCatalog {
    url: OutboundUrl,
    calls: Calls,
    clock: Arc<dyn Clock>,
    cache: Cache<Gtin, Option<CatalogEntry>, ReadAt<CACHED_FOR_S>>,
    permits: Semaphore,
    is_failing: AtomicBool,
}

/// Why the service gave no usable answer.
#[derive(Debug, Error)]
enum AskError {
    #[error("no answer within {} seconds", ANSWERS_WITHIN.as_secs())]
    Late,
    #[error("the call failed: {0}")]
    Call(String),
    #[error("the service answered {0}")]
    Status(StatusCode),
    #[error("the answer is longer than {MAX_ANSWER_BYTES} bytes, or broke off")]
    Body,
    #[error("the answer is not in the format of Open Food Facts")]
    Format,
}

/// An answer of the service.
#[derive(Deserialize)]
struct Answer<'a> {
    status: u8,
    #[serde(borrow, default)]
    product: Option<Product<'a>>,
}

impl EndpointCatalog {
    /// A client of the service at this URL, below which products have theirs.
    pub fn new(url: OutboundUrl, clock: Arc<dyn Clock>) -> Result<Self, ClientError> {
        Ok(Self {
            calls: Calls::to(&url, ANSWERS_WITHIN)?,
            url,
            clock,
            cache: Cache::new(MAX_CACHED),
            permits: Semaphore::new(MAX_CALLS),
            is_failing: AtomicBool::new(false),
        })
    }

    async fn ask(&self, gtin: Gtin) -> Result<Option<CatalogEntry>, AskError> {
        let path = format!("/api/v2/product/{gtin}.json?fields=product_name,brands,quantity");
        let request = Request::get(self.url.below(&path))
            .header("accept", "application/json")
            .header("user-agent", USER_AGENT)
            .body(Full::<Bytes>::default())
            .map_err(|error| AskError::Call(error.to_string()))?;
        let answer = self.calls.send(request).await;
        let answer = answer.map_err(|error| AskError::Call(error.to_string()))?;
        // Unknown products are answered with 404 or with a status in the document.
        let status = answer.status();
        if status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        if status != StatusCode::OK {
            return Err(AskError::Status(status));
        }
        let body = Limited::new(answer.into_body(), MAX_ANSWER_BYTES);
        let body = body.collect().await.map_err(|_| AskError::Body)?.to_bytes();
        let answer: Answer<'_> = serde_json::from_slice(&body).map_err(|_| AskError::Format)?;
        Ok(answer.product.filter(|_| answer.status == 1).and_then(|product| product.entry()))
    }
}

#[async_trait]
impl BarcodeCatalog for EndpointCatalog {
    async fn find(&self, gtin: Gtin) -> Option<CatalogEntry> {
        let ticket = match self.cache.look_up(&gtin, ReadAt(self.clock.now())) {
            Lookup::Hit(entry) => return entry,
            Lookup::Miss(ticket) => ticket,
        };
        let _permit = self.permits.try_acquire().ok()?;
        match timeout(ANSWERS_WITHIN, self.ask(gtin)).await.unwrap_or(Err(AskError::Late)) {
            Ok(entry) => {
                if self.is_failing.swap(false, Ordering::Relaxed) {
                    tracing::info!("barcode service recovered");
                }
                self.cache.insert(ticket, gtin, entry.clone());
                entry
            }
            Err(error) => {
                // Logged once, not for each barcode.
                if !self.is_failing.swap(true, Ordering::Relaxed) {
                    let service = &self.url;
                    tracing::warn!(%service, %error, "barcode service failing, will retry");
                }
                None
            }
        }
    }
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
