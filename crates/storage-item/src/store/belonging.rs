//! A lot and its product. The transaction that writes a lot also writes or checks its product, so
//! that a lot never says something else of it than the product does.

use larder_domain::{
    Belonging, Item, ItemDetails, ItemId, ItemName, Owner, Product, ProductDetails, ProductEffect,
    ProductId,
};
use larder_storage::{Result, Scope};

use super::{
    ItemStore, MAX_ATTEMPTS, barcodes,
    change_set::{Actor, ChangeSet, Commit},
    contention,
    replace_item::version_is,
};
use crate::{
    Action, Condition, Key, MAX_ACTIONS, Record, RecordEngine, Table,
    layout::{
        item,
        job::LotsJob,
        keys,
        product::{self, Lots},
        unique,
    },
};

/// The steps that go with a written lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Product,
    Name,
    OldName,
    Lots,
    OldLots,
    Barcode,
    Photo,
    Job,
}

/// A lot to be written, with the steps for its product.
pub(super) struct Written {
    /// The lot, with what its product says.
    pub(super) lot: Item,
    pub(super) steps: Vec<(Part, Action)>,
    /// What to do for the other lots afterwards.
    pub(super) job: Option<LotsJob>,
}

/// Whether a failed step means that the product has too many lots.
pub(super) fn is_full(part: Part, found: Option<&Record>, lot: &ItemDetails) -> bool {
    part == Part::Lots && found.is_some_and(|found| product::is_full(found, lot.expiration))
}

fn put(record: Record, when: Vec<Condition>) -> Action {
    Action::Put { table: Table::InventoryManagement, record, when, embed: None }
}

/// The steps for a lot, with the lot and its product before, unless it is new.
fn written(belonging: Belonging, before: Option<(&Item, &Product)>) -> Written {
    let Belonging { lot, product, effect } = belonging;
    let Product { id, owner, updated_at: at, .. } = product;
    let name = || unique::product_name(owner, &product.details.name).take(id, at);
    let changed = |version: u64| put(product::to_record(&product), version_is(version - 1));
    let codes = || barcodes::take(&product).map(|action| (Part::Barcode, action));
    let mut steps = match effect {
        ProductEffect::None => {
            let (table, key) = (Table::InventoryManagement, keys::product(owner, id));
            let when = version_is(product.version);
            vec![(Part::Product, Action::Check { table, key, when })]
        }
        ProductEffect::Learned | ProductEffect::Renamed => {
            vec![(Part::Product, changed(product.version))]
        }
        ProductEffect::Made => {
            let made = [
                (Part::Product, put(product::to_record(&product), vec![Condition::NotExists])),
                (Part::Name, name()),
                (Part::Lots, product::first_lot(&product, &lot)),
            ];
            made.into_iter().chain(codes()).collect()
        }
    };
    let is_renamed = effect == ProductEffect::Renamed;
    match before {
        Some((current, own)) if own.id == id => {
            let lots = product::redated(id, current, &lot, is_renamed);
            steps.extend(lots.map(|action| (Part::Lots, action)));
            if is_renamed {
                let old = unique::product_name(owner, &own.details.name);
                steps.extend([(Part::OldName, old.release(id)), (Part::Name, name())]);
            }
        }
        _ if effect == ProductEffect::Made => {}
        _ => steps.push((Part::Lots, product::one_more(id, &lot))),
    }
    if let Some((current, own)) = before.filter(|(_, own)| own.id != id) {
        steps.push((Part::OldLots, product::one_less(own.id, current)));
    }
    // Told are the other lots, and the tags of one with another name.
    let renames = before.is_some_and(|(current, _)| current.details.name != lot.details.name);
    let job = LotsJob { owner, product: id };
    let job = (effect == ProductEffect::Learned || renames).then_some(job);
    steps.extend(job.map(|job| (Part::Job, put(job.to_record(at), vec![]))));
    Written { lot, steps, job }
}

/// The step of a lot that is deleted.
pub(super) fn leave(lot: &Item) -> Option<(Part, Action)> {
    Some((Part::OldLots, product::one_less(lot.product?, lot)))
}

