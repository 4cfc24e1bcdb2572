//! All pages there are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::Home;
use crate::it::support::encode;

/// Who opens a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// Somebody who has not logged in.
    Nobody,
    /// Somebody who has, and is in no household yet.
    Newcomer,
    /// The admin of a household.
    Admin,
}

/// A page, or what it looks like in a case of its own.
pub(super) struct Page {
    pub(super) who: Who,
    /// As in the sources.
    pub(super) route: &'static str,
    address: fn(&Home) -> String,
    pub(super) status: u64,
}

impl Page {
    const fn of(who: Who, route: &'static str, address: fn(&Home) -> String) -> Self {
        Self { who, route, address, status: 200 }
    }

    /// Where it is in a home.
    pub(super) fn address(&self, home: &Home) -> String {
        (self.address)(home)
    }
}

const fn nobody(route: &'static str, address: fn(&Home) -> String) -> Page {
    Page::of(Who::Nobody, route, address)
}

const fn newcomer(route: &'static str, address: fn(&Home) -> String) -> Page {
    Page::of(Who::Newcomer, route, address)
}

const fn admin(route: &'static str, address: fn(&Home) -> String) -> Page {
    Page::of(Who::Admin, route, address)
}

/// Every page, at least once.
pub(super) const PAGES: &[Page] = &[
    nobody("/", |_| "/".into()),
    nobody("/login", |_| "/login".into()),
    nobody("/register", |_| "/register".into()),
    nobody("/confirm-email/{token}", |_| "/confirm-email/abc".to_owned()),
    nobody("/forgot", |_| "/forgot".into()),
    Page { status: 410, ..nobody("/reset/{token}", |_| "/reset/abc".into()) },
    nobody("/join/{code}", |home| format!("/join/{}", home.invite_code)),
    nobody("/offline", |_| "/offline".into()),
    admin("/search", |_| "/search?q=r".into()),
    admin("/stock/copy", |_| "/stock/copy".into()),
    admin("/today", |_| "/today".into()),
    admin("/shortcuts", |_| "/shortcuts".into()),
    Page { status: 404, ..nobody("", |_| "/nowhere".into()) },
    newcomer("/welcome", |_| "/welcome".into()),
    newcomer("/join/{code}", |home| format!("/join/{}", home.invite_code)),
    newcomer("/me", |_| "/me".into()),
    admin("/welcome/ready", |_| "/welcome/ready".into()),
    admin("/stock", |_| "/stock".into()),
    admin("/stock", |_| "/stock?search=nothing+is+called+so".into()),
    admin("/stock", |_| "/stock?select=1".into()),
    admin("/stock/{id}", |home| format!("/stock/{}", home.item)),
    admin("/products", |_| "/products".into()),
    admin("/products", |_| "/products?search=nothing+is+called+so".into()),
    admin("/products/{id}", |home| format!("/products/{}", home.product)),
    admin("/products/{id}", |home| format!("/products/{}?edit=1", home.product)),
    admin("/scan", |_| "/scan".into()),
    admin("/scan", |_| "/scan?then=use&code=4006381333931".into()),
    admin("/shopping", |_| "/shopping".into()),
    admin("/shopping/print", |_| "/shopping/print".into()),
    admin("/shopping/put-away", |_| "/shopping/put-away".into()),
    admin("/shopping/{id}", |home| format!("/shopping/{}", home.entry)),
    admin("/shopping/{id}/put-away", |home| format!("/shopping/{}/put-away", home.bought)),
    admin("/tags", |_| "/tags".into()),
    admin("/tags", |home| format!("/tags?item={}", home.item)),
    admin("/tags/new", |_| "/tags/new".into()),
    admin("/tags/new", |home| format!("/tags/new?item={}", home.item)),
    admin("/tags/labels", |_| "/tags/labels".into()),
    admin("/tags/labels/sheet", |home| format!("/tags/labels/sheet?tag={}&format=a4-24", home.tag)),
    admin("/tags/{item}/{url}", |home| format!("/tags/{}/{}", home.item, home.tag)),
    admin("/sensors", |_| "/sensors".into()),
    admin("/sensors/keys", |_| "/sensors/keys".into()),
    admin("/sensors/{id}", |home| format!("/sensors/{}", encode(&home.device))),
    admin("/things", |_| "/things".into()),
    admin("/things/{urn}", |home| format!("/things/{}", encode(&home.thing))),
    admin("/things/{urn}", |home| format!("/things/{}", encode(&home.group))),
    admin("/things/{urn}/edit", |home| format!("/things/{}/edit", encode(&home.thing))),
    admin("/things/{urn}/choose/{purpose}", |home| {
        format!("/things/{}/choose/move", encode(&home.thing))
    }),
    admin("/things/{urn}/choose/{purpose}", |home| {
        format!("/things/{}/choose/member", encode(&home.group))
    }),
    admin("/things/{urn}/delete", |home| format!("/things/{}/delete", encode(&home.thing))),
    admin("/household", |_| "/household".into()),
    admin("/household/places", |_| "/household/places".into()),
    admin("/household/delete", |_| "/household/delete".into()),
    admin("/notifications", |_| "/notifications".into()),
    admin("/me", |_| "/me".into()),
    admin("/me/delete", |_| "/me/delete".into()),
    newcomer("/me/delete", |_| "/me/delete".into()),
    admin("/me/sessions", |_| "/me/sessions".into()),
    Page { status: 404, ..admin("", |_| "/nowhere".into()) },
];

/// What answers a `GET` and is no page.
const NO_PAGES: &[(&str, &str)] = &[
    ("/stock/suggestions", "is for a script"),
    ("/login/provider", "redirects to the identity provider"),
    ("/login/callback", "is where the identity provider redirects to"),
    ("/me/identity/connect", "redirects to the identity provider"),
    ("/me/identity/confirm", "is there only after logging in with the identity provider"),
    ("/me/delete/sign-on", "redirects to the identity provider"),
    ("/me/export.json", "redirects to a file"),
    ("/me/export.jsonl", "is a file"),
    ("/me/readings/{device}", "is a file"),
    ("/me/deletions/{id}", "is there only while something is deleted"),
    ("/things/jobs/{id}", "is there only while something large is deleted"),
];

/// Every route of the sources that answers a `GET`.
fn routes() -> BTreeSet<String> {
    let mut unread = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/pages")];
    let mut routes = BTreeSet::new();
    while let Some(path) = unread.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            unread.extend(entries.collect::<Vec<PathBuf>>());
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for route in text.split(".route(").skip(1) {
            let mut parts = route.splitn(3, '"');
            let (_, route, handlers) = (parts.next(), parts.next(), parts.next());
            let handlers = handlers.unwrap_or_default().split(".route(").next().unwrap_or_default();
            let handlers = handlers.split('\n').next().unwrap_or_default();
            if handlers.contains("get(") {
                routes.insert(route.expect("a route has a path").to_owned());
            }
        }
    }
    routes
}

#[test]
fn every_page_of_the_sources_is_in_the_table() {
    let routes = routes();
    assert!(routes.contains("/login"), "{routes:?}");
    let named = PAGES.iter().map(|page| page.route).chain(NO_PAGES.iter().map(|(route, _)| *route));
    let named: BTreeSet<_> = named.filter(|route| !route.is_empty()).map(str::to_owned).collect();
    assert_eq!(routes, named);
}
