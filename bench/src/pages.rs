//! The pages of the web app, as a browser requests them.

use std::{net::SocketAddr, sync::Arc};

use serde_json::json;

use crate::{
    Error, REST,
    args::Args,
    connection::{Connection, browser_request, request},
    household::{Household, PASSWORD, post},
    load::{self, Outcome},
    measure::{CONNECTIONS, median},
    report::{Row, milliseconds, note, render, verdict},
    server::{DataDirectory, Server},
};

/// The first page as programs read it.
const TODAY_JSON: &str = "/api/v1/today";
/// How much is on the shopping list.
const ENTRIES: usize = 40;
/// The target for a page: the server's share of the waiting time.
const MOST_MS: f64 = 50.0;
/// The target for what people open first, as a multiple of `/healthz`.
const MOST_OF_TODAY: f64 = 20.0;

/// A page under measurement.
struct Page {
    what: &'static str,
    /// Whether it is what people open first.
    is_today: bool,
    request: Arc<Vec<Vec<u8>>>,
    bytes: usize,
    alone: Vec<Outcome>,
}

pub(crate) async fn run(args: &Args) -> Result<String, Error> {
    let binary = args.binary()?;
    let data = DataDirectory::create(&args.data)?;
    note(&format!("{} with data in {}", binary.display(), data.path().display()));
    let server = Server::start(&binary, &data).await?;
    let address = server.address();
    note(&format!("adding {} items", args.items));
    let household = Household::create(address, "bench", args.items).await?;
    write_list(address, &household).await?;
    let cookies = log_in(address, "bench@example.org").await?;

    let item = format!("/stock/{}", household.items[0]);
    let health = Arc::new(vec![request("GET", "/healthz", "", "")]);
    let list = household.page("items?limit=50&search=", 1);
    let mut pages = Vec::new();
    for (what, path) in [
        ("log in", "/login"),
        ("stock, first page", "/stock"),
        ("stock, searched", "/stock?search=olive"),
        ("one item with its history", &item),
        ("shopping list", "/shopping"),
        ("household", "/household"),
        ("things", "/things"),
        ("today", "/today"),
        ("today as JSON", TODAY_JSON),
    ] {
        let request = if path == TODAY_JSON {
            request("GET", path, &household.token, "")
        } else {
            browser_request("GET", path, &cookies, "")
        };
        let mut connection = Connection::open(address).await?;
        let answer = connection.send(&request).await?;
        if answer.status != 200 {
            return Err(format!("{path} answered {}", answer.status).into());
        }
        let bytes = answer.body.len();
        let (is_today, request) = (what.starts_with("today"), Arc::new(vec![request]));
        pages.push(Page { what, is_today, request, bytes, alone: Vec::new() });
    }

    let (mut yardstick, mut many, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=args.rounds {
        note(&format!("round {round} of {}", args.rounds));
        yardstick.push(load::run(address, 1, &health, args.window / 2).await?);
        for page in &mut pages {
            page.alone.push(load::run(address, 1, &page.request, args.window / 2).await?);
        }
        many.push(load::run(address, CONNECTIONS, &pages[1].request, args.window).await?);
        listed.push(load::run(address, CONNECTIONS, &list, args.window).await?);
    }
    tokio::time::sleep(REST).await;
    server.stop().await?;
    Ok(table(&yardstick, &pages, (&many, &listed), args.items))
}

async fn write_list(address: SocketAddr, household: &Household) -> Result<(), Error> {
    let mut connection = Connection::open(address).await?;
    for number in 0..ENTRIES {
        let item = household.items.get(number).filter(|_| number % 2 == 0);
        let entry = json!({ "name": format!("Entry {number}"), "itemId": item, "quantity": 2 });
        post(&mut connection, "/api/v1/shopping-list", &household.token, &entry).await?;
    }
    Ok(())
}

/// Logs in as a browser does, and answers the cookies that it then sends.
async fn log_in(address: SocketAddr, email: &str) -> Result<String, Error> {
    let mut connection = Connection::open(address).await?;
    let page = connection.send(&browser_request("GET", "/login", "", "")).await?;
    let visitor = cookies(page.head);
    let text = std::str::from_utf8(page.body)?;
    let (_, rest) = text.split_once("name=\"csrf-token\" content=\"").ok_or("no token")?;
    let (token, _) = rest.split_once('"').ok_or("no token")?;
    let form = format!("csrf={token}&email={email}&password={}", PASSWORD.replace(' ', "+"));
    let answer = connection.send(&browser_request("POST", "/login", &visitor, &form)).await?;
    if answer.status != 303 {
        return Err(format!("logging in was answered with {}", answer.status).into());
    }
    Ok(cookies(answer.head))
}

/// The cookies that an answer sets, as a request sends them back.
fn cookies(head: &str) -> String {
    let set = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let cookie = value.split(';').next()?.trim();
        (name.eq_ignore_ascii_case("set-cookie") && !cookie.ends_with('=')).then_some(cookie)
    });
    set.collect::<Vec<_>>().join("; ")
}

fn table(
    yardstick: &[Outcome],
    pages: &[Page],
    (many, listed): (&[Outcome], &[Outcome]),
    items: usize,
) -> String {
    let p50 = |outcomes: &[Outcome]| {
        milliseconds(median(outcomes.iter().map(|outcome| outcome.p50).collect()))
    };
    let rate = |outcomes: &[Outcome]| {
        median(outcomes.iter().map(|outcome| outcome.requests_per_second).collect())
    };
    let health = p50(yardstick);
    let mut rows =
        vec![Row::plain("/healthz, 1 connection".to_owned(), format!("p50 {health:.2} ms"))];
    for page in pages {
        let time = p50(&page.alone);
        let (target, is_reached) = if page.is_today {
            ("≤ 20× /healthz", time / health <= MOST_OF_TODAY)
        } else {
            ("≤ 50 ms", time <= MOST_MS)
        };
        rows.push(Row {
            ratio: format!("{:.1}× /healthz", time / health),
            target,
            verdict: verdict(is_reached),
            ..Row::plain(
                format!("{}, {items} items", page.what),
                format!("p50 {time:.2} ms, {} KB", page.bytes.div_ceil(1000)),
            )
        });
    }
    rows.push(Row {
        ratio: format!("{:.2}× the list as JSON", rate(many) / rate(listed)),
        ..Row::plain(
            format!("stock, first page, {CONNECTIONS} connections"),
            format!("{:.0} pages/s", rate(many)),
        )
    });
    render(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_sent_back_without_what_is_said_about_them() {
        let head = "HTTP/1.1 303 See Other\r\nSet-Cookie: a=1; HttpOnly\r\nset-cookie: gone=; Path=/\r\n\
                    Location: /\r\nset-cookie: b=x=y; Path=/";
        assert_eq!(cookies(head), "a=1; b=x=y");
    }
}
