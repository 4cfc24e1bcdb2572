//! Prometheus metrics of the requests of devices.

use larder_http::Metrics;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};

/// Counters of received readings.
#[derive(Debug)]
pub(crate) struct DeviceMetrics {
    /// Newly stored readings.
    pub(super) acknowledged: Counter,
    /// Readings that were already stored.
    pub(super) duplicate: Counter,
    /// Readings of refused requests.
    pub(super) refused: Counter,
    /// Unknown fields.
    pub(super) unknown_fields: Counter,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReadingLabels {
    outcome: &'static str,
}

impl DeviceMetrics {
    /// Registers the counters, which start at 0.
    pub(crate) fn shown_by(metrics: &Metrics) -> Self {
        let readings = Family::<ReadingLabels, Counter>::default();
        let counter = |outcome| readings.get_or_create_owned(&ReadingLabels { outcome });
        let own = Self {
            acknowledged: counter("acknowledged"),
            duplicate: counter("duplicate"),
            refused: counter("refused"),
            unknown_fields: Counter::default(),
        };
        metrics.register(|registry| {
            registry.register(
                "larder_readings",
                "Readings that devices sent, by what became of them",
                readings,
            );
            registry.register(
                "larder_device_unknown_fields",
                "Fields of devices' requests that were ignored because this server does not know them",
                own.unknown_fields.clone(),
            );
        });
        own
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn readings_are_shown_by_what_became_of_them() {
        let metrics = Metrics::new(Timestamp::UNIX_EPOCH);
        let own = DeviceMetrics::shown_by(&metrics);
        own.acknowledged.inc_by(100);
        own.unknown_fields.inc();
        let text = metrics.render().unwrap();
        for line in [
            "larder_readings_total{outcome=\"acknowledged\"} 100",
            "larder_readings_total{outcome=\"duplicate\"} 0",
            "larder_readings_total{outcome=\"refused\"} 0",
            "larder_device_unknown_fields_total 1",
        ] {
            assert!(text.lines().any(|given| given == line), "{line} is not in\n{text}");
        }
    }
}
