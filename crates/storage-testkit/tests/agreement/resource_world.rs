//! Two accounts with few names on one store or several, and the rules beside them.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    AccessAction, Attributes, CollectionMemberRelationship, DeletionId, Grant, GrantFilter,
    GrantedActions, HouseholdId, ItemId, ParentChildRelationship, PropertyName, Resource,
    SchemaVersion, UniqueKey, UniqueKeys, UniqueValue, Urn, UserId,
};
use larder_storage::{AccountScope, Clock as _, ManualClock, Membership, StorageError, Store};
use larder_storage_testkit::{Random, RelationalModel};

use super::household::{ALL, Verdict, agree};
use super::resource_calls::Call;
use super::resource_commands::{
    ACTIONS, KeyChoice, NODES, PROPERTIES, ResourceCommand, Step, VALUES,
};
use super::resource_records;
use super::tested::Tested;

/// A small world with unique names.
pub(super) struct World<'a> {
    tested: &'a [Tested],
    stores: Vec<(&'static str, Arc<dyn Store>)>,
    clock: &'a ManualClock,
    random: Random,
    pub(super) scopes: [AccountScope; 2],
    pub(super) nodes: Vec<Urn>,
    pub(super) principals: [Urn; 2],
    mark: String,
    pub(super) model: RelationalModel,
    /// Deletions that were interrupted.
    pending: Vec<Pending>,
}

/// A deletion to be resumed.
struct Pending {
    who: usize,
    root: Urn,
    /// Tells a re-created root from the deleted one.
    made_at: Timestamp,
    id: DeletionId,
}

impl<'a> World<'a> {
    pub(super) fn new(tested: &'a [Tested], clock: &'a ManualClock, seed: u64) -> Self {
        let mut random = Random::new(Random::new(seed).bits());
        let scopes = [(); 2].map(|()| {
            let account = Urn::of_household(HouseholdId::from_random(random.bytes()));
            AccountScope::assume_authorized(account, UserId::from_random(random.bytes()))
        });
        let kinds = ["pp:Home.Box", "pp:Home.Room", "pp2:Home.Box"];
        let nodes = (0..usize::from(NODES)).map(|n| {
            let id = ItemId::from_random(random.bytes());
            format!("urn:{}::{id}", kinds[n % kinds.len()]).parse().unwrap()
        });
        let nodes = nodes.collect();
        let principals = [(); 2].map(|()| Urn::of_user(UserId::from_random(random.bytes())));
        Self {
            tested,
            stores: tested.iter().map(|tested| (tested.name, tested.open())).collect(),
            clock,
            scopes,
            nodes,
            principals,
            mark: ItemId::from_random(random.bytes()).to_string(),
            random,
            model: RelationalModel::default(),
            pending: Vec::new(),
        }
    }

    /// Creates the initial state: a tree of one account with links across it, and one resource of
    /// the other.
    pub(super) async fn populate(&mut self) -> Verdict {
        use ResourceCommand::{Add, Create, Grant};
        let mut commands = vec![Create { who: 1, node: 8, parent: None, keys: vec![], value: 0 }];
        for node in 0..7_u8 {
            let parent = node.checked_sub(1).map(|n| n / 2);
            let keys = if node < 4 { vec![(node / 3, node % 3, node == 3)] } else { vec![] };
            commands.push(Create { who: 0, node, parent, keys, value: node });
        }
        for (collection, member, conveys) in [(3, 6, true), (4, 1, false), (6, 2, true)] {
            commands.push(Add { who: 0, collection, member, conveys });
        }
        for (principal, on) in [(0, Some(1)), (1, Some(5)), (1, Some(3)), (0, None)] {
            commands.push(Grant { who: 0, principal, on, action: principal });
        }
        for command in commands {
            self.obey(&(command, None)).await?;
        }
        Ok(())
    }

    /// Runs a command, or interrupts it as a killed process would, and reopens the store.
    pub(super) async fn obey(&mut self, (command, stop): &Step) -> Verdict {
        if matches!(command, ResourceCommand::Resume) {
            return self.resume().await;
        }
        for (who, call) in self.calls(command) {
            match (stop, self.tested) {
                (Some(after), [Tested { records: Some(_), .. }]) => {
                    self.stop(who, &call, usize::from(*after)).await?;
                }
                _ => self.ask(who, &call).await?,
            }
        }
        Ok(())
    }

