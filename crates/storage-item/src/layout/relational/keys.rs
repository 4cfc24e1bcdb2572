//! The keys of seed 004.

use larder_domain::Urn;

use crate::Key;

/// The prefix of keys of resources.
pub(crate) const RESOURCE_PREFIX: &str = "Resource#";
/// The prefix of partitions of children.
pub(crate) const PARENT_PREFIX: &str = "Parent#";
/// The prefix of sort keys of children.
pub(crate) const CHILD_PREFIX: &str = "Child#";
/// The prefix of partitions of members.
pub(crate) const COLLECTION_PREFIX: &str = "Collection#";
/// The prefix of sort keys of members.
pub(crate) const MEMBER_PREFIX: &str = "Member#";
/// The prefix of partitions of grants.
pub(crate) const PRINCIPAL_PREFIX: &str = "Principal#";

pub(crate) fn resource(urn: &Urn) -> Key {
    let name = format!("{RESOURCE_PREFIX}{urn}");
    Key::new(name.clone(), name)
}

/// The partition of the children of a resource.
pub(crate) fn parent_pk(parent: &Urn) -> String {
    format!("{PARENT_PREFIX}{parent}")
}

/// The sort key of a child; in the inverted index, the partition with its parent.
pub(crate) fn child_sk(child: &Urn) -> String {
    format!("{CHILD_PREFIX}{child}")
}

pub(crate) fn parent_child(parent: &Urn, child: &Urn) -> Key {
    Key::new(parent_pk(parent), child_sk(child))
}

/// The partition of the members of a collection.
pub(crate) fn collection_pk(collection: &Urn) -> String {
    format!("{COLLECTION_PREFIX}{collection}")
}

/// The sort key of a member; in the inverted index, the partition of its collections.
pub(crate) fn member_sk(member: &Urn) -> String {
    format!("{MEMBER_PREFIX}{member}")
}

pub(crate) fn collection_member(collection: &Urn, member: &Urn) -> Key {
    Key::new(collection_pk(collection), member_sk(member))
}

/// The partition of the grants of a principal.
pub(crate) fn principal_pk(principal: &Urn) -> String {
    format!("{PRINCIPAL_PREFIX}{principal}")
}

pub(crate) fn grant(principal: &Urn, on: &Urn) -> Key {
    Key::new(principal_pk(principal), resource(on).sk)
}

#[cfg(test)]
mod tests {
    use super::*;

    const URN: &str =
        "urn:pp:System.Account.JobCollection.Job::01955556-3cd2-7df2-b839-693fa6fbd505";
    const OTHER: &str = "urn:pp:System::c04b27bf-7604-48a5-9e67-298c67cd70ab";

    #[test]
    fn keys_are_those_of_the_specification() {
        let (urn, other): (Urn, Urn) = (URN.parse().unwrap(), OTHER.parse().unwrap());
        let resource_key = format!("Resource#{URN}");
        assert_eq!(resource(&urn), Key::new(resource_key.clone(), resource_key));
        let expected = Key::new(format!("Parent#{OTHER}"), format!("Child#{URN}"));
        assert_eq!(parent_child(&other, &urn), expected);
        let expected = Key::new(format!("Collection#{OTHER}"), format!("Member#{URN}"));
        assert_eq!(collection_member(&other, &urn), expected);
    }
}