impl<E: RecordEngine> ItemStore<E> {
    /// The product, unless it is being joined to another.
    pub(super) async fn product(&self, owner: Owner, id: ProductId) -> Result<Option<Product>> {
        let record = self.get(&keys::product(owner, id)).await?;
        let visible = record.filter(|record| !product::is_joining(record));
        visible.as_ref().map(product::from_record).transpose()
    }

    pub(super) async fn product_named(
        &self,
        owner: Owner,
        name: &ItemName,
    ) -> Result<Option<Product>> {
        let name = unique::product_name(owner, name);
        let Some(held) = self.get_unique(&name.key()).await? else { return Ok(None) };
        self.product(owner, unique::holder(&held)?).await
    }

    /// The record of a product's lots, also of one that is being joined to another.
    pub(super) async fn lots_record(&self, owner: Owner, id: ProductId) -> Result<Option<Lots>> {
        let record = self.get(&keys::product_lots(owner, id)).await?;
        record.as_ref().map(Lots::from_record).transpose()
    }

    async fn lot_ids(&self, owner: Owner, id: ProductId) -> Result<Vec<ItemId>> {
        Ok(self.lots_record(owner, id).await?.unwrap_or_default().ids)
    }

    /// The item of this name and date, and the product of the name.
    pub(super) async fn same_item(
        &self,
        owner: Owner,
        details: &ItemDetails,
    ) -> Result<(Option<Item>, Option<Product>)> {
        let Some(product) = self.product_named(owner, &details.name).await? else {
            return Ok((None, None));
        };
        let lots = self.get(&keys::product_lots(owner, product.id)).await?;
        let id = match &lots {
            Some(lots) => product::lot_of(lots, details.expiration)?,
            None => None,
        };
        let found = match id {
            Some(id) => self.items_by_id(owner, &[id]).await?.pop(),
            None => None,
        };
        Ok((found, Some(product)))
    }

    /// The lots of a product, in no order.
    pub(super) async fn lots_of(&self, owner: Owner, id: ProductId) -> Result<Vec<Item>> {
        self.items_by_id(owner, &self.lot_ids(owner, id).await?).await
    }

    /// Those of these items that exist.
    pub(super) async fn items_by_id(&self, owner: Owner, ids: &[ItemId]) -> Result<Vec<Item>> {
        let keys: Vec<Key> = ids.iter().map(|id| keys::item(owner, *id)).collect();
        let mut items = Vec::with_capacity(keys.len());
        for keys in keys.chunks(MAX_ACTIONS) {
            let records = self.engine.get_many(Table::InventoryManagement, keys).await?;
            for record in records.iter().flatten() {
                items.push(item::from_record(record)?);
            }
        }
        Ok(items)
    }

    /// A changed lot.
    pub(super) async fn write_changed(&self, current: &Item, changed: &Item) -> Result<Written> {
        let owner = current.owner;
        let own = match current.product {
            Some(own) => self.product(owner, own).await?,
            None => None,
        };
        let named = self.product_named(owner, &changed.details.name).await?;
        let Some(own) = own else { return Ok(write_new(named.as_ref(), changed, None)) };
        let is_only = self.lot_ids(owner, own.id).await? == [current.id];
        let mut changed = changed.clone();
        // Undoing brings back a photo that is still there.
        if let Some(photo) = changed.details.photo.filter(|it| current.details.photo != Some(*it))
            && !self.has_photo(owner, photo).await?
        {
            changed.details.photo = current.details.photo;
        }
        let belonging = Belonging::of_changed(&own, is_only, named.as_ref(), current, &changed);
        let known = named.filter(|named| named.id == belonging.product.id);
        let known = known.as_ref().unwrap_or(&own);
        let photos = (known.details.photo, belonging.product.details.photo);
        let photo = if belonging.effect == ProductEffect::Made {
            Vec::new()
        } else {
            let at = belonging.product.updated_at;
            self.change_photo(owner, photos.0, photos.1, at).await?.unwrap_or_default()
        };
        let mut written = written(belonging, Some((current, &own)));
        written.steps.extend(photo.into_iter().map(|action| (Part::Photo, action)));
        Ok(written)
    }
}

