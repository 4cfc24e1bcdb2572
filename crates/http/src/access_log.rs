//! One log line per request, never with a query string, a header or a body, which may contain
//! secrets.

use std::time::Duration;

use axum::http::{Method, StatusCode};

use crate::{RequestId, metrics::Route};

/// Slower answers are logged as warnings: each should take milliseconds.
const SLOW: Duration = Duration::from_secs(1);

/// Logs an answer: server errors as errors, slow answers as warnings, the rest as debug. Temporary
/// unavailability is not logged as an error: its cause already is.
pub(crate) fn record(
    id: &RequestId,
    method: &Method,
    route: &Route,
    status: StatusCode,
    took: Duration,
) {
    macro_rules! answered {
        ($level:ident, $message:literal) => {
            tracing::$level!(
                request_id = id.as_str(),
                method = method.as_str(),
                route = route.as_str(),
                status = status.as_u16(),
                ms = took.as_secs_f64() * 1e3,
                $message
            )
        };
    }
    if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
        answered!(error, "failed");
    } else if took > SLOW {
        answered!(warn, "answered slowly");
    } else {
        answered!(debug, "answered");
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fmt::Write,
        sync::{Arc, Mutex},
    };

    use axum::http::HeaderMap;
    use tracing::{
        Event, Level, Metadata, Subscriber,
        field::{Field, Visit},
        span,
    };

    use super::*;
    use crate::RequestIds;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<(Level, String)>>>);

    struct Line(String);

    impl Visit for Line {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            write!(self.0, "{field}={value:?} ").unwrap();
        }
    }

    impl Subscriber for Lines {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
            span::Id::from_u64(1)
        }
        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
        fn event(&self, event: &Event<'_>) {
            let mut line = Line(String::new());
            event.record(&mut line);
            self.0.lock().unwrap().push((*event.metadata().level(), line.0));
        }
        fn enter(&self, _: &span::Id) {}
        fn exit(&self, _: &span::Id) {}
    }

    fn logged(status: StatusCode, took: Duration) -> (Level, String) {
        let lines = Lines::default();
        let id = RequestIds::new([0; 8]).for_request(&HeaderMap::new());
        tracing::subscriber::with_default(lines.clone(), || {
            record(&id, &Method::GET, &Route(None), status, took);
        });
        let mut lines = lines.0.lock().unwrap();
        assert_eq!(lines.len(), 1);
        lines.remove(0)
    }

    #[test]
    fn the_level_follows_the_outcome() {
        let quick = Duration::from_millis(2);
        assert_eq!(logged(StatusCode::OK, quick).0, Level::DEBUG);
        assert_eq!(logged(StatusCode::NOT_FOUND, quick).0, Level::DEBUG);
        assert_eq!(logged(StatusCode::OK, Duration::from_millis(1001)).0, Level::WARN);
        assert_eq!(logged(StatusCode::INTERNAL_SERVER_ERROR, quick).0, Level::ERROR);
        assert_eq!(logged(StatusCode::SERVICE_UNAVAILABLE, quick).0, Level::DEBUG);
    }

    #[test]
    fn the_line_says_what_was_asked_and_answered() {
        let (_, line) = logged(StatusCode::OK, Duration::from_millis(2));
        assert_eq!(
            line.trim(),
            "message=answered request_id=\"00000000000000000000000000000000\" method=\"GET\" \
             route=\"unmatched\" status=200 ms=2.0"
        );
    }
}
