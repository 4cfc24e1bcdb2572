//! The history of an item.

use jiff::Timestamp;
use larder_app::{App, Caller};
use larder_domain::{Item, ItemId, PhotoId, Run, UserId, Zone, details_before};
use larder_storage::ItemChange;

use super::{
    choices::Places,
    details_form::{Difference, differences, lines},
};
use crate::{Failure, Frame, Web, address::with_query, format};

/// The number of lines on a page.
const SHOWN: usize = 20;

/// One change, or a run of adjustments.
pub(super) struct Entry {
    pub(super) sequence: u64,
    /// A description of a change that is not a difference of two versions.
    pub(super) summary: Option<String>,
    pub(super) differences: Vec<Difference>,
    pub(super) who: String,
    pub(super) ago: String,
    pub(super) moment: String,
    /// How the newest change can be undone, if it is the last one.
    pub(super) undo: Option<Undo>,
}

/// What undoes a change.
pub(super) struct Undo {
    /// The version after it.
    pub(super) version: u64,
    pub(super) text: String,
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
        let page = web.app.item_runs(caller, id, before, SHOWN).await?;
        let names = names(&web.app, caller).await?;
        let now = web.app.now();
        let entry = |(place, run): (usize, &Run<ItemChange>)| {
            let change = &run.newest;
            Entry {
                sequence: change.sequence,
                summary: run_summary(frame, run, change)
                    .or_else(|| summary(frame, change, places, caller.zone())),
                differences: match (&change.versions.old, &change.versions.new) {
                    (Some(old), Some(new)) if run.count == 1 => {
                        differences(frame, &old.details, &new.details, places)
                    }
                    _ => Vec::new(),
                },
                who: who(frame, change.by, &names),
                ago: ago(frame, run, change.at, caller, now),
                moment: format::moment(frame.words, change.at, caller.zone()),
                undo: undo(frame, run).filter(|_| before.is_none() && place == 0),
            }
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

/// What undoes the newest change of a run, if it can be undone.
fn undo(frame: &Frame, run: &Run<ItemChange>) -> Option<Undo> {
    let versions = &run.newest.versions;
    let (before, now) = (details_before(versions)?, versions.new.as_ref()?);
    let text = if run.count == 1 {
        frame.t("stock-undo").into_owned()
    } else {
        let (old, new) = (before.quantity.to_string(), now.details.quantity.to_string());
        frame.t2("stock-undo-last", ("old", old), ("new", new))
    };
    Some(Undo { version: now.version, text })
}

/// What several adjustments are together: `newest` is the last of them.
pub(in crate::pages) fn run_summary<T>(
    frame: &Frame,
    run: &Run<T>,
    newest: &ItemChange,
) -> Option<String> {
    let now = newest.versions.new.as_ref().filter(|_| run.count > 1)?;
    Some(run_text(frame, run, now))
}

/// What several adjustments of an item are together.
pub(in crate::pages) fn run_text<T>(frame: &Frame, run: &Run<T>, now: &Item) -> String {
    let amount = |quantity| format::amount(quantity, &now.details.unit);
    let key = match (run.taken.is_zero(), run.added.is_zero()) {
        (false, true) => "stock-history-taken",
        (true, _) => "stock-history-put",
        (false, false) => "stock-history-both",
    };
    let values = [
        ("taken", amount(run.taken).into()),
        ("added", amount(run.added).into()),
        ("count", run.count.into()),
        ("left", amount(now.details.quantity).into()),
    ];
    frame.words.with(key, &values)
}

/// How long ago a run ended, and its span.
pub(in crate::pages) fn ago<T>(
    frame: &Frame,
    run: &Run<T>,
    at: Timestamp,
    caller: &Caller,
    now: Timestamp,
) -> String {
    let ago = format::ago(frame.words, at, now);
    let span = format::span(frame.words, (run.since, at), caller.zone());
    span.map_or_else(|| ago.clone(), |span| format!("{ago} · {span}"))
}

/// The names of all members by id.
pub(in crate::pages) async fn names(
    app: &App,
    caller: &Caller,
) -> Result<Vec<(UserId, String)>, Failure> {
    if caller.membership().is_none() {
        return Ok(vec![(caller.user_id(), caller.user().name.as_str().to_owned())]);
    }
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
    zone: &Zone,
) -> Option<String> {
    match (&change.versions.old, &change.versions.new) {
        (None, Some(new)) => {
            let [_, amount, ..] = lines(frame, &new.details, places);
            let is_opened = opened_by(new, change.at, zone);
            let key = if is_opened { "stock-history-opened" } else { "stock-history-added" };
            Some(frame.t1(key, "amount", amount.text))
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

/// Whether a lot that was made at this time is what was opened of another.
pub(in crate::pages) fn opened_by(lot: &Item, at: Timestamp, zone: &Zone) -> bool {
    lot.details.opened_on.is_some_and(|day| day.date() == zone.day_of(at))
}

/// Whether one photo took the place of another, which no line tells apart.
pub(in crate::pages) fn is_another(old: Option<PhotoId>, new: Option<PhotoId>) -> bool {
    old != new && old.is_some() && new.is_some()
}
