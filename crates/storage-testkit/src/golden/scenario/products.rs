//! Products: one that is known better, less of one, and a change that was interrupted before its lots
//! were told.

use larder_domain::{ProductDetails, Quantity, ShelfLife};
use larder_storage::{Consume, Inventory, Products, ReplaceProduct, StorageError};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{MIA, MILK, Scenario, home};

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    pub(super) async fn change_products(&self) {
        let inventory = home(MIA).inventory();
        let milk = self.store.find_item(inventory, MILK).await.unwrap().expect("there is milk");
        let id = milk.product.expect("every item has a product");
        let product = self.store.find_product(inventory, id).await.unwrap().expect("it is there");
        let life = |days| ShelfLife::from_days(days).ok();
        let known = ProductDetails { shelf_life: life(9), ..product.product.details.clone() };
        let (version, claim) = (product.product.version, self.claim("know milk better"));
        let write = self.claimed(&claim);
        let outcome = self.store.replace_product(inventory, id, version, &known, false, write);
        let outcome = outcome.await.unwrap();
        assert!(matches!(outcome, ReplaceProduct::Replaced(_)), "{outcome:?}");

        let claim = self.claim("use some milk");
        let (quantity, unit) = (Quantity::from_hundredths(25).unwrap(), &milk.details.unit);
        let outcome =
            self.store.consume(inventory, id, quantity, Some(unit), self.claimed(&claim)).await;
        assert!(matches!(outcome.unwrap(), Consume::Done { .. }), "there is enough");

        let known = ProductDetails { opened_shelf_life: life(3), ..known };
        let write = self.write();
        let changing = self.store.replace_product(inventory, id, version + 1, &known, false, write);
        let outcome = self.stopped_after_one(changing).await;
        assert!(matches!(outcome, Err(StorageError::Unavailable(_))), "{outcome:?}");
    }
}
