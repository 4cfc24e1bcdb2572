//! `GET /shopping/print`: the list for printing.

use askama::Template;
use axum::response::Response;

use super::shopping_list_view::{Group, ShoppingListView};
use crate::{Failure, Frame, Member, Section, WebState, format, render};

#[derive(Template)]
#[template(path = "shopping/print.html")]
struct PrintPage<'a> {
    frame: Frame,
    /// The date of printing.
    today: String,
    /// Those with pending entries.
    groups: Vec<Group<'a>>,
}

pub(super) async fn page(web: WebState, member: Member) -> Result<Response, Failure> {
    let list = ShoppingListView::read(&web.app, &member.caller).await?;
    let mut groups = list.groups();
    groups.retain(|group| !group.entries.is_empty());
    let today = member.caller.today(web.app.clock().now());
    let today = format::day(member.visit.words, today);
    Ok(render(&PrintPage { frame: member.frame(Section::Shopping), today, groups }))
}
