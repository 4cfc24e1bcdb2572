//! Removing demo data.

use larder_domain::Urn;

use super::record::DemoRecord;
use crate::{App, AppError, Caller, Result, authorize};

/// How many things are read at once.
const PAGE: usize = 100;

impl App {
    /// Deletes all remaining demo data of the caller's household, and nothing else; admins only.
    pub async fn remove_demo(&self, caller: &Caller) -> Result<()> {
        authorize::administration(caller)?;
        let Some(resource) = self.demo_record(caller).await? else { return Ok(()) };
        let record = DemoRecord::of(&resource.attributes);
        for &id in &record.wishes {
            if_there(self.delete_shopping_item(caller, id).await)?;
        }
        for &id in &record.items {
            if_there(self.delete_item(caller, id, None, None).await.map(drop))?;
        }
        for &id in &record.stores {
            if_there(self.delete_store(caller, id).await)?;
        }
        for &id in &record.locations {
            if_there(self.delete_location(caller, id).await)?;
        }
        // Leaves first, so that the rest in a thing is the household's own.
        for urn in record.things.iter().rev() {
            self.remove_demo_thing(caller, urn).await?;
        }
        // Last, so that an interrupted removal can be repeated.
        self.remove_demo_thing(caller, &resource.urn).await
    }

    /// Deletes one thing. Other things in it are moved out first.
    async fn remove_demo_thing(&self, caller: &Caller, urn: &Urn) -> Result<()> {
        loop {
            let children = match self.children(caller, urn, None, PAGE).await {
                Err(AppError::ResourceNotFound) => return Ok(()),
                children => children?.items,
            };
            if children.is_empty() {
                break;
            }
            for child in children {
                if_there(self.detach_resource(caller, &child.urn).await.map(drop))?;
            }
        }
        if_there(self.delete_resource(caller, urn).await.map(drop))
    }
}

/// Treats missing entities as deleted.
fn if_there(deleted: Result<()>) -> Result<()> {
    match deleted {
        Err(
            AppError::ShoppingItemNotFound
            | AppError::ItemNotFound
            | AppError::StoreNotFound
            | AppError::LocationNotFound
            | AppError::ResourceNotFound,
        ) => Ok(()),
        other => other,
    }
}
