//! An account with resources in it, each test's its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use larder_domain::{
    AccessAction, AttributeValue, Attributes, CollectionMemberRelationship, Grant, GrantedActions,
    HouseholdId, ParentChildRelationship, PropertyName, Resource, SchemaVersion, UniqueKey,
    UniqueKeys, UniqueValue, Urn, UserId,
};
use larder_storage::{
    AccountScope, AddMember, CreateResource, Grants, IdempotencyClaim, IdempotencyKey, PutGrant,
    Resources, Write,
};
use larder_storage_dynamodb::{DynamoEngine, DynamoOptions};
use larder_storage_item::ItemStore;
use larder_storage_testkit::START;

use crate::launch;

pub(crate) const MIA: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0001);
const FIRST_ACCOUNT: u128 = 0x3333_3333_3333_4333_8333_3333_0000_0000;
const FIRST_RESOURCE: u128 = 0x0195_5556_3cd2_7df2_b839_0000_0000_0000;

/// An account that no other test has.
pub(crate) struct Account {
    pub(crate) store: ItemStore<DynamoEngine>,
    pub(crate) scope: AccountScope,
    pub(crate) options: DynamoOptions,
    number: u128,
}

impl Account {
    pub(crate) async fn open() -> Self {
        let (options, clock) = (launch::shared_tables().await, launch::clock());
        let engine = Arc::new(launch::open(options.clone(), &clock).await);
        let number = u128::from(launch::own_number());
        let account = Urn::of_household(HouseholdId::fixed(FIRST_ACCOUNT + number));
        let scope = AccountScope::assume_authorized(account, MIA);
        Self { store: ItemStore::new(engine, clock), scope, options, number }
    }

    /// The same account through another server.
    pub(crate) async fn elsewhere(&self) -> Self {
        let clock = launch::clock();
        let engine = Arc::new(launch::open(self.options.clone(), &clock).await);
        let (scope, options) = (self.scope.clone(), self.options.clone());
        Self { store: ItemStore::new(engine, clock), scope, options, number: self.number }
    }

    /// A URN of this account and number.
    pub(crate) fn urn(&self, resource_type: &str, number: u128) -> Urn {
        let id = UserId::fixed(FIRST_RESOURCE + (self.number << 16) + number);
        format!("urn:pp:{resource_type}::{id}").parse().unwrap()
    }

    /// A resource that is not stored yet.
    pub(crate) fn resource(&self, number: u128) -> Resource {
        Resource {
            urn: self.urn("Home.Box", number),
            account: self.scope.account().clone(),
            parent: None,
            schema_version: SchemaVersion::FIRST,
            version: 1,
            unique_keys: UniqueKeys::default(),
            attributes: Attributes::default(),
            created_at: START,
            updated_at: START,
        }
    }

    /// A resource that is stored.
    pub(crate) async fn made(&self, number: u128) -> Resource {
        let resource = self.resource(number);
        self.make(&resource).await;
        resource
    }

    pub(crate) async fn make(&self, resource: &Resource) {
        let made = self.store.create_resource(&self.scope, resource, Write::at(START)).await;
        assert_eq!(made.unwrap(), CreateResource::Created, "{}", resource.urn);
    }

    pub(crate) async fn collect(&self, collection: &Resource, member: &Resource, conveys: bool) {
        let (collection, member) = (collection.urn.clone(), member.urn.clone());
        let link = CollectionMemberRelationship::new(collection, member, conveys).unwrap();
        let added =
            self.store.add_to_collection(&self.scope, &link, Write::at(START)).await.unwrap();
        assert_eq!(added, AddMember::Added);
    }

    pub(crate) async fn grant(&self, on: &Urn, actions: &[&str]) -> Grant {
        let actions = actions.iter().map(|action| AccessAction::parse(action).unwrap());
        let grant = Grant {
            principal: Urn::of_user(MIA),
            on: on.clone(),
            account: self.scope.account().clone(),
            actions: GrantedActions::new(actions).unwrap(),
            created_at: START,
            updated_at: START,
        };
        let put = self.store.put_grant(&self.scope, &grant, Write::at(START)).await.unwrap();
        assert_eq!(put, PutGrant::Saved(grant.clone()));
        grant
    }
}

pub(crate) fn below(parent: &Resource, child: &Resource) -> ParentChildRelationship {
    ParentChildRelationship::new(parent.urn.clone(), child.urn.clone()).unwrap()
}

pub(crate) fn unique(property: &str, value: &str, case_insensitive: bool) -> UniqueKeys {
    let property = PropertyName::parse(property).unwrap();
    let value = UniqueValue::parse(value).unwrap();
    UniqueKeys::new(vec![UniqueKey { property, value, case_insensitive }]).unwrap()
}

pub(crate) fn attributes(values: Vec<(String, AttributeValue)>) -> Attributes {
    Attributes::new(values.into_iter().collect::<BTreeMap<_, _>>()).unwrap()
}

pub(crate) fn claim(key: &str) -> IdempotencyClaim {
    IdempotencyClaim {
        key: IdempotencyKey::parse(key).unwrap(),
        request_hash: "0".repeat(64),
        expires_at: START + jiff::SignedDuration::from_hours(24),
    }
}
