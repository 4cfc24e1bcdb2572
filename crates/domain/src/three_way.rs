//! Three-way merge of an edit with a concurrent one. Decided field by field: fields that the person
//! did not touch are never reverted, and only fields that both changed conflict.

/// The effect of an edit on one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldEdit {
    /// Not touched, or changed equally by the other edit: unchanged.
    Untouched,
    /// Only the person changed it.
    Changed,
    /// Both changed it, to different values.
    Contested,
}

/// The rule: the value before the edit (`None`: unknown), the edited value, and the current one.
fn compare<T: PartialEq>(base: Option<&T>, mine: &T, theirs: &T) -> FieldEdit {
    if base == Some(mine) || mine == theirs {
        FieldEdit::Untouched
    } else if base == Some(theirs) {
        FieldEdit::Changed
    } else {
        FieldEdit::Contested
    }
}

/// An edit relative to the current entity, as patches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit<P> {
    /// Every field that the person changed and that is not so already.
    pub changes: P,
    /// Those of them that the other edit changed too.
    pub contested: P,
}

/// One of the two patches of an [`Edit`]; selects its fields.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Changes,
    Contested,
}

impl Part {
    /// The edited value, if it belongs into this patch.
    pub(crate) fn take<T: PartialEq + Clone>(
        self,
        base: Option<&T>,
        mine: &T,
        theirs: &T,
    ) -> Option<T> {
        let edit = compare(base, mine, theirs);
        let belongs = match self {
            Self::Changes => edit != FieldEdit::Untouched,
            Self::Contested => edit == FieldEdit::Contested,
        };
        belongs.then(|| mine.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_person_left_alone_stays_as_it_is_now() {
        assert_eq!(compare(Some(&1), &1, &1), FieldEdit::Untouched);
        assert_eq!(compare(Some(&1), &1, &2), FieldEdit::Untouched);
    }

    #[test]
    fn what_only_the_person_changed_is_changed() {
        assert_eq!(compare(Some(&1), &2, &1), FieldEdit::Changed);
    }

    #[test]
    fn what_both_changed_is_a_question_unless_they_agree() {
        assert_eq!(compare(Some(&1), &2, &3), FieldEdit::Contested);
        assert_eq!(compare(Some(&1), &2, &2), FieldEdit::Untouched);
    }

    #[test]
    fn where_nobody_knows_what_it_was_every_difference_is_a_question() {
        assert_eq!(compare(None, &2, &1), FieldEdit::Contested);
        assert_eq!(compare(None, &2, &2), FieldEdit::Untouched);
    }

    #[test]
    fn a_contested_field_is_in_both_patches() {
        assert_eq!(Part::Changes.take(Some(&1), &2, &3), Some(2));
        assert_eq!(Part::Contested.take(Some(&1), &2, &3), Some(2));
        assert_eq!(Part::Changes.take(Some(&1), &2, &1), Some(2));
        assert_eq!(Part::Contested.take(Some(&1), &2, &1), None);
        assert_eq!(Part::Changes.take(Some(&1), &1, &3), None);
    }
}
