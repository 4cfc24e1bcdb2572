//! `GET /shopping/print`: the list for printing.

use askama::Template;
use axum::{extract::State, response::Response};

use super::notepad::{Group, Notepad};
use crate::{
    failure::Failure,
    format,
    frame::{Frame, Section, render},
    state::WebState,
    visit::Member,
};

#[derive(Template)]
#[template(path = "shopping/print.html")]
struct PrintPage<'a> {
    frame: Frame,
    /// The date of printing.
    today: String,
    /// Those with pending entries.
    groups: Vec<Group<'a>>,
}

pub(super) async fn page(State(web): State<WebState>, member: Member) -> Result<Response, Failure> {
    let notepad = Notepad::read(&web.app, &member.caller).await?;
    let mut groups = notepad.groups();
    groups.retain(|group| !group.entries.is_empty());
    let today = member.caller.today(web.app.clock().now());
    let today = format::day(member.visit.words, today);
    Ok(render(&PrintPage { frame: member.frame(Section::Shopping), today, groups }))
}
