//! The history of a product together with that of its lots.

use larder_app::{Caller, TimelineEntry};
use larder_domain::{Item, Run, UserId};
use larder_storage::{ItemChange, ProductChange, StockedProduct};

use super::{address_of, knowledge_form::lines};
use crate::{
    Failure, Frame, Web,
    address::with_query,
    format,
    pages::stock::{
        self,
        choices::Places,
        details_form::{Difference, differences, differing},
        history::{ago, is_another, names, run_summary, summary, who},
    },
};

/// The number of lines on a page.
const SHOWN: usize = 20;

/// One change, or a run of adjustments of one lot.
pub(super) struct Entry {
    pub(super) sequence: u64,
    /// A description of a change that is not a difference of two versions.
    pub(super) summary: Option<String>,
    pub(super) differences: Vec<Difference>,
    /// The lot that changed; `None` if the product itself did.
    pub(super) lot: Option<Lot>,
    pub(super) who: String,
    pub(super) ago: String,
    pub(super) moment: String,
}

/// A lot, as people tell it from the others.
pub(super) struct Lot {
    pub(super) address: String,
    pub(super) text: String,
}

/// A page of changes, newest first.
pub(super) struct History {
    pub(super) entries: Vec<Entry>,
    /// The URL of the next page.
    pub(super) older: Option<String>,
    /// Whether this is not the first page.
    pub(super) is_older: bool,
    /// A remark about lots that are left out.
    pub(super) remark: Option<String>,
}

impl History {
    pub(super) async fn of(
        web: &Web,
        caller: &Caller,
        frame: &Frame,
        stocked: &StockedProduct,
        places: &Places,
        before: &str,
    ) -> Result<Self, Failure> {
        let id = stocked.product.id;
        let list = web.list(format_args!("product timeline {:?} {id}", caller.owner()));
        let before = list.open(before).ok();
        let timeline = web.app.product_timeline(caller, stocked, before, SHOWN).await?;
        let view = View { web, caller, frame, places, names: &names(&web.app, caller).await? };
        let older = list.seal(timeline.page.next.as_ref());
        let older = older.map(|cursor| with_query(&address_of(id), &[("before", &cursor)]));
        let (read, left_out) = (stocked.lots.len() - timeline.left_out, timeline.left_out);
        Ok(Self {
            entries: timeline.page.items.iter().map(|run| view.entry(run)).collect(),
            older,
            is_older: before.is_some(),
            remark: (left_out > 0).then(|| frame.t1("products-history-partial", "count", read)),
        })
    }
}

/// What describing a change needs.
struct View<'a> {
    web: &'a Web,
    caller: &'a Caller,
    frame: &'a Frame,
    places: &'a Places,
    names: &'a [(UserId, String)],
}

impl View<'_> {
    fn entry(&self, run: &Run<TimelineEntry>) -> Entry {
        let Self { web, caller, frame, places, .. } = *self;
        let (sequence, at, by) = match &run.newest {
            TimelineEntry::Product(change) => (change.sequence, change.at, change.by),
            TimelineEntry::Lot(change) => (change.sequence, change.at, change.by),
        };
        let (summary, differences, lot) = match &run.newest {
            TimelineEntry::Product(change) => {
                (self.summary(change), self.differences(change), None)
            }
            TimelineEntry::Lot(change) => {
                let differences = match (&change.versions.old, &change.versions.new) {
                    (Some(old), Some(new)) if run.count == 1 => {
                        differences(frame, &old.details, &new.details, places)
                    }
                    _ => Vec::new(),
                };
                let summary = run_summary(frame, run, change)
                    .or_else(|| summary(frame, change, places, caller.zone()));
                (summary, differences, self.lot(change))
            }
        };
        Entry {
            sequence,
            summary,
            differences,
            lot,
            who: who(frame, by, self.names),
            ago: ago(frame, run, at, caller, web.app.now()),
            moment: format::moment(frame.words, at, caller.zone()),
        }
    }

    fn summary(&self, change: &ProductChange) -> Option<String> {
        let key = match (&change.versions.old, &change.versions.new) {
            (None, Some(_)) => "products-history-known",
            (Some(_), None) => "stock-history-deleted",
            (Some(old), Some(new)) if old.details == new.details => "stock-history-same",
            (Some(old), Some(new)) if is_another(old.details.photo, new.details.photo) => {
                "products-history-photo"
            }
            _ => return None,
        };
        Some(self.frame.t(key).into_owned())
    }

    fn differences(&self, change: &ProductChange) -> Vec<Difference> {
        let (Some(old), Some(new)) = (&change.versions.old, &change.versions.new) else {
            return Vec::new();
        };
        let lines =
            |product: &larder_domain::Product| lines(self.frame, &product.details, self.places);
        differing(lines(old), lines(new))
    }

    fn lot(&self, change: &ItemChange) -> Option<Lot> {
        let lot = change.versions.new.as_ref().or(change.versions.old.as_ref())?;
        Some(Lot { address: stock::address_of(lot.id), text: self.lot_name(lot) })
    }

    /// Lots differ by their date.
    fn lot_name(&self, lot: &Item) -> String {
        match lot.details.expiration {
            Some(date) => {
                let day = format::day(self.frame.words, date.date());
                self.frame.t1("products-lot-until", "day", day)
            }
            None => self.frame.t("products-lot-undated").into_owned(),
        }
    }
}
