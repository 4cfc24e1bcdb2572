//! Items that a user added before they had a household.

use larder_app::Caller;
use larder_domain::{ItemFilter, ItemSort};

use crate::{failure::Failure, state::Web};

/// Whether there are items that could move to a household with them.
pub(super) async fn has_own_items(web: &Web, caller: &Caller) -> Result<bool, Failure> {
    let filter = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    let page = web.app.list_items(caller, &filter, ItemSort::default(), None, 1).await?;
    Ok(!page.items.is_empty())
}
