//! Products, and their lots together.

use std::collections::HashMap;

use async_trait::async_trait;
use larder_domain::{
    ConsumeError, Item, ItemName, ItemPosition, ItemSort, LotFilter, MergeError, Owner, Product,
    ProductDetails, ProductFilter, ProductId, ProductPosition, ProductSort, Quantity, Taken, Unit,
    Versions, first_to_expire_first, merge_amount, plan_consumption,
};
use larder_storage::{
    Consume, DeleteProduct, Page, ProductChange, Products, ReplaceProduct, Result, Scope,
    StockedProduct, StorageError, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::touch,
    change_set::{ChangeSet, Commit},
    contention,
    references::{self, Reference},
    replace_item::version_is,
};
use crate::{
    Action, Condition, RecordEngine, Table,
    layout::{
        fields::{hundredths_number, quantity_number},
        item,
        job::LotsJob,
        keys, product, unique,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Product,
    Other,
    Name,
    OldName,
    Lots,
    Refers(Reference),
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
        filter: &LotFilter,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockedProduct, ItemPosition>> {
        self.ensure_products_of(scope).await?;
        self.lots_page(scope.owner(), filter, sort, after, limit).await
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
                .step(Step::Name, name.release(id));
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(DeleteProduct::Deleted),
                Commit::Failed(Step::Lots, Some(lots)) => {
                    let count = product::Lots::from_record(&lots)?.ids.len();
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
        unit: &Unit,
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
    async fn stocked(&self, product: Product) -> Result<StockedProduct> {
        let mut lots = self.lots_of(product.owner, product.id).await?;
        lots.sort_by(first_to_expire_first);
        Ok(StockedProduct { product, lots })
    }

    /// All items of an inventory by their product.
    async fn lots_by_product(&self, owner: Owner) -> Result<HashMap<ProductId, Vec<Item>>> {
        let mut lots: HashMap<ProductId, Vec<Item>> = HashMap::new();
        for record in self.all_under(keys::owner_pk(owner), keys::ITEM_PREFIX).await? {
            if item::is_item(&record) {
                let item = item::from_record(&record)?;
                if let Some(product) = item.product {
                    lots.entry(product).or_default().push(item);
                }
            }
        }
        Ok(lots)
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
            let is_told = !current.details.tells_lots_the_same(details);
            let job = is_told.then_some(LotsJob { owner, product: id });
            if let Some(job) = job {
                set = set.put(Step::Job, job.to_record(write.at), vec![]);
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
                // It changed meanwhile: the next attempt returns its current state.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("changing a product"))
    }

    /// Joins a product to another; `None` if one of them changed meanwhile.
    async fn join(
        &self,
        scope: Scope,
        current: &Product,
        other: &Product,
        write: Write<'_>,
    ) -> Result<Option<ReplaceProduct>> {
        let owner = scope.owner();
        if let Some(refusal) = self.cannot_join(current, other).await? {
            return Ok(Some(refusal));
        }
        let key = keys::product(owner, current.id);
        let mut when = version_is(current.version);
        when.push(Condition::Exists);
        let name = unique::product_name(owner, &current.details.name);
        let (table, other_key) = (Table::InventoryManagement, keys::product(owner, other.id));
        let is_same = version_is(other.version);
        let job = LotsJob { owner, product: current.id };
        let set = ChangeSet::new()
            .update(Step::Product, key, when, product::join(other.id))
            .step(Step::OldName, name.release(current.id))
            .step(Step::Other, Action::Check { table, key: other_key, when: is_same })
            .step(Step::Lots, product::begin_of_join(owner, other.id))
            .put(Step::Job, job.to_record(write.at), vec![]);
        let did = (WriteKind::product_joined(other), Step::Product);
        match self.commit(scope.actor(), write, set, Some(did)).await? {
            Commit::Done(_) => {
                self.finish_lots(scope.actor().into(), job, write.at).await?;
                let joined = self.product(owner, other.id).await?;
                Ok(Some(ReplaceProduct::Joined(joined.unwrap_or_else(|| other.clone()))))
            }
            Commit::Failed(_, _) => Ok(None),
        }
    }

    /// The refusal if two lots of one date cannot be merged.
    async fn cannot_join(
        &self,
        current: &Product,
        other: &Product,
    ) -> Result<Option<ReplaceProduct>> {
        let theirs = self.lots_of(other.owner, other.id).await?;
        for lot in self.stocked(current.clone()).await?.lots {
            let details = &lot.details;
            let same_date = theirs.iter().find(|it| it.details.expiration == details.expiration);
            let Some(existing) = same_date else { continue };
            match merge_amount(&existing.details, details.quantity, &details.unit) {
                Ok(_) => {}
                Err(MergeError::UnitMismatch) => {
                    return Ok(Some(ReplaceProduct::UnitMismatch(existing.clone())));
                }
                Err(MergeError::Overflow) => {
                    return Ok(Some(ReplaceProduct::Overflow(existing.clone())));
                }
            }
        }
        Ok(None)
    }

    async fn consume_lots(
        &self,
        scope: Scope,
        id: ProductId,
        quantity: Quantity,
        unit: &Unit,
        write: Write<'_>,
    ) -> Result<Consume> {
        let owner = scope.owner();
        for _ in 0..MAX_ATTEMPTS {
            let Some(product) = self.product(owner, id).await? else {
                return Ok(Consume::NotFound);
            };
            let StockedProduct { product, lots } = self.stocked(product).await?;
            let consumed = match plan_consumption(&lots, quantity, unit) {
                Ok(consumed) => consumed,
                Err(ConsumeError::UnitMismatch) => return Ok(Consume::UnitMismatch(product)),
                Err(ConsumeError::NotExact) => return Ok(Consume::NotExact(product)),
            };
            // The claim, and the check of the product.
            if consumed.taken.0.len() > self.changes_at_once().await?.saturating_sub(2) {
                return Ok(Consume::TooManyLots(product));
            }
            let table = Table::InventoryManagement;
            let (key, when) = (keys::product(owner, id), vec![Condition::Exists]);
            let mut set = ChangeSet::new().step(Step::Product, Action::Check { table, key, when });
            let count = consumed.taken.0.len();
            for (at, Taken { item, applied_hundredths }) in consumed.taken.0.iter().enumerate() {
                let lot = lots.iter().find(|lot| lot.id == *item);
                let seen = lot.map_or(Quantity::ZERO, |lot| lot.details.quantity);
                // All but the last are emptied, and if something is missing, that one too. From the
                // last, enough is enough: others may take from it at the same time.
                let is_emptied = at + 1 < count || !consumed.missing.is_zero();
                let when = if is_emptied {
                    Condition::Equals("quantity".into(), quantity_number(seen).into())
                } else {
                    Condition::AtLeast("quantity".into(), hundredths_number(-applied_hundredths))
                };
                let less = touch(hundredths_number(*applied_hundredths), scope.actor(), write.at);
                set = set.update(Step::Lot(at), keys::item(owner, *item), vec![when], less);
            }
            let did = (WriteKind::consumed(&consumed), Step::Product);
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
