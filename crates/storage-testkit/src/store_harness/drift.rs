//! Artificial drift, for the tests that repair it.

use async_trait::async_trait;
use larder_domain::{HouseholdId, ItemId, NfcUrl, ShoppingItemId};
use larder_storage::Drift;
use larder_storage_item::{Action, Change, Key, Number, Table, Value};

use super::StoreHarness;

/// The targets of drift in one household.
#[derive(Debug)]
pub struct DriftTarget {
    /// The household, which loses its enrolment for daily jobs.
    pub household: HouseholdId,
    /// A tag that gets a wrong item name. The count of its item's pending entries becomes wrong,
    /// too.
    pub tag: NfcUrl,
    /// A shopping list entry that gets a reference to `missing_item`.
    pub entry: ShoppingItemId,
    /// An item id that no item has.
    pub missing_item: ItemId,
}

/// Writes past the ports of a store, as a bug or an older version would, and reads past them.
#[async_trait]
pub trait PastPorts: Send + Sync {
    /// Creates every kind of drift that the store permits, and returns what it created. A kind that
    /// the database refuses must be attempted, and the refusal asserted.
    async fn make_drift(&self, target: &DriftTarget) -> Drift;

    /// Everything in the database that contains one of these texts.
    async fn traces_of(&self, texts: &[String]) -> Vec<String>;
}

impl StoreHarness {
    /// For a store without records, with its own way past the ports.
    #[must_use]
    pub fn with_past_ports(mut self, past_ports: impl PastPorts + 'static) -> Self {
        self.past_ports = Some(Box::new(past_ports));
        self
    }

    /// What the database itself finds of some texts.
    pub(super) async fn traces_past_ports(&self, texts: &[String]) -> Vec<String> {
        let past_ports = self.past_ports.as_ref();
        past_ports
            .expect("a store without records needs a way past its ports")
            .traces_of(texts)
            .await
    }

    /// Creates the drift that the store permits. Every binding must have a way.
    pub(crate) async fn make_drift(&self, target: &DriftTarget) -> Drift {
        if let Some(past_ports) = &self.past_ports {
            return past_ports.make_drift(target).await;
        }
        let is_spoiled = self.spoil(drifted_records(target)).await;
        assert!(is_spoiled, "a store without records needs StoreHarness::with_past_ports");
        Drift { tag_names: 1, dangling_links: 1, link_counts: 1, unenrolled: 1 }
    }
}

fn drifted_records(target: &DriftTarget) -> Vec<Action> {
    let DriftTarget { household, tag, entry, missing_item } = target;
    let pk = format!("FAMILY#{household}");
    let update = |sk: String, changes| Action::Update {
        table: Table::InventoryManagement,
        key: Key::new(&pk, &sk),
        when: vec![],
        changes,
    };
    let set = |name: &'static str, value: Value| vec![Change::Set(name.into(), value)];
    let enrolment = ["GSI2PK", "GSI2SK", "nextDailyAt"].map(|name| Change::Remove(name.into()));
    vec![
        update(
            format!("ITEM#{}#URL#{}", tag.item, tag.id.reveal()),
            set("itemName", "Cream".into()),
        ),
        update(format!("SHOPPING#{entry}"), set("itemId", Value::S(missing_item.to_string()))),
        update(format!("SHOPPINGLINK#{}", tag.item), set("pending", Number::from(7_i64).into())),
        update(pk.clone(), enrolment.to_vec()),
    ]
}
