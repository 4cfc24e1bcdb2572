//! The costs of readings, as a table.

use std::time::Duration;

use crate::{
    load::Outcome,
    measure::{CONNECTIONS, median},
    report::{Row, milliseconds, render, verdict},
};

/// Everything that was measured.
pub(crate) struct Measured {
    /// 100,000 readings each, in requests of 100.
    slices: Vec<Outcome>,
    /// The growth of the store, after a clean stop.
    bytes: u64,
    readings: usize,
    pub(crate) singles: Vec<Outcome>,
    pub(crate) health: Vec<Outcome>,
    pub(crate) latest: Vec<Outcome>,
    pub(crate) health_alone: Vec<Outcome>,
    pub(crate) day: Vec<Outcome>,
    pub(crate) quarter: Vec<Outcome>,
    pub(crate) resident_bytes: u64,
}

impl Measured {
    pub(crate) fn new(slices: Vec<Outcome>, bytes: u64, readings: usize) -> Self {
        Self {
            slices,
            bytes,
            readings,
            singles: Vec::new(),
            health: Vec::new(),
            latest: Vec::new(),
            health_alone: Vec::new(),
            day: Vec::new(),
            quarter: Vec::new(),
            resident_bytes: 0,
        }
    }

    pub(crate) fn table(&self) -> String {
        let mut rows = self.writing();
        rows.extend(self.reading());
        let mebibytes = self.resident_bytes.div_ceil(1024 * 1024);
        rows.push(Row::plain("idle memory, after load".to_owned(), format!("{mebibytes} MiB")));
        render(&rows)
    }

    fn writing(&self) -> Vec<Row> {
        let rates: Vec<f64> =
            self.slices.iter().map(|slice| slice.requests_per_second * 100.0).collect();
        let all = median(rates.clone());
        let (first, last) = (rates[0], rates[rates.len() - 1]);
        let single = rate(&self.singles);
        #[expect(clippy::cast_precision_loss, reason = "a mean of some bytes")]
        let each = self.bytes as f64 / self.readings as f64;
        vec![
            Row {
                target: "≥ 100,000/s",
                verdict: verdict(all >= 100_000.0),
                ..Row::plain(
                    format!("durable readings, 100 per request, {} of them", self.readings),
                    format!("{all:.0} readings/s ({})", percentiles(&self.slices)),
                )
            },
            Row {
                ratio: format!("{:.0}% of the first", last / first * 100.0),
                target: "≥ 80%",
                verdict: verdict(last >= 0.8 * first),
                ..Row::plain("the last 100,000 of them".to_owned(), format!("{last:.0} readings/s"))
            },
            Row {
                target: "≥ 10,000/s",
                verdict: verdict(single >= 10_000.0),
                ..Row::plain(
                    format!("durable readings, one per request, {CONNECTIONS} connections"),
                    format!("{single:.0} readings/s ({})", percentiles(&self.singles)),
                )
            },
            Row {
                target: "≤ 30",
                verdict: verdict(each <= 30.0),
                ..Row::plain("bytes on disk per reading".to_owned(), format!("{each:.1}"))
            },
        ]
    }

    fn reading(&self) -> Vec<Row> {
        let (health, latest) = (rate(&self.health), rate(&self.latest));
        let alone = p50(&self.health_alone);
        let mut rows = vec![
            Row::plain(
                format!("/healthz, {CONNECTIONS} connections"),
                format!("{health:.0} requests/s"),
            ),
            Row {
                ratio: format!("{:.0}% of /healthz", latest / health * 100.0),
                target: "≥ 50%",
                verdict: verdict(latest >= 0.5 * health),
                ..Row::plain(
                    format!("latest reading, {CONNECTIONS} connections"),
                    format!("{latest:.0} requests/s ({})", percentiles(&self.latest)),
                )
            },
            Row::plain(
                "/healthz, 1 connection".to_owned(),
                format!("p50 {:.2} ms", milliseconds(alone)),
            ),
        ];
        for (what, outcomes) in [
            ("24 hours of a device, 288 readings, 1 connection", &self.day),
            ("90 days of a sensor in 500 buckets, 1 connection", &self.quarter),
        ] {
            let time = p50(outcomes);
            let times = time.as_secs_f64() / alone.as_secs_f64();
            rows.push(Row {
                ratio: format!("{times:.1}× /healthz"),
                ..Row::plain(what.to_owned(), format!("p50 {:.2} ms", milliseconds(time)))
            });
        }
        rows
    }
}

fn rate(outcomes: &[Outcome]) -> f64 {
    median(outcomes.iter().map(|outcome| outcome.requests_per_second).collect())
}

fn p50(outcomes: &[Outcome]) -> Duration {
    median(outcomes.iter().map(|outcome| outcome.p50).collect())
}

fn percentiles(outcomes: &[Outcome]) -> String {
    let p99 = median(outcomes.iter().map(|outcome| outcome.p99).collect());
    format!("p50 {:.2} ms, p99 {:.2} ms", milliseconds(p50(outcomes)), milliseconds(p99))
}
