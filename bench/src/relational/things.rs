//! A store with resources, and operations on them.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use larder_domain::{
    AccessAction, Attributes, CollectionMemberRelationship, Deletion, DeletionId, Grant,
    GrantedActions, HouseholdId, PropertyName, Resource, ResourceType, SchemaVersion, UniqueKey,
    UniqueKeys, UniqueValue, Urn, UrnDomain, UserId, UuidV7Sequence,
};
use larder_storage::{
    AccessRequest, AccountScope, AddMember, CreateResource, DeleteResource, Grants as _,
    ManualClock, PutGrant, Resources as _, Write,
};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::{ItemStore, Key, RecordEngine as _, Table};
use tokio::task::JoinSet;

use crate::Error;

/// The size and contents of a deleted tree.
pub(super) const CASCADE: u32 = 10_000;
const UNIQUE_VALUES: usize = 2_000;
const MEMBERSHIPS: usize = 5_000;
/// The number of listed children, and the depth of the tree.
pub(super) const CHILDREN: usize = 100;
pub(super) const DEPTH: usize = 10;
/// How many create at once.
pub(super) const AT_ONCE: usize = 64;
/// The number of other resources.
const OTHERS: usize = 10_000;

pub(super) struct Things {
    engine: Arc<EmbeddedEngine>,
    store: Arc<ItemStore<EmbeddedEngine>>,
    scope: AccountScope,
    ids: UuidV7Sequence,
    others: Vec<Urn>,
    /// A thing with [`CHILDREN`] children.
    full: Option<Urn>,
    /// A resource at [`DEPTH`]; the principal has a grant on its topmost ancestor.
    deep: Option<Urn>,
    principal: Urn,
    made: usize,
}

