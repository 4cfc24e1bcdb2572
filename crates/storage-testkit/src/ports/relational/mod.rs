//! The relational store: resources, relationships and grants, criteria P48 to P62 and P77.

pub mod attaching;
pub mod authorizing;
pub mod creating;
pub mod cycles;
pub mod deleting;
pub mod granting;
pub mod isolation;
pub mod listing;
pub mod membership;
pub mod photos;
pub mod previewing;
pub mod races;
pub mod replacing;
pub mod resuming;
pub mod unique_values;
pub mod upcasting;

use larder_domain::{Attributes, Resource};

/// How large the pages are that every list is read in: smaller than it, of its size, and larger.
const PAGE_SIZES: [usize; 5] = [1, 2, 3, 7, 100];

fn attributes(json: &str) -> Attributes {
    Attributes::from_json(json).unwrap()
}

/// Whether each is greater than the one before.
fn is_in_order(resources: &[Resource]) -> bool {
    resources.is_sorted_by(|a, b| a.urn < b.urn)
}
