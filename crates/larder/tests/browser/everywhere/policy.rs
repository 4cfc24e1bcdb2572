//! The content security policy of pages.

use super::pages::{PAGES, Who};
use super::{Home, visit};
use crate::browser::support::Options;
use crate::web::support::Reader;

/// The policy of every page, verbatim.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

#[tokio::test]
async fn every_page_may_load_what_is_ours_and_nothing_that_is_written_into_it() {
    let home = Home::ordinary().await;
    let readers = [
        (Who::Nobody, Reader::new(&home.server)),
        (Who::Newcomer, Reader::of(&home.server, &home.newcomer).await),
        (Who::Admin, Reader::of(&home.server, &home.anna).await),
    ];
    for page in PAGES {
        let (_, reader) = readers.iter().find(|(who, _)| *who == page.who).unwrap();
        let address = page.address(&home);
        let answer = reader.get(&address).await;
        assert_eq!(u64::from(answer.status.as_u16()), page.status, "{address}");
        assert_eq!(answer.header("content-security-policy"), POLICY, "{address}");
        assert!(answer.header("content-type").starts_with("text/html"), "{address}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{address}");
        assert_ne!(answer.header("cache-control"), "", "{address} says who may keep it");
    }
}

#[tokio::test]
async fn no_page_asks_anything_of_another_host() {
    let home = Home::ordinary().await;
    visit(&home, Options::default(), async |page, browser| {
        let origin = browser.origin();
        for request in browser.requests().await {
            assert!(request.url.starts_with(&origin), "{}: {}", page.address(&home), request.url);
        }
    })
    .await;
}
