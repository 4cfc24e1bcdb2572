//! The inventory port in the plainest terms: the domain's rules applied to a list.

use std::collections::HashSet;

use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Belonging, ConsumeError, Delta, Gtin, Item, ItemDetails, ItemFilter, ItemId, ItemPosition,
    ItemSort, LowProducts, MergeError, Product, ProductDetails, ProductFilter, ProductId,
    ProductPosition, ProductSort, Quantity, StorageLocationId, StoreId, Taken, Unit, UserId,
    find_seeded_location, first_to_expire_first, merge_amount, plan_consumption,
};
use larder_storage::{
    AddItem, AdjustItem, Consume, DeleteItem, DeleteProduct, ReplaceItem, ReplaceProduct,
    SplitItem, StockRow, StockedProduct, Tap, TapDone, Write,
};

/// One inventory, as any store should behave.
#[derive(Debug, Clone, Default)]
pub struct InventoryModel {
    items: Vec<Item>,
    products: Vec<Product>,
    locations: HashSet<StorageLocationId>,
    stores: HashSet<StoreId>,
}

impl InventoryModel {
    /// Adds a location of the household.
    pub fn add_location(&mut self, id: StorageLocationId) {
        self.locations.insert(id);
    }

    /// Adds a shop.
    pub fn add_store(&mut self, id: StoreId) {
        self.stores.insert(id);
    }

    /// Removes a location, and clears the references to it.
    pub fn remove_location(&mut self, id: StorageLocationId, by: UserId, write: Write<'_>) {
        self.locations.remove(&id);
        for product in self.products.iter_mut().filter(|it| it.details.location == Some(id)) {
            let details = ProductDetails { location: None, ..product.details.clone() };
            *product = product.changed(details, by, write.at);
        }
        for item in self.items.iter_mut().filter(|item| item.details.location == Some(id)) {
            let details = ItemDetails { location: None, ..item.details.clone() };
            *item = item.changed(details, by, write.at);
        }
    }

    /// Removes a shop, and clears the references to it.
    pub fn remove_store(&mut self, id: StoreId, by: UserId, write: Write<'_>) {
        self.stores.remove(&id);
        for product in self.products.iter_mut().filter(|it| it.details.preferred_store == Some(id))
        {
            let details = ProductDetails { preferred_store: None, ..product.details.clone() };
            *product = product.changed(details, by, write.at);
        }
        for item in self.items.iter_mut().filter(|item| item.details.preferred_store == Some(id)) {
            let details = ItemDetails { preferred_store: None, ..item.details.clone() };
            *item = item.changed(details, by, write.at);
        }
    }

    /// Whether the shop exists.
    pub fn has_shop(&self, id: StoreId) -> bool {
        self.stores.contains(&id)
    }

    /// Every item, in no order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The item with this id.
    pub fn find(&self, id: ItemId) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    /// As [`larder_storage::Inventory::add_item`].
    pub fn add(&mut self, item: &Item, by: UserId, write: Write<'_>) -> AddItem {
        if !self.has_location(&item.details) {
            return AddItem::LocationNotFound;
        }
        if !self.has_store(&item.details) {
            return AddItem::StoreNotFound;
        }
        let Some(existing) = self.same(&item.details, item.id) else {
            let lot = self.belonging_of_new(item);
            self.items.push(lot.clone());
            return AddItem::Added(lot);
        };
        match merged(existing, &item.details, by, write) {
            Ok(item) => {
                *existing = item.clone();
                AddItem::Merged(item)
            }
            Err(MergeError::UnitMismatch) => AddItem::UnitMismatch(existing.clone()),
            Err(MergeError::Overflow) => AddItem::Overflow(existing.clone()),
        }
    }

    /// As [`larder_storage::Inventory::split_item`].
    pub fn split(&mut self, rest: &Item, lot: &Item, by: UserId, write: Write<'_>) -> SplitItem {
        if self.find(rest.id).is_none_or(|current| current.version + 1 != rest.version) {
            return SplitItem::Changed;
        }
        let outcome = self.add(lot, by, write);
        if matches!(outcome, AddItem::Added(_) | AddItem::Merged(_)) {
            *self.find_mut(rest.id).expect("it was found above") = rest.clone();
        }
        SplitItem::Added(outcome)
    }

