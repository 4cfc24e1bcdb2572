//! Resources with the most and the fewest attributes, their relationships and grants, and the
//! remains of deletions. Transactions have few actions on every engine, so that the same deletions
//! take several. The clock is stopped.

use larder_domain::{
    AccessAction, Attributes, CollectionMemberRelationship, DeletionId, Grant, GrantedActions,
    ParentChildRelationship, PropertyName, Resource, SchemaVersion, UniqueKey, UniqueKeys,
    UniqueValue, Urn, UserId,
};
use larder_storage::{
    AccountScope, AddMember, AttachResource, Clock as _, CreateResource, DeleteResource, Grants,
    PutGrant, ReplaceResource, Resources, Upkeep, Write,
};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{ANN, HOME, KEN, MIA, Scenario};

const HOUSE: u16 = 1;
const CELLAR: u16 = 2;
const TENT: u16 = 3;
const GEAR: u16 = 4;
const LAMP: u16 = 5;
/// Three of them in each of two boxes.
const BOXES: [u16; 2] = [0x10, 0x20];

const EVERYTHING: &str = r#"{
    "name": "Cellar", "名前": "地下室", "shelves": 4, "degrees": -1.50, "damp": false, "owner": null,
    "doors": ["north", 2, [true]], "size": {"width": 3.5, "PK": "inside, any name may be"}
}"#;

fn urn(number: u16) -> Urn {
    let resource_type = match number {
        HOUSE => "Home",
        GEAR => "Home.Collection",
        TENT | LAMP => "Home.Thing",
        _ => "Home.Room",
    };
    let text = format!("urn:pp:{resource_type}::0195ff0e-e2e7-7408-8379-52f6cf93{number:04x}");
    text.parse().unwrap()
}

fn scope(actor: UserId) -> AccountScope {
    AccountScope::assume_authorized(Urn::of_household(HOME), actor)
}

fn key(property: &str, value: &str, case_insensitive: bool) -> UniqueKey {
    UniqueKey {
        property: PropertyName::parse(property).unwrap(),
        value: UniqueValue::parse(value).unwrap(),
        case_insensitive,
    }
}

