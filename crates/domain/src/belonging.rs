//! To which product a written lot belongs, and what that product learns from it.

use crate::{Item, Product, ProductDetails};

/// A lot as it is written, with its product as it is then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belonging {
    /// The lot, with what its product says.
    pub lot: Item,
    /// Its product.
    pub product: Product,
    /// What the write means for the product.
    pub effect: ProductEffect,
}

/// What the write of a lot means for its product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductEffect {
    /// Nothing new.
    None,
    /// It has learned something, which its other lots must be told.
    Learned,
    /// It has another name, which its only lot brought.
    Renamed,
    /// It was made.
    Made,
}

impl Belonging {
    /// A new lot. `named` is the product of its name; `known` is what is known of the name in the
    /// inventory that the lot comes from, with those of its barcodes that are free in this one;
    /// its photo stays there.
    pub fn of_new(named: Option<&Product>, lot: &Item, known: Option<&ProductDetails>) -> Self {
        let Some(product) = named else {
            let made = Product::of_lot(lot);
            let known = known.map(|known| known.clone().for_inventory(lot.owner));
            let details = known.unwrap_or_else(|| made.details.clone());
            return Self::making(Product { details, ..made }, lot);
        };
        let learned = match known {
            Some(_) => product.details.clone(),
            None => product.details.learned(None, &lot.details),
        };
        Self::learning(product, learned, lot)
    }

    /// A changed lot. `own` is its product before, `named` the product of its new name.
    pub fn of_changed(
        own: &Product,
        is_only_lot: bool,
        named: Option<&Product>,
        current: &Item,
        changed: &Item,
    ) -> Self {
        let (before, after) = (&current.details, &changed.details);
        let learned = own.details.learned(Some(before), after);
        let is_same_name = before.merge_key().name == after.merge_key().name;
        if is_same_name {
            let spelled = if before.name == after.name { &own.details.name } else { &after.name };
            let learned = ProductDetails { name: spelled.clone(), ..learned };
            return Self::learning(own, learned, changed);
        }
        if let Some(other) = named {
            let learned = other.details.learned(Some(before), after);
            return Self::learning(other, learned, changed);
        }
        let renamed = ProductDetails { name: after.name.clone(), ..learned };
        if is_only_lot {
            let belonging = Self::learning(own, renamed, changed);
            return Self { effect: ProductEffect::Renamed, ..belonging };
        }
        let details = renamed.for_another_product();
        Self::making(Product { details, ..Product::of_lot(changed) }, changed)
    }

    fn learning(product: &Product, learned: ProductDetails, lot: &Item) -> Self {
        let is_new = learned != product.details;
        let product = if is_new {
            product.changed(learned, lot.updated_by, lot.updated_at)
        } else {
            product.clone()
        };
        let effect = if is_new { ProductEffect::Learned } else { ProductEffect::None };
        Self { lot: lot.clone().of_product(&product), product, effect }
    }

    fn making(product: Product, lot: &Item) -> Self {
        Self { lot: lot.clone().of_product(&product), product, effect: ProductEffect::Made }
    }
}

impl Item {
    /// The lot with what its product says.
    #[must_use]
    pub fn of_product(self, product: &Product) -> Self {
        let details = self.details.clone().of_product(&product.details);
        Self { product: Some(product.id), details, ..self }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::{ItemId, ItemName, Owner, Quantity, UserId, item::tests::details};

    fn lot(n: u128, name: &str) -> Item {
        let by = UserId::fixed(1);
        let details = details(name, "1", "L");
        Item::new(ItemId::fixed(n), Owner::User(by), details, by, Timestamp::UNIX_EPOCH)
    }

    fn renamed(lot: &Item, name: &str) -> Item {
        let mut details = lot.details.clone();
        details.name = ItemName::parse(name).unwrap();
        lot.changed(details, UserId::fixed(2), Timestamp::UNIX_EPOCH)
    }

    fn changed(
        own: &Product,
        only: bool,
        named: Option<&Product>,
        lot: &Item,
        to: &str,
    ) -> Belonging {
        Belonging::of_changed(own, only, named, lot, &renamed(lot, to))
    }

    #[test]
    fn the_first_lot_of_a_name_makes_its_product_and_the_next_takes_its_spelling() {
        let first = Belonging::of_new(None, &lot(1, "Milk"), None);
        assert_eq!(first.effect, ProductEffect::Made);
        assert_eq!(first.lot, lot(1, "Milk"));
        let next = Belonging::of_new(Some(&first.product), &lot(2, "MILK"), None);
        assert_eq!((next.effect, &next.product), (ProductEffect::None, &first.product));
        assert_eq!(next.lot.product, Some(first.product.id));
        assert_eq!(next.lot.details.name.as_str(), "Milk");
    }

    #[test]
    fn what_a_household_knows_wins_over_what_a_person_knew() {
        let own = Belonging::of_new(None, &lot(1, "Milk"), None).product;
        let mut known = own.details.clone();
        known.low_stock_threshold = Some(Quantity::ONE);
        let moved = Belonging::of_new(None, &lot(2, "Milk"), Some(&known));
        assert_eq!(moved.lot.details.low_stock_threshold, Some(Quantity::ONE));
        let mut told = lot(2, "Milk");
        told.details.low_stock_threshold = Some(Quantity::ONE);
        let moved = Belonging::of_new(Some(&own), &told, Some(&known));
        assert_eq!((moved.effect, moved.product), (ProductEffect::None, own));
        assert_eq!(moved.lot.details.low_stock_threshold, None);
    }

    #[test]
    fn a_lot_with_another_name_takes_its_product_along_joins_another_or_makes_one() {
        let milk = lot(1, "Milk");
        let own = Belonging::of_new(None, &milk, None).product;
        let other = Belonging::of_new(None, &lot(2, "Oat milk"), None).product;
        let along = changed(&own, true, None, &milk, "Whole milk");
        assert_eq!((along.effect, along.product.id), (ProductEffect::Renamed, own.id));
        assert_eq!(along.product.details.name.as_str(), "Whole milk");
        let joined = changed(&own, true, Some(&other), &milk, "oat MILK");
        assert_eq!((joined.effect, &joined.product), (ProductEffect::None, &other));
        assert_eq!(joined.lot.details.name.as_str(), "Oat milk");
        let made = changed(&own, false, None, &milk, "Whole milk");
        assert_eq!(made.effect, ProductEffect::Made);
        assert_ne!(made.product.id, own.id);
    }

    #[test]
    fn another_spelling_is_learned() {
        let milk = lot(1, "Milk");
        let own = Belonging::of_new(None, &milk, None).product;
        let respelled = changed(&own, false, Some(&own), &milk, "MILK");
        assert_eq!(respelled.effect, ProductEffect::Learned);
        assert_eq!(respelled.product.details.name.as_str(), "MILK");
    }
}
