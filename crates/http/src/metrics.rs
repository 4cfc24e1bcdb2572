//! Metrics for Prometheus.

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Mutex,
    time::Duration,
};

use axum::{
    extract::MatchedPath,
    http::{Method, StatusCode},
};
use jiff::Timestamp;
use prometheus_client::{
    collector::Collector,
    encoding::{
        DescriptorEncoder, EncodeLabelSet, EncodeLabelValue, EncodeMetric, LabelValueEncoder, text,
    },
    metrics::{
        counter::Counter,
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
    },
    registry::{Registry, Unit},
};

/// From a cached read to the time limit of an answer.
const BUCKETS_SECONDS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 10.0, 30.0];

/// The metrics of one server.
#[derive(Debug)]
pub struct Metrics {
    registry: Mutex<Registry>,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabels, Histogram, fn() -> Histogram>,
    in_flight: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: Route,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: Route,
}

impl Metrics {
    /// Metrics of a server that started at this time.
    pub fn new(started: Timestamp) -> Self {
        let requests = Family::default();
        let histogram: fn() -> Histogram = || Histogram::new(BUCKETS_SECONDS);
        let seconds = Family::new_with_constructor(histogram);
        let in_flight = Gauge::default();
        let mut registry = Registry::default();
        registry.register("larder_http_requests", "Requests answered", requests.clone());
        registry.register_with_unit(
            "larder_http_request",
            "Time until the answer began",
            Unit::Seconds,
            seconds.clone(),
        );
        registry.register(
            "larder_http_requests_in_flight",
            "Requests being answered",
            in_flight.clone(),
        );
        let metrics = Self { registry: Mutex::new(registry), requests, seconds, in_flight };
        let started = started.as_duration().as_secs_f64();
        metrics.gauge("process_start_time_seconds", "Start of the process", move || Some(started));
        metrics.gauge("process_resident_memory_bytes", "Memory in use", resident_memory_bytes);
        metrics
    }

    /// A gauge that is evaluated at each scrape; `None` omits it.
    pub fn gauge(
        &self,
        name: &'static str,
        help: &'static str,
        read: impl Fn() -> Option<f64> + Send + Sync + 'static,
    ) {
        let gauge = ReadAtScrape { name, help, read };
        self.register(|registry| registry.register_collector(Box::new(gauge)));
    }

    /// Adds metrics of any other kind.
    pub fn register(&self, register: impl FnOnce(&mut Registry)) {
        register(&mut self.registry.lock().expect("no holder of this lock panics"));
    }

    /// Everything, in the `OpenMetrics` text format.
    pub fn render(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry.lock().expect("no holder of this lock panics"))?;
        Ok(text)
    }

    /// Counts a request as in flight until the guard is dropped.
    pub(crate) fn begin(&self) -> InFlight<'_> {
        self.in_flight.inc();
        InFlight(&self.in_flight)
    }

    /// Counts an answer. Costs two look-ups and no allocation for known labels.
    pub(crate) fn record(
        &self,
        method: &Method,
        route: &Route,
        status: StatusCode,
        took: Duration,
    ) {
        let labels = RequestLabels {
            method: method_label(method),
            route: route.clone(),
            status: status.as_u16(),
        };
        self.requests.get_or_create(&labels).inc();
        let labels = RouteLabels { route: labels.route };
        self.seconds.get_or_create(&labels).observe(took.as_secs_f64());
    }
}

pub(crate) struct InFlight<'a>(&'a Gauge);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The matched route pattern: never the path, which clients can vary without bound.
#[derive(Clone, Debug)]
pub(crate) struct Route(pub(super) Option<MatchedPath>);

impl Route {
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_ref().map_or("unmatched", MatchedPath::as_str)
    }
}

impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Route {}

impl Hash for Route {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl EncodeLabelValue for Route {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        EncodeLabelValue::encode(&self.as_str(), encoder)
    }
}

/// A method is anything a client cares to send; a label must not be.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

struct ReadAtScrape<F> {
    name: &'static str,
    help: &'static str,
    read: F,
}

impl<F: Fn() -> Option<f64> + Send + Sync + 'static> Collector for ReadAtScrape<F> {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let Some(value) = (self.read)() else { return Ok(()) };
        let gauge = ConstGauge::new(value);
        let encoder = encoder.encode_descriptor(self.name, self.help, None, gauge.metric_type())?;
        gauge.encode(encoder)
    }
}

impl<F> fmt::Debug for ReadAtScrape<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReadAtScrape").field(&self.name).finish()
    }
}

/// From `/proc`, if there is one.
fn resident_memory_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u32 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(f64::from(kibibytes) * 1024.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn metrics() -> Metrics {
        Metrics::new(Timestamp::from_second(1_700_000_000).unwrap())
    }

    fn has(metrics: &Metrics, line: &str) {
        let text = metrics.render().unwrap();
        assert!(text.lines().any(|given| given == line), "{line} is not in\n{text}");
    }

    #[test]
    fn answers_are_counted_by_method_route_and_status() {
        let metrics = metrics();
        let took = Duration::from_millis(3);
        metrics.record(&Method::GET, &Route(None), StatusCode::NOT_FOUND, took);
        metrics.record(&Method::GET, &Route(None), StatusCode::NOT_FOUND, took);
        let odd = Method::from_bytes(b"BREW").unwrap();
        metrics.record(&odd, &Route(None), StatusCode::OK, took);
        has(
            &metrics,
            "larder_http_requests_total{method=\"GET\",route=\"unmatched\",status=\"404\"} 2",
        );
        has(
            &metrics,
            "larder_http_requests_total{method=\"OTHER\",route=\"unmatched\",status=\"200\"} 1",
        );
        has(&metrics, "larder_http_request_seconds_count{route=\"unmatched\"} 3");
        has(&metrics, "larder_http_request_seconds_bucket{le=\"0.002\",route=\"unmatched\"} 0");
        has(&metrics, "larder_http_request_seconds_bucket{le=\"0.005\",route=\"unmatched\"} 3");
    }

    #[test]
    fn a_request_is_in_flight_until_its_guard_goes() {
        let metrics = metrics();
        let guard = metrics.begin();
        has(&metrics, "larder_http_requests_in_flight 1");
        drop(guard);
        has(&metrics, "larder_http_requests_in_flight 0");
    }

    #[test]
    fn a_gauge_is_read_at_each_scrape() {
        let metrics = metrics();
        let size = Arc::new(Mutex::new(Some(1.5)));
        let read = Arc::clone(&size);
        metrics.gauge("larder_queue", "What waits", move || *read.lock().unwrap());
        has(&metrics, "larder_queue 1.5");
        *size.lock().unwrap() = None;
        assert!(!metrics.render().unwrap().contains("larder_queue"));
    }

    #[test]
    fn the_process_tells_its_start_and_memory() {
        has(&metrics(), "process_start_time_seconds 1700000000.0");
        if cfg!(target_os = "linux") {
            assert!(resident_memory_bytes().unwrap() > 100_000.0);
        }
    }
}
