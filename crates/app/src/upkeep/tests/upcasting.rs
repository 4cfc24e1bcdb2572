use std::fmt::Display;

use larder_domain::{
    AttributeValue, Attributes, Resource, ResourceType, SchemaRegistry, SchemaStep, SchemaVersion,
    UniqueKeys, Urn, UrnDomain, UuidV7Sequence,
};
use larder_storage::{AccountScope, CreateResource, Write};
use tokio::sync::watch;

use super::world::World;
use crate::{Upcast, UpcastProgress, authorize};

const BOXES: usize = 250;

/// Stops the run at the first progress report, if requested.
struct ProgressLog {
    stop: Option<watch::Sender<bool>>,
    failed: Vec<String>,
}

impl UpcastProgress for ProgressLog {
    fn tell(&mut self, _: &Upcast) {
        if let Some(stop) = &self.stop {
            stop.send_replace(true);
        }
    }

    fn failed(&mut self, urn: &Urn, reason: &dyn Display) {
        self.failed.push(format!("{urn}: {reason}"));
    }
}

fn kind() -> ResourceType {
    ResourceType::parse("Box").unwrap()
}

/// Boxes have so many versions; each adds a number.
fn shapes(versions: u32) -> SchemaRegistry {
    (2..=versions).fold(SchemaRegistry::new(), |registry, version| {
        let value = AttributeValue::Number(i64::from(version).into());
        let step = SchemaStep::Default { name: format!("in{version}"), value };
        registry.with_steps(kind(), vec![step])
    })
}

impl World {
    fn account(&self) -> AccountScope {
        authorize::account(&self.anna).unwrap()
    }

    async fn add_boxes(&self) {
        let mut ids = UuidV7Sequence::default();
        let (scope, now) = (self.account(), self.now());
        for number in 0..BOXES {
            let id = ids.next(now, [u8::try_from(number).unwrap(); 10]);
            let resource = Resource {
                urn: Urn::new(UrnDomain::larder(), kind(), id),
                account: scope.account().clone(),
                parent: None,
                schema_version: SchemaVersion::FIRST,
                version: 1,
                unique_keys: UniqueKeys::default(),
                attributes: Attributes::from_json("{}").unwrap(),
                created_at: now,
                updated_at: now,
            };
            let made = self.store.create_resource(&scope, &resource, Write::at(now)).await;
            assert_eq!(made.unwrap(), CreateResource::Created);
        }
    }

    async fn upcast(&self, versions: u32, is_interrupted: bool) -> Upcast {
        let stop = watch::Sender::new(false);
        let stopping = stop.subscribe();
        let mut told =
            ProgressLog { stop: is_interrupted.then_some(stop.clone()), failed: Vec::new() };
        let shapes = shapes(versions);
        let done = self.caretaker.upcast_resources(&shapes, &stopping, &mut told).await;
        assert_eq!(told.failed, [""; 0]);
        done.unwrap().expect("nobody else does")
    }

    async fn versions(&self) -> Vec<u32> {
        let (scope, mut versions, mut after) = (self.account(), Vec::new(), None);
        loop {
            let page = self.store.list_resources(&scope, None, after.as_ref(), 100).await.unwrap();
            versions.extend(page.items.iter().map(|resource| resource.schema_version.number()));
            after = page.next;
            if after.is_none() {
                return versions;
            }
        }
    }
}

#[tokio::test]
async fn a_run_goes_on_where_the_one_before_was_interrupted() {
    let world = World::new().await;
    world.add_boxes().await;
    let first = world.upcast(2, true).await;
    let expected = Upcast { seen: 100, rewritten: 100, failed: 0, is_resumed: false };
    assert_eq!(first, expected);
    let second = world.upcast(2, false).await;
    assert_eq!(second, Upcast { seen: 150, rewritten: 150, failed: 0, is_resumed: true });
    assert_eq!(world.versions().await, [2; BOXES]);
    let third = world.upcast(2, false).await;
    assert_eq!(third, Upcast { seen: 250, rewritten: 0, failed: 0, is_resumed: false });
}

#[tokio::test]
async fn with_yet_newer_shapes_a_run_begins_anew() {
    let world = World::new().await;
    world.add_boxes().await;
    world.upcast(2, true).await;
    let newer = world.upcast(3, false).await;
    assert_eq!(newer, Upcast { seen: 250, rewritten: 250, failed: 0, is_resumed: false });
    assert_eq!(world.versions().await, [3; BOXES]);
}
