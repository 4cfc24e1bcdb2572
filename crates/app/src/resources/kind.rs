//! What kind of thing a resource is to people.

use std::collections::BTreeSet;

use larder_domain::{AttributeValue, KindName, Resource, ResourceType, Urn};

use super::find::{ENOUGH, PIECE};
use crate::{App, Caller, Result};

/// The attribute of a resource of the type `Thing` that names its kind.
pub const RESOURCE_KIND: &str = "kind";

/// The type of resources whose kind people have named in their own words and letters, which no type
/// could have.
const THING: &str = "Thing";

/// What kind of thing a resource is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThingKind {
    /// What its type says.
    Type(ResourceType),
    /// What people call it.
    Word(KindName),
}

impl ThingKind {
    /// The kind of this resource.
    pub fn of(resource: &Resource) -> Self {
        let resource_type = resource.urn.resource_type();
        let word = match resource.attributes.get(RESOURCE_KIND) {
            Some(AttributeValue::Text(word)) if is_named(&resource.urn) => {
                KindName::parse_stored(word.trim()).ok()
            }
            _ => None,
        };
        word.map_or_else(|| Self::Type(resource_type.clone()), Self::Word)
    }

    /// The type of resources of this kind.
    pub fn resource_type(&self) -> Result<ResourceType> {
        match self {
            Self::Type(resource_type) => Ok(resource_type.clone()),
            Self::Word(_) => ResourceType::parse(THING)
                .map_err(|error| crate::AppError::Defect(format!("{THING}: {error}"))),
        }
    }
}

/// Whether people name the kind of this resource, rather than its type.
pub fn is_named(urn: &Urn) -> bool {
    urn.resource_type().as_str() == THING
}

impl App {
    /// The kinds of things that there are, each once. Words are looked for among the first
    /// thousand resources that have one.
    pub async fn thing_kinds(&self, caller: &Caller) -> Result<BTreeSet<ThingKind>> {
        let mut kinds = BTreeSet::new();
        for resource_type in self.resource_types(caller).await? {
            if resource_type.as_str() != THING {
                kinds.insert(ThingKind::Type(resource_type));
                continue;
            }
            let (mut read, mut after) = (0, None);
            while read < ENOUGH {
                let piece =
                    self.resources(caller, Some(&resource_type), after.as_ref(), PIECE).await?;
                read += piece.items.len();
                kinds.extend(piece.items.iter().map(ThingKind::of));
                after = piece.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(kinds)
    }
}