/// A new lot of the product of its name. `known` is what is known of the name in the inventory that
/// the lot comes from.
pub(super) fn write_new(
    named: Option<&Product>,
    lot: &Item,
    known: Option<&ProductDetails>,
) -> Written {
    written(Belonging::of_new(named, lot, known), None)
}

/// The steps that make a product without lots.
pub(super) fn introduce(product: &Product) -> impl Iterator<Item = Action> {
    let name = unique::product_name(product.owner, &product.details.name);
    let made = [
        put(product::to_record(product), vec![Condition::NotExists]),
        name.take(product.id, product.updated_at),
        product::no_lots(product),
    ];
    made.into_iter().chain(barcodes::take(product))
}

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Belongs(Part),
    MergeKey,
    Job,
    Made,
}

impl<E: RecordEngine> ItemStore<E> {
    /// Gives every item of an inventory its product, and every product its notification: those from
    /// before there were products have none. Once done, it is remembered.
    pub(super) async fn ensure_products(&self, owner: Owner) -> Result<()> {
        let ticket = match self.products_made.look_up(&owner, ()) {
            larder_storage::Lookup::Hit(()) => return Ok(()),
            larder_storage::Lookup::Miss(ticket) => ticket,
        };
        let made = self.get(&keys::products_made(owner)).await?;
        if made.is_none() {
            self.make_products(owner).await?;
        }
        if !made.as_ref().is_some_and(product::is_stock_notified) {
            if let Owner::Household(household) = owner {
                self.adopt_stock_notifications(household).await?;
            }
            let write = larder_storage::Write::at(self.clock.now());
            let set = ChangeSet::new().put(Step::Made, product::made(owner), vec![]);
            self.commit(Actor::System, write, set, None).await?;
        }
        self.products_made.insert(ticket, owner, ());
        Ok(())
    }

    /// The same for a person's scope.
    pub(super) async fn ensure_products_of(&self, scope: Scope) -> Result<()> {
        self.ensure_products(scope.owner()).await
    }

    /// Makes the missing products, in the order in which their lots were added.
    async fn make_products(&self, owner: Owner) -> Result<()> {
        let records = self.all_under(keys::owner_pk(owner), keys::ITEM_PREFIX).await?;
        let items = records.iter().filter(|record| item::is_item(record)).map(item::from_record);
        let mut items = items.collect::<Result<Vec<_>>>()?;
        items.retain(|item| item.product.is_none());
        items.sort_by_key(|item| (item.created_at, item.id));
        for item in items {
            self.give_product(owner, item.id).await?;
        }
        Ok(())
    }

    /// Gives one item its product, if it has none.
    async fn give_product(&self, owner: Owner, id: ItemId) -> Result<()> {
        let write = larder_storage::Write::at(self.clock.now());
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::item(owner, id)).await? else { return Ok(()) };
            let current = item::from_record(&record)?;
            if current.product.is_some() {
                return Ok(());
            }
            let named = self.product_named(owner, &current.details.name).await?;
            let Written { mut lot, steps, job } = write_new(named.as_ref(), &current, None);
            if lot.details != current.details {
                lot.version += 1;
            }
            let mut when = version_is(current.version);
            when.push(Condition::Absent("productId".into()));
            // Its key of the merge rule, which products have now.
            let old_key = unique::merge_key(owner, &current.details).forget();
            let mut set = ChangeSet::new()
                .put(Step::Item, item::to_record(&lot), when)
                .step(Step::MergeKey, old_key)
                .steps(
                    // One job, put below.
                    steps
                        .into_iter()
                        .filter(|(part, _)| *part != Part::Job)
                        .map(|(part, action)| (Step::Belongs(part), action)),
                );
            // The job also tells its tags a name in another spelling.
            let is_renamed = lot.details.name != current.details.name;
            let job = job.or_else(|| {
                let product = lot.product.filter(|_| is_renamed)?;
                Some(LotsJob { owner, product })
            });
            if let Some(job) = job {
                set = set.put(Step::Job, job.to_record(write.at), vec![]);
            }
            if let Commit::Done(_) = self.commit(Actor::System, write, set, None).await? {
                if let Some(job) = job {
                    self.finish_lots(Actor::System, job, write.at).await?;
                }
                return Ok(());
            }
        }
        Err(contention("giving an item its product"))
    }
}
