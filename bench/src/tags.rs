//! Tags under load: pages that are opened, and taps that are each done once.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::{Value, json};

use crate::{
    Error,
    connection::{Connection, request},
};

/// A placeholder in a prepared tap; each request replaces it with a unique number.
const NONCE: &str = "bench-0000000000000000";
const DIGITS: usize = 16;

/// The number of the next tap, over all connections and rounds.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Tags of items that nothing else changes.
pub(crate) struct Tags {
    token: String,
    items: Vec<String>,
    /// The sum of the items' quantities before the first tap.
    held_before: u64,
    /// A tap that puts one back, for each tag.
    pub(crate) taps: Arc<Vec<Vec<u8>>>,
    /// The page of each tag.
    pub(crate) pages: Arc<Vec<Vec<u8>>>,
}

impl Tags {
    /// Creates one tag for each of these items, whose quantity is `each`.
    pub(crate) async fn create(
        address: SocketAddr,
        token: &str,
        items: Vec<String>,
        each: u64,
    ) -> Result<Self, Error> {
        let mut connection = Connection::open(address).await?;
        let (mut taps, mut pages) = (Vec::new(), Vec::new());
        for item in &items {
            let path = format!("/api/v1/inventory/items/{item}/nfc-urls");
            let response = connection.send(&request("POST", &path, token, "{}")).await?;
            if response.status != 201 {
                return Err(format!("a tag was answered with {}", response.status).into());
            }
            let tag: Value = serde_json::from_slice(response.body)?;
            let url = tag["urlId"].as_str().ok_or("no urlId")?;
            let body = json!({ "delta": 1, "nonce": NONCE }).to_string();
            taps.push(request("POST", &format!("/t/{url}/adjust"), "", &body));
            pages.push(request("GET", &format!("/t/{url}"), "", ""));
        }
        let held_before = each * u64::try_from(items.len())?;
        let (taps, pages) = (Arc::new(taps), Arc::new(pages));
        Ok(Self { token: token.to_owned(), items, held_before, taps, pages })
    }

    /// The items must reflect every acknowledged tap, and the tags must have counted every page.
    pub(crate) async fn check_nothing_lost(
        &self,
        address: SocketAddr,
        (taps, pages): (u64, u64),
    ) -> Result<(), Error> {
        let mut connection = Connection::open(address).await?;
        let (mut held, mut counted) = (0, 0);
        for item in &self.items {
            let path = format!("/api/v1/inventory/items/{item}");
            held += number(&self.get(&mut connection, &path).await?, "/quantity")?;
            let list = self.get(&mut connection, &format!("{path}/nfc-urls")).await?;
            counted += number(&list, "/items/0/accessCount")?;
        }
        let expected = self.held_before + taps;
        if held != expected {
            return Err(format!("the tapped items hold {held}, not {expected}").into());
        }
        if counted != pages {
            return Err(format!("{counted} pages were counted, not {pages}").into());
        }
        Ok(())
    }

    async fn get(&self, connection: &mut Connection, path: &str) -> Result<Value, Error> {
        let response = connection.send(&request("GET", path, &self.token, "")).await?;
        Ok(serde_json::from_slice(response.body)?)
    }
}

fn number(answer: &Value, pointer: &str) -> Result<u64, Error> {
    let value = answer.pointer(pointer).and_then(Value::as_u64);
    value.ok_or_else(|| format!("no {pointer} in {answer}").into())
}

/// The position of the nonce in a request; `None` if it is not a tap.
pub(crate) fn nonce_position(request: &[u8]) -> Option<usize> {
    let at = request.windows(NONCE.len()).position(|window| window == NONCE.as_bytes())?;
    Some(at + NONCE.len() - DIGITS)
}

/// Gives a tap a unique nonce.
pub(crate) fn renew_nonce(request: &mut [u8], position: usize) {
    let number = format!("{:0DIGITS$x}", NEXT.fetch_add(1, Ordering::Relaxed));
    request[position..position + DIGITS].copy_from_slice(number.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tap_has_a_number_of_its_own() {
        let mut tap = request("POST", "/t/x/adjust", "", &json!({ "nonce": NONCE }).to_string());
        let position = nonce_position(&tap).unwrap();
        renew_nonce(&mut tap, position);
        let first = tap.clone();
        renew_nonce(&mut tap, position);
        assert_ne!(first, tap);
        assert_eq!(first.len(), tap.len());
        assert_eq!(nonce_position(&request("GET", "/t/x", "", "")), None);
    }
}
