//! What has no events of its own, for those who asked to be told when it may be different.

use std::{future::pending, time::Duration};

use futures_util::future::select_all;
use larder_app::{App, Caller, Topic};
use larder_http::{Params, Problem};
use tokio::{sync::watch, time::Instant};

/// How long it is quiet between two tellings: devices may measure many times a second.
const TOLD_EVERY: Duration = Duration::from_millis(300);

/// What somebody asks for: `also=things,readings`.
pub(super) fn read_topics(mut params: Params) -> Result<Vec<Topic>, Problem> {
    let named = |name: &str| Topic::ALL.into_iter().find(|topic| topic.as_str() == name);
    let topics = params.optional("also", |text| {
        let topics: Option<Vec<_>> = text.split(',').map(named).collect();
        topics.ok_or("must be things, readings or tags, or several with commas")
    });
    params.finish(|| Some(topics.unwrap_or_default()))
}

/// Topics that somebody listens to.
pub(super) struct Topics {
    watched: Vec<(Topic, watch::Receiver<()>)>,
    quiet_until: Instant,
}

impl Topics {
    /// Listens from now on. Without a household there is nothing to hear.
    pub(super) fn watch(app: &App, caller: &Caller, topics: &[Topic]) -> Self {
        let watch = |topic: &Topic| Some((*topic, app.watch_topic(caller, *topic)?));
        Self { watched: topics.iter().filter_map(watch).collect(), quiet_until: Instant::now() }
    }

    /// The next topic of which something may be different. Nothing is lost if nobody waits for the answer.
    pub(super) async fn next(&mut self) -> Topic {
        if self.watched.is_empty() {
            return pending().await;
        }
        tokio::time::sleep_until(self.quiet_until).await;
        let changes = self.watched.iter_mut().map(|(topic, receiver)| {
            Box::pin(async move {
                match receiver.changed().await {
                    Ok(()) => *topic,
                    // The server is ending, which is noticed elsewhere.
                    Err(_) => pending().await,
                }
            })
        });
        let (topic, ..) = select_all(changes).await;
        self.quiet_until = Instant::now() + TOLD_EVERY;
        topic
    }
}
