//! The example prints what the README promises.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

#[path = "../examples/things.rs"]
#[allow(dead_code, reason = "the test has a clock and a directory of its own")]
mod things;

use std::sync::atomic::{AtomicU8, Ordering};

use common::Bed;
use larder_storage_item::ItemStore;

/// Other bytes each time.
fn counted() -> [u8; 10] {
    static NEXT: AtomicU8 = AtomicU8::new(0);
    [NEXT.fetch_add(1, Ordering::Relaxed); 10]
}

#[tokio::test]
async fn the_example_tells_what_the_store_does() {
    let bed = Bed::new();
    let store = ItemStore::new(bed.engine.clone(), bed.clock.clone());
    let mut told = Vec::new();
    things::tell(store, bed.clock.clone(), counted, &mut told).await.unwrap();
    let expected = "\
The House has a Cellar and an Attic.
In the Cellar is the Metal shelf, and on it the Green box.
The Tent has the serial number TENT-0042.
Nothing else can have the serial number tent-0042: the Tent has it.
The Camping gear is: Tent, Stove.
The Metal shelf is now in the Attic.
From the Green box outwards: Metal shelf, Attic, House.
The House cannot be put onto the Metal shelf, which is in it.
The guest may read the Green box, because of its parent, the Metal shelf.
The guest may not write the Green box.
Without the Attic there would be no Attic, Metal shelf, Green box, Tent.
4 things are gone.
There still are: Camping gear, Cellar, House, Stove.
";
    assert_eq!(String::from_utf8(told).unwrap(), expected);
}
