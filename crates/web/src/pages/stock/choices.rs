//! Choices: categories, storage locations, shops.

use larder_app::{App, AppError, Caller};
use larder_domain::{
    CATEGORIES, CategoryId, Currency, SEEDED_LOCATIONS, StorageLocation, StorageLocationId, Store,
    StoreId,
};

use crate::Frame;

/// One option of a `<select>`.
pub(in crate::pages) struct Choice {
    pub(in crate::pages) value: String,
    pub(in crate::pages) text: String,
    pub(in crate::pages) is_chosen: bool,
}

/// The household's places and currency, read once per page.
pub(in crate::pages) struct Places {
    pub(in crate::pages) currency: Currency,
    pub(in crate::pages) locations: Vec<StorageLocation>,
    pub(in crate::pages) stores: Vec<Store>,
}

impl Places {
    pub(in crate::pages) async fn of(app: &App, caller: &Caller) -> Result<Self, AppError> {
        Ok(Self {
            currency: caller.currency(),
            locations: app.locations(caller).await?,
            stores: app.stores(caller).await?,
        })
    }

    /// The storage locations: predefined ones, then those of the household.
    pub(in crate::pages) fn locations(
        &self,
        frame: &Frame,
        chosen: Option<StorageLocationId>,
    ) -> Vec<Choice> {
        let seeded = SEEDED_LOCATIONS.iter().map(|location| location.id);
        let ids = seeded.chain(self.locations.iter().map(|location| location.id));
        ids.map(|id| Choice {
            value: id.to_string(),
            text: frame.location(id, &self.locations),
            is_chosen: chosen == Some(id),
        })
        .collect()
    }

    /// The shops.
    pub(in crate::pages) fn stores(&self, chosen: Option<StoreId>) -> Vec<Choice> {
        let choice = |store: &Store| Choice {
            value: store.id.to_string(),
            text: store.name.as_str().to_owned(),
            is_chosen: chosen == Some(store.id),
        };
        self.stores.iter().map(choice).collect()
    }

    /// The name of a shop.
    pub(in crate::pages) fn store(&self, id: StoreId) -> &str {
        let found = self.stores.iter().find(|store| store.id == id);
        found.map_or("", |store| store.name.as_str())
    }
}

/// The categories.
pub(in crate::pages) fn categories(frame: &Frame, chosen: Option<CategoryId>) -> Vec<Choice> {
    let choice = |id: CategoryId| Choice {
        value: id.to_string(),
        text: frame.category(id),
        is_chosen: chosen == Some(id),
    };
    CATEGORIES.iter().map(|category| choice(category.id)).collect()
}
