//! Hints about topics that have no events of their own, for listeners that requested them.

use std::{future::pending, time::Duration};

use futures_util::future::select_all;
use larder_app::{App, Caller, Topic};
use larder_http::{Params, Problem};
use tokio::{sync::watch, time::Instant};

/// The minimum interval of hints: devices may measure many times a second.
const TOLD_EVERY: Duration = Duration::from_millis(300);

/// The requested topics: `also=things,readings`.
pub(super) fn read_topics(mut params: Params) -> Result<Vec<Topic>, Problem> {
    let named = |name: &str| Topic::ALL.into_iter().find(|topic| topic.as_str() == name);
    let topics = params.optional("also", |text| {
        let topics: Option<Vec<_>> = text.split(',').map(named).collect();
        topics.ok_or("must be things, readings or tags, or several with commas")
    });
    params.finish(|| Some(topics.unwrap_or_default()))
}

/// The topics of a listener.
pub(super) struct Topics {
    watched: Vec<(Topic, watch::Receiver<()>)>,
    quiet_until: Instant,
}

impl Topics {
    /// Listens from now on. Without a household there are no topics.
    pub(super) fn watch(app: &App, caller: &Caller, topics: &[Topic]) -> Self {
        let watch = |topic: &Topic| Some((*topic, app.watch_topic(caller, *topic)?));
        Self { watched: topics.iter().filter_map(watch).collect(), quiet_until: Instant::now() }
    }

    /// The next topic that may have changed. Cancel-safe.
    pub(super) async fn next(&mut self) -> Topic {
        if self.watched.is_empty() {
            return pending().await;
        }
        tokio::time::sleep_until(self.quiet_until).await;
        let changes = self.watched.iter_mut().map(|(topic, receiver)| {
            Box::pin(async move {
                match receiver.changed().await {
                    Ok(()) => *topic,
                    // The server is stopping, which is handled elsewhere.
                    Err(_) => pending().await,
                }
            })
        });
        let (topic, ..) = select_all(changes).await;
        self.quiet_until = Instant::now() + TOLD_EVERY;
        topic
    }
}
