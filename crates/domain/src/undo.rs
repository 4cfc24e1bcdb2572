//! Taking back the last change of an item.

use crate::{Item, ItemDetails, Versions};

/// The details that undo this change. `None` if there is nothing to undo: the item was added, which
/// deleting undoes, or it was deleted, or its details are unchanged.
pub fn details_before(change: &Versions<Item>) -> Option<&ItemDetails> {
    let (Some(old), Some(new)) = (&change.old, &change.new) else { return None };
    (old.details != new.details).then_some(&old.details)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::{ItemId, Notes, Owner, UserId, item::tests::details};

    fn item(details: ItemDetails) -> Item {
        let user = UserId::fixed(1);
        Item::new(ItemId::fixed(2), Owner::User(user), details, user, Timestamp::UNIX_EPOCH)
    }

    fn before(old: Option<ItemDetails>, new: Option<ItemDetails>) -> Option<ItemDetails> {
        details_before(&Versions { old: old.map(item), new: new.map(item) }).cloned()
    }

    #[test]
    fn what_was_taken_added_or_edited_goes_back_to_all_that_was_said_before() {
        let old = details("Milk", "3", "L");
        let edited = ItemDetails { notes: Notes::parse("open").ok(), ..details("Milk", "2", "L") };
        for new in [details("Milk", "1.5", "L"), details("Milk", "4", "L"), edited] {
            assert_eq!(before(Some(old.clone()), Some(new)), Some(old.clone()));
        }
    }

    #[test]
    fn adding_deleting_and_saving_the_same_again_are_not_undone() {
        let milk = || Some(details("Milk", "3", "L"));
        assert_eq!(before(None, milk()), None);
        assert_eq!(before(milk(), None), None);
        assert_eq!(before(milk(), milk()), None);
    }
}
