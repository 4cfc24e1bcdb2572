//! The rows of the form with all purchased entries: what they begin with, and what was sent.

use jiff::{Span, ToSpan as _, civil::Date};
use larder_app::{AppError, BoughtEntry, EntryStock, Purchase};
use larder_domain::{ExpirationDate, ShelfLife, ShoppingItem, ShoppingItemId};

use super::{
    fields::optional,
    put_away_form::{asked_amount, bought_amount, day, read_unit, usual_date, usual_unit},
};
use crate::{
    Failure, Frame,
    pages::stock::choices::{Choice, Places},
};

/// The number of entries that are put away at once; the rest comes next.
pub(super) const MOST: usize = 100;

/// The choice of a date that none of the others is.
const OTHER: &str = "other";

/// An entry on the form.
pub(super) struct Row {
    pub(super) id: ShoppingItemId,
    pub(super) version: u64,
    pub(super) name: String,
    /// The shop, before the first of several rows that were bought there.
    pub(super) shop: Option<String>,
    /// Whether its code was just read.
    pub(super) is_found: bool,
    pub(super) is_linked: bool,
    pub(super) quantity: String,
    pub(super) unit: String,
    pub(super) places: Vec<Choice>,
    /// Dates to choose with one press.
    pub(super) dates: Vec<Choice>,
    /// The date, if it is another one.
    pub(super) expiration: String,
}

impl Row {
    /// The row of an entry as it is put away if nobody changes anything.
    pub(super) fn of(
        frame: &Frame,
        entry: &ShoppingItem,
        stock: &EntryStock,
        places: &Places,
        today: Date,
    ) -> Self {
        let known = stock.find(entry);
        let usual = usual_date(known, today);
        let days = known.and_then(|known| known.shelf_life).map(ShelfLife::days);
        Self {
            id: entry.id,
            version: entry.version,
            name: entry.details.name.as_str().to_owned(),
            shop: None,
            is_found: false,
            is_linked: entry.item.is_some(),
            quantity: asked_amount(entry, known),
            unit: usual_unit(frame, known),
            places: places.locations(frame, known.and_then(|known| known.location)),
            dates: dates(frame, today, usual.zip(days)),
            expiration: String::new(),
        }
    }

    /// The same with what was sent for it.
    pub(super) fn correct(&mut self, sent: Sent) {
        let Sent { quantity, unit, location, until, expiration, .. } = sent;
        self.quantity = quantity;
        if !self.is_linked {
            self.unit = unit;
        }
        if let Some(location) = location {
            choose(&mut self.places, &location);
        }
        let until = until.unwrap_or_else(|| OTHER.to_owned());
        self.expiration = expiration;
        if !choose(&mut self.dates, &until) {
            // Midnight has passed: the date is none of the usual ones any more.
            self.expiration = until;
            choose(&mut self.dates, OTHER);
        }
    }
}

/// Chooses this value; `false` if there is no such choice.
fn choose(choices: &mut [Choice], value: &str) -> bool {
    for choice in choices.iter_mut() {
        choice.is_chosen = choice.value == value;
    }
    choices.iter().any(|choice| choice.is_chosen)
}

