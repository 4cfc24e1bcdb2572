//! Products, and their lots together.

use std::collections::HashMap;

use async_trait::async_trait;
use jiff::civil::Date;
use larder_domain::{
    ConsumeError, Gtin, Item, ItemFilter, ItemName, ItemPosition, ItemSort, LowProducts, Owner,
    Product, ProductDetails, ProductFilter, ProductId, ProductPosition, ProductSort, Quantity,
    StockLevel, Taken, Unit, Versions, first_to_expire_first, plan_consumption,
};
use larder_storage::{
    Consume, DeleteProduct, Page, ProductChange, Products, ReplaceProduct, Result, Scope, StockRow,
    StockedProduct, StorageError, SystemScope, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::touch,
    barcodes::{recode, release},
    change_set::{ChangeSet, Commit},
    contention,
    references::{self, Reference},
    replace_item::version_is,
};
use crate::{
    Condition, RecordEngine, Table,
    layout::{
        fields::{hundredths_number, quantity_number},
        item,
        job::LotsJob,
        keys,
        product::{self, Lots},
        unique,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Product,
    Name,
    OldName,
    Lots,
    Refers(Reference),
    Barcode,
    Photo,
    Job,
    Lot(usize),
}

#[async_trait]
impl<E: RecordEngine> Products for ItemStore<E> {
    async fn find_product(&self, scope: Scope, id: ProductId) -> Result<Option<StockedProduct>> {
        self.ensure_products_of(scope).await?;
        match self.product(scope.owner(), id).await? {
            Some(product) => self.stocked(product).await.map(Some),
            None => Ok(None),
        }
    }

    async fn find_product_named(&self, scope: Scope, name: &ItemName) -> Result<Option<Product>> {
        self.ensure_products_of(scope).await?;
        self.product_named(scope.owner(), name).await
    }

    async fn find_product_by_barcode(&self, scope: Scope, code: &Gtin) -> Result<Option<Product>> {
        self.ensure_products_of(scope).await?;
        self.product_with(scope.owner(), code).await
    }

    async fn list_products(
        &self,
        scope: Scope,
        filter: &ProductFilter,
        sort: ProductSort,
        after: Option<&ProductPosition>,
        limit: usize,
    ) -> Result<Page<StockedProduct, ProductPosition>> {
        self.ensure_products_of(scope).await?;
        if after.is_some_and(|after| after.sort() != sort) {
            return Err(StorageError::Defect("a position of another order".to_owned()));
        }
        let lots = match sort {
            ProductSort::Name => HashMap::new(),
            ProductSort::Total => self.lots_by_product(scope.owner()).await?,
        };
        let pk = keys::owner_pk(scope.owner());
        let mut found = Vec::new();
        for record in self.all_under(pk, keys::PRODUCT_PREFIX).await? {
            if product::is_joining(&record) {
                continue;
            }
            let product = product::from_record(&record)?;
            let lots = lots.get(&product.id).into_iter().flatten().map(|lot| &lot.details);
            let position = ProductPosition::of(&product, lots, sort);
            let is_behind = after.is_none_or(|after| position > *after);
            if is_behind && filter.matches(&product) {
                found.push((position, product));
            }
        }
        found.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
        found.truncate(limit + 1);
        let mut stocked = Vec::with_capacity(found.len());
        for (_, product) in found {
            stocked.push(self.stocked(product).await?);
        }
        Ok(Page::cut(stocked, limit, |StockedProduct { product, lots }| {
            ProductPosition::of(product, lots.iter().map(|lot| &lot.details), sort)
        }))
    }

    async fn list_lots(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockRow, ItemPosition>> {
        self.ensure_products_of(scope).await?;
        self.lots_page(scope.owner(), (filter, today), sort, after, limit).await
    }

    async fn low_products(&self, scope: Scope) -> Result<LowProducts> {
        self.ensure_products_of(scope).await?;
        let items = self.all_items(scope.owner()).await?;
        self.low_among(scope.owner(), &items).await
    }

    async fn is_low(&self, scope: SystemScope, id: ProductId) -> Result<bool> {
        let Some(product) = self.product(scope.owner(), id).await? else { return Ok(false) };
        let lots = self.lots_of(scope.owner(), id).await?;
        let level = StockLevel::of(&product.details, &lots);
        Ok(level.is_some_and(|level| level.is_low()))
    }

    async fn replace_product(
        &self,
        scope: Scope,
        id: ProductId,
        version: u64,
        details: &ProductDetails,
        join: bool,
        write: Write<'_>,
    ) -> Result<ReplaceProduct> {
        self.ensure_products_of(scope).await?;
        let outcome = self.replace_known(scope, id, version, details, join, write).await?;
        if !matches!(outcome, ReplaceProduct::Replaced(_) | ReplaceProduct::Joined(_)) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(outcome)
    }

    async fn delete_product(
        &self,
        scope: Scope,
        id: ProductId,
        write: Write<'_>,
    ) -> Result<DeleteProduct> {
        self.ensure_products_of(scope).await?;
        let owner = scope.owner();
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.product(owner, id).await? else {
                return Ok(DeleteProduct::NotFound);
            };
            let name = unique::product_name(owner, &current.details.name);
            let set = ChangeSet::new()
                .delete(Step::Lots, keys::product_lots(owner, id), product::has_lots(0))
                .delete(Step::Product, keys::product(owner, id), version_is(current.version))
                .step(Step::Name, name.release(id))
                .steps(release(&current).map(|action| (Step::Barcode, action)));
            // An engine with small transactions releases them before.
            if set.len() + 4 > self.engine.max_actions().await? {
                if let Some(refusal) = self.shed_barcodes(scope, &current, write).await? {
                    return Ok(refusal);
                }
                continue;
            }
            let photo = self.change_photo(owner, current.details.photo, None, write.at).await?;
            let photo = photo.into_iter().flatten().map(|action| (Step::Photo, action));
            let set = set.steps(photo);
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(DeleteProduct::Deleted),
                Commit::Failed(Step::Lots, Some(lots)) => {
                    let count = Lots::from_record(&lots)?.ids.len();
                    return Ok(DeleteProduct::HasLots(count as u64));
                }
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("deleting a product"))
    }

    async fn consume(
        &self,
        scope: Scope,
        id: ProductId,
        quantity: Quantity,
        unit: Option<&Unit>,
        write: Write<'_>,
    ) -> Result<Consume> {
        self.ensure_products_of(scope).await?;
        let outcome = self.consume_lots(scope, id, quantity, unit, write).await?;
        if !matches!(outcome, Consume::Done { .. }) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(outcome)
    }

    async fn product_history(
        &self,
        scope: Scope,
        id: ProductId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ProductChange, u64>> {
        let key = keys::product(scope.owner(), id);
        let table = Table::InventoryManagement;
        let entries = self.engine.journal_of(table, &key, before, limit + 1).await?;
        let changes = entries.iter().map(|entry| {
            let decode = |record: &Option<_>| record.as_ref().map(product::from_record).transpose();
            Ok(ProductChange {
                sequence: entry.sequence,
                at: entry.at,
                by: entry.actor.parse().ok(),
                versions: Versions { old: decode(&entry.old)?, new: decode(&entry.new)? },
            })
        });
        let changes = changes.collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(changes, limit, |change| change.sequence))
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// A product with its lots.
    pub(super) async fn stocked(&self, product: Product) -> Result<StockedProduct> {
        let mut lots = self.lots_of(product.owner, product.id).await?;
        lots.sort_by(first_to_expire_first);
        Ok(StockedProduct { product, lots })
    }

    /// The unit of a product and its lots, the first to expire first.
    async fn lots_in_order(
        &self,
        owner: Owner,
        id: ProductId,
    ) -> Result<Option<(Unit, Vec<Item>)>> {
        // Most products have one lot, the first: one read finds both.
        let keys = [keys::product_lots(owner, id), keys::item(owner, id.first_lot())];
        let found = self.engine.get_many(Table::InventoryManagement, &keys).await?;
        let [Some(lots), first] = found.as_slice() else { return Ok(None) };
        let Lots { mut ids, unit, photo: _ } = Lots::from_record(lots)?;
        let first = first.as_ref().filter(|_| ids.contains(&id.first_lot()));
        let first = first.map(item::from_record).transpose()?;
        ids.retain(|id| first.as_ref().is_none_or(|first| first.id != *id));
        let unit = match unit {
            Some(unit) => unit,
            None => match self.product(owner, id).await? {
                Some(product) => product.details.unit,
                None => return Ok(None),
            },
        };
        let mut lots = self.items_by_id(owner, &ids).await?;
        lots.extend(first);
        lots.sort_by(first_to_expire_first);
        Ok(Some((unit, lots)))
    }

    /// All items of an inventory by their product.
    async fn lots_by_product(&self, owner: Owner) -> Result<HashMap<ProductId, Vec<Item>>> {
        let mut lots: HashMap<ProductId, Vec<Item>> = HashMap::new();
        for item in self.all_items(owner).await? {
            if let Some(product) = item.product {
                lots.entry(product).or_default().push(item);
            }
        }
        Ok(lots)
    }

    /// All items of an inventory, in no order.
    pub(super) async fn all_items(&self, owner: Owner) -> Result<Vec<Item>> {
        let records = self.all_under(keys::owner_pk(owner), keys::ITEM_PREFIX).await?;
        let items = records.iter().filter(|record| item::is_item(record));
        items.map(item::from_record).collect()
    }

    /// The products whose stock is low, by all items of their inventory.
    pub(super) async fn low_among(&self, owner: Owner, items: &[Item]) -> Result<LowProducts> {
        // Most inventories have few thresholds, or none: products of other lots are not read.
        let watched = items.iter().filter(|item| !item.details.is_enough_alone());
        let mut ids: Vec<ProductId> = watched.filter_map(|item| item.product).collect();
        ids.sort_unstable();
        ids.dedup();
        let products = self.get_all(ids.iter().map(|id| keys::product(owner, *id))).await?;
        let products = products.iter().filter(|record| !product::is_joining(record));
        let products = products.map(product::from_record).collect::<Result<Vec<_>>>()?;
        Ok(LowProducts::of(&products, items))
    }

    /// Releases some barcodes of a product that is to be deleted; the refusal if it has lots.
    async fn shed_barcodes(
        &self,
        scope: Scope,
        current: &Product,
        write: Write<'_>,
    ) -> Result<Option<DeleteProduct>> {
        let lots = self.lots_of(current.owner, current.id).await?.len();
        if lots > 0 {
            return Ok(Some(DeleteProduct::HasLots(lots as u64)));
        }
        // Beside the product and its change record.
        let room = self.barcodes_beside(2).await?;
        let shed: Vec<Gtin> = current.details.barcodes.iter().take(room).copied().collect();
        let barcodes = current.details.barcodes.filtered(|code| !shed.contains(code));
        let details = ProductDetails { barcodes, ..current.details.clone() };
        let changed = current.changed(details.clone(), scope.actor(), write.at);
        let set = ChangeSet::new()
            .put(Step::Product, product::to_record(&changed), version_is(current.version))
            .steps(recode(current, &details, write.at).into_iter().map(|it| (Step::Barcode, it)));
        self.commit(scope.actor(), write, set, None).await?;
        Ok(None)
    }

    async fn replace_known(
        &self,
        scope: Scope,
        id: ProductId,
        version: u64,
        details: &ProductDetails,
        join: bool,
        write: Write<'_>,
    ) -> Result<ReplaceProduct> {
        let owner = scope.owner();
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.product(owner, id).await? else {
                return Ok(ReplaceProduct::NotFound);
            };
            if current.version != version {
                return Ok(ReplaceProduct::VersionConflict(current));
            }
            let refers = match references::checks(owner, details, Some(&current.details)) {
                Ok(checks) => checks,
                Err(reference) => return Ok(not_found(reference)),
            };
            let changed = current.changed(details.clone(), scope.actor(), write.at);
            let mut set = ChangeSet::new()
                .put(Step::Product, product::to_record(&changed), version_is(version))
                .steps(refers.into_iter().map(|(what, check)| (Step::Refers(what), check)));
            if current.details.folded_name() != details.folded_name() {
                let old = unique::product_name(owner, &current.details.name);
                let new = unique::product_name(owner, &details.name);
                set = set
                    .step(Step::OldName, old.release(id))
                    .step(Step::Name, new.take(id, write.at));
            }
            let look = |details: &ProductDetails| (details.unit.clone(), details.photo);
            if look(&current.details) != look(details) {
                set = set.step(Step::Lots, product::new_look(&changed));
            }
            let codes = recode(&current, details, write.at);
            let recoded = codes.len();
            set = set.steps(codes.into_iter().map(|action| (Step::Barcode, action)));
            let (old, new) = (current.details.photo, details.photo);
            let Some(photo) = self.change_photo(owner, old, new, write.at).await? else {
                return Ok(ReplaceProduct::PhotoNotFound);
            };
            set = set.steps(photo.into_iter().map(|action| (Step::Photo, action)));
            let is_told = !current.details.tells_lots_the_same(details);
            let job = is_told.then_some(LotsJob { owner, product: id });
            if let Some(job) = job {
                set = set.put(Step::Job, job.to_record(write.at), vec![]);
            }
            // The product is journaled; a claim comes on top.
            let others = set.len() - recoded + 1 + usize::from(write.claim.is_some());
            if recoded > self.barcodes_beside(others).await? {
                return Ok(ReplaceProduct::TooManyBarcodes);
            }
            let did = (WriteKind::PRODUCT_REPLACED, Step::Product);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(_) => {
                    if let Some(job) = job {
                        self.finish_lots(scope.actor().into(), job, write.at).await?;
                    }
                    return Ok(ReplaceProduct::Replaced(changed));
                }
                Commit::Failed(Step::Refers(reference), _) => return Ok(not_found(reference)),
                Commit::Failed(Step::Name, _) => {
                    let Some(other) = self.product_named(owner, &details.name).await? else {
                        continue;
                    };
                    if !join {
                        return Ok(ReplaceProduct::Duplicate(other));
                    }
                    if let Some(outcome) = self.join(scope, &current, &other, write).await? {
                        return Ok(outcome);
                    }
                }
                Commit::Failed(Step::Barcode, _) => {
                    let actor = scope.actor().into();
                    let holder = self.barcode_holder(actor, &current, details, write.at).await?;
                    if let Some(other) = holder {
                        return Ok(ReplaceProduct::BarcodeTaken(other));
                    }
                }
                // It changed meanwhile: the next attempt returns its current state.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("changing a product"))
    }

    async fn consume_lots(
        &self,
        scope: Scope,
        id: ProductId,
        quantity: Quantity,
        unit: Option<&Unit>,
        write: Write<'_>,
    ) -> Result<Consume> {
        let owner = scope.owner();
        for _ in 0..MAX_ATTEMPTS {
            let Some((unit_of_product, lots)) = self.lots_in_order(owner, id).await? else {
                return Ok(Consume::NotFound);
            };
            let consumed = match plan_consumption(&lots, quantity, unit.unwrap_or(&unit_of_product))
            {
                Ok(consumed) => consumed,
                Err(ConsumeError::UnitMismatch) => return Ok(Consume::UnitMismatch),
                Err(ConsumeError::NotExact) => return Ok(Consume::NotExact),
            };
            let count = consumed.taken.0.len();
            // Beside the claim.
            if count > self.changes_at_once().await?.saturating_sub(1) {
                return Ok(Consume::TooManyLots);
            }
            let mut set = ChangeSet::new();
            for (at, Taken { item, applied_hundredths }) in consumed.taken.0.iter().enumerate() {
                let lot = lots.iter().find(|lot| lot.id == *item);
                let seen = lot.map_or(Quantity::ZERO, |lot| lot.details.quantity);
                // All but the last are emptied, and if something is missing, that one too. From the
                // last, enough is enough: others may take from it at the same time.
                let is_emptied = at + 1 < count || !consumed.missing.is_zero();
                let amount = if is_emptied {
                    Condition::Equals("quantity".into(), quantity_number(seen).into())
                } else {
                    Condition::AtLeast("quantity".into(), hundredths_number(-applied_hundredths))
                };
                // It may have been renamed meanwhile.
                let is_lot = Condition::Equals("productId".into(), id.to_string().into());
                let less = touch(hundredths_number(*applied_hundredths), scope.actor(), write.at);
                let key = keys::item(owner, *item);
                set = set.update(Step::Lot(at), key, vec![amount, is_lot], less);
            }
            let did = (WriteKind::consumed(&consumed), Step::Lot(0));
            if let Commit::Done(images) = self.commit(scope.actor(), write, set, Some(did)).await? {
                let items = (0..count).map(|at| images.decode(Step::Lot(at), item::from_record));
                let items = items.collect::<Result<_>>()?;
                return Ok(Consume::Done { consumed, items });
            }
        }
        Err(contention("taking from the lots of a product"))
    }
}

const fn not_found(reference: Reference) -> ReplaceProduct {
    match reference {
        Reference::Location => ReplaceProduct::LocationNotFound,
        Reference::Store => ReplaceProduct::StoreNotFound,
    }
}
