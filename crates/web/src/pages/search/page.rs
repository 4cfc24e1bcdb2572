//! `GET /search`: storage locations, items, used-up ones too, and things, by name.

use askama::Template;
use axum::response::Response;
use jiff::civil::Date;
use larder_app::Found;
use larder_domain::{Item, Resource, SearchTerm, StorageLocation};
use serde::Deserialize;

use crate::{
    Failure, Frame, Keeper, Query, Section, WebState,
    address::with_query,
    format,
    pages::{
        stock::row::{Badge, badges},
        things,
    },
    render,
};

/// The number of results. Whoever finds more types another letter.
const MOST: usize = 50;

#[derive(Deserialize)]
pub(super) struct SearchQuery {
    #[serde(default)]
    q: String,
}

/// Something that was found.
struct SearchResult {
    address: String,
    name: String,
    /// What kind of thing it is, how much there is, or where.
    about: String,
    badges: Vec<Badge>,
}

#[derive(Template)]
#[template(path = "search/results.html")]
struct SearchPage {
    frame: Frame,
    q: String,
    results: Vec<SearchResult>,
    is_search: bool,
    has_more: bool,
}

pub(super) async fn page(
    web: WebState,
    keeper: Keeper,
    Query(query): Query<SearchQuery>,
) -> Result<Response, Failure> {
    let (app, caller) = (&web.app, &keeper.caller);
    let frame = keeper.frame(Section::None);
    let term = SearchTerm::parse(&query.q);
    let (mut results, mut has_more) = (Vec::new(), false);
    if let Some(term) = &term {
        let own = app.locations(caller).await?;
        let found = app.search(caller, term, None, MOST).await?;
        let today = caller.today(app.now());
        has_more = found.next.is_some();
        results.extend(found.items.iter().map(|found| match found {
            Found::Location(location) => SearchResult {
                address: with_query("/stock", &[("location", &location.id.to_string())]),
                name: frame.location(location.id, &own),
                about: frame.t("search-location").into_owned(),
                badges: Vec::new(),
            },
            Found::Item(item) => of_item(&frame, item, &own, today),
            Found::Resource(resource) => of_thing(&frame, resource),
        }));
    }
    let q = query.q;
    Ok(render(&SearchPage { frame, q, results, is_search: term.is_some(), has_more }))
}

fn of_item(frame: &Frame, item: &Item, own: &[StorageLocation], today: Date) -> SearchResult {
    let details = &item.details;
    let mut about = format::amount(details.quantity, &details.unit);
    if let Some(location) = details.location {
        about = format!("{about} · {}", frame.location(location, own));
    }
    SearchResult {
        address: format!("/stock/{}", item.id),
        name: details.name.as_str().to_owned(),
        about,
        // Whether all of its lots together are low is not looked up for a search.
        badges: badges(frame, details, today, false),
    }
}

fn of_thing(frame: &Frame, resource: &Resource) -> SearchResult {
    SearchResult {
        address: things::address_of(&resource.urn),
        name: things::naming::title(frame.words, resource),
        about: things::naming::kind(frame.words, resource),
        badges: Vec::new(),
    }
}