/// A resource that is created by this write, without attributes.
fn plain(number: u16, write: Write<'_>) -> Resource {
    Resource {
        urn: urn(number),
        account: Urn::of_household(HOME),
        parent: None,
        schema_version: SchemaVersion::FIRST,
        version: 1,
        unique_keys: UniqueKeys::default(),
        attributes: Attributes::default(),
        created_at: write.at,
        updated_at: write.at,
    }
}

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// A house, a room in it with every field, resources outside, a collection, two grants.
    pub(super) async fn make_resources(&self) {
        let write = self.now();
        self.make(&plain(HOUSE, write), write).await;
        let claim = self.claim("make the cellar");
        let write = Write { claim: Some(&claim), ..self.now() };
        let keys = vec![key("serial", "C-1", false), key("label", "Der Keller", true)];
        let cellar = Resource {
            parent: Some(urn(HOUSE)),
            schema_version: SchemaVersion::new(2).unwrap(),
            unique_keys: UniqueKeys::new(keys).unwrap(),
            attributes: Attributes::from_json(EVERYTHING).unwrap(),
            ..plain(CELLAR, write)
        };
        self.make(&cellar, write).await;
        for number in [TENT, GEAR, LAMP] {
            let write = self.now();
            self.make(&plain(number, write), write).await;
        }
        self.collect(TENT, true, AddMember::Added).await;
        self.collect(LAMP, false, AddMember::Added).await;
        self.permit(KEN, urn(GEAR), &["write", "read"]).await;
        self.permit(ANN, Urn::of_household(HOME), &["*"]).await;
    }

    /// Values, parents and grants change, one deletion is finished and one has just begun, and a
    /// job has a bookmark.
    pub(super) async fn change_resources(&self) {
        let write = self.now();
        let keys = vec![key("serial", "C-1", false), key("serial", "C-2", false)];
        let cellar = Resource {
            unique_keys: UniqueKeys::new(keys).unwrap(),
            attributes: Attributes::from_json(r#"{"name": "Old cellar", "shelves": 5}"#).unwrap(),
            ..plain(CELLAR, write)
        };
        let replaced = self.store.replace_resource(&scope(MIA), &cellar, Some(1), write).await;
        assert!(matches!(replaced.unwrap(), ReplaceResource::Replaced(_)), "the version is right");
        self.attach(CELLAR, TENT).await;
        self.attach(HOUSE, LAMP).await;
        let freed = self.store.detach_resource(&scope(MIA), &urn(LAMP), self.now()).await;
        assert_eq!(freed.unwrap().map(|lamp| lamp.version), Some(3));
        self.collect(TENT, false, AddMember::AlreadyMember).await;
        self.permit(KEN, urn(GEAR), &["read"]).await;
        for root in BOXES {
            self.fill(root).await;
        }
        let begun =
            [self.begin_to_delete(1, BOXES[0]).await, self.begin_to_delete(2, BOXES[1]).await];
        let [mut deletion, _] = begun;
        while deletion.finished_at.is_none() {
            deletion = self.store.continue_deletion(&deletion, self.clock.now()).await.unwrap();
        }
        assert_eq!(deletion.removed, 4);
        self.store.keep_bookmark("resources", Some("Resource#urn:pp:Home::x")).await.unwrap();
    }

    fn now(&self) -> Write<'static> {
        Write::at(self.clock.now())
    }

    async fn make(&self, resource: &Resource, write: Write<'_>) {
        let made = self.store.create_resource(&scope(MIA), resource, write).await.unwrap();
        assert_eq!(made, CreateResource::Created);
    }

    async fn attach(&self, parent: u16, child: u16) {
        let link = ParentChildRelationship::new(urn(parent), urn(child)).unwrap();
        let answer = self.store.attach_resource(&scope(KEN), &link, self.now()).await.unwrap();
        assert!(matches!(answer, AttachResource::Attached(_)), "{answer:?}");
    }

    async fn collect(&self, member: u16, conveys: bool, expected: AddMember) {
        let link = CollectionMemberRelationship::new(urn(GEAR), urn(member), conveys).unwrap();
        let answer = self.store.add_to_collection(&scope(MIA), &link, self.now()).await.unwrap();
        assert_eq!(answer, expected);
    }

    async fn permit(&self, who: UserId, on: Urn, actions: &[&str]) {
        let write = self.now();
        let actions = actions.iter().map(|text| AccessAction::parse(text).unwrap());
        let grant = Grant {
            principal: Urn::of_user(who),
            on,
            account: Urn::of_household(HOME),
            actions: GrantedActions::new(actions).unwrap(),
            created_at: write.at,
            updated_at: write.at,
        };
        let saved = self.store.put_grant(&scope(MIA), &grant, write).await.unwrap();
        assert!(matches!(saved, PutGrant::Saved(_)), "{saved:?}");
    }

    /// A box with three things, each with a value of its own.
    async fn fill(&self, root: u16) {
        for number in root..root + 4 {
            let write = self.now();
            let value = format!("B-{number:x}");
            let thing = Resource {
                parent: (number != root).then(|| urn(root)),
                unique_keys: UniqueKeys::new(vec![key("serial", &value, false)]).unwrap(),
                ..plain(number, write)
            };
            self.make(&thing, write).await;
        }
    }

    async fn begin_to_delete(&self, id: u128, root: u16) -> larder_domain::Deletion {
        let id = DeletionId::fixed(0x8888_8888_8888_4888_8888_8888_8888_0000 + id);
        let begun = self.store.delete_resource(&scope(MIA), &urn(root), id, self.now()).await;
        match begun.unwrap() {
            DeleteResource::Begun(deletion) => deletion,
            other => panic!("it takes more than one transaction: {other:?}"),
        }
    }
}
