//! `NFCUrl` records. Their keys contain a secret: the URL of a tag permits taps.

use jiff::Timestamp;
use larder_domain::{NfcUrl, TagLabel, TagPatch, TagRotation, TagStep};
use larder_storage::Result;

use crate::{
    Change, Condition, Key, Record,
    layout::{
        entity::Layout,
        fields::{Fields, count_number, hundredths_number, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "NFCUrl";
const IS_ACTIVE: &str = "isActive";
const LABEL: &str = "label";
const STEP: &str = "step";

pub(crate) const LAYOUT: Layout =
    Layout { renamed: &[("householdId", "familyId")], writes_null: false };

pub(crate) fn to_record(tag: &NfcUrl) -> Record {
    let Key { pk, sk } = keys::tag(tag.household, tag.item, tag.id);
    let record = Record::new()
        .with("PK", pk)
        .with("SK", sk)
        .with("GSI1PK", keys::url_pk(tag.id))
        .with("GSI1SK", keys::item_sk(tag.item))
        .with("GSI2PK", keys::urls_pk(tag.household))
        .with("GSI2SK", keys::tag_created_sk(tag.created_at, tag.id))
        .with("entityType", ENTITY)
        .with(IS_ACTIVE, tag.is_active());
    LAYOUT.write(tag, record)
}

pub(crate) fn from_record(record: &Record) -> Result<NfcUrl> {
    let tag: NfcUrl = LAYOUT.read(record)?;
    if Fields(record).flag(IS_ACTIVE) == tag.is_active() {
        Ok(tag)
    } else {
        Err(record.misfit(format!("{IS_ACTIVE} contradicts rotatedAt")))
    }
}

/// That the tag still works.
pub(crate) fn is_active() -> Condition {
    Condition::Equals(IS_ACTIVE.into(), true.into())
}

/// That one tap still has this quantity. The usual one is absent.
pub(crate) fn has_step(step: TagStep) -> Condition {
    if step == TagStep::ONE {
        Condition::Absent(STEP.into())
    } else {
        Condition::Equals(STEP.into(), hundredths_number(step.hundredths()).into())
    }
}

fn has_label(label: Option<&TagLabel>) -> Condition {
    label.map_or_else(
        || Condition::Absent(LABEL.into()),
        |label| Condition::Equals(LABEL.into(), label.as_str().into()),
    )
}

/// Conditions that the tag is still active and otherwise as it was read.
pub(crate) fn is_as_seen(seen: &NfcUrl) -> Vec<Condition> {
    vec![
        is_active(),
        has_label(seen.label.as_ref()),
        has_step(seen.step),
        Condition::Equals("itemName".into(), seen.item_name.as_str().into()),
        // Moves with every page view, and `lastAccessedAt` with it.
        Condition::Equals("accessCount".into(), count_number(seen.access_count).into()),
    ]
}

/// The changes that replace the tag.
pub(crate) fn rotated(rotation: TagRotation) -> Vec<Change> {
    vec![
        Change::Set(IS_ACTIVE.into(), false.into()),
        Change::Set("rotatedAt".into(), timestamp_text(rotation.at).into()),
        Change::Set("rotatedBy".into(), rotation.by.to_string().into()),
    ]
}

/// The changes of label and step.
pub(crate) fn changed(patch: &TagPatch) -> Vec<Change> {
    let label = patch.label.as_ref().map(|label| match label {
        Some(label) => Change::Set(LABEL.into(), label.as_str().into()),
        None => Change::Remove(LABEL.into()),
    });
    let step = patch.step.map(|step| match step {
        TagStep::ONE => Change::Remove(STEP.into()),
        other => Change::Set(STEP.into(), hundredths_number(other.hundredths()).into()),
    });
    label.into_iter().chain(step).collect()
}

/// The changes that count page views.
pub(crate) fn accessed(count: u64, last_at: Timestamp) -> Vec<Change> {
    vec![
        Change::Add("accessCount".into(), count_number(count)),
        Change::Set("lastAccessedAt".into(), timestamp_text(last_at).into()),
    ]
}

#[cfg(test)]
mod tests {
    use larder_domain::{ItemName, UrlId};

    use super::*;
    use crate::Number;

    const FAMILY: &str = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    const ITEM: &str = "d5e8f9a0-1234-4567-89ab-cdef01234567";
    const ADMIN: &str = "550e8400-e29b-41d4-a716-446655440000";
    /// The seed's own id and the digit that its 21 characters lack.
    const URL: &str = "02gSZw8ZQPb7D5kN3X8mQ7";

    fn paper_towels() -> NfcUrl {
        NfcUrl {
            id: UrlId::parse(URL).unwrap(),
            item: ITEM.parse().unwrap(),
            household: FAMILY.parse().unwrap(),
            item_name: ItemName::parse("Paper Towels").unwrap(),
            label: None,
            step: TagStep::ONE,
            rotated: None,
            created_by: ADMIN.parse().unwrap(),
            created_at: "2025-12-26T10:00:00Z".parse().unwrap(),
            last_accessed_at: Some("2025-12-26T15:30:00Z".parse().unwrap()),
            access_count: 12,
        }
    }

    /// Seed 000's example record.
    fn example() -> Record {
        Record::new()
            .with("PK", format!("FAMILY#{FAMILY}"))
            .with("SK", format!("ITEM#{ITEM}#URL#{URL}"))
            .with("GSI1PK", format!("URL#{URL}"))
            .with("GSI1SK", format!("ITEM#{ITEM}"))
            .with("GSI2PK", format!("FAMILY#{FAMILY}#URLS"))
            .with("GSI2SK", format!("CREATED#2025-12-26T10:00:00.000Z#URL#{URL}"))
            .with("entityType", "NFCUrl")
            .with("urlId", URL)
            .with("itemId", ITEM)
            .with("familyId", FAMILY)
            .with("itemName", "Paper Towels")
            .with("isActive", true)
            .with("createdAt", "2025-12-26T10:00:00.000Z")
            .with("createdBy", ADMIN)
            .with("lastAccessedAt", "2025-12-26T15:30:00.000Z")
            .with("accessCount", Number::from(12))
    }

    #[test]
    fn an_active_tag_is_seed_000s_example_field_for_field() {
        assert_eq!(to_record(&paper_towels()), example());
        assert_eq!(from_record(&example()).unwrap(), paper_towels());
    }

    #[test]
    fn a_replaced_tag_keeps_everything_and_says_when_and_by_whom() {
        let at: Timestamp = "2025-12-27T09:00:00Z".parse().unwrap();
        let rotation = TagRotation { at, by: ADMIN.parse().unwrap() };
        let expected = example()
            .with("isActive", false)
            .with("rotatedAt", "2025-12-27T09:00:00.000Z")
            .with("rotatedBy", ADMIN);
        let tag = NfcUrl { rotated: Some(rotation), ..paper_towels() };
        assert_eq!(to_record(&tag), expected);
        assert_eq!(from_record(&expected).unwrap(), tag);

        let mut changed = to_record(&paper_towels());
        rotated(rotation).iter().try_for_each(|change| change.apply(&mut changed)).unwrap();
        assert_eq!(changed, expected);
    }

    #[test]
    fn a_tag_of_a_replaced_one_has_never_been_opened() {
        let new = NfcUrl { last_accessed_at: None, access_count: 0, ..paper_towels() };
        let mut expected = example().with("accessCount", Number::from(0));
        expected.remove("lastAccessedAt");
        assert_eq!(to_record(&new), expected);
    }

    #[test]
    fn label_and_step_are_there_only_if_somebody_set_them() {
        let tag = NfcUrl {
            label: Some(TagLabel::parse("Pantry door").unwrap()),
            step: TagStep::parse("0.25").unwrap(),
            ..paper_towels()
        };
        let expected =
            example().with("label", "Pantry door").with("step", Number::new(25, -2).unwrap());
        assert_eq!(to_record(&tag), expected);
        assert_eq!(from_record(&expected).unwrap(), tag);
    }

    #[test]
    fn a_changed_tag_is_like_one_that_was_made_so() {
        let of = |label: Option<&str>, step: &str| NfcUrl {
            label: label.map(|label| TagLabel::parse(label).unwrap()),
            step: TagStep::parse(step).unwrap(),
            ..paper_towels()
        };
        for (before, patch, after) in [
            (of(None, "1"), TagPatch::default(), of(None, "1")),
            (of(Some("Door"), "2"), TagPatch { label: Some(None), step: None }, of(None, "2")),
            (
                of(Some("Door"), "2"),
                TagPatch { label: None, step: Some(TagStep::ONE) },
                of(Some("Door"), "1"),
            ),
            (
                of(None, "1"),
                TagPatch {
                    label: Some(of(Some("棚"), "1").label),
                    step: Some(of(None, "0.25").step),
                },
                of(Some("棚"), "0.25"),
            ),
        ] {
            let mut record = to_record(&before);
            changed(&patch).iter().try_for_each(|change| change.apply(&mut record)).unwrap();
            assert_eq!(record, to_record(&after));
        }
    }

    #[test]
    fn page_views_add_up() {
        let mut record = example();
        let at: Timestamp = "2025-12-26T16:00:00Z".parse().unwrap();
        accessed(3, at).iter().try_for_each(|change| change.apply(&mut record)).unwrap();
        let expected = NfcUrl { access_count: 15, last_accessed_at: Some(at), ..paper_towels() };
        assert_eq!(from_record(&record).unwrap(), expected);
    }

    #[test]
    fn what_is_said_of_a_damaged_tag_does_not_tell_its_address() {
        let secret = "2gSZw8ZQPb7D5kN3X8mQ7";
        for (name, value) in [("itemName", ""), ("urlId", "short"), ("itemId", URL)] {
            let error = from_record(&example().with(name, value)).unwrap_err().to_string();
            assert!(error.contains(&format!("FAMILY#{FAMILY} ITEM#{ITEM}#URL#")), "{error}");
            assert!(!error.contains(secret), "{error}");
        }
    }
}
