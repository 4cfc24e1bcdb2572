//! Searching everything that has a name: storage locations, items and resources.

use larder_domain::{
    AttributeValue, Item, ItemFilter, ItemPosition, ItemSort, Resource, SEEDED_LOCATIONS,
    SearchTerm, StorageLocationId, Urn, text,
};
use larder_storage::Page;

use crate::{App, Caller, ResourceFilter, Result};

/// The attribute by which people call a resource.
pub const RESOURCE_NAME: &str = "name";

/// Something that was found.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A storage location.
    Location(FoundLocation),
    /// An item, used up or not.
    Item(Box<Item>),
    /// A resource.
    Resource(Resource),
}

/// A storage location that was found: one that everyone has, or the household's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLocation {
    /// The location.
    pub id: StorageLocationId,
    /// Its name.
    pub name: String,
    /// The English name of one that everyone has.
    pub name_en: Option<&'static str>,
}

/// A place in the results: storage locations by name, then items by age, the newest first, then resources by URN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchPosition {
    /// Behind this storage location.
    Location(StorageLocationId),
    /// Behind this item.
    Item(ItemPosition),
    /// Behind this resource.
    Resource(Urn),
}

impl Found {
    fn position(&self) -> SearchPosition {
        match self {
            Self::Location(location) => SearchPosition::Location(location.id),
            Self::Item(item) => SearchPosition::Item(ItemPosition::of(item, ItemSort::Created)),
            Self::Resource(resource) => SearchPosition::Resource(resource.urn.clone()),
        }
    }
}

/// The name that somebody gave a resource.
pub fn resource_name(resource: &Resource) -> Option<&str> {
    match resource.attributes.get(RESOURCE_NAME) {
        Some(AttributeValue::Text(name)) if !name.trim().is_empty() => Some(name),
        _ => None,
    }
}

impl App {
    /// A page of everything of the caller's with a word that begins with the term. Used-up goods are included, and
    /// resources also if a unique value begins so.
    pub async fn search(
        &self,
        caller: &Caller,
        term: &SearchTerm,
        after: Option<&SearchPosition>,
        limit: usize,
    ) -> Result<Page<Found, SearchPosition>> {
        // One too many shows that more follow.
        let (wanted, mut found) = (limit + 1, Vec::new());
        if matches!(after, None | Some(SearchPosition::Location(_))) {
            let locations = self.find_locations(caller, term).await?;
            let seen = locations
                .iter()
                .position(|it| matches!(after, Some(SearchPosition::Location(id)) if *id == it.id));
            let rest = locations.into_iter().skip(seen.map_or(0, |seen| seen + 1));
            found.extend(rest.take(wanted).map(Found::Location));
        }
        if found.len() < wanted && !matches!(after, Some(SearchPosition::Resource(_))) {
            let search = Some(term.clone());
            let filter = ItemFilter { search, include_depleted: true, ..ItemFilter::default() };
            let after = match after {
                Some(SearchPosition::Item(after)) => Some(after),
                _ => None,
            };
            let (sort, room) = (ItemSort::Created, wanted - found.len());
            let items = self.list_items(caller, &filter, sort, after, room).await?;
            found.extend(items.items.into_iter().map(|item| Found::Item(Box::new(item))));
        }
        let mut unread = None;
        if found.len() < wanted {
            let after = match after {
                Some(SearchPosition::Resource(after)) => Some(after),
                _ => None,
            };
            let filter = ResourceFilter::Called(term.clone());
            let title =
                |resource: &Resource| resource_name(resource).unwrap_or_default().to_owned();
            let room = wanted - found.len();
            let resources = self.find_resources(caller, &filter, title, &[], after, room).await?;
            unread = resources.next;
            found.extend(resources.resources.into_iter().map(Found::Resource));
        }
        let page = Page::cut(found, limit, Found::position);
        let next = page.next.or(unread.map(SearchPosition::Resource));
        Ok(Page { items: page.items, next })
    }

    /// The storage locations of this name, the household's own among them, by name.
    async fn find_locations(
        &self,
        caller: &Caller,
        term: &SearchTerm,
    ) -> Result<Vec<FoundLocation>> {
        let seeded = SEEDED_LOCATIONS.iter().map(|it| FoundLocation {
            id: it.id,
            name: it.name.to_owned(),
            name_en: Some(it.name_en),
        });
        let own = self.locations(caller).await?.into_iter().map(|it| FoundLocation {
            id: it.id,
            name: it.name.as_str().to_owned(),
            name_en: None,
        });
        let is_called = |it: &FoundLocation| {
            term.matches(&it.name) || it.name_en.is_some_and(|name| term.matches(name))
        };
        let mut locations: Vec<_> = seeded.chain(own).filter(is_called).collect();
        locations.sort_by_cached_key(|it| (text::fold(&it.name), it.id));
        Ok(locations)
    }
}
