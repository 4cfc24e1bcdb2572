//! Metrics of background jobs.

use jiff::Timestamp;
use larder_app::{DeliveryOutcome, Job, UpkeepObserver};
use larder_domain::Channel;
use larder_http::Metrics;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge};

/// Counters of this server's jobs.
#[derive(Debug, Default)]
pub(crate) struct UpkeepMetrics {
    deliveries: Family<DeliveryLabels, Counter>,
    successes: Family<JobLabels, Gauge>,
    sweeping_paused: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabels {
    channel: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct JobLabels {
    job: &'static str,
}

impl UpkeepMetrics {
    /// Metrics that are shown with the others.
    pub(crate) fn shown_by(metrics: &Metrics) -> Self {
        let own = Self::default();
        metrics.register(|registry| {
            registry.register(
                "larder_deliveries",
                "Attempts to deliver a notification, by what became of them",
                own.deliveries.clone(),
            );
            registry.register(
                "larder_job_last_success_timestamp_seconds",
                "When a background job last went through on this server",
                own.successes.clone(),
            );
            registry.register(
                "larder_sweeping_paused",
                "1 while expired data is kept because the clock has jumped",
                own.sweeping_paused.clone(),
            );
        });
        own
    }
}

impl UpkeepObserver for UpkeepMetrics {
    fn attempted(&self, channel: Channel, outcome: DeliveryOutcome) {
        let labels = DeliveryLabels { channel: channel.as_str(), outcome: outcome.as_str() };
        self.deliveries.get_or_create(&labels).inc();
    }

    fn succeeded(&self, job: Job, at: Timestamp) {
        self.successes.get_or_create(&JobLabels { job: job.as_str() }).set(at.as_second());
    }

    fn sweeping_paused(&self, is_paused: bool) {
        self.sweeping_paused.set(is_paused.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_and_successes_are_shown_by_what_they_were() {
        let metrics = Metrics::new(Timestamp::UNIX_EPOCH);
        let own = UpkeepMetrics::shown_by(&metrics);
        own.attempted(Channel::Mail, DeliveryOutcome::Sent);
        own.attempted(Channel::Mail, DeliveryOutcome::Sent);
        own.attempted(Channel::Webhook, DeliveryOutcome::Dead);
        own.succeeded(Job::Days, Timestamp::from_second(1_700_000_000).unwrap());
        own.sweeping_paused(true);
        let text = metrics.render().unwrap();
        for line in [
            "larder_deliveries_total{channel=\"mail\",outcome=\"sent\"} 2",
            "larder_deliveries_total{channel=\"webhook\",outcome=\"dead\"} 1",
            "larder_job_last_success_timestamp_seconds{job=\"days\"} 1700000000",
            "larder_sweeping_paused 1",
        ] {
            assert!(text.lines().any(|given| given == line), "{line} is not in\n{text}");
        }
    }
}
