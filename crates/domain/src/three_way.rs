//! What becomes of an edit when somebody else changed the same thing meanwhile. Decided field by field: what the person
//! left alone is never put back, and only what both changed is a question.

/// What an edit does to one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldEdit {
    /// The person left it alone, or somebody else has written the same: it stays as it is now.
    Untouched,
    /// Only the person changed it.
    Changed,
    /// Both changed it, to different values.
    Contested,
}

/// The rule: what it was when the person began (`None`: unknown), what they made of it, and what it is now.
fn compare<T: PartialEq>(base: Option<&T>, mine: &T, theirs: &T) -> FieldEdit {
    if base == Some(mine) || mine == theirs {
        FieldEdit::Untouched
    } else if base == Some(theirs) {
        FieldEdit::Changed
    } else {
        FieldEdit::Contested
    }
}

/// An edit in terms of what there is now, as patches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit<P> {
    /// Every field that the person changed and that is not so already.
    pub changes: P,
    /// Those of them that somebody else changed too.
    pub contested: P,
}

/// One of the two patches of an [`Edit`]; says which fields go into it.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Changes,
    Contested,
}

impl Part {
    /// What the person wrote, if it goes into this patch.
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