/// The dates to choose from. The usual one, with the days that it is away, is chosen.
pub(in crate::pages) fn dates(
    frame: &Frame,
    today: Date,
    usual: Option<(ExpirationDate, u16)>,
) -> Vec<Choice> {
    let after = |span: Span, text: String| {
        let value = today.checked_add(span).ok()?.to_string();
        Some(Choice { value, text, is_chosen: false })
    };
    let in_days = |days: u16| frame.t1("shopping-until-days", "days", days);
    let mut dates: Vec<Choice> = [
        after(3.days(), in_days(3)),
        after(1.week(), frame.t("shopping-until-week").into_owned()),
        after(1.month(), frame.t("shopping-until-month").into_owned()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let none = Choice {
        value: String::new(),
        text: frame.t("shopping-until-none").into_owned(),
        is_chosen: usual.is_none(),
    };
    let other = Choice {
        value: OTHER.to_owned(),
        text: frame.t("shopping-until-other").into_owned(),
        is_chosen: false,
    };
    dates.extend([none, other]);
    if let Some((date, days)) = usual
        && !choose(&mut dates, &date.to_string())
    {
        let text = in_days(days);
        dates.insert(0, Choice { value: date.to_string(), text, is_chosen: true });
    }
    dates
}

/// What was sent for one entry.
pub(super) struct Sent {
    pub(super) id: ShoppingItemId,
    version: u64,
    quantity: String,
    unit: String,
    location: Option<String>,
    until: Option<String>,
    expiration: String,
}

impl Sent {
    /// The purchase. For a linked entry the form has no unit.
    pub(super) fn bought(&self) -> Result<BoughtEntry, Failure> {
        let quantity = bought_amount(&self.quantity)?.ok_or(AppError::AmountRequired)?;
        let unit = if self.unit.is_empty() { None } else { Some(read_unit(&self.unit)?) };
        let date = self.until.as_deref().filter(|until| *until != OTHER);
        let location = self.location.as_deref();
        let location = location
            .map(|id| optional(id, |id| id.parse().map_err(|_| Failure::Malformed)))
            .transpose()?;
        let purchase = Purchase {
            quantity: Some(quantity),
            unit,
            expiration: Some(day(date.unwrap_or(&self.expiration))?),
            location,
            ..Purchase::default()
        };
        Ok(BoughtEntry { id: self.id, version: self.version, purchase })
    }
}

/// The whole form.
#[derive(Default)]
pub(super) struct SentRows {
    pub(super) rows: Vec<Sent>,
    /// Whether places and dates are to be those of the products from now on.
    pub(super) remember: bool,
}

/// The fields of one entry, as far as they were read.
#[derive(Default)]
struct Fields {
    id: String,
    version: Option<String>,
    quantity: Option<String>,
    unit: Option<String>,
    location: Option<String>,
    until: Option<String>,
    expiration: Option<String>,
}

impl Fields {
    fn read(self) -> Result<Sent, Failure> {
        let Self { id, version, quantity, unit, location, until, expiration } = self;
        let version = version.and_then(|version| version.parse().ok());
        let (Ok(id), Some(version), Some(quantity)) = (id.parse(), version, quantity) else {
            return Err(Failure::Malformed);
        };
        let (unit, expiration) = (unit.unwrap_or_default(), expiration.unwrap_or_default());
        Ok(Sent { id, version, quantity, unit, location, until, expiration })
    }
}

impl SentRows {
    /// The rows of a form: each begins with its entry. The choice of a date has a name of its own in
    /// each row, so that browsers see which belong together.
    pub(super) fn read(fields: Vec<(String, String)>) -> Result<Self, Failure> {
        let (mut form, mut rows) = (Self::default(), Vec::<Fields>::new());
        for (name, value) in fields {
            match (name.as_str(), rows.last_mut()) {
                ("csrf", _) => {}
                ("remember", _) => form.remember = true,
                ("entry", _) => rows.push(Fields { id: value, ..Fields::default() }),
                (_, None) => return Err(Failure::Malformed),
                (name, Some(row)) => {
                    let slot = match name {
                        "version" => &mut row.version,
                        "quantity" => &mut row.quantity,
                        "unit" => &mut row.unit,
                        "location" => &mut row.location,
                        "expiration" => &mut row.expiration,
                        name if name.starts_with("until-") => &mut row.until,
                        _ => return Err(Failure::Malformed),
                    };
                    if slot.replace(value).is_some() {
                        return Err(Failure::Malformed);
                    }
                }
            }
        }
        if rows.len() > MOST {
            return Err(Failure::Malformed);
        }
        form.rows = rows.into_iter().map(Fields::read).collect::<Result<_, _>>()?;
        Ok(form)
    }
}
