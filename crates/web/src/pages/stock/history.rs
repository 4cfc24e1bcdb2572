//! The history of an item.

use larder_app::{App, Caller};
use larder_domain::{ItemId, PhotoId, UserId, details_before};
use larder_storage::ItemChange;

use super::{
    choices::Places,
    details_form::{Difference, differences, lines},
};
use crate::{Failure, Frame, Web, address::with_query, format};

/// The number of changes on a page.
const SHOWN: usize = 20;

/// One change.
pub(super) struct Entry {
    pub(super) sequence: u64,
    /// A description of a change that is not a difference of two versions.
    pub(super) summary: Option<String>,
    pub(super) differences: Vec<Difference>,
    pub(super) who: String,
    pub(super) ago: String,
    pub(super) moment: String,
    /// The version after this change, if it is the last one and can be undone.
    pub(super) undoable: Option<u64>,
}

/// A page of changes, newest first.
pub(super) struct History {
    pub(super) entries: Vec<Entry>,
    /// The URL of the next page.
    pub(super) older: Option<String>,
    /// Whether this is not the first page.
    pub(super) is_older: bool,
}

impl History {
    pub(super) async fn of(
        web: &Web,
        caller: &Caller,
        frame: &Frame,
        id: ItemId,
        places: &Places,
        before: &str,
    ) -> Result<Self, Failure> {
        let list = web.list(format_args!("history {:?} {id}", caller.owner()));
        let before = list.open(before).ok();
        let page = web.app.item_history(caller, id, before, SHOWN).await?;
        let names = names(&web.app, caller).await?;
        let now = web.app.now();
        let entry = |(place, change): (usize, &ItemChange)| Entry {
            sequence: change.sequence,
            summary: summary(frame, change, places),
            differences: match (&change.versions.old, &change.versions.new) {
                (Some(old), Some(new)) => differences(frame, &old.details, &new.details, places),
                _ => Vec::new(),
            },
            who: who(frame, change.by, &names),
            ago: format::ago(frame.words, change.at, now),
            moment: format::moment(frame.words, change.at, caller.zone()),
            undoable: undoable(change).filter(|_| before.is_none() && place == 0),
        };
        let older = list.seal(page.next.as_ref());
        let older = older.map(|cursor| with_query(&format!("/stock/{id}"), &[("before", &cursor)]));
        Ok(Self {
            entries: page.items.iter().enumerate().map(entry).collect(),
            older,
            is_older: before.is_some(),
        })
    }
}

/// The version after a change, if it can be undone.
fn undoable(change: &ItemChange) -> Option<u64> {
    details_before(&change.versions)?;
    change.versions.new.as_ref().map(|item| item.version)
}

/// The names of all members by id.
pub(in crate::pages) async fn names(
    app: &App,
    caller: &Caller,
) -> Result<Vec<(UserId, String)>, Failure> {
    let members = app.members(caller).await?;
    Ok(members.into_iter().map(|it| (it.user, it.name.as_str().to_owned())).collect())
}

/// Who made a change.
pub(in crate::pages) fn who(
    frame: &Frame,
    by: Option<UserId>,
    names: &[(UserId, String)],
) -> String {
    let Some(by) = by else { return frame.t("stock-by-tag").into_owned() };
    let name = names.iter().find(|(user, _)| *user == by).map(|(_, name)| name.clone());
    name.unwrap_or_else(|| frame.t("stock-by-former").into_owned())
}

/// What a change is that is no difference of two versions.
pub(in crate::pages) fn summary(
    frame: &Frame,
    change: &ItemChange,
    places: &Places,
) -> Option<String> {
    match (&change.versions.old, &change.versions.new) {
        (None, Some(new)) => {
            let [_, amount, ..] = lines(frame, &new.details, places);
            Some(frame.t1("stock-history-added", "amount", amount.text))
        }
        (Some(_), None) => Some(frame.t("stock-history-deleted").into_owned()),
        (Some(old), Some(new)) if old.details == new.details => {
            Some(frame.t("stock-history-same").into_owned())
        }
        (Some(old), Some(new)) if is_another(old.details.photo, new.details.photo) => {
            Some(frame.t("products-history-photo").into_owned())
        }
        _ => None,
    }
}

/// Whether one photo took the place of another, which no line tells apart.
pub(in crate::pages) fn is_another(old: Option<PhotoId>, new: Option<PhotoId>) -> bool {
    old != new && old.is_some() && new.is_some()
}
