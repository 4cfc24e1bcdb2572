//! `GET /events`: the household's changes as they happen, resumable without a gap.

use std::{collections::VecDeque, convert::Infallible, time::Duration};

use axum::{
    extract::FromRequestParts,
    http::request::Parts,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::stream;
use larder_app::{Caller, Topic};
use larder_domain::Whose;
use larder_http::{Params, Problem, ProblemDocument};
use larder_storage::RecordedChange;
use serde_json::json;
use tokio::{sync::watch, time::Instant};

use super::{
    event_id::EventId,
    payload::payload,
    topics::{Topics, read_topics},
};
use crate::{
    ApiError, ApiState, InInventory,
    credential::Credential,
    need::{Need as _, ReadAll},
};

/// The number of changes per read.
const READ_AT_ONCE: usize = 100;
/// The interval of heartbeats on an idle connection, at which it also checks for missed wake-ups.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The interval of checks whether the caller may still listen. Short, because the answer may
/// already be some seconds old, and a removed member may listen for at most ten.
const ASKED_EVERY: Duration = Duration::from_secs(1);

/// The last event that the client has seen, and its credential.
pub(super) struct Resume {
    credential: Credential,
    last_event_id: Option<EventId>,
}

impl FromRequestParts<ApiState> for Resume {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        let credential = Credential::of(parts, api)?;
        let last_event_id = match parts.headers.get("last-event-id") {
            None => None,
            Some(value) if value.is_empty() => None,
            Some(value) => {
                let id = value.to_str().ok().and_then(|text| text.parse().ok());
                Some(id.ok_or_else(|| {
                    Problem::bad_request("INVALID_FIELDS", "Validation failed")
                        .field_error("Last-Event-ID", "must be the id of an event of this stream")
                })?)
            }
        };
        Ok(Self { credential, last_event_id })
    }
}

struct Listener {
    api: ApiState,
    caller: Caller,
    credential: Credential,
    /// All changes up to this one have been read.
    after: u64,
    /// How many events of the next change were sent before the connection broke.
    already_sent: usize,
    waiting: VecDeque<Event>,
    news: watch::Receiver<u64>,
    topics: Topics,
    stopping: watch::Receiver<bool>,
}

/// Listen for changes
///
/// Server-Sent Events, one per domain event. Reconnect with `Last-Event-ID` to miss nothing; if
/// that id is older than the journal, or not of this stream, a `Reset` event says that everything
/// should be read again.
///
/// Some things change without an event of their own. Name them with `also` to receive
/// `TopicChanged`, without details, when they may have changed: only on the server that made the
/// change, and not again after a reconnect.
#[utoipa::path(
    get,
    path = "/api/v1/events",
    tag = "Live",
    security(("program" = ["read"])),
    params(
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was seen"),
        ("also" = Option<String>, Query, pattern = "^(things|readings|tags)(,(things|readings|tags))*$", description = "`things`, `readings` or `tags`, or several with commas"),
    ),
    responses(
        (status = 200, body = String, content_type = "text/event-stream"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 401, body = ProblemDocument, description = "`UNAUTHENTICATED`"),
    ),
)]
pub(super) async fn events(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadAll>,
    Resume { credential, last_event_id }: Resume,
    params: Params,
) -> Result<Response, ApiError> {
    // Subscribed before the head is read, so that no change is missed in between.
    let news = api.app.watch_changes(&caller);
    let topics = Topics::watch(&api.app, &caller, &read_topics(params)?);
    let head = api.app.changes_head(&caller).await?;
    // An id of the future is of another stream, or of a store that was since restored from a
    // backup. Waiting for the sequence to reach it would hide all changes until then.
    let is_foreign = last_event_id.is_some_and(|id| id.sequence > head);
    let (after, already_sent) = match last_event_id {
        Some(EventId { sequence, sent: None }) if !is_foreign => (sequence, 0),
        Some(EventId { sequence, sent: Some(sent) }) if !is_foreign => {
            (sequence.saturating_sub(1), sent)
        }
        _ => (head, 0),
    };
    let start = EventId { sequence: after, sent: None };
    let hello =
        Event::default().id(start.to_string()).retry(Duration::from_secs(1)).comment("hello");
    let waiting = match already_sent {
        _ if is_foreign => VecDeque::from([hello, reset(after)]),
        0 => VecDeque::from([hello]),
        // A resuming client keeps its id, which may be within a change.
        _ => VecDeque::new(),
    };
    let stopping = api.stopping.clone();
    let listener =
        Listener { api, caller, credential, after, already_sent, waiting, news, topics, stopping };
    let events = stream::unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok::<_, Infallible>(event), listener))
    });
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    // Otherwise nginx holds events back until its buffer is full.
    let at_once = [("x-accel-buffering", "no")];
    Ok((at_once, Sse::new(events).keep_alive(keep_alive)).into_response())
}

impl Listener {
    /// The next event; `None` ends the stream, and the client resumes with its last id.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if *self.stopping.borrow() {
                return None;
            }
            self.news.mark_unchanged();
            match self.read().await {
                Ok(true) => {}
                Ok(false) => self.wait().await?,
                Err(error) => {
                    tracing::warn!(%error, "live stream ended");
                    return None;
                }
            }
        }
    }

    /// Reads new changes. `false` if there are none.
    async fn read(&mut self) -> Result<bool, larder_app::AppError> {
        let app = &self.api.app;
        let Some(read) = app.changes_after(&self.caller, self.after, READ_AT_ONCE).await? else {
            self.after = app.changes_head(&self.caller).await?;
            self.already_sent = 0;
            self.waiting.push_back(reset(self.after));
            return Ok(true);
        };
        for change in &read.changes {
            self.queue(change);
        }
        let moved = read.read_to != self.after;
        self.after = read.read_to;
        Ok(moved)
    }

    fn queue(&mut self, change: &RecordedChange) {
        let skip = std::mem::take(&mut self.already_sent);
        let events = change.change.events(change.by);
        for (at, event) in events.iter().enumerate().skip(skip) {
            let id = EventId { sequence: change.sequence, sent: Some(at + 1) };
            let data = payload(change, event).to_string();
            self.waiting
                .push_back(Event::default().event(event.name()).id(id.to_string()).data(data));
        }
    }

    /// Waits for changes, and checks that the caller may still listen.
    async fn wait(&mut self) -> Option<()> {
        let heartbeat = Instant::now() + HEARTBEAT;
        loop {
            let look = tokio::select! {
                changed = self.news.changed() => changed.map(|()| true).ok()?,
                topic = self.topics.next() => {
                    self.waiting.push_back(topic_changed(topic));
                    true
                }
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
                () = tokio::time::sleep_until(heartbeat) => true,
                () = tokio::time::sleep(ASKED_EVERY) => false,
            };
            let mut caller = self.credential.caller(&self.api, ReadAll::NEED).await.ok()?;
            // Members listen to their own inventory only if they ask.
            if self.caller.is_member_alone() {
                caller = caller.looking_at(Whose::Personal)?;
            }
            // Joining or leaving a household changes which changes the caller listens to.
            if caller.owner() != self.caller.owner() {
                return None;
            }
            self.caller = caller;
            if look {
                return Some(());
            }
        }
    }
}

/// A hint that a topic may have changed. It has no id, so that the client keeps its last one.
fn topic_changed(topic: Topic) -> Event {
    Event::default().event("TopicChanged").data(json!({ "topic": topic.as_str() }).to_string())
}

/// Says that everything should be read again.
fn reset(at: u64) -> Event {
    let id = EventId { sequence: at, sent: None };
    Event::default().event("Reset").id(id.to_string()).data("{}")
}
