//! The one table, and notes on the way to it.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    time::Duration,
};

use crate::{
    load::Outcome,
    measure::{CONNECTIONS, PAGES, Rounds, Start, median},
};

/// Progress, apart from the table.
pub(crate) fn note(text: &str) {
    // A closed terminal is no reason to stop measuring.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints only the result to stdout.
pub(crate) fn print(table: &str) {
    let _ = writeln!(io::stdout(), "{table}");
}

/// One line of the table.
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) value: String,
    pub(crate) ratio: String,
    pub(crate) target: &'static str,
    pub(crate) verdict: &'static str,
}

impl Row {
    pub(crate) fn plain(what: String, value: String) -> Self {
        Self { what, value, ratio: String::new(), target: "", verdict: "" }
    }
}

pub(crate) fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

/// Everything measured, as text.
pub(crate) fn table(rounds: &Rounds, start: &Start, rss_after_load: u64, items: usize) -> String {
    let mut rows = throughput(rounds);
    rows.extend(latency(rounds, items));
    let ready_ms = milliseconds(start.ready_after);
    rows.push(Row {
        target: "≤ 150 ms",
        verdict: verdict(ready_ms <= 150.0),
        ..Row::plain(format!("start to ready, {items} items"), format!("{ready_ms:.0} ms"))
    });
    for (what, bytes) in [
        ("idle memory, just started", start.resident_bytes),
        ("idle memory, after load", rss_after_load),
    ] {
        let mebibytes = bytes.div_ceil(1024 * 1024);
        rows.push(Row {
            target: "< 40 MB",
            verdict: verdict(bytes < 40_000_000),
            ..Row::plain(what.to_owned(), format!("{mebibytes} MiB"))
        });
    }
    render(&rows)
}

fn throughput(rounds: &Rounds) -> Vec<Row> {
    let rate = |outcomes: &[Outcome]| {
        median(outcomes.iter().map(|outcome| outcome.requests_per_second).collect())
    };
    let health = rate(&rounds.health);
    let distinct = rate(&rounds.distinct);
    let (consume, hot) = (rate(&rounds.consume), rate(&rounds.hot));
    let (taps, tap_pages) = (rate(&rounds.taps), rate(&rounds.tap_pages));
    let share = distinct / health;
    let value = |rate: f64, outcomes: &[Outcome]| {
        let p50 = median(outcomes.iter().map(|outcome| outcome.p50).collect());
        let p99 = median(outcomes.iter().map(|outcome| outcome.p99).collect());
        format!(
            "{rate:.0} requests/s (p50 {:.2} ms, p99 {:.2} ms)",
            milliseconds(p50),
            milliseconds(p99)
        )
    };
    vec![
        Row::plain(format!("/healthz, {CONNECTIONS} connections"), value(health, &rounds.health)),
        Row {
            ratio: format!("{:.0}% of /healthz", share * 100.0),
            target: "≥ 35%, goal 50%",
            verdict: if share >= 0.5 { "met, goal too" } else { verdict(share >= 0.35) },
            ..Row::plain(
                format!("durable adjust, distinct items, {CONNECTIONS} connections"),
                value(distinct, &rounds.distinct),
            )
        },
        Row {
            ratio: format!("{:.2}× adjust", consume / distinct),
            target: "≥ 0.9×",
            verdict: verdict(consume >= 0.9 * distinct),
            ..Row::plain(
                format!("durable consume, distinct products, {CONNECTIONS} connections"),
                value(consume, &rounds.consume),
            )
        },
        Row {
            ratio: format!("{:.2}× distinct", hot / distinct),
            target: "≥ 1.0×",
            verdict: verdict(hot >= distinct),
            ..Row::plain(
                format!("durable adjust, one hot item, {CONNECTIONS} connections"),
                value(hot, &rounds.hot),
            )
        },
        Row {
            ratio: format!("{:.0}% of /healthz", taps / health * 100.0),
            target: "≥ 25%, goal 40%",
            verdict: if taps >= 0.4 * health {
                "met, goal too"
            } else {
                verdict(taps >= 0.25 * health)
            },
            ..Row::plain(
                format!("durable tap, {CONNECTIONS} connections"),
                value(taps, &rounds.taps),
            )
        },
        Row {
            ratio: format!("{:.0}% of /healthz", tap_pages / health * 100.0),
            target: "≥ 50%",
            verdict: verdict(tap_pages >= 0.5 * health),
            ..Row::plain(
                format!("page of a tag, {CONNECTIONS} connections"),
                value(tap_pages, &rounds.tap_pages),
            )
        },
    ]
}

/// Where the first pages of items and of lots, both read anew, are in [`PAGES`].
const ITEMS_PAGE: usize = 1;
const LOTS_PAGE: usize = 2;

fn latency(rounds: &Rounds, items: usize) -> Vec<Row> {
    let p50 = |outcomes: &[Outcome]| {
        median(outcomes.iter().map(|outcome| outcome.p50).collect::<Vec<_>>())
    };
    let health = p50(&rounds.health_alone);
    let mut rows = vec![Row::plain(
        "/healthz, 1 connection".to_owned(),
        format!("p50 {:.0} µs", microseconds(health)),
    )];
    for (index, ((what, _, _), outcomes)) in PAGES.iter().zip(&rounds.pages).enumerate() {
        let time = p50(outcomes);
        let ratio = time.as_secs_f64() / health.as_secs_f64();
        let mut row = Row::plain(
            format!("{what}, {items} items, 1 connection"),
            format!("p50 {:.0} µs", microseconds(time)),
        );
        row.ratio = format!("{ratio:.1}× /healthz");
        // The first page has a target, cached or not, and that of lots beside it; the others are for
        // information.
        if index <= ITEMS_PAGE {
            row.target = "≤ 3×";
            row.verdict = verdict(ratio <= 3.0);
        } else if index == LOTS_PAGE {
            let ratio = time.as_secs_f64() / p50(&rounds.pages[ITEMS_PAGE]).as_secs_f64();
            row.ratio = format!("{ratio:.2}× items");
            row.target = "≤ 1.5×";
            row.verdict = verdict(ratio <= 1.5);
        }
        rows.push(row);
    }
    rows
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Markdown, with columns that also line up in a terminal.
pub(crate) fn render(rows: &[Row]) -> String {
    let header = ["measured", "value", "ratio", "target", ""].map(str::to_owned);
    let lines: Vec<[String; 5]> = std::iter::once(header)
        .chain(rows.iter().map(|row| {
            [
                row.what.clone(),
                row.value.clone(),
                row.ratio.clone(),
                row.target.to_owned(),
                row.verdict.to_owned(),
            ]
        }))
        .collect();
    let mut widths = [0; 5];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (cell, width) in line.iter().zip(widths) {
            let _ = write!(text, "| {cell:<width$} ");
        }
        text.push_str("|\n");
        if number == 0 {
            for width in widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [
            Row { ratio: "3.0×".to_owned(), ..Row::plain("a".to_owned(), "1 µs".to_owned()) },
            Row::plain("longer".to_owned(), "2".to_owned()),
        ];
        let table = render(&rows);
        let widths: Vec<_> = table.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{table}");
        assert_eq!(table.lines().count(), 4);
    }

    #[test]
    fn a_missed_target_is_shouted() {
        assert_eq!((verdict(true), verdict(false)), ("met", "MISSED"));
    }
}
