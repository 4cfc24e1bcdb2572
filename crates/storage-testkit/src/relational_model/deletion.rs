//! Deleting, at once or bit by bit.

use std::collections::BTreeSet;

use larder_domain::{Doomed, Urn};

use super::RelationalModel;

impl RelationalModel {
    /// As [`larder_storage::Resources::preview_deletion`].
    pub fn preview(&self, account: &Urn, root: &Urn) -> Option<Vec<Doomed>> {
        let root = self.find(account, root)?;
        let mut doomed = Vec::new();
        let mut waiting = vec![root];
        while let Some(resource) = waiting.pop() {
            doomed.push(Doomed {
                urn: resource.urn.clone(),
                parent: resource.parent.clone(),
                unique_keys: resource.unique_keys.clone(),
                links: self.links(&resource.urn),
            });
            let children: Vec<_> = self.below(&resource.urn).collect();
            waiting.extend(children.into_iter().rev());
        }
        Some(doomed)
    }

    /// How many children a resource has.
    pub fn child_count(&self, urn: &Urn) -> u64 {
        count(self.below(urn))
    }

    /// How many memberships, on either side, and grants name a resource.
    pub fn links(&self, urn: &Urn) -> u64 {
        let members = self.members.keys().filter(|(of, member)| of == urn || member == urn);
        count(members) + count(self.grants.keys().filter(|place| place.on == *urn))
    }

    /// Deletes a resource with its subtree and everything that refers to it; returns the number of
    /// resources, or `None` if the account has no such resource.
    pub fn delete(&mut self, account: &Urn, root: &Urn) -> Option<u64> {
        let doomed: BTreeSet<_> =
            self.preview(account, root)?.into_iter().map(|doomed| doomed.urn).collect();
        self.lose(&doomed);
        Some(count(doomed.iter()))
    }

    /// Deletes only these, as an interrupted deletion does.
    pub fn lose(&mut self, gone: &BTreeSet<Urn>) {
        self.resources.retain(|urn, _| !gone.contains(urn));
        self.members.retain(|(of, member), _| !gone.contains(of) && !gone.contains(member));
        self.grants.retain(|place, _| !gone.contains(&place.on));
    }

    /// The collections and members of all memberships, with whether they convey.
    pub fn memberships(&self) -> impl Iterator<Item = (&Urn, &Urn, bool)> {
        self.members.iter().map(|((collection, member), kept)| (collection, member, kept.conveys))
    }
}

fn count(items: impl Iterator) -> u64 {
    u64::try_from(items.count()).expect("a count fits")
}
