//! Something to play with in a new household, which leaves no trace when it is removed.
//!
//! A record with the ids of everything is written before any of it is created. So an interrupted
//! attempt can be removed too, and the household's own data is never mistaken for demo data.
//! The record is no thing of the family's: it is in no list, search or export of things.
//! Devices and tags are not included: they cannot be deleted.

mod add;
mod goods;
mod record;
mod remove;

use larder_domain::{Resource, Urn};

pub(crate) use self::record::is_record;
use self::record::record_urn;
use crate::{App, AppError, Caller, Result, authorize};

impl App {
    /// Whether the caller's household has demo data. Nobody's own inventory has.
    pub async fn has_demo(&self, caller: &Caller) -> Result<bool> {
        if caller.membership().is_none() {
            return Ok(false);
        }
        Ok(self.demo_record(caller).await?.is_some())
    }

    /// Whether this thing is the record of the demo data of the caller's household.
    pub fn is_demo(&self, caller: &Caller, urn: &Urn) -> Result<bool> {
        Ok(*urn == record_urn(authorize::household(caller)?.household())?)
    }

    async fn demo_record(&self, caller: &Caller) -> Result<Option<Resource>> {
        let scope = authorize::household(caller)?;
        let account = authorize::find_account(caller).ok_or(AppError::NoHousehold)?;
        let urn = record_urn(scope.household())?;
        Ok(self.storage.find_resource(&account, &urn).await?)
    }
}
