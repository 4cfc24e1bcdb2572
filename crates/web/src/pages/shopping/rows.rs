//! Some entries by themselves: a change of one of hundreds does not read the whole page again.

use askama::Template;
use axum::response::Response;
use larder_app::AppError;
use larder_domain::ShoppingItemId;

use super::{entry::EntryView, shopping_list_view::view_of};
use crate::{Failure, Frame, Member, Section, Web, render};

#[derive(Template)]
#[template(path = "shopping/rows.html")]
struct RowsPage {
    frame: Frame,
    entries: Vec<EntryView>,
}

/// Those of these entries that are on the list.
pub(super) async fn rows(
    web: &Web,
    member: &Member,
    ids: &[ShoppingItemId],
) -> Result<Response, Failure> {
    let mut entries = Vec::new();
    for id in ids {
        match web.app.shopping_item(&member.caller, *id).await {
            Ok(entry) => entries.push(view_of(&web.app, &member.caller, &entry).await?),
            Err(AppError::ShoppingItemNotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(render(&RowsPage { frame: member.frame(Section::Shopping), entries }))
}
