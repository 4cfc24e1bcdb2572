//! Metrics of connections.

use std::sync::Arc;

use larder_http::Metrics;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::{counter::Counter, family::Family};

use super::activity::Phase;
use super::admission::Admission;

/// Why a connection was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// `max_connections` are open.
    Enough,
    /// `max_connections_per_address` connections are open from this address.
    EnoughOfAddress,
    /// The operating system has no file descriptor or no memory left.
    ByTheSystem,
}

impl Refused {
    /// The label in metrics and logs: the setting, if one is the reason.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Enough => "max_connections",
            Self::EnoughOfAddress => "max_connections_per_address",
            Self::ByTheSystem => "system",
        }
    }
}

/// Counters of connections.
#[derive(Clone, Debug, Default)]
pub(super) struct ConnectionMetrics {
    refused: Family<RefusedLabels, Counter>,
    timed_out: Family<TimedOutLabels, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusedLabels {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TimedOutLabels {
    phase: &'static str,
}

impl ConnectionMetrics {
    /// Metrics that are shown with the others.
    pub(super) fn shown_by(metrics: &Metrics, admission: &Arc<Admission>) -> Self {
        let own = Self::default();
        metrics.register(|registry| {
            registry.register(
                "larder_connections_refused",
                "Connections that were not accepted, by what stood in the way",
                own.refused.clone(),
            );
            registry.register(
                "larder_connections_timed_out",
                "Connections that were closed because nothing came, by what was waited for",
                own.timed_out.clone(),
            );
        });
        let admission = Arc::clone(admission);
        let open = move || u32::try_from(admission.open()).ok().map(f64::from);
        metrics.gauge("larder_connections_open", "Connections that are open", open);
        own
    }

    pub(super) fn refused(&self, reason: Refused) {
        self.refused.get_or_create(&RefusedLabels { reason: reason.as_str() }).inc();
    }

    pub(super) fn timed_out(&self, phase: Phase) {
        let phase = match phase {
            Phase::Header => "header",
            Phase::Idle => "idle",
        };
        self.timed_out.get_or_create(&TimedOutLabels { phase }).inc();
    }
}
