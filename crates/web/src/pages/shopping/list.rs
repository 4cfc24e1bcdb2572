//! `GET /shopping`.

use askama::Template;
use axum::{
    http::{HeaderMap, header},
    response::Response,
};
use larder_domain::{Item, Store, StoreChoice};
use serde::Deserialize;

use super::{
    entry::{EntryView, suffix},
    fields::ANY_STORE,
    rows::rows,
    shop_choice::{Chip, SHOP_COOKIE, chips, current_choice, name_of},
    shopping_list_view::{Group, ShoppingListView},
    suggestions::{Tile, Why},
};
use crate::{
    Failure, Frame, Member, Query, Rule, Section, WebState, pages::stock::rows::wanted_rows,
    render, visit::KEPT,
};

#[derive(Deserialize)]
pub(super) struct ListQuery {
    /// The shop that is chosen now.
    shop: Option<String>,
}

#[derive(Template)]
#[template(path = "shopping/list.html")]
struct ListPage<'a> {
    frame: Frame,
    /// Identifies the list: offline changes are only sent to this one.
    list: String,
    chips: Vec<Chip>,
    chosen: Option<StoreChoice>,
    groups: Vec<Group<'a>>,
    bought: Vec<EntryView>,
    total: usize,
    stores: &'a [Store],
    names: Vec<&'a Item>,
    tiles: Vec<Tile<'a>>,
    /// A template from which JavaScript creates entries that the server does not know yet.
    blank: EntryView,
}

impl ListPage<'_> {
    fn progress(&self) -> String {
        let (done, all) = (("done", self.bought.len()), ("all", self.total));
        self.frame.t2("shopping-progress", done, all)
    }

    /// The rule of quantities, for validation offline.
    fn quantity_rule(&self) -> String {
        Rule::SHOPPING_QUANTITY.said(self.frame.words)
    }

    /// The same with placeholders for JavaScript.
    fn progress_pattern(&self) -> String {
        self.frame.t2("shopping-progress", ("done", "{done}"), ("all", "{all}"))
    }

    /// Whether there is nothing to buy in the chosen shop, but elsewhere.
    fn is_none_here(&self) -> bool {
        let has = |is_shown| {
            let mut groups = self.groups.iter().filter(|group| !group.entries.is_empty());
            groups.any(|group| group.is_shown(self.chosen) == is_shown)
        };
        has(false) && !has(true)
    }

    fn why(&self, tile: &Tile<'_>) -> String {
        let why = match tile.why {
            Why::Low => self.frame.t("shopping-why-low"),
            Why::UsedUp => self.frame.t("shopping-why-used-up"),
            Why::Recent => self.frame.t("shopping-why-recent"),
        };
        why.into_owned()
    }

    /// The suffix of whole numbers of an item.
    #[expect(clippy::unused_self, reason = "templates reach everything through their page")]
    fn unit(&self, item: &Item) -> String {
        suffix(&item.details.unit)
    }

    /// The shop where an item is bought; empty for any.
    #[expect(clippy::unused_self, reason = "templates reach everything through their page")]
    fn usual_store(&self, item: &Item) -> String {
        item.details.preferred_store.map(|store| store.to_string()).unwrap_or_default()
    }

    /// The shop that a press puts an item down for.
    fn store_of(&self, item: &Item) -> String {
        if self.chosen.is_some() { name_of(self.chosen) } else { self.usual_store(item) }
    }

    fn is_chosen(&self, store: &Store) -> bool {
        self.chosen == Some(StoreChoice::Store(store.id))
    }

    /// What the form means by no shop in particular.
    fn any_store(&self) -> &'static str {
        if self.chosen == Some(StoreChoice::Unassigned) { ANY_STORE } else { "" }
    }

    fn is_shown(&self, group: &Group<'_>) -> bool {
        group.is_shown(self.chosen)
    }
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
) -> Result<Response, Failure> {
    if let Some(ids) = wanted_rows(&headers) {
        return rows(&web, &member, &ids).await;
    }
    let list = ShoppingListView::read(&web.app, &member.caller).await?;
    let asked = query.shop.as_deref();
    let chosen = current_choice(asked, web.cookies, &headers, &list.stores);
    let (bought, groups) = (list.bought(), list.groups());
    let household = member.caller.membership().map(|membership| membership.household.to_string());
    let frame = member.frame(Section::Shopping);
    let has_entries = |store: &Store| {
        let mut groups = groups.iter().filter(|group| !group.entries.is_empty());
        groups.any(|group| group.store.is_some_and(|shop| shop.id == store.id))
    };
    let mut response = render(&ListPage {
        list: household.unwrap_or_default(),
        chips: chips(&frame, &list.stores, chosen, has_entries),
        chosen,
        bought,
        total: list.entries.len(),
        stores: &list.stores,
        names: list.suggestions.names(),
        tiles: list.tiles(web.app.now()),
        blank: EntryView::blank(),
        groups,
        frame,
    });
    if asked.is_some() {
        let kept = web.cookies.set_shared(SHOP_COOKIE, &name_of(chosen), web.app.now() + KEPT);
        response.headers_mut().append(header::SET_COOKIE, kept);
    }
    Ok(response)
}
