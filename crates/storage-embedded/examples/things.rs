//! A house and its contents: the relational store as a library, without a server.
//!
//! `cargo run -p larder-storage-embedded --example things`

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use jiff::Timestamp;
use larder_domain::{
    AccessAction, AttributeValue, Attributes, CollectionMemberRelationship, DeletionId, Grant,
    GrantedActions, HouseholdId, ParentChildRelationship, PropertyName, Resource, ResourceType,
    SchemaVersion, UniqueKey, UniqueKeys, UniqueValue, Urn, UrnDomain, UserId, UuidV7Sequence, Via,
};
use larder_storage::{
    AccessRequest, AccountScope, AttachResource, Clock, CreateResource, DeleteResource, Grants,
    Resources, Write as WriteAt,
};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::ItemStore;

type Done<T = ()> = Result<T, Box<dyn Error>>;

/// The system's clock.
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #![expect(clippy::disallowed_methods, reason = "this is the clock")]
        Timestamp::now()
    }
}

#[tokio::main]
async fn main() -> Done {
    let directory = tempfile::tempdir()?;
    let clock = Arc::new(SystemClock);
    let engine = EmbeddedEngine::open(directory.path(), clock.clone(), EmbeddedOptions::default())?;
    let store = ItemStore::new(Arc::new(engine), clock.clone());
    tell(store, clock, random, &mut std::io::stdout()).await
}

fn random<const N: usize>() -> [u8; N] {
    #![expect(clippy::disallowed_methods, reason = "this is where randomness comes from")]
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}

/// An account of a store, and the means to create resources in it.
struct Home<S> {
    store: S,
    scope: AccountScope,
    clock: Arc<dyn Clock>,
    ids: UuidV7Sequence,
    random: fn() -> [u8; 10],
}

