//! Schema versions of attributes. A resource keeps the version that it was written in; reads upcast
//! it to the newest, and the record is rewritten when it is next saved.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::Arc,
};

use thiserror::Error;

use super::{AttributeValue, Attributes, AttributesError, Resource, ResourceType, SchemaVersion};

/// Turns attributes of one version into those of the next.
pub type Upcaster = Arc<dyn Fn(Attributes) -> Result<Attributes, AttributesError> + Send + Sync>;

/// Attributes could not be brought into the newest shape. The resource is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{resource_type} of version {from} cannot become version {}: {reason}", from + 1)]
pub struct UpcastError {
    /// The type.
    pub resource_type: String,
    /// The version that it has.
    pub from: u32,
    /// Why.
    pub reason: AttributesError,
}

/// One step of a change of shape that can be written down without code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaStep {
    /// Rename an attribute, unless the new name is taken.
    Rename {
        /// Its name before.
        from: String,
        /// Its name after.
        to: String,
    },
    /// Add a missing attribute.
    Default {
        /// Its name.
        name: String,
        /// Its value.
        value: AttributeValue,
    },
    /// Remove an attribute.
    Remove {
        /// Its name.
        name: String,
    },
}

impl SchemaStep {
    /// The attributes after this step.
    pub fn apply(&self, attributes: Attributes) -> Result<Attributes, AttributesError> {
        let mut values = attributes.into_inner();
        match self {
            Self::Rename { from, to } => {
                if !values.contains_key(to)
                    && let Some(value) = values.remove(from)
                {
                    values.insert(to.clone(), value);
                }
            }
            Self::Default { name, value } => {
                values.entry(name.clone()).or_insert_with(|| value.clone());
            }
            Self::Remove { name } => drop(values.remove(name)),
        }
        Attributes::new(values)
    }
}

/// The newest schema version of each resource type, and the steps from older ones. Unlisted types
/// have version 1.
#[derive(Clone, Default)]
pub struct SchemaRegistry {
    /// The up-caster at place n turns version n + 1 into n + 2.
    upcasters: HashMap<ResourceType, Vec<Upcaster>>,
}

impl SchemaRegistry {
    /// A registry in which every type has version 1.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a version to a type: `upcaster` turns the newest so far into it.
    #[must_use]
    pub fn with(
        mut self,
        resource_type: ResourceType,
        upcaster: impl Fn(Attributes) -> Result<Attributes, AttributesError> + Send + Sync + 'static,
    ) -> Self {
        self.upcasters.entry(resource_type).or_default().push(Arc::new(upcaster));
        self
    }

    /// Adds a version that these steps lead to.
    #[must_use]
    pub fn with_steps(self, resource_type: ResourceType, steps: Vec<SchemaStep>) -> Self {
        self.with(resource_type, move |attributes| {
            steps.iter().try_fold(attributes, |attributes, step| step.apply(attributes))
        })
    }

    /// The newest version of a type, in which resources are written.
    pub fn newest(&self, resource_type: &ResourceType) -> SchemaVersion {
        let changes = self.upcasters.get(resource_type).map_or(0, Vec::len);
        let number = u32::try_from(changes).unwrap_or(u32::MAX).saturating_add(1);
        SchemaVersion::new(number).unwrap_or(SchemaVersion::FIRST)
    }

    /// The newest version of each type that has more than one, in the order of the types.
    pub fn newest_versions(&self) -> BTreeMap<&str, SchemaVersion> {
        self.upcasters.keys().map(|kind| (kind.as_str(), self.newest(kind))).collect()
    }

    /// Whether a resource was written in an older shape.
    pub fn is_outdated(&self, resource: &Resource) -> bool {
        resource.schema_version < self.newest(resource.urn.resource_type())
    }

    /// The resource in the newest schema version. One that is newer than this registry is
    /// unchanged.
    pub fn upcast(&self, mut resource: Resource) -> Result<Resource, UpcastError> {
        let resource_type = resource.urn.resource_type();
        let known = self.upcasters.get(resource_type).map_or(&[][..], Vec::as_slice);
        let done = usize::try_from(resource.schema_version.number() - 1).unwrap_or(usize::MAX);
        for upcaster in known.iter().skip(done) {
            let from = resource.schema_version.number();
            resource.attributes = upcaster(resource.attributes).map_err(|reason| UpcastError {
                resource_type: resource_type.as_str().to_owned(),
                from,
                reason,
            })?;
            resource.schema_version = resource.schema_version.next();
        }
        Ok(resource)
    }
}

impl fmt::Debug for SchemaRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.newest_versions()).finish()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::{HouseholdId, UniqueKeys, Urn};

    fn resource(version: u32, attributes: &str) -> Resource {
        Resource {
            urn: "urn:pp:Box::01955556-3cd2-7df2-b839-693fa6fbd505".parse().unwrap(),
            account: Urn::of_household(HouseholdId::fixed(1)),
            parent: None,
            schema_version: SchemaVersion::new(version).unwrap(),
            version: 4,
            unique_keys: UniqueKeys::default(),
            attributes: Attributes::from_json(attributes).unwrap(),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn registry() -> SchemaRegistry {
        let kind = || ResourceType::parse("Box").unwrap();
        let rename = SchemaStep::Rename { from: "colour".into(), to: "color".into() };
        let fragile =
            SchemaStep::Default { name: "fragile".into(), value: AttributeValue::Bool(false) };
        let remove = SchemaStep::Remove { name: "legacy".into() };
        SchemaRegistry::new()
            .with_steps(kind(), vec![rename])
            .with_steps(kind(), vec![fragile, remove])
    }

    #[test]
    fn an_old_resource_is_read_in_the_newest_shape() {
        let old = resource(1, r#"{"colour":"red","legacy":1}"#);
        assert!(registry().is_outdated(&old));
        let new = registry().upcast(old.clone()).unwrap();
        assert_eq!(
            new,
            Resource {
                attributes: Attributes::from_json(r#"{"color":"red","fragile":false}"#).unwrap(),
                schema_version: SchemaVersion::new(3).unwrap(),
                ..old
            }
        );
        assert!(!registry().is_outdated(&new));
    }

    #[test]
    fn each_version_begins_where_it_is() {
        let two = registry().upcast(resource(2, r#"{"colour":"red"}"#)).unwrap();
        assert_eq!(two.attributes.to_json(), r#"{"colour":"red","fragile":false}"#);
        let newer = resource(9, r#"{"colour":"red"}"#);
        assert_eq!(registry().upcast(newer.clone()).unwrap(), newer);
    }

    #[test]
    fn a_type_that_nobody_registered_has_the_first_version() {
        let other = ResourceType::parse("Shelf").unwrap();
        assert_eq!(registry().newest(&other), SchemaVersion::FIRST);
        assert_eq!(SchemaRegistry::new().upcast(resource(1, "{}")).unwrap(), resource(1, "{}"));
        let newest = registry();
        let newest = newest.newest_versions().into_iter();
        assert!(newest.eq([("Box", SchemaVersion::new(3).unwrap())]));
    }

    #[test]
    fn a_shape_that_cannot_be_reached_is_told_and_changes_nothing() {
        let kind = ResourceType::parse("Box").unwrap();
        let step = SchemaStep::Rename { from: "colour".into(), to: "_colour".into() };
        let broken = SchemaRegistry::new().with_steps(kind, vec![step]);
        let refused = broken.upcast(resource(1, r#"{"colour":"red"}"#)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "Box of version 1 cannot become version 2: \"_colour\": names must not begin with _, PK, SK or GSI, nor be urn"
        );
    }
}