    /// As [`larder_storage::Inventory::replace_item`].
    pub fn replace(
        &mut self,
        id: ItemId,
        version: u64,
        details: &ItemDetails,
        merge: bool,
        by: UserId,
        write: Write<'_>,
    ) -> ReplaceItem {
        let Some(current) = self.find(id).cloned() else { return ReplaceItem::NotFound };
        if current.version != version {
            return ReplaceItem::VersionConflict(current);
        }
        if !self.has_location(details) {
            return ReplaceItem::LocationNotFound;
        }
        if !self.has_store(details) {
            return ReplaceItem::StoreNotFound;
        }
        let Some(other) = self.same(details, id) else {
            let changed = current.changed(details.clone(), by, write.at);
            let replaced = self.belonging_of_changed(&current, &changed);
            *self.find_mut(id).expect("it was found above") = replaced.clone();
            self.tell_lots(replaced.product, id, by, write);
            return ReplaceItem::Replaced(replaced);
        };
        if !merge {
            return ReplaceItem::Duplicate(other.clone());
        }
        match merged(other, details, by, write) {
            Ok(item) => {
                *other = item.clone();
                self.items.retain(|item| item.id != id);
                ReplaceItem::Merged(item)
            }
            Err(MergeError::UnitMismatch) => ReplaceItem::UnitMismatch(other.clone()),
            Err(MergeError::Overflow) => ReplaceItem::Overflow(other.clone()),
        }
    }

    /// As [`larder_storage::Inventory::delete_item`].
    pub fn delete(&mut self, id: ItemId, version: Option<u64>) -> DeleteItem {
        let Some(at) = self.items.iter().position(|item| item.id == id) else {
            return DeleteItem::NotFound;
        };
        if version.is_some_and(|version| version != self.items[at].version) {
            return DeleteItem::VersionConflict(self.items[at].clone());
        }
        DeleteItem::Deleted(self.items.swap_remove(at))
    }

    /// As [`larder_storage::Inventory::adjust_item`]. If nothing is applied, nothing changes.
    pub fn adjust(&mut self, id: ItemId, delta: Delta, by: UserId, write: Write<'_>) -> AdjustItem {
        let Some(item) = self.find_mut(id) else { return AdjustItem::NotFound };
        match item.details.quantity.adjust(delta) {
            Err(_) => AdjustItem::Overflow(item.clone()),
            Ok((quantity, applied_hundredths)) => {
                if applied_hundredths != 0 {
                    let details = ItemDetails { quantity, ..item.details.clone() };
                    *item = item.changed(details, by, write.at);
                }
                AdjustItem::Adjusted { item: item.clone(), applied_hundredths }
            }
        }
    }

    /// As [`larder_storage::Tags::tap`] with an active tag of this item: `updated_by` is unchanged.
    pub fn tap(&mut self, id: ItemId, delta: Delta, at: Timestamp) -> Tap {
        let Some(by) = self.find(id).map(|item| item.updated_by) else { return Tap::ItemDeleted };
        match self.adjust(id, delta, by, Write::at(at)) {
            AdjustItem::Adjusted { item, applied_hundredths } => {
                Tap::Done(TapDone { item, applied_hundredths, is_repeated: false })
            }
            AdjustItem::Overflow(item) => Tap::Overflow(item),
            AdjustItem::NotFound => Tap::ItemDeleted,
        }
    }

    /// As [`larder_storage::Inventory::list_items`], without pages.
    pub fn list(&self, filter: &ItemFilter, today: Date, sort: ItemSort) -> Vec<Item> {
        let shown = self.items.iter().filter(|item| filter.matches(item, today));
        let mut items: Vec<Item> = shown.cloned().collect();
        items.sort_by(|a, b| {
            let (a, b) = (ItemPosition::of(a, sort), ItemPosition::of(b, sort));
            a.partial_cmp(&b).expect("positions of one order compare")
        });
        items
    }

    /// As [`larder_storage::Products::find_product`].
    pub fn find_product(&self, id: ProductId) -> Option<StockedProduct> {
        let product = self.products.iter().find(|product| product.id == id)?.clone();
        Some(StockedProduct { lots: self.lots(id), product })
    }

    /// As [`larder_storage::Products::low_products`].
    pub fn low_products(&self) -> LowProducts {
        LowProducts::of(&self.products, &self.items)
    }

    /// As [`larder_storage::Products::list_products`], without pages.
    pub fn list_products(&self, filter: &ProductFilter, sort: ProductSort) -> Vec<StockedProduct> {
        let shown = self.products.iter().filter(|product| filter.matches(product));
        let mut found: Vec<_> = shown.filter_map(|product| self.find_product(product.id)).collect();
        found.sort_by(|a, b| {
            let position = |it: &StockedProduct| {
                ProductPosition::of(&it.product, it.lots.iter().map(|lot| &lot.details), sort)
            };
            position(a).partial_cmp(&position(b)).expect("positions of one order compare")
        });
        found
    }

