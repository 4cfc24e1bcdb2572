//! From opening the address for the first time to a family that shares one list.

mod first_run;
mod invitations;
mod time_zone;

use crate::browser::support::Browser;

/// The path of a link to the server, wherever a browser reaches it.
fn path_of(link: &str) -> String {
    let (_, rest) = link.split_once("://").expect("a link begins with its scheme");
    format!("/{}", rest.split_once('/').expect("a link has a path").1)
}

/// Fills and sends the form of a new account.
async fn register(browser: &Browser, name: &str) {
    browser.fill("input[name=name]", name).await;
    browser.fill("input[name=email]", &format!("{name}@example.org")).await;
    browser.fill("input[name=password]", "four words in a row").await;
    browser.press("Create the account").await;
}
