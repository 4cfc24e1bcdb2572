//! A reader for Server-Sent Events.

use std::time::Duration;

use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use tokio::time::timeout;

use super::PATIENCE;

/// One event as received.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// An open stream of events.
pub(crate) struct EventStream {
    response: Response,
    unread: Vec<u8>,
}

impl EventStream {
    pub(crate) async fn open(request: RequestBuilder) -> Self {
        let response = timeout(PATIENCE, request.send())
            .await
            .expect("the stream opens in time")
            .expect("the server answers");
        Self::of(response)
    }

    /// Reads on from an answer that must be a stream.
    pub(crate) fn of(response: Response) -> Self {
        assert_eq!(response.status().as_u16(), 200);
        let content_type = response.headers()["content-type"].to_str().unwrap();
        assert!(content_type.starts_with("text/event-stream"), "not a stream: {content_type}");
        assert_eq!(response.headers()["x-accel-buffering"], "no", "a proxy would hold events back");
        Self { response, unread: Vec::new() }
    }

    /// The next event; fails after a time-out.
    pub(crate) async fn next(&mut self) -> Event {
        self.next_within(PATIENCE).await
    }

    /// The next event; fails after `limit`.
    pub(crate) async fn next_within(&mut self, limit: Duration) -> Event {
        timeout(limit, self.read())
            .await
            .expect("an event arrives in time")
            .expect("the stream goes on")
    }

    /// Reads events up to and including the first that `wanted` accepts.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut seen = Vec::new();
        loop {
            let event = self.next().await;
            let done = wanted(&event);
            seen.push(event);
            if done {
                return seen;
            }
        }
    }

    /// Waits for the server to end the stream.
    pub(crate) async fn until_end(&mut self) {
        timeout(PATIENCE, async { while self.read().await.is_some() {} })
            .await
            .expect("the stream ends in time");
    }

    /// `None` at the end of the stream. Comments (keep-alives) are skipped.
    async fn read(&mut self) -> Option<Event> {
        loop {
            while let Some(end) = self.unread.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.unread.drain(..end + 2).collect();
                if let Some(event) = parse(std::str::from_utf8(&block).expect("events are UTF-8")) {
                    return Some(event);
                }
            }
            // A stream that breaks off is at its end too: the client's answer is to resume.
            let chunk = self.response.chunk().await.ok().flatten()?;
            self.unread.extend_from_slice(&chunk);
        }
    }
}

fn parse(block: &str) -> Option<Event> {
    let (mut id, mut name, mut data) = (String::new(), String::new(), String::new());
    for line in block.lines() {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => value.clone_into(&mut id),
            "event" => value.clone_into(&mut name),
            "data" => data.push_str(value),
            _ => {}
        }
    }
    if data.is_empty() {
        return None;
    }
    let data = serde_json::from_str(&data).expect("event data is JSON");
    Some(Event { id, name, data })
}