    /// As [`larder_storage::Products::list_lots`], without pages.
    pub fn list_lots(&self, filter: &ItemFilter, today: Date, sort: ItemSort) -> Vec<StockRow> {
        let row = |product: &Product| {
            let mut lots = self.lots(product.id);
            lots.retain(|lot| filter.matches(lot, today));
            let (unit, photo) = (product.details.unit.clone(), product.details.photo);
            StockRow { product: product.id, unit, photo, lots }
        };
        let mut found: Vec<StockRow> = self.products.iter().map(row).collect();
        found.retain(|row| !row.lots.is_empty());
        found.sort_by(|a, b| {
            let (a, b) = (lots_position(a, sort), lots_position(b, sort));
            a.partial_cmp(&b).expect("positions of one order compare")
        });
        found
    }

    /// As [`larder_storage::Products::replace_product`].
    pub fn replace_product(
        &mut self,
        id: ProductId,
        version: u64,
        details: &ProductDetails,
        join: bool,
        by: UserId,
        write: Write<'_>,
    ) -> ReplaceProduct {
        let Some(current) = self.find_product(id).map(|found| found.product) else {
            return ReplaceProduct::NotFound;
        };
        if current.version != version {
            return ReplaceProduct::VersionConflict(current);
        }
        if !self.knows_location(details.location) {
            return ReplaceProduct::LocationNotFound;
        }
        if details.preferred_store.is_some_and(|store| !self.has_shop(store)) {
            return ReplaceProduct::StoreNotFound;
        }
        let other = self.product_named(&details.folded_name()).filter(|other| other.id != id);
        let Some(other) = other.cloned() else {
            let mut gained = details.barcodes.missing_in(&current.details.barcodes);
            if let Some(holder) = gained.find_map(|code| self.product_with(id, code)) {
                return ReplaceProduct::BarcodeTaken(holder.clone());
            }
            let changed = current.changed(details.clone(), by, write.at);
            self.put_product(changed.clone());
            if !current.details.tells_lots_the_same(details) {
                self.tell_lots(Some(id), ItemId::fixed(0), by, write);
            }
            return ReplaceProduct::Replaced(changed);
        };
        if !join {
            return ReplaceProduct::Duplicate(other);
        }
        self.join(&current, &other, by, write)
    }

    /// Another product with this barcode.
    fn product_with(&self, than: ProductId, code: &Gtin) -> Option<&Product> {
        let mut others = self.products.iter().filter(|product| product.id != than);
        others.find(|product| product.details.barcodes.contains(code))
    }

    fn join(
        &mut self,
        current: &Product,
        other: &Product,
        by: UserId,
        write: Write<'_>,
    ) -> ReplaceProduct {
        let theirs = self.lots(other.id);
        for lot in self.lots(current.id) {
            let date = lot.details.expiration;
            let Some(existing) = theirs.iter().find(|it| it.details.expiration == date) else {
                continue;
            };
            match merge_amount(&existing.details, lot.details.quantity, &lot.details.unit) {
                Ok(_) => {}
                Err(MergeError::UnitMismatch) => {
                    return ReplaceProduct::UnitMismatch(existing.clone());
                }
                Err(MergeError::Overflow) => return ReplaceProduct::Overflow(existing.clone()),
            }
        }
        let Ok(learned) = other.details.joined(&current.details) else {
            return ReplaceProduct::TooManyBarcodes;
        };
        let is_learned = learned != other.details;
        let joined = if is_learned { other.changed(learned, by, write.at) } else { other.clone() };
        for lot in self.lots(current.id) {
            let moved = lot.changed(lot.details.clone(), by, write.at).of_product(&joined);
            if let Some(existing) = self.same(&moved.details, lot.id) {
                *existing =
                    merged(existing, &lot.details, by, write).expect("it was checked above");
                self.items.retain(|item| item.id != lot.id);
            } else {
                *self.find_mut(lot.id).expect("it is a lot") = moved;
            }
        }
        self.products.retain(|product| product.id != current.id);
        if is_learned {
            self.put_product(joined.clone());
            self.tell_lots(Some(other.id), ItemId::fixed(0), by, write);
        }
        ReplaceProduct::Joined(joined)
    }

    /// As [`larder_storage::Products::delete_product`].
    pub fn delete_product(&mut self, id: ProductId) -> DeleteProduct {
        let Some(StockedProduct { lots, .. }) = self.find_product(id) else {
            return DeleteProduct::NotFound;
        };
        if !lots.is_empty() {
            return DeleteProduct::HasLots(lots.len() as u64);
        }
        self.products.retain(|product| product.id != id);
        DeleteProduct::Deleted
    }

