//! The relational store (seed 004): resources with URNs, parents that are deleted together with
//! their children, collections that are deleted without their members, unique values, and inherited
//! grants.
//!
//! A [`Resource`] is identified by its [`Urn`] and belongs to one account. It has at most one
//! parent, by a [`ParentChildRelationship`]. A [`CollectionMemberRelationship`] adds it to a
//! collection; it may be in many. A [`UniqueKey`] is a value that only one resource of a type may
//! have. A [`Grant`] permits a principal actions on a resource and everything below it: [`Ascent`]
//! finds the path by which a grant reaches it.
//!
//! ```
//! use larder_domain::{Attributes, ParentChildRelationship, SelfLink, Urn};
//!
//! let room: Urn = "urn:pp:Home.Room::0195ff0e-e2e7-7408-8379-52f6cf939e7b".parse()?;
//! assert_eq!(room.resource_type().as_str(), "Home.Room");
//! assert!("urn:pp:Home.Room:0195ff0e-e2e7-7408-8379-52f6cf939e7b".parse::<Urn>().is_err());
//!
//! let attributes = Attributes::from_json(r#"{"name": "Cellar", "shelves": 4}"#)?;
//! assert_eq!(attributes.to_json(), r#"{"name":"Cellar","shelves":4}"#);
//!
//! assert_eq!(ParentChildRelationship::new(room.clone(), room), Err(SelfLink));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod attributes;
mod deletion;
mod grant;
mod relationship;
mod resource;
mod schema;
mod unique_key;
mod urn;
mod uuid_v7;

pub use access::{Access, Ascent, MAX_AUTHORIZING_URNS, NodeFacts, PathStep, Via};
pub use attributes::{
    AttributeValue, Attributes, AttributesError, MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTE_DEPTH,
};
pub use deletion::{Deletion, DeletionId, Doomed};
pub use grant::{
    AccessAction, Grant, GrantFilter, GrantPosition, GrantedActions, InvalidAccessAction,
    InvalidGrantedActions,
};
pub use relationship::{CollectionMemberRelationship, ParentChildRelationship, SelfLink};
pub use resource::{Resource, SchemaVersion};
pub use schema::{SchemaRegistry, SchemaStep, UpcastError, Upcaster};
pub use unique_key::{
    InvalidPropertyName, InvalidUniqueKeys, InvalidUniqueValue, MAX_UNIQUE_KEYS,
    MAX_UNIQUE_VALUE_BYTES, PropertyName, UniqueKey, UniqueKeys, UniqueValue,
};
pub use urn::{InvalidResourceType, InvalidUrn, ResourceKind, ResourceType, Urn, UrnDomain};
pub use uuid_v7::UuidV7Sequence;
