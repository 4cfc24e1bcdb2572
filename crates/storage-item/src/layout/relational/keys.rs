//! The keys of seed 004.

use larder_domain::Urn;

use crate::Key;

/// What the keys of resources begin with.
pub(crate) const RESOURCE_PREFIX: &str = "Resource#";
/// What the partitions of children begin with.
pub(crate) const PARENT_PREFIX: &str = "Parent#";
/// What the sort keys of children begin with.
pub(crate) const CHILD_PREFIX: &str = "Child#";
/// What the partitions of members begin with.
pub(crate) const COLLECTION_PREFIX: &str = "Collection#";
/// What the sort keys of members begin with.
pub(crate) const MEMBER_PREFIX: &str = "Member#";
/// What the partitions of grants begin with.
pub(crate) const PRINCIPAL_PREFIX: &str = "Principal#";

pub(crate) fn resource(urn: &Urn) -> Key {
    let name = format!("{RESOURCE_PREFIX}{urn}");
    Key::new(name.clone(), name)
}

/// The partition of the children of a resource.
pub(crate) fn parent_pk(parent: &Urn) -> String {
    format!("{PARENT_PREFIX}{parent}")
}

/// Under what the parent of a child is found.
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

/// Under what the collections of a member are found.
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
