//! What the others did.

use jiff::Timestamp;
use larder_app::Caller;
use larder_domain::{
    Change, Item, Member, Run, RunStep, Runs, ShoppingItem, ShoppingStatus, UserId, Versions,
};
use larder_storage::RecordedChange;

use crate::{
    Frame, format,
    pages::stock::history::{ago, opened_by, run_text, who},
};

/// How many are shown.
const SHOWN: usize = 5;

/// Something that somebody did.
pub(super) struct Deed {
    pub(super) what: String,
    pub(super) who: String,
    pub(super) ago: String,
}

/// What the others did, the newest first.
pub(super) fn deeds(
    frame: &Frame,
    newest: &[RecordedChange],
    reader: &Caller,
    names: &[(UserId, String)],
    now: Timestamp,
) -> Vec<Deed> {
    let mut runs = Runs::new(usize::MAX, reader.today(now), reader.zone().clone());
    for change in newest.iter().filter(|change| change.by != Some(reader.user().id)) {
        let item = match &change.change {
            Change::Item(versions) => Some(&**versions),
            _ => None,
        };
        runs.add(change, RunStep::of(item, change.by, change.at));
    }
    let told = runs.into_vec().into_iter().filter_map(|run| {
        let change = run.newest;
        Some(Deed {
            what: several(frame, &run).or_else(|| what(frame, change, reader))?,
            who: who(frame, change.by, names),
            ago: ago(frame, &run, change.at, reader, now),
        })
    });
    told.take(SHOWN).collect()
}

/// What several adjustments of an item are together.
fn several(frame: &Frame, run: &Run<&RecordedChange>) -> Option<String> {
    let Change::Item(versions) = &run.newest.change else { return None };
    let item = versions.new.as_ref().filter(|_| run.count > 1)?;
    Some(format!("{}: {}", item.details.name, run_text(frame, run, item)))
}

fn what(frame: &Frame, change: &RecordedChange, reader: &Caller) -> Option<String> {
    match &change.change {
        Change::Item(versions) => {
            let is_opened = |lot: &Item| opened_by(lot, change.at, reader.zone());
            Some(item(frame, versions, is_opened))
        }
        Change::Shopping(versions) => Some(entry(frame, versions)),
        Change::Member(versions) => member(frame, versions),
        _ => None,
    }
}

fn item(frame: &Frame, versions: &Versions<Item>, is_opened: impl Fn(&Item) -> bool) -> String {
    let amount = |item: &Item| format::amount(item.details.quantity, &item.details.unit);
    let name = |item: &Item| item.details.name.as_str().to_owned();
    match (&versions.old, &versions.new) {
        (Some(old), Some(new)) if old.details.quantity != new.details.quantity => {
            format!("{}: {} → {}", name(new), amount(old), amount(new))
        }
        (Some(_), Some(new)) => frame.t1("today-changed", "name", name(new)),
        (None, Some(new)) => {
            let key = if is_opened(new) { "today-opened" } else { "today-added" };
            frame.t2(key, ("name", name(new)), ("amount", amount(new)))
        }
        (old, None) => {
            frame.t1("today-deleted", "name", old.as_ref().map_or_else(String::new, name))
        }
    }
}

fn entry(frame: &Frame, versions: &Versions<ShoppingItem>) -> String {
    let name = |entry: &ShoppingItem| entry.details.name.as_str().to_owned();
    let is_bought = |entry: &ShoppingItem| entry.status == ShoppingStatus::Purchased;
    match (&versions.old, &versions.new) {
        (Some(old), Some(new)) if !is_bought(old) && is_bought(new) => {
            frame.t1("today-bought", "name", name(new))
        }
        (Some(_), Some(new)) => frame.t1("today-list-changed", "name", name(new)),
        (None, Some(new)) => frame.t1("today-listed", "name", name(new)),
        (old, None) => {
            frame.t1("today-unlisted", "name", old.as_ref().map_or_else(String::new, name))
        }
    }
}

fn member(frame: &Frame, versions: &Versions<Member>) -> Option<String> {
    match (&versions.old, &versions.new) {
        (None, Some(new)) => Some(frame.t1("today-joined", "name", new.name.as_str())),
        (Some(old), None) => Some(frame.t1("today-left", "name", old.name.as_str())),
        _ => None,
    }
}
