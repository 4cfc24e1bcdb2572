//! `GET /shopping`.

use askama::Template;
use axum::response::Response;
use larder_domain::{Item, Store};

use super::{
    entry::EntryView,
    shopping_list_view::{Group, ShoppingListView},
};
use crate::{Failure, Frame, Member, Rule, Section, WebState, render};

#[derive(Template)]
#[template(path = "shopping/list.html")]
struct ListPage<'a> {
    frame: Frame,
    /// Identifies the list: offline changes are only sent to this one.
    list: String,
    groups: Vec<Group<'a>>,
    bought: Vec<EntryView>,
    total: usize,
    stores: &'a [Store],
    names: Vec<&'a Item>,
    offered: Vec<&'a Item>,
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
}

pub(super) async fn page(web: WebState, member: Member) -> Result<Response, Failure> {
    let list = ShoppingListView::read(&web.app, &member.caller).await?;
    let bought = list.bought();
    let household = member.caller.membership().map(|membership| membership.household.to_string());
    Ok(render(&ListPage {
        frame: member.frame(Section::Shopping),
        list: household.unwrap_or_default(),
        groups: list.groups(),
        bought,
        total: list.entries.len(),
        stores: &list.stores,
        names: list.suggestions.names(),
        offered: list.suggestions.offered(&list.entries),
        blank: EntryView::default(),
    }))
}
