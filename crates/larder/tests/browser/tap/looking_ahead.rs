//! Browsers that prefetch or prerender a page take nothing.

use super::{MESSAGE, phone_at_eggs};
use crate::browser::support::{Browser, Middleman, Options, Seen, Shelf};
use crate::it::support::Server;

/// A foreign page that makes the browser prefetch a tag's page.
fn speculating(how: &str, path: &str) -> String {
    format!(
        r#"<!DOCTYPE html><title>Links</title><link rel="icon" href="data:,"><a href="{path}">A tag</a>
        <script type="speculationrules">
        {{"{how}": [{{"source": "list", "urls": ["{path}"], "eagerness": "immediate"}}]}}
        </script>"#
    )
}

fn taps(middleman: &Middleman) -> usize {
    middleman.seen().iter().filter(|seen| seen.is_tap()).count()
}

#[tokio::test]
async fn a_prefetch_takes_nothing_and_counts_for_nothing_until_somebody_looks() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let path = shelf.path();
    let middleman = Middleman::before(&server).await;
    middleman.serve("/links", "text/html", speculating("prefetch", &path));
    let phone = Browser::at(middleman.address(), Options::default()).await;
    phone.go("/links").await;
    let is_ahead = |seen: &Seen| seen.path == path && seen.purpose.starts_with("prefetch");
    middleman.until("the page is prefetched", is_ahead).await;
    assert_eq!(shelf.visits().await, 0);
    assert_eq!(shelf.left().await, "6");
    phone.press("A tag").await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(shelf.left().await, "5");
    assert_eq!(taps(&middleman), 1);
}

#[tokio::test]
async fn a_prerendered_page_runs_its_script_and_takes_nothing_until_somebody_looks() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let path = shelf.path();
    let middleman = Middleman::before(&server).await;
    middleman.serve("/links", "text/html", speculating("prerender", &path));
    let phone = Browser::at(middleman.address(), Options::default()).await;
    phone.go("/links").await;
    let is_ahead = |seen: &Seen| seen.path == path && seen.purpose.contains("prerender");
    middleman.until("the page is prerendered", is_ahead).await;
    middleman.until("its script is loaded", |seen| seen.path.ends_with("/tap.js")).await;
    assert_eq!(shelf.visits().await, 0);
    assert_eq!(shelf.left().await, "6");
    assert_eq!(taps(&middleman), 0);
    phone.press("A tag").await;
    phone.says(MESSAGE, "Took 1個.").await;
    let loads = middleman.seen().iter().filter(|seen| seen.path == path).count();
    assert_eq!(loads, 1, "what was prerendered is what was looked at");
    assert_eq!(taps(&middleman), 1);
    assert_eq!(shelf.left().await, "5");
}

#[tokio::test]
async fn a_page_that_nobody_sees_waits_until_somebody_does() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    let hidden = r#"
        let state = "hidden";
        Object.defineProperty(document, "visibilityState", { get: () => state });
        globalThis.look = () => {
            state = "visible";
            document.dispatchEvent(new Event("visibilitychange"));
        };
    "#;
    phone.run_in_every_page(hidden).await;
    phone.go(&shelf.path()).await;
    let requests = phone.requests().await;
    let kinds: Vec<_> = requests.iter().map(|request| request.kind.as_str()).collect();
    assert_eq!(kinds, ["Document", "Script"], "its script has run, and sent nothing");
    assert_eq!(shelf.left().await, "6");
    phone.run("globalThis.look()").await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(shelf.left().await, "5");
}