    /// Compares every query, for every account, and the records below.
    pub(super) async fn compare_everything(&mut self) -> Verdict {
        self.resume().await?;
        for who in 0..2 {
            let kinds = self.nodes.iter().take(3).map(|urn| Some(urn.kind()));
            for kind in kinds.chain([None]).collect::<Vec<_>>() {
                self.ask(who, &Call::List(kind)).await?;
            }
            for principal in self.principals.clone() {
                self.ask(who, &Call::Grants(GrantFilter::Of(principal))).await?;
            }
            self.ask(who, &Call::Grants(GrantFilter::All)).await?;
            for node in 0..NODES {
                let urn = self.nodes[usize::from(node)].clone();
                let account = self.scopes[usize::from(who)].account();
                if self.model.find(account, &urn).is_none() {
                    self.ask(who, &Call::Find(urn)).await?;
                    continue;
                }
                for call in self.looks(node) {
                    self.ask(who, &call).await?;
                }
            }
        }
        self.check_beneath().await
    }

    /// Checks that the records below the stores are exactly those that the model requires.
    pub(super) async fn check_beneath(&self) -> Verdict {
        for tested in self.tested {
            if let Some(records) = &tested.records {
                resource_records::check(&**records, self).await?;
            }
        }
        Ok(())
    }

    /// Compares the answers of every store and the model.
    async fn ask(&mut self, who: u8, call: &Call) -> Verdict {
        let (scope, at) = (&self.scopes[usize::from(who)], self.clock.now());
        let expected = call.apply(&mut self.model, scope.account(), at);
        for (name, store) in &self.stores {
            let answer = call.perform(&**store, scope, at).await;
            let answer = answer.map_err(|error| format!("{name} failed: {error}: {call:?}"))?;
            agree(name, &answer, &expected).map_err(|error| format!("{error}\nto {call:?}"))?;
        }
        Ok(())
    }

    /// Interrupts the only store after this many transactions.
    async fn stop(&mut self, who: u8, call: &Call, after: usize) -> Verdict {
        let (scope, at) = (self.scopes[usize::from(who)].clone(), self.clock.now());
        let tested = &self.tested[0];
        let records = tested.records.as_ref().expect("only such a store is stopped");
        records.allow(Some(after));
        let answer = call.perform(&*self.stores[0].1, &scope, at).await;
        records.allow(None);
        self.stores[0].1 = tested.open();
        match answer {
            Ok(answer) => {
                let expected = call.apply(&mut self.model, scope.account(), at);
                agree(tested.name, &answer, &expected)
                    .map_err(|error| format!("{error}\nto {call:?}"))
            }
            Err(StorageError::Unavailable(_)) => match call {
                Call::Delete(root, id) => self.see_what_is_left(who, root, *id).await,
                // One transaction: it did not happen.
                _ => Ok(()),
            },
            Err(error) => Err(format!("{} failed: {error}: {call:?}", tested.name)),
        }
    }

    /// An interrupted deletion must leave a smaller tree, and a record of itself.
    async fn see_what_is_left(&mut self, who: u8, root: &Urn, id: DeletionId) -> Verdict {
        let (scope, store) = (&self.scopes[usize::from(who)], &self.stores[0].1);
        let doomed = self.model.preview(scope.account(), root).unwrap_or_default();
        let mut gone = BTreeSet::new();
        for doomed in &doomed {
            if store.find_resource(scope, &doomed.urn).await.unwrap().is_none() {
                gone.insert(doomed.urn.clone());
            } else if doomed.parent.as_ref().is_some_and(|parent| gone.contains(parent)) {
                return Err(format!("{} is left without its parent", doomed.urn));
            }
        }
        let job = store.find_deletion(scope, id).await.unwrap();
        let Some(job) = job else {
            return if gone.is_empty() { Ok(()) } else { Err(format!("{gone:?} are gone")) };
        };
        agree("the job", &job.removed, &u64::try_from(gone.len()).unwrap())?;
        let made_at = self.model.find(scope.account(), root).map(|root| root.created_at);
        self.model.lose(&gone);
        for left in doomed.iter().filter(|doomed| !gone.contains(&doomed.urn)) {
            self.lose_links(usize::from(who), &left.urn).await;
        }
        if let (None, Some(made_at)) = (job.finished_at, made_at) {
            let (who, root) = (usize::from(who), root.clone());
            self.pending.push(Pending { who, root, made_at, id });
        }
        Ok(())
    }