impl Things {
    pub(super) fn open(directory: &Path) -> Result<Self, Error> {
        let clock = Arc::new(ManualClock::new(jiff::Timestamp::UNIX_EPOCH));
        let options = EmbeddedOptions::default();
        let engine = Arc::new(EmbeddedEngine::open(directory, clock.clone(), options)?);
        let store = Arc::new(ItemStore::new(Arc::clone(&engine), clock));
        let account = Urn::of_household(HouseholdId::fixed(1));
        #[expect(
            clippy::disallowed_methods,
            reason = "this is no server: there is nobody to authorize"
        )]
        let scope = AccountScope::assume_authorized(account, UserId::fixed(1));
        Ok(Self {
            engine,
            store,
            scope,
            ids: UuidV7Sequence::default(),
            others: Vec::new(),
            full: None,
            deep: None,
            principal: Urn::of_user(UserId::fixed(2)),
            made: 0,
        })
    }

    /// Creates the data that is read later.
    pub(super) async fn furnish(&mut self) -> Result<(), Error> {
        let others = (0..OTHERS).map(|_| self.new_thing(None)).collect::<Result<Vec<_>, _>>()?;
        self.others = others.iter().map(|thing| thing.urn.clone()).collect();
        self.create_all(others).await?;

        let full = self.new_thing(None)?;
        let children = (0..CHILDREN).map(|_| self.new_thing(Some(&full.urn)));
        let children = children.collect::<Result<Vec<_>, _>>()?;
        self.full = Some(full.urn.clone());
        self.create_all(vec![full]).await?;
        self.create_all(children).await?;

        let top = self.new_thing(None)?;
        let mut deepest = top.urn.clone();
        let on = top.urn.clone();
        self.create_all(vec![top]).await?;
        for _ in 0..DEPTH {
            let below = self.new_thing(Some(&deepest))?;
            deepest = below.urn.clone();
            self.create_all(vec![below]).await?;
        }
        self.deep = Some(deepest);
        let at = jiff::Timestamp::UNIX_EPOCH;
        let grant = Grant {
            principal: self.principal.clone(),
            on,
            account: self.scope.account().clone(),
            actions: GrantedActions::new([AccessAction::parse("read")?])?,
            created_at: at,
            updated_at: at,
        };
        match self.store.put_grant(&self.scope, &grant, Write::at(at)).await? {
            PutGrant::Saved(_) => Ok(()),
            PutGrant::ResourceNotFound => Err("the grant was refused".into()),
        }
    }

    fn new_thing(&mut self, parent: Option<&Urn>) -> Result<Resource, Error> {
        self.made += 1;
        let at = jiff::Timestamp::UNIX_EPOCH;
        let mut random = [0; 10];
        random[2..].copy_from_slice(&self.made.to_be_bytes());
        let kind = ResourceType::parse("Home.Box")?;
        let described = format!(
            r#"{{"name":"Box {}","colour":"red","weightKg":2.5,"fragile":false,"tags":["camping","summer"]}}"#,
            self.made
        );
        Ok(Resource {
            urn: Urn::new(UrnDomain::larder(), kind, self.ids.next(at, random)),
            account: self.scope.account().clone(),
            parent: parent.cloned(),
            schema_version: SchemaVersion::FIRST,
            version: 1,
            unique_keys: UniqueKeys::default(),
            attributes: Attributes::from_json(&described)?,
            created_at: at,
            updated_at: at,
        })
    }

    /// Creates all of them concurrently, so that they share commits.
    async fn create_all(&self, things: Vec<Resource>) -> Result<(), Error> {
        let mut workers = JoinSet::new();
        let mut shares: Vec<Vec<Resource>> = vec![Vec::new(); AT_ONCE];
        for (at, thing) in things.into_iter().enumerate() {
            shares[at % AT_ONCE].push(thing);
        }
        for share in shares {
            let (store, scope) = (Arc::clone(&self.store), self.scope.clone());
            workers.spawn(async move {
                for thing in share {
                    create(&store, &scope, &thing).await?;
                }
                Ok::<_, Error>(())
            });
        }
        while let Some(worker) = workers.join_next().await {
            worker??;
        }
        Ok(())
    }

    /// The yardstick: one record by its key.
    pub(super) async fn read_record(&self, turn: usize) -> Result<(), Error> {
        let key = format!("Resource#{}", self.other(turn));
        let found = self.engine.get(Table::Relational, &Key::new(key.clone(), key)).await?;
        found.map(drop).ok_or_else(|| "a record is missing".into())
    }

    pub(super) async fn get(&self, turn: usize) -> Result<(), Error> {
        let found = self.store.find_resource(&self.scope, self.other(turn)).await?;
        found.map(drop).ok_or_else(|| "a thing is missing".into())
    }

    /// Any of the others, jumping about.
    fn other(&self, turn: usize) -> &Urn {
        &self.others[turn.wrapping_mul(7919) % self.others.len()]
    }

    pub(super) async fn list_children(&self) -> Result<(), Error> {
        let full = self.full.as_ref().ok_or("nothing was furnished")?;
        let page = self.store.list_children(&self.scope, full, None, CHILDREN).await?;
        let found = page.map_or(0, |page| page.items.len());
        expect(found, CHILDREN, "children")
    }

    pub(super) async fn list_ancestors(&self) -> Result<(), Error> {
        let deep = self.deep.as_ref().ok_or("nothing was furnished")?;
        let page = self.store.list_ancestors(&self.scope, deep, None, DEPTH).await?;
        expect(page.map_or(0, |page| page.items.len()), DEPTH, "ancestors")
    }

    pub(super) async fn authorize(&self) -> Result<(), Error> {
        let urn = self.deep.as_ref().ok_or("nothing was furnished")?;
        let action = AccessAction::parse("read")?;
        let request =
            AccessRequest { principal: &self.principal, action: &action, urn, implied: None };
        let access = self.store.authorize(request).await?;
        expect(access.map_or(0, |access| access.path.len()), DEPTH + 1, "steps")
    }

    /// Creates a child below a resource that nothing else uses.
    pub(super) async fn create(&mut self) -> Result<(), Error> {
        let parent = self.others[0].clone();
        let thing = self.new_thing(Some(&parent))?;
        create(&self.store, &self.scope, &thing).await
    }

    /// How many a second, when many create at once.
    pub(super) async fn create_at_once(&mut self, window: Duration) -> Result<f64, Error> {
        let begin = Instant::now();
        let mut created = 0_u32;
        while begin.elapsed() < window {
            let parents: Vec<Urn> = self.others[1..=AT_ONCE].to_vec();
            let things = (0..AT_ONCE * 16).map(|at| self.new_thing(Some(&parents[at % AT_ONCE])));
            let things = things.collect::<Result<Vec<_>, _>>()?;
            created += u32::try_from(things.len())?;
            self.create_all(things).await?;
        }
        Ok(f64::from(created) / begin.elapsed().as_secs_f64())
    }

    /// A tree with some breadth and some depth, unique values, and memberships in a collection that
    /// remains.
    pub(super) async fn grow_tree(&mut self) -> Result<Urn, Error> {
        let root = self.new_thing(None)?;
        let root_urn = root.urn.clone();
        self.create_all(vec![root]).await?;
        let mut levels = vec![vec![root_urn.clone()]];
        let mut all = vec![root_urn.clone()];
        let wanted_in_all = CASCADE as usize;
        while all.len() < wanted_in_all {
            let above = levels.last().cloned().unwrap_or_default();
            let wanted = (above.len() * 8).min(wanted_in_all - all.len());
            let mut level = Vec::with_capacity(wanted);
            for at in 0..wanted {
                let mut thing = self.new_thing(Some(&above[at % above.len()]))?;
                if all.len() + at <= UNIQUE_VALUES {
                    thing.unique_keys = serial_number(self.made)?;
                }
                level.push(thing);
            }
            let urns: Vec<Urn> = level.iter().map(|thing| thing.urn.clone()).collect();
            all.extend(urns.iter().cloned());
            self.create_all(level).await?;
            levels.push(urns);
        }
        let mut workers = JoinSet::new();
        for share in all[..MEMBERSHIPS].chunks(MEMBERSHIPS / AT_ONCE + 1) {
            let (store, scope) = (Arc::clone(&self.store), self.scope.clone());
            let (share, collection) = (share.to_vec(), self.others[1].clone());
            workers.spawn(async move {
                for member in share {
                    let link =
                        CollectionMemberRelationship::new(collection.clone(), member, false)?;
                    let write = Write::at(jiff::Timestamp::UNIX_EPOCH);
                    match store.add_to_collection(&scope, &link, write).await? {
                        AddMember::Added => {}
                        other => return Err(format!("a membership: {other:?}").into()),
                    }
                }
                Ok::<_, Error>(())
            });
        }
        while let Some(worker) = workers.join_next().await {
            worker??;
        }
        Ok(root_urn)
    }

    pub(super) async fn delete_tree(&mut self, root: &Urn) -> Result<(), Error> {
        let at = jiff::Timestamp::UNIX_EPOCH;
        self.made += 1;
        let id = DeletionId::fixed(self.made as u128);
        let begun = self.store.delete_resource(&self.scope, root, id, Write::at(at)).await?;
        let DeleteResource::Begun(mut deletion) = begun else {
            return Err("such a tree does not fit into one transaction".into());
        };
        while deletion.finished_at.is_none() {
            deletion = self.store.continue_deletion(&deletion, at).await?;
        }
        let Deletion { removed, .. } = deletion;
        expect(usize::try_from(removed)?, CASCADE as usize, "things gone")
    }

    /// Checks that nothing but the trees was deleted.
    pub(super) async fn check_counts(&self) -> Result<(), Error> {
        for urn in &self.others {
            if self.store.find_resource(&self.scope, urn).await?.is_none() {
                return Err(format!("{urn} is gone").into());
            }
        }
        let members =
            self.store.list_collection_members(&self.scope, &self.others[1], None, 1).await?;
        expect(members.map_or(1, |page| page.items.len()), 0, "memberships left")
    }

    pub(super) async fn close(&self) {
        self.engine.close().await;
    }
}

fn serial_number(number: usize) -> Result<UniqueKeys, Error> {
    let property = PropertyName::parse("serialNumber")?;
    let value = UniqueValue::parse(&format!("SN-{number:08}"))?;
    Ok(UniqueKeys::new(vec![UniqueKey { property, value, case_insensitive: false }])?)
}

async fn create(
    store: &ItemStore<EmbeddedEngine>,
    scope: &AccountScope,
    thing: &Resource,
) -> Result<(), Error> {
    let write = Write::at(jiff::Timestamp::UNIX_EPOCH);
    match store.create_resource(scope, thing, write).await? {
        CreateResource::Created => Ok(()),
        other => Err(format!("{} was not created: {other:?}", thing.urn).into()),
    }
}

fn expect(found: usize, expected: usize, what: &str) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(format!("{found} {what}, not {expected}").into()) }
}