    /// As [`larder_storage::Products::consume`].
    pub fn consume(
        &mut self,
        id: ProductId,
        quantity: Quantity,
        unit: Option<&Unit>,
        by: UserId,
        write: Write<'_>,
    ) -> Consume {
        let Some(StockedProduct { product, lots }) = self.find_product(id) else {
            return Consume::NotFound;
        };
        let consumed =
            match plan_consumption(&lots, quantity, unit.unwrap_or(&product.details.unit)) {
                Ok(consumed) => consumed,
                Err(ConsumeError::UnitMismatch) => return Consume::UnitMismatch,
                Err(ConsumeError::NotExact) => return Consume::NotExact,
            };
        let mut items = Vec::new();
        for Taken { item, applied_hundredths } in &consumed.taken.0 {
            let lot = self.find_mut(*item).expect("it is a lot");
            let left = lot.details.quantity.hundredths() + applied_hundredths;
            let quantity = Quantity::from_hundredths(left).expect("no more than there is");
            let details = ItemDetails { quantity, ..lot.details.clone() };
            *lot = lot.changed(details, by, write.at);
            items.push(lot.clone());
        }
        Consume::Done { consumed, items }
    }

    fn lots(&self, product: ProductId) -> Vec<Item> {
        let lots = self.items.iter().filter(|item| item.product == Some(product));
        let mut lots: Vec<Item> = lots.cloned().collect();
        lots.sort_by(first_to_expire_first);
        lots
    }

    fn product_named(&self, folded: &str) -> Option<&Product> {
        self.products.iter().find(|product| product.details.folded_name() == folded)
    }

    fn put_product(&mut self, product: Product) {
        match self.products.iter_mut().find(|known| known.id == product.id) {
            Some(known) => *known = product,
            None => self.products.push(product),
        }
    }

    fn belong(&mut self, belonging: Belonging) -> Item {
        self.put_product(belonging.product);
        belonging.lot
    }

    fn belonging_of_new(&mut self, lot: &Item) -> Item {
        let named = self.product_named(&lot.details.merge_key().name).cloned();
        let lot = self.belong(Belonging::of_new(named.as_ref(), lot, None));
        self.tell_lots(lot.product, lot.id, lot.updated_by, Write::at(lot.updated_at));
        lot
    }

    fn belonging_of_changed(&mut self, current: &Item, changed: &Item) -> Item {
        let own = current.product.and_then(|id| self.find_product(id));
        let StockedProduct { product: own, lots } = own.expect("every item has a product");
        let named = self.product_named(&changed.details.merge_key().name).cloned();
        let is_only = lots.len() == 1;
        self.belong(Belonging::of_changed(&own, is_only, named.as_ref(), current, changed))
    }

    /// Tells the lots of a product what it says, except the one that told it.
    fn tell_lots(
        &mut self,
        product: Option<ProductId>,
        except: ItemId,
        by: UserId,
        write: Write<'_>,
    ) {
        let found = product.and_then(|id| self.products.iter().find(|it| it.id == id));
        let Some(product) = found.cloned() else { return };
        let lots = self.items.iter_mut().filter(|item| item.product == Some(product.id));
        for lot in lots.filter(|lot| lot.id != except) {
            let details = lot.details.clone().of_product(&product.details);
            if details != lot.details {
                *lot = lot.changed(details, by, write.at);
            }
        }
    }

    fn knows_location(&self, location: Option<StorageLocationId>) -> bool {
        location.is_none_or(|location| {
            find_seeded_location(location).is_some() || self.locations.contains(&location)
        })
    }

    fn find_mut(&mut self, id: ItemId) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.id == id)
    }

    /// Another item that is the same thing.
    fn same(&mut self, details: &ItemDetails, other_than: ItemId) -> Option<&mut Item> {
        let key = details.merge_key();
        let mut others = self.items.iter_mut().filter(|item| item.id != other_than);
        others.find(|item| item.details.merge_key() == key)
    }

    fn has_location(&self, details: &ItemDetails) -> bool {
        self.knows_location(details.location)
    }

    fn has_store(&self, details: &ItemDetails) -> bool {
        details.preferred_store.is_none_or(|store| self.has_shop(store))
    }
}

/// The position of the first of these lots.
fn lots_position(row: &StockRow, sort: ItemSort) -> ItemPosition {
    let positions = row.lots.iter().map(|lot| ItemPosition::of(lot, sort));
    let first = positions.min_by(|a, b| a.partial_cmp(b).expect("they are of one order"));
    first.expect("it has lots")
}

/// The item after a merge of this quantity.
fn merged(
    existing: &Item,
    incoming: &ItemDetails,
    by: UserId,
    write: Write<'_>,
) -> Result<Item, MergeError> {
    let added = merge_amount(&existing.details, incoming.quantity, &incoming.unit)?;
    let quantity = existing.details.quantity.checked_add(added);
    let quantity = quantity.map_err(|_| MergeError::Overflow)?;
    let details = ItemDetails { quantity, ..existing.details.clone() };
    Ok(existing.changed(details, by, write.at))
}
