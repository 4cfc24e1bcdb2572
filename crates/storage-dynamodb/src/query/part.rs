//! The requested part of a partition, as a range of sort keys.
//!
//! A prefix is a range, too: `begins_with` is not used, because DynamoDB Local treats the prefix as
//! a case-insensitive pattern with wildcards.

use std::cmp::Ordering;

use larder_storage_item::SortKeys;

/// Sort keys from one text to another, both included; `None` is unbounded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) from: Option<&'a str>,
    pub(super) to: Option<String>,
    /// `to` is the first text after the part, not the last in it.
    excludes_to: bool,
}

impl<'a> Part<'a> {
    /// The whole partition.
    pub(super) const ALL: Self = Self { from: None, to: None, excludes_to: false };

    /// The range; `None` if it is empty, which DynamoDB would reject.
    pub(super) fn of(sort: &'a SortKeys) -> Option<Self> {
        let some = |text: &'a str| (!text.is_empty()).then_some(text);
        match sort {
            SortKeys::Any => Some(Self::ALL),
            SortKeys::BeginsWith(prefix) => {
                Some(Self { from: some(prefix), to: successor(prefix), excludes_to: true })
            }
            SortKeys::Between(from, to) if from > to || to.is_empty() => None,
            SortKeys::Between(from, to) => {
                Some(Self { from: some(from), to: Some(to.clone()), excludes_to: false })
            }
        }
    }

    /// Whether a sort key within the bounds is requested.
    pub(super) fn includes(&self, sort: &str) -> bool {
        !(self.excludes_to && self.to.as_deref() == Some(sort))
    }

    /// The position of a sort key: before the part, in it, or after it.
    pub(super) fn compare(&self, sort: &str) -> Ordering {
        if self.from.is_some_and(|from| sort < from) {
            return Ordering::Less;
        }
        let is_behind = |to: &String| sort > to.as_str() || (self.excludes_to && sort == to);
        if self.to.as_ref().is_some_and(is_behind) { Ordering::Greater } else { Ordering::Equal }
    }

    /// Whether a sort key is the bound at which a read in this direction ends.
    pub(super) fn ends_at(&self, sort: &str, forward: bool) -> bool {
        let end = if forward { self.to.as_deref() } else { self.from };
        end == Some(sort)
    }
}

/// The first text above all with this prefix, if there is one. Texts sort by characters, and
/// equally by bytes.
fn successor(prefix: &str) -> Option<String> {
    let mut rest = prefix.to_owned();
    while let Some(last) = rest.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            rest.push(next);
            return Some(rest);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_begins_with_a_prefix_lies_before_its_successor() {
        for (prefix, expected) in [
            ("ITEM#", Some("ITEM$")),
            ("p\u{10ffff}", Some("q")),
            ("\u{d7ff}", Some("\u{e000}")),
            ("\u{10ffff}\u{10ffff}", None),
            ("", None),
        ] {
            assert_eq!(successor(prefix).as_deref(), expected, "{prefix:?}");
        }
    }

    #[test]
    fn a_prefix_is_a_range_without_its_end() {
        let sort = SortKeys::BeginsWith("a".to_owned());
        let part = Part::of(&sort).unwrap();
        assert_eq!((part.from, part.to.as_deref()), (Some("a"), Some("b")));
        assert!(part.includes("a\u{10ffff}") && !part.includes("b"));
        let order = ["A", "a", "az", "b", "c"].map(|sort| part.compare(sort));
        assert_eq!(order.map(|order| order as i8), [-1, 0, 0, 1, 1]);
    }

    #[test]
    fn a_range_includes_both_ends() {
        let sort = SortKeys::Between("a".to_owned(), "b".to_owned());
        let part = Part::of(&sort).unwrap();
        assert!(part.includes("b"));
        assert_eq!(part.compare("b"), Ordering::Equal);
        assert!(part.ends_at("b", true) && part.ends_at("a", false) && !part.ends_at("a", true));
    }

    #[test]
    fn what_cannot_hold_anything_is_none() {
        for (from, to) in [("z", "a"), ("", "")] {
            assert_eq!(Part::of(&SortKeys::Between(from.to_owned(), to.to_owned())), None);
        }
        let open = SortKeys::Between(String::new(), "b".to_owned());
        assert_eq!(Part::of(&open).unwrap().from, None);
    }
}
