//! Taking back the last change of an item.

use crate::{Delta, Item, ItemDetails, Versions};

/// What takes a change back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undo {
    /// The quantity alone was changed: as much the other way. What others take meanwhile still counts.
    Adjust(Delta),
    /// What was said about the item before.
    Restore(Box<ItemDetails>),
}

impl Undo {
    /// What takes this change back. `None` if there is nothing to take back: the item was added, which deleting
    /// undoes, or it is gone, or nothing about it differs.
    pub fn of(change: &Versions<Item>) -> Option<Self> {
        let (Some(old), Some(new)) = (&change.old, &change.new) else { return None };
        let (old, new) = (&old.details, &new.details);
        if old == new {
            return None;
        }
        let same_but_for_quantity = ItemDetails { quantity: old.quantity, ..new.clone() };
        if same_but_for_quantity == *old {
            let back = old.quantity.hundredths() - new.quantity.hundredths();
            return Delta::from_hundredths(back).ok().map(Self::Adjust);
        }
        Some(Self::Restore(Box::new(old.clone())))
    }
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

    fn undo(old: Option<ItemDetails>, new: Option<ItemDetails>) -> Option<Undo> {
        Undo::of(&Versions { old: old.map(item), new: new.map(item) })
    }

    #[test]
    fn what_was_taken_is_put_back_and_what_was_added_is_taken() {
        let milk = |quantity| Some(details("Milk", quantity, "L"));
        let adjust = |delta| Some(Undo::Adjust(Delta::parse(delta).unwrap()));
        assert_eq!(undo(milk("3"), milk("1.5")), adjust("1.5"));
        assert_eq!(undo(milk("0"), milk("2")), adjust("-2"));
    }

    #[test]
    fn an_edit_goes_back_to_all_that_was_said_before() {
        let old = details("Milk", "3", "L");
        let new = ItemDetails { notes: Notes::parse("open").ok(), ..details("Milk", "2", "L") };
        assert_eq!(undo(Some(old.clone()), Some(new)), Some(Undo::Restore(Box::new(old))));
    }

    #[test]
    fn adding_deleting_and_saving_the_same_again_are_not_undone() {
        let milk = || Some(details("Milk", "3", "L"));
        assert_eq!(undo(None, milk()), None);
        assert_eq!(undo(milk(), None), None);
        assert_eq!(undo(milk(), milk()), None);
    }
}
