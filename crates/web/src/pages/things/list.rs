//! `GET /things`: the tree of things from the top, or search results.

use askama::Template;
use axum::response::Response;
use larder_app::{FoundResources, ResourceFilter};
use larder_domain::SearchTerm;
use serde::Deserialize;

use super::{
    naming::{self, KindGroup},
    read_optional_urn,
    rows::{Row, rows},
    tree::{Branch, Here, Node, grow},
};
use crate::{Failure, Frame, Member, Query, Section, WebState, address::with_query, render};

/// The number of things on a page.
const PAGE: usize = 25;

/// The polling interval, longer for pages that are more expensive to render.
const fn poll_seconds(read: usize) -> u32 {
    match read {
        ..500 => 2,
        500..2_000 => 10,
        _ => 60,
    }
}

#[derive(Deserialize)]
pub(super) struct ThingsQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    kind: String,
    after: Option<String>,
    #[serde(default)]
    open: Vec<String>,
}

/// A kind to filter by.
struct KindChoice {
    address: String,
    label: String,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "things/list.html")]
struct ListPage {
    frame: Frame,
    q: String,
    kind: String,
    kinds: Vec<KindChoice>,
    /// Suggested kinds, for the form.
    usual_kinds: Vec<String>,
    /// The household's things from the top, unless a search or filter is active.
    tree: Vec<Node>,
    found: Vec<Row>,
    is_search: bool,
    here: String,
    first: Option<String>,
    next: Option<String>,
    poll_seconds: u32,
}

impl ListPage {
    fn branch(&self) -> Branch<'_> {
        Branch::new(&self.frame, &self.tree)
    }

    /// Whether there are no things at all, rather than no results.
    fn is_empty(&self) -> bool {
        !self.is_search && self.tree.is_empty() && self.first.is_none()
    }
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Query(query): Query<ThingsQuery>,
) -> Result<Response, Failure> {
    let frame = member.frame(Section::Things);
    let from = (&*web, &member.caller, frame.words);
    let after = read_optional_urn(query.after.as_deref())?;
    let kinds = web.app.thing_kinds(&member.caller).await?;
    let groups = naming::kinds_by_word(frame.words, &kinds);
    let chosen = groups.iter().find(|group| group.has(&query.kind));
    let term = SearchTerm::parse(&query.q);
    let is_search = !query.kind.is_empty() || term.is_some();
    let filter = match term {
        Some(term) => ResourceFilter::Called(term),
        None if is_search => ResourceFilter::Any,
        None => ResourceFilter::AtTheTop,
    };
    let title = |thing: &_| naming::title(frame.words, thing);
    let found = match chosen {
        // Nothing is of a kind that nobody uses.
        None if !query.kind.is_empty() => {
            FoundResources { resources: Vec::new(), next: None, read: 0 }
        }
        group => {
            let kinds = group.map_or(&[][..], |group| &group.kinds);
            let after = after.as_ref();
            web.app.find_resources(&member.caller, &filter, title, kinds, after, PAGE).await?
        }
    };
    let here = Here::new("/things", after.as_ref(), &query.open);
    let (tree, rows) = if is_search {
        (Vec::new(), rows(from, &found.resources).await?)
    } else {
        (grow(from, &here, found.resources).await?, Vec::new())
    };
    let at = |after: &str| {
        with_query("/things", &[("q", &query.q), ("kind", &query.kind), ("after", after)])
    };
    let choice = |group: &KindGroup| KindChoice {
        address: with_query("/things", &[("q", &query.q), ("kind", group.name())]),
        label: group.word.clone(),
        is_chosen: group.has(&query.kind),
    };
    Ok(render(&ListPage {
        kinds: groups.iter().map(choice).collect(),
        usual_kinds: naming::kinds_to_choose(frame.words, &kinds),
        tree,
        found: rows,
        is_search,
        here: here.address(),
        first: after.map(|_| at("")),
        next: found.next.map(|next| at(next.as_str())),
        poll_seconds: poll_seconds(found.read),
        q: query.q,
        kind: query.kind,
        frame,
    }))
}
