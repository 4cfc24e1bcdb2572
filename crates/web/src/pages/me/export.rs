//! `GET /me/export.json`: everything of the household that the person may see, in one file. docs/export.md says what
//! is in it.

mod rows;

use std::sync::Arc;

use axum::{extract::State, response::Response};
use larder_app::{App, Caller, FleetCaller};
use larder_domain::{ItemFilter, ItemSort, NotificationFilter, ShoppingFilter};
use serde::Serialize;
use serde_json::json;

use crate::{
    download::{Interrupted, Pieces, download},
    failure::Failure,
    state::WebState,
    visit::Member,
};

/// How many rows are read at once, which is all that is ever in memory.
const AT_ONCE: usize = 100;

pub(super) async fn export(
    State(web): State<WebState>,
    member: Member,
) -> Result<Response, Failure> {
    let (app, caller) = (Arc::clone(&web.app), member.caller.clone());
    let name = format!("larder-{}.json", caller.today(app.now()));
    Ok(download("application/json", &name, async move |pieces| {
        Export { app: &app, caller: &caller, pieces: &pieces }.write().await
    }))
}

struct Export<'a> {
    app: &'a App,
    caller: &'a Caller,
    pieces: &'a Pieces,
}

/// Writes a list of the file: pages of `$read(after)`, each row as `$row` shows it.
macro_rules! list {
    ($export:ident, $name:literal, $after:ident => $read:expr, $row:expr) => {{
        $export.pieces.send(format!(",\n\"{}\":[", $name)).await?;
        let (mut position, mut separator) = (None, "");
        loop {
            let $after = position.as_ref();
            let page = $read.await?;
            let mut piece = String::new();
            for row in &page.items {
                piece.push_str(separator);
                piece.push_str(&text(&$row(row))?);
                separator = ",\n";
            }
            $export.pieces.send(piece).await?;
            match page.next {
                Some(next) => position = Some(next),
                None => break,
            }
        }
        $export.pieces.send("]".to_owned()).await?;
    }};
}

impl Export<'_> {
    async fn write(&self) -> Result<(), Interrupted> {
        let (app, caller) = (self.app, self.caller);
        let household = app.household(caller).await?;
        let head = json!({
            "format": "larder-export",
            "version": 1,
            "exportedAt": rows::moment(app.now()),
            "household": rows::household(&household, caller.is_admin()),
            "members": app.members(caller).await?.iter().map(rows::entity).collect::<Vec<_>>(),
            "storageLocations": app.locations(caller).await?.iter().map(rows::entity).collect::<Vec<_>>(),
            "stores": app.stores(caller).await?.iter().map(rows::entity).collect::<Vec<_>>(),
        });
        let head = text(&head)?;
        // The lists that may be long follow inside of the same object.
        self.pieces.send(head.trim_end_matches('}').to_owned()).await?;
        self.items().await?;
        list!(self, "shoppingList", after => app.shopping_list(caller, &ShoppingFilter::default(), after, AT_ONCE), rows::entity);
        list!(self, "notifications", after => app.notifications(caller, NotificationFilter::default(), after, AT_ONCE), rows::entity);
        if caller.is_admin() {
            list!(self, "tags", after => app.tags(caller, after, AT_ONCE), rows::tag);
        }
        let fleet = FleetCaller::Person(caller.clone());
        list!(self, "devices", after => app.devices(&fleet, after, AT_ONCE), rows::device);
        list!(self, "things", after => app.resources(caller, None, after, AT_ONCE), rows::thing);
        self.memberships().await?;
        self.pieces.send("}\n".to_owned()).await
    }

    /// Items, each with its history.
    async fn items(&self) -> Result<(), Interrupted> {
        let (app, caller) = (self.app, self.caller);
        let filter = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        self.pieces.send(",\n\"items\":[".to_owned()).await?;
        let (mut after, mut separator) = (None, "");
        loop {
            let page =
                app.list_items(caller, &filter, ItemSort::Created, after.as_ref(), AT_ONCE).await?;
            for item in &page.items {
                let mut history = Vec::new();
                let mut before = None;
                loop {
                    let changes = app.item_history(caller, item.id, before, AT_ONCE).await?;
                    history.extend(changes.items.iter().map(rows::change));
                    match changes.next {
                        Some(next) => before = Some(next),
                        None => break,
                    }
                }
                let row = text(&rows::item(item, history))?;
                self.pieces.send(format!("{separator}{row}")).await?;
                separator = ",\n";
            }
            match page.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        self.pieces.send("]".to_owned()).await
    }

    /// Which things are members of which.
    async fn memberships(&self) -> Result<(), Interrupted> {
        let (app, caller) = (self.app, self.caller);
        self.pieces.send(",\n\"collections\":[".to_owned()).await?;
        let (mut after, mut separator) = (None, "");
        loop {
            let things = app.resources(caller, None, after.as_ref(), AT_ONCE).await?;
            for thing in &things.items {
                let mut member = None;
                loop {
                    let members = app
                        .collection_members(caller, &thing.urn, member.as_ref(), AT_ONCE)
                        .await?;
                    for membership in &members.items {
                        self.pieces
                            .send(format!(
                                "{separator}{}",
                                text(&rows::membership(&thing.urn, membership))?
                            ))
                            .await?;
                        separator = ",\n";
                    }
                    match members.next {
                        Some(next) => member = Some(next),
                        None => break,
                    }
                }
            }
            match things.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        self.pieces.send("]".to_owned()).await
    }
}

fn text(row: &impl Serialize) -> Result<String, Interrupted> {
    serde_json::to_string(row).map_err(|error| {
        tracing::error!(%error, "row not written");
        Interrupted::Failed(Failure::App(larder_app::AppError::Defect("row not written".into())))
    })
}
