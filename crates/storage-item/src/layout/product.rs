//! `Product` records, and beside each a `ProductLots` record that has the id of its lot of
//! each date: the merge rule. The latter is not journaled: lots come and go without a change of the
//! product. It also has the product's unit and photo, so that lists of stock do not read the product.

use jiff::Timestamp;
use larder_domain::{
    ExpirationDate, Item, ItemId, Owner, PhotoId, Product, ProductId, Unit, UserId,
};
use larder_storage::{MAX_LOTS, Result};

use crate::{
    Action, Change, Condition, Key, Name, Number, Record, Table, Value,
    layout::{
        entity::Layout,
        fields::{Fields, count_number, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "Product";
const LOTS_ENTITY: &str = "ProductLots";
const MADE_ENTITY: &str = "ProductsMade";

/// The product that this one is being joined to: until its lots are there, it is invisible.
const JOINS: &str = "joins";
/// On the mark of an inventory: notifications about stock are those of products.
const STOCK_NOTIFIED: &str = "stockNotified";
/// The number of lots.
const COUNT: &str = "lots";
/// The unit of the product.
const UNIT: &str = "unit";
/// The photo of the product.
const PHOTO: &str = "photo";
/// The prefix of attributes that are the id of the lot of a date each.
const LOT_PREFIX: &str = "LOT#";

pub(crate) const LAYOUT: Layout =
    Layout { renamed: &[("id", "productId"), ("householdId", "familyId")], writes_null: false };

pub(crate) fn to_record(product: &Product) -> Record {
    let key = keys::product(product.owner, product.id);
    let record = Record::new().with("PK", key.pk).with("SK", key.sk).with("entityType", ENTITY);
    LAYOUT.write(product, record)
}

pub(crate) fn from_record(record: &Record) -> Result<Product> {
    LAYOUT.read(record)
}

/// The product that this one is being joined to.
pub(crate) fn joins(record: &Record) -> Result<Option<ProductId>> {
    Fields(record).optional_id(JOINS)
}

pub(crate) fn is_joining(record: &Record) -> bool {
    record.get(JOINS).is_some()
}

/// The changes that begin to join a product to another. Its version ends writes of lots that know
/// the one before; who joins it, and when, is what its lots will say.
pub(crate) fn join(other: ProductId, by: UserId, at: Timestamp) -> Vec<Change> {
    vec![
        Change::Set(JOINS.into(), other.to_string().into()),
        Change::Set("updatedBy".into(), by.to_string().into()),
        Change::Set("updatedAt".into(), timestamp_text(at).into()),
        Change::Add("version".into(), Number::from(1)),
    ]
}

/// The lots of a product: at most one of each date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lots {
    pub(crate) ids: Vec<ItemId>,
    /// The unit of the product. `None` if the product has to be asked: this record is from before
    /// units were here, or the product is being joined to another.
    pub(crate) unit: Option<Unit>,
    /// The photo of the product.
    pub(crate) photo: Option<PhotoId>,
}

impl Lots {
    pub(crate) fn from_record(record: &Record) -> Result<Self> {
        let names = record.iter().map(|(name, _)| name);
        let lots = names.filter(|name| name.starts_with(LOT_PREFIX));
        let ids = lots.map(|name| Fields(record).id(name)).collect::<Result<_>>()?;
        Ok(Self {
            ids,
            unit: Fields(record).parse_optional(UNIT, Unit::parse)?,
            photo: Fields(record).parse_optional(PHOTO, PhotoId::parse)?,
        })
    }
}

/// The lot of this date.
pub(crate) fn lot_of(lots: &Record, date: Option<ExpirationDate>) -> Result<Option<ItemId>> {
    Fields(lots).optional_id(&date_name(date))
}

/// Whether there is no room for one more lot, of a date that no lot has.
pub(crate) fn is_full(lots: &Record, date: Option<ExpirationDate>) -> bool {
    let is_full = lots.number(COUNT).and_then(Number::to_i64).is_some_and(|it| it >= most_lots());
    is_full && lots.get(&date_name(date)).is_none()
}

fn most_lots() -> i64 {
    i64::try_from(MAX_LOTS).unwrap_or(i64::MAX)
}

/// The attribute of a date.
fn date_name(date: Option<ExpirationDate>) -> String {
    date.map_or_else(|| format!("{LOT_PREFIX}-"), |date| format!("{LOT_PREFIX}{date}"))
}

fn name_of(lot: &Item) -> Name {
    date_name(lot.details.expiration).into()
}

/// The conditions and changes of a lot that comes.
fn come(lot: &Item) -> (Condition, [Change; 2]) {
    let name = name_of(lot);
    let set = Change::Set(name.clone(), lot.id.to_string().into());
    (Condition::Absent(name), [set, Change::Add(COUNT.into(), Number::from(1))])
}

/// The record of the lots of a new product.
pub(crate) fn first_lot(product: &Product, lot: &Item) -> Action {
    new_record(
        lots_record(product).with(COUNT, count_number(1)).with(name_of(lot), lot.id.to_string()),
    )
}

/// The same for a product without any.
pub(crate) fn no_lots(product: &Product) -> Action {
    new_record(lots_record(product).with(COUNT, count_number(0)))
}

fn lots_record(product: &Product) -> Record {
    owned(product.owner, &keys::product_lots(product.owner, product.id))
        .with("entityType", LOTS_ENTITY)
        .with("productId", product.id.to_string())
        .with(UNIT, product.details.unit.as_str())
        .with_some(PHOTO, product.details.photo.map(|photo| photo.to_string()))
}

fn new_record(record: Record) -> Action {
    let when = vec![Condition::NotExists];
    Action::Put { table: Table::InventoryManagement, record, when, embed: None }
}

/// One more lot of a product. Fails if it has one of the same date.
pub(crate) fn one_more(product: ProductId, lot: &Item) -> Action {
    let (is_free, changes) = come(lot);
    let room = Condition::AtMost(COUNT.into(), Number::from(most_lots() - 1));
    change_lots(lot.owner, product, vec![room, is_free], changes.to_vec())
}

/// The same for a lot that comes with another product that joins this one: also if they are many.
pub(crate) fn one_joined(product: ProductId, lot: &Item) -> Action {
    let (is_free, changes) = come(lot);
    change_lots(lot.owner, product, vec![is_free], changes.to_vec())
}

/// Another unit or photo of a product.
pub(crate) fn new_look(product: &Product) -> Action {
    let unit = product.details.unit.as_str();
    let changes = vec![Change::Set(UNIT.into(), unit.into()), set_photo(product)];
    change_lots(product.owner, product.id, vec![Condition::Exists], changes)
}

fn set_photo(product: &Product) -> Change {
    match product.details.photo {
        Some(photo) => Change::Set(PHOTO.into(), photo.to_string().into()),
        None => Change::Remove(PHOTO.into()),
    }
}

/// Makes readers of the lots ask the product, which is being joined to another.
pub(crate) fn hide_lots(owner: Owner, product: ProductId) -> Action {
    let changes = vec![Change::Remove(UNIT.into())];
    change_lots(owner, product, vec![Condition::Exists], changes)
}

/// Counts a product that joins another, which has its photo afterwards, as a lot of that one, which
/// then cannot be deleted.
pub(crate) fn begin_of_join(joined: &Product) -> Action {
    let more = vec![Change::Add(COUNT.into(), Number::from(1)), set_photo(joined)];
    change_lots(joined.owner, joined.id, vec![Condition::Exists], more)
}

/// Undoes [`begin_of_join`].
pub(crate) fn end_of_join(owner: Owner, product: ProductId) -> Action {
    let less = vec![Change::Add(COUNT.into(), Number::from(-1))];
    change_lots(owner, product, vec![Condition::Exists], less)
}

fn is_held(lot: &Item) -> Condition {
    Condition::Equals(name_of(lot), lot.id.to_string().into())
}

/// One lot of a product less.
pub(crate) fn one_less(product: ProductId, lot: &Item) -> Action {
    let changes = vec![Change::Remove(name_of(lot)), Change::Add(COUNT.into(), Number::from(-1))];
    change_lots(lot.owner, product, vec![is_held(lot)], changes)
}

/// A lot with another date, of which there may be no other; `only`: it must be the only lot.
pub(crate) fn redated(product: ProductId, lot: &Item, now: &Item, only: bool) -> Option<Action> {
    let mut when = if only { has_lots(1) } else { Vec::new() };
    if name_of(lot) == name_of(now) {
        let (table, key) = (Table::InventoryManagement, keys::product_lots(lot.owner, product));
        return only.then_some(Action::Check { table, key, when });
    }
    when.extend([is_held(lot), Condition::Absent(name_of(now))]);
    let set = Change::Set(name_of(now), lot.id.to_string().into());
    Some(change_lots(lot.owner, product, when, vec![Change::Remove(name_of(lot)), set]))
}

fn change_lots(
    owner: Owner,
    product: ProductId,
    when: Vec<Condition>,
    changes: Vec<Change>,
) -> Action {
    let key = keys::product_lots(owner, product);
    Action::Update { table: Table::InventoryManagement, key, when, changes }
}

/// The condition that a product has this many lots.
pub(crate) fn has_lots(count: i64) -> Vec<Condition> {
    vec![Condition::Equals(COUNT.into(), Number::from(count).into())]
}

/// The number of lots, and of products that join this one.
pub(crate) fn count(lots: &Record) -> Option<Number> {
    lots.number(COUNT)
}

/// Says that every item of an inventory has its product, and that notifications about stock are
/// those of products.
pub(crate) fn made(owner: Owner) -> Record {
    owned(owner, &keys::products_made(owner))
        .with("entityType", MADE_ENTITY)
        .with(STOCK_NOTIFIED, Value::Bool(true))
}

/// Whether [`made`] says so of notifications, too.
pub(crate) fn is_stock_notified(made: &Record) -> bool {
    made.get(STOCK_NOTIFIED).is_some()
}

/// A record that names its owner.
pub(crate) fn owned(owner: Owner, key: &Key) -> Record {
    let record = Table::InventoryManagement.record_with(key);
    match owner {
        Owner::Household(household) => record.with("familyId", household.to_string()),
        Owner::User(user) => record.with("userId", user.to_string()),
    }
}
