//! A product as a row of the list: its lots, and what they are together.

use jiff::civil::Date;
use larder_domain::{Item, LowProducts, StockSum, StorageLocation};
use larder_storage::StockRow;

use super::row::{Badge, Row, short_badges};
use crate::{Frame, pages::products::photo_address};

/// A row of the list.
pub(super) struct Goods {
    pub(super) product: String,
    pub(super) name: String,
    pub(super) face: Face,
    /// At least one, the first to expire first.
    pub(super) lots: Vec<Row>,
    /// What there is to say of several lots: of the first, and of all together.
    pub(super) badges: Vec<Badge>,
    /// How many lots there are.
    pub(super) count: String,
    /// What several lots are together, if their units convert.
    pub(super) sum: Option<Sum>,
}

/// What a product is recognised by.
pub(super) struct Face {
    /// The URL of its small photo.
    pub(super) photo: Option<String>,
    /// What is shown instead of a photo.
    pub(super) initial: String,
}

impl Face {
    pub(super) fn of(name: &str, photo: Option<String>) -> Self {
        let initial = name.trim().chars().next().into_iter().flat_map(char::to_uppercase).collect();
        Self { photo, initial }
    }
}

/// What several lots are together.
pub(super) struct Sum {
    pub(super) quantity: String,
    pub(super) unit: String,
    /// The amount of one press.
    pub(super) step: String,
    /// The labels of the buttons for screen readers.
    pub(super) take: String,
    pub(super) put: String,
    /// The lot that more is added to: the one that is taken from, so that + undoes −.
    pub(super) refilled: Option<String>,
}

impl Goods {
    pub(super) fn of(
        frame: &Frame,
        stock: &StockRow,
        own: &[StorageLocation],
        today: Date,
        low: &LowProducts,
    ) -> Self {
        let first = stock.lots.first();
        let name = first.map_or("", |lot| lot.details.name.as_str());
        let is_low = first.is_some_and(|lot| low.has(lot));
        let lot = |lot: &Item| {
            // Low is what there is of the product together.
            let is_low = is_low && stock.lots.len() == 1;
            Row {
                badges: short_badges(frame, &lot.details, today, is_low),
                ..Row::of(frame, lot, own, today, is_low)
            }
        };
        Self {
            product: stock.product.to_string(),
            name: name.to_owned(),
            face: Face::of(
                name,
                stock.photo.map(|it| photo_address(stock.product, it, "photo/thumbnail")),
            ),
            badges: first
                .map_or_else(Vec::new, |lot| short_badges(frame, &lot.details, today, is_low)),
            count: frame.t1("stock-lots", "count", stock.lots.len()),
            sum: Sum::of(frame, stock, name),
            lots: stock.lots.iter().map(lot).collect(),
        }
    }
}

impl Sum {
    fn of(frame: &Frame, StockRow { unit, lots, .. }: &StockRow, name: &str) -> Option<Self> {
        let sum = StockSum::of(unit, lots.iter().map(|lot| &lot.details))?;
        let step = unit.usual_step().to_string();
        let first = lots.iter().find(|lot| !lot.details.is_depleted());
        let refilled = first.filter(|lot| lot.details.unit == *unit);
        Some(Self {
            quantity: sum.quantity().to_string(),
            unit: unit.as_str().to_owned(),
            take: frame.t2("stock-take", ("amount", step.as_str()), ("name", name)),
            put: frame.t2("stock-put", ("amount", step.as_str()), ("name", name)),
            refilled: refilled.map(|lot| lot.id.to_string()),
            step,
        })
    }
}
