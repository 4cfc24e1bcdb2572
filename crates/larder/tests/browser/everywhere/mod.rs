//! Requirements on every page, for every reader.

pub(super) mod accessible;
mod feedback;
mod forms;
mod home;
mod hostile_texts;
mod languages;
mod offline;
mod pages;
mod pictures;
mod policy;
mod quick;
mod shortcuts;
mod told;
mod weak_network;

use home::Home;
use pages::{PAGES, Page, Who};

use super::support::{Browser, Options};

/// Opens every page of a home, each with a browser of a user who may see it. A failing page fails
/// the test after the others were checked.
async fn visit(home: &Home, options: Options, look: impl AsyncFn(&Page, &Browser)) {
    let mut not_there = Vec::new();
    for who in [Who::Nobody, Who::Newcomer, Who::Admin] {
        let browser = match who {
            Who::Nobody => Browser::with(&home.server, options).await,
            Who::Newcomer => Browser::signed_in_with(&home.server, &home.newcomer, options).await,
            Who::Admin => Browser::signed_in_with(&home.server, &home.anna, options).await,
        };
        for page in PAGES.iter().filter(|page| page.who == who) {
            let address = page.address(home);
            browser.go(&address).await;
            let (status, path) = (browser.status().await, browser.path().await);
            if status >= 400 {
                // The browser logs it, too.
                browser.expect_complaint(&format!("status of {status}"));
            }
            // After a redirect the page was not seen.
            if (status, &path) == (page.status, &address) {
                look(page, &browser).await;
            } else {
                not_there.push(format!("{address} is {status} at {path}"));
            }
        }
    }
    assert_eq!(not_there, Vec::<String>::new(), "every page is where the table says");
}
