//! `Bookmark` records: the progress of a job that iterates over everything.

use larder_storage::Result;

use crate::{
    Record, Table,
    layout::{fields::Fields, keys},
};

pub(crate) fn to_record(job: &str, place: &str) -> Record {
    Table::InventoryManagement
        .record_with(&keys::bookmark(job))
        .with("entityType", "Bookmark")
        .with("place", place)
}

pub(crate) fn from_record(record: &Record) -> Result<String> {
    Fields(record).text("place").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bookmark_holds_the_place_of_its_job() {
        let record = to_record("upcast", "here");
        let expected = Record::new()
            .with("PK", "BOOKMARK#upcast")
            .with("SK", "BOOKMARK#upcast")
            .with("entityType", "Bookmark")
            .with("place", "here");
        assert_eq!(record, expected);
        assert_eq!(from_record(&record).unwrap(), "here");
        assert!(from_record(&record.with("place", true)).is_err());
    }
}