    /// The memberships and grants of a doomed resource may be deleted before it.
    async fn lose_links(&mut self, who: usize, doomed: &Urn) {
        let (scope, store) = (&self.scopes[who], &self.stores[0].1);
        let account = scope.account();
        let ends = |links: Option<Vec<Membership>>| -> Vec<Urn> {
            links.unwrap_or_default().into_iter().map(|link| link.resource.urn).collect()
        };
        let inside = ends(self.model.members(account, doomed));
        let outside = ends(self.model.collections(account, doomed));
        let inside = inside.into_iter().map(|member| (doomed.clone(), member));
        let outside = outside.into_iter().map(|collection| (collection, doomed.clone()));
        for (collection, member) in inside.chain(outside) {
            let page = store.list_collection_members(scope, &collection, None, ALL).await;
            let left = page
                .unwrap()
                .is_some_and(|page| page.items.iter().any(|link| link.resource.urn == member));
            if !left {
                self.model.remove_from_collection(account, &collection, &member);
            }
        }
        for principal in &self.principals {
            if store.find_grant(scope, principal, doomed).await.unwrap().is_none() {
                self.model.remove_grant(account, principal, doomed);
            }
        }
    }

    /// Finishes interrupted work on every store.
    async fn resume(&mut self) -> Verdict {
        let at = self.clock.now();
        for (_, store) in &self.stores {
            while store.resume_work(at, 2).await.map_err(|error| error.to_string())? > 0 {}
        }
        for Pending { who, root, made_at, id } in std::mem::take(&mut self.pending) {
            let scope = &self.scopes[who];
            let now = self.model.find(scope.account(), &root).map(|root| root.created_at);
            if now == Some(made_at) {
                self.model.delete(scope.account(), &root);
            }
            let job = self.stores[0].1.find_deletion(scope, id).await.unwrap();
            if job.as_ref().is_none_or(|job| job.finished_at.is_none()) {
                return Err(format!("the deletion of {root} did not end: {job:?}"));
            }
        }
        Ok(())
    }