impl<S: Resources> Home<S> {
    /// Something new of this type, which is nowhere yet.
    fn thing(&mut self, resource_type: &str, name: &str) -> Done<Resource> {
        let now = self.clock.now();
        let id = self.ids.next(now, (self.random)());
        Ok(Resource {
            urn: Urn::new(UrnDomain::larder(), ResourceType::parse(resource_type)?, id),
            account: self.scope.account().clone(),
            parent: None,
            schema_version: SchemaVersion::FIRST,
            version: 1,
            unique_keys: UniqueKeys::default(),
            attributes: Attributes::from_json(&format!(r#"{{"name": "{name}"}}"#))?,
            created_at: now,
            updated_at: now,
        })
    }

    async fn keep(&self, resource: &Resource) -> Done<CreateResource> {
        Ok(self.store.create_resource(&self.scope, resource, self.now()).await?)
    }

    /// Creates a resource inside another, and returns its URN.
    async fn put_into(&mut self, parent: &Urn, resource_type: &str, name: &str) -> Done<Urn> {
        let thing = Resource { parent: Some(parent.clone()), ..self.thing(resource_type, name)? };
        self.keep(&thing).await?;
        Ok(thing.urn)
    }

    async fn name_of(&self, urn: &Urn) -> Done<String> {
        let found = self.store.find_resource(&self.scope, urn).await?;
        Ok(found.as_ref().map_or("nothing".to_owned(), name))
    }

    fn now(&self) -> WriteAt<'static> {
        WriteAt::at(self.clock.now())
    }
}

fn name(resource: &Resource) -> String {
    match resource.attributes.get("name") {
        Some(AttributeValue::Text(name)) => name.clone(),
        _ => "something".to_owned(),
    }
}

/// A serial number, in which case does not matter.
fn serial_number(text: &str) -> Done<UniqueKeys> {
    let (property, value) = (PropertyName::parse("serialNumber")?, UniqueValue::parse(text)?);
    Ok(UniqueKeys::new(vec![UniqueKey { property, value, case_insensitive: true }])?)
}

/// Fills a house, lists its contents, and empties it again.
pub(crate) async fn tell<S: Resources + Grants>(
    store: S,
    clock: Arc<dyn Clock>,
    random: fn() -> [u8; 10],
    out: &mut impl Write,
) -> Done {
    #![expect(clippy::disallowed_methods, reason = "whoever uses the store by itself authorizes")]
    let owner = UserId::fixed(1);
    let scope = AccountScope::assume_authorized(Urn::of_household(HouseholdId::fixed(1)), owner);
    let mut home = Home { store, scope, clock, ids: UuidV7Sequence::default(), random };

    let house = home.thing("Home", "House")?;
    home.keep(&house).await?;
    let cellar = home.put_into(&house.urn, "Home.Room", "Cellar").await?;
    let attic = home.put_into(&house.urn, "Home.Room", "Attic").await?;
    let shelf = home.put_into(&cellar, "Home.Shelf", "Metal shelf").await?;
    let green_box = home.put_into(&shelf, "Home.Box", "Green box").await?;
    writeln!(out, "The House has a Cellar and an Attic.")?;
    writeln!(out, "In the Cellar is the Metal shelf, and on it the Green box.")?;

    let tent = Resource {
        parent: Some(green_box.clone()),
        unique_keys: serial_number("TENT-0042")?,
        ..home.thing("Home.Thing", "Tent")?
    };
    home.keep(&tent).await?;
    writeln!(out, "The Tent has the serial number TENT-0042.")?;
    let forged = Resource {
        unique_keys: serial_number("tent-0042")?,
        ..home.thing("Home.Thing", "Forgery")?
    };
    if let CreateResource::UniqueKeyTaken(taken) = home.keep(&forged).await? {
        let holder = home.name_of(&taken.holder.ok_or("a holder of this account is told")?).await?;
        let value = taken.key.value.as_str();
        writeln!(out, "Nothing else can have the serial number {value}: the {holder} has it.")?;
    }

    show_collection(&mut home, &tent, out).await?;
    move_shelf(&home, (&shelf, &attic, &green_box, &house.urn), out).await?;
    show_access(&home, &shelf, &green_box, out).await?;
    empty(&home, &attic, out).await
}

/// Puts things into a collection, in which they are without leaving their places.
async fn show_collection<S: Resources>(
    home: &mut Home<S>,
    tent: &Resource,
    out: &mut impl Write,
) -> Done {
    let gear = home.thing("Home.Collection", "Camping gear")?;
    let stove = home.thing("Home.Thing", "Stove")?;
    home.keep(&gear).await?;
    home.keep(&stove).await?;
    for member in [tent, &stove] {
        let link = CollectionMemberRelationship::new(gear.urn.clone(), member.urn.clone(), false)?;
        home.store.add_to_collection(&home.scope, &link, home.now()).await?;
    }
    let members = home.store.list_collection_members(&home.scope, &gear.urn, None, 10).await?;
    let members = members.ok_or("the collection is there")?.items;
    let names: Vec<_> = members.iter().map(|member| name(&member.resource)).collect();
    writeln!(out, "The Camping gear is: {}.", names.join(", "))?;
    Ok(())
}

/// Carries the shelf into another room, and everything on it.
async fn move_shelf<S: Resources>(
    home: &Home<S>,
    (shelf, attic, green_box, house): (&Urn, &Urn, &Urn, &Urn),
    out: &mut impl Write,
) -> Done {
    let (store, scope) = (&home.store, &home.scope);
    let up = ParentChildRelationship::new(attic.clone(), shelf.clone())?;
    if let AttachResource::Attached(_) = store.attach_resource(scope, &up, home.now()).await? {
        writeln!(out, "The Metal shelf is now in the {}.", home.name_of(attic).await?)?;
    }
    let ancestors = store.list_ancestors(scope, green_box, None, 10).await?;
    let ancestors = ancestors.ok_or("the box is there")?.items;
    let names: Vec<_> = ancestors.iter().map(name).collect();
    writeln!(out, "From the Green box outwards: {}.", names.join(", "))?;

    let inside_out = ParentChildRelationship::new(shelf.clone(), house.clone())?;
    if store.attach_resource(scope, &inside_out, home.now()).await? == AttachResource::Cycle {
        writeln!(out, "The House cannot be put onto the Metal shelf, which is in it.")?;
    }
    Ok(())
}

/// Lets a guest read the contents of the shelf.
async fn show_access<S: Resources + Grants>(
    home: &Home<S>,
    shelf: &Urn,
    green_box: &Urn,
    out: &mut impl Write,
) -> Done {
    let (guest, now) = (Urn::of_user(UserId::fixed(2)), home.clock.now());
    let (read, write) = (AccessAction::parse("read")?, AccessAction::parse("write")?);
    let grant = Grant {
        principal: guest.clone(),
        on: shelf.clone(),
        account: home.scope.account().clone(),
        actions: GrantedActions::new([read.clone()])?,
        created_at: now,
        updated_at: now,
    };
    home.store.put_grant(&home.scope, &grant, home.now()).await?;
    for action in [&read, &write] {
        let (principal, urn, verb) = (&guest, green_box, action.as_str());
        let request = AccessRequest { principal, action, urn, implied: None };
        let Some(access) = home.store.authorize(request).await? else {
            writeln!(out, "The guest may not {verb} the Green box.")?;
            continue;
        };
        let mut way = Vec::new();
        for step in &access.path {
            let via = match step.via {
                Via::Itself => "the",
                Via::Parent => "its parent, the",
                Via::Collection => "its collection, the",
                Via::Account => "the account of the",
            };
            way.push(format!("{via} {}", home.name_of(&step.urn).await?));
        }
        writeln!(out, "The guest may {verb} {}.", way.join(", because of "))?;
    }
    Ok(())
}

/// Deletes a room with everything in it, after a preview.
async fn empty<S: Resources>(home: &Home<S>, attic: &Urn, out: &mut impl Write) -> Done {
    let (store, scope) = (&home.store, &home.scope);
    let doomed = store.preview_deletion(scope, attic, None, 100).await?;
    let mut names = Vec::new();
    for one in doomed.ok_or("the attic is there")?.items {
        names.push(home.name_of(&one.urn).await?);
    }
    writeln!(out, "Without the Attic there would be no {}.", names.join(", "))?;
    let removed =
        match store.delete_resource(scope, attic, DeletionId::fixed(1), home.now()).await? {
            DeleteResource::Deleted(removed) => removed,
            DeleteResource::NotFound => 0,
            // Too large for one transaction. The deletion is durable, and continues here or after a
            // restart.
            DeleteResource::Begun(mut deletion) => {
                while deletion.finished_at.is_none() {
                    deletion = store.continue_deletion(&deletion, home.clock.now()).await?;
                }
                deletion.removed
            }
        };
    writeln!(out, "{removed} things are gone.")?;
    let mut left = Vec::new();
    for one in store.list_resources(scope, None, None, 100).await?.items {
        left.push(name(&one));
    }
    left.sort();
    writeln!(out, "There still are: {}.", left.join(", "))?;
    Ok(())
}
