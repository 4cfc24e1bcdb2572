//! Which shop of the list is shown: chosen with one press, and remembered in the browser.

use axum::http::HeaderMap;
use larder_domain::{Store, StoreChoice};
use larder_http::SessionCookies;

use super::fields::ANY_STORE;
use crate::Frame;

/// The cookie of the shop that was chosen last. Scripts write it, too.
pub(super) const SHOP_COOKIE: &str = "larder_shop";

/// A choice of a shop.
pub(super) struct Chip {
    pub(super) value: String,
    pub(super) text: String,
    pub(super) is_chosen: bool,
    /// Whether there is something to buy, or it is chosen.
    pub(super) is_shown: bool,
}

/// The choice of this name; `None` for all shops, also instead of one that is gone.
pub(super) fn choice_named(name: &str, stores: &[Store]) -> Option<StoreChoice> {
    if name == ANY_STORE {
        return Some(StoreChoice::Unassigned);
    }
    let store = stores.iter().find(|store| store.id.to_string() == name)?;
    Some(StoreChoice::Store(store.id))
}

/// The name of a choice in addresses, forms and the cookie.
pub(super) fn name_of(choice: Option<StoreChoice>) -> String {
    match choice {
        None => String::new(),
        Some(StoreChoice::Unassigned) => ANY_STORE.to_owned(),
        Some(StoreChoice::Store(id)) => id.to_string(),
    }
}

/// The choice that the address names, or the last one.
pub(super) fn current_choice(
    asked: Option<&str>,
    cookies: SessionCookies,
    headers: &HeaderMap,
    stores: &[Store],
) -> Option<StoreChoice> {
    let name = asked.or_else(|| cookies.plain(headers, SHOP_COOKIE));
    choice_named(name.unwrap_or_default(), stores)
}

/// All choices. `has_entries` says of a shop whether there is something to buy.
pub(super) fn chips(
    frame: &Frame,
    stores: &[Store],
    chosen: Option<StoreChoice>,
    has_entries: impl Fn(&Store) -> bool,
) -> Vec<Chip> {
    let chip = |choice, text: String, is_shown| {
        let is_chosen = choice == chosen;
        Chip { value: name_of(choice), text, is_chosen, is_shown: is_shown || is_chosen }
    };
    let all = chip(None, frame.t("shopping-all-stores").into_owned(), true);
    let shops = stores.iter().map(|store| {
        let choice = Some(StoreChoice::Store(store.id));
        chip(choice, store.name.as_str().to_owned(), has_entries(store))
    });
    let any = chip(Some(StoreChoice::Unassigned), frame.t("shopping-any-store").into_owned(), true);
    [all].into_iter().chain(shops).chain([any]).collect()
}

#[cfg(test)]
mod tests {
    use larder_domain::{StoreId, StoreName};

    use super::*;

    #[test]
    fn a_choice_leads_back_to_itself_and_a_shop_that_is_gone_to_all() {
        let (id, gone) = (StoreId::fixed(1), StoreId::fixed(2));
        let name = StoreName::parse("Market").unwrap();
        let stores = [Store { id, name, address: None, sort_order: None }];
        for choice in [None, Some(StoreChoice::Unassigned), Some(StoreChoice::Store(id))] {
            assert_eq!(choice_named(&name_of(choice), &stores), choice);
        }
        assert_eq!(choice_named(&gone.to_string(), &stores), None);
        assert_eq!(choice_named("x", &stores), None);
    }
}