    /// The calls of a command, a little later than the last.
    fn calls(&mut self, command: &ResourceCommand) -> Vec<(u8, Call)> {
        self.clock.advance(SignedDuration::from_millis(1));
        let urn = |node: u8| self.nodes[usize::from(node)].clone();
        let on = |who: u8, node: Option<u8>| {
            node.map_or_else(|| self.scopes[usize::from(who)].account().clone(), urn)
        };
        let principal = |n: u8| self.principals[usize::from(n)].clone();
        let one = |who: u8, call: Call| vec![(who, call)];
        match *command {
            ResourceCommand::Create { who, node, parent, ref keys, value } => {
                let parent = parent.filter(|parent| *parent != node).map(urn);
                one(who, Call::Create(Resource { parent, ..self.resource(who, node, keys, value) }))
            }
            ResourceCommand::Replace { who, node, ref keys, from, value } => {
                let held = self.model.resources().find(|held| held.urn == urn(node));
                let version = held.map_or(1, |held| held.version);
                let from = [None, Some(version), Some(version + 1)][usize::from(from)];
                one(who, Call::Replace(self.resource(who, node, keys, value), from))
            }
            ResourceCommand::Rewrite { node, is_stale } => {
                let held = self.model.resources().find(|held| held.urn == urn(node));
                let Some(held) = held else { return Vec::new() };
                let new = Resource {
                    version: held.version + u64::from(is_stale),
                    schema_version: held.schema_version.next(),
                    attributes: Attributes::from_json(r#"{"rewritten": true}"#).unwrap(),
                    ..held.clone()
                };
                one(0, Call::Rewrite(new))
            }
            ResourceCommand::Attach { who, parent, child } => {
                let link = ParentChildRelationship::new(urn(parent), urn(child));
                link.map_or_else(|_| Vec::new(), |link| one(who, Call::Attach(link)))
            }
            ResourceCommand::Detach { who, child } => one(who, Call::Detach(urn(child))),
            ResourceCommand::Add { who, collection, member, conveys } => {
                let link = CollectionMemberRelationship::new(urn(collection), urn(member), conveys);
                link.map_or_else(|_| Vec::new(), |link| one(who, Call::Add(link)))
            }
            ResourceCommand::Remove { who, collection, member } => {
                one(who, Call::Remove(urn(collection), urn(member)))
            }
            ResourceCommand::Delete { who, root } => {
                let root = urn(root);
                one(who, Call::Delete(root, DeletionId::from_random(self.random.bytes())))
            }
            ResourceCommand::Grant { who, principal: of, on: node, action } => {
                let at = self.clock.now();
                one(
                    who,
                    Call::Grant(Grant {
                        principal: principal(of),
                        on: on(who, node),
                        account: self.scopes[usize::from(who)].account().clone(),
                        actions: granted(action),
                        created_at: at,
                        updated_at: at,
                    }),
                )
            }
            ResourceCommand::Revoke { who, principal: of, on: node } => {
                one(who, Call::Revoke(principal(of), on(who, node)))
            }
            ResourceCommand::Ask { principal: of, action: asked, node, is_member } => {
                let account = self.scopes[0].account().clone();
                let implied = is_member.then(|| (account, granted(0)));
                let (principal, action) = (principal(of), action(asked));
                one(0, Call::Ask { principal, action, urn: urn(node), implied })
            }
            ResourceCommand::Look { who, node } => {
                self.looks(node).into_iter().map(|call| (who, call)).collect()
            }
            ResourceCommand::LookUp { who, node, property, value } => {
                let UniqueKey { property, value, .. } = self.key((property, value, false));
                one(who, Call::LookUp(urn(node).kind(), property, value))
            }
            ResourceCommand::Resume => Vec::new(),
        }
    }

    /// All that is to be seen of a resource.
    fn looks(&self, node: u8) -> Vec<Call> {
        let urn = || self.nodes[usize::from(node)].clone();
        let mut calls = vec![
            Call::Find(urn()),
            Call::Children(urn()),
            Call::Ancestors(urn()),
            Call::Members(urn()),
            Call::Collections(urn()),
            Call::Preview(urn()),
            Call::Grants(GrantFilter::On(urn())),
        ];
        for principal in &self.principals {
            calls.push(Call::GrantOf(principal.clone(), urn()));
            let (principal, action, urn) = (principal.clone(), action(0), urn());
            calls.push(Call::Ask { principal, action, urn, implied: None });
        }
        calls
    }

    /// A resource of this moment without a parent.
    fn resource(&self, who: u8, node: u8, keys: &[KeyChoice], value: u8) -> Resource {
        let mut unique = UniqueKeys::default();
        for choice in keys {
            let more = unique.iter().cloned().chain([self.key(*choice)]).collect();
            // The same twice is left out.
            unique = UniqueKeys::new(more).unwrap_or(unique);
        }
        let at = self.clock.now();
        Resource {
            urn: self.nodes[usize::from(node)].clone(),
            account: self.scopes[usize::from(who)].account().clone(),
            parent: None,
            schema_version: SchemaVersion::new(u32::from(value % 3) + 1).unwrap(),
            version: 1,
            unique_keys: unique,
            attributes: Attributes::from_json(&format!(r#"{{"value": {value}}}"#)).unwrap(),
            created_at: at,
            updated_at: at,
        }
    }

    fn key(&self, (property, value, case_insensitive): KeyChoice) -> UniqueKey {
        UniqueKey {
            property: PropertyName::parse(PROPERTIES[usize::from(property)]).unwrap(),
            value: self.value(VALUES[usize::from(value)]),
            case_insensitive,
        }
    }

    /// Such a value of this world.
    pub(super) fn value(&self, text: &str) -> UniqueValue {
        UniqueValue::parse(&format!("{}{text}", self.mark)).unwrap()
    }
}

fn action(number: u8) -> AccessAction {
    AccessAction::parse(ACTIONS[usize::from(number)]).unwrap()
}

fn granted(number: u8) -> GrantedActions {
    GrantedActions::new([action(number)]).unwrap()
}
