//! Reading a part of a partition, page by page.

mod part;

use std::cmp::Ordering;

use aws_sdk_dynamodb::types::AttributeValue;
use larder_storage::{Result, StorageError};
use larder_storage_item::{KeyNames, MAX_QUERY_LIMIT, Position, Query, QueryPage, Record};

use crate::attributes::{Attributes, from_key, to_record};
use crate::database::Database;
use crate::expression::Placeholders;
use part::Part;

/// The start of a read.
enum Start<'q> {
    /// At the end of the part.
    End,
    Behind(&'q Position),
    /// The position is at the end of the part.
    Nowhere,
}

impl Database {
    /// Reads one record more than requested, to know whether more follow.
    pub(crate) async fn query(&self, query: &Query) -> Result<QueryPage> {
        let limit = query.limit.clamp(1, MAX_QUERY_LIMIT);
        let Some(part) = wanted(query) else { return Ok(QueryPage::default()) };
        let mut from = match start(query, &part) {
            Start::End => None,
            Start::Behind(position) => Some(start_key(query, position)),
            Start::Nowhere => return Ok(QueryPage::default()),
        };
        let (now_s, keys) = (self.now_s(), query.table.key_names());
        let mut records = Vec::new();
        while records.len() <= limit {
            let at_most = limit + 1 - records.len();
            let (page, next) = self.query_once(query, &part, at_most, from).await?;
            for item in page {
                let record = to_record(keys, item)?;
                if sort_text(query, &record).is_some_and(|sort| part.includes(sort)) {
                    records.extend(Self::live(query.table, record, now_s));
                }
            }
            from = next;
            if from.is_none() {
                break;
            }
        }
        let mut next = None;
        if records.len() > limit {
            records.truncate(limit);
            next = records.last().map(|last| position(query, last)).transpose()?;
        }
        Ok(QueryPage { records, next })
    }

    async fn query_once(
        &self,
        query: &Query,
        part: &Part<'_>,
        limit: usize,
        from: Option<Attributes>,
    ) -> Result<(Vec<Attributes>, Option<Attributes>)> {
        let mut marks = Placeholders::default();
        let condition = key_condition(query, part, &mut marks);
        let request = self
            .client
            .query()
            .table_name(self.names.of(query.table).name)
            .set_index_name(query.index.map(|index| index.name.to_owned()))
            .consistent_read(query.index.is_none())
            .key_condition_expression(condition)
            .set_expression_attribute_names(marks.names())
            .set_expression_attribute_values(marks.values())
            .scan_index_forward(query.forward)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .set_exclusive_start_key(from)
            .set_return_consumed_capacity(self.counting());
        let answer = self.retries().send(|| request.clone().send()).await?;
        self.units.read(answer.consumed_capacity(), 1, query.index.is_none());
        let next = answer.last_evaluated_key.filter(|key| !key.is_empty());
        Ok((answer.items.unwrap_or_default(), next))
    }
}

/// The key attributes of the table or index that is read.
fn key_names(query: &Query) -> KeyNames {
    query.index.map_or(query.table.key_names(), |index| KeyNames { pk: index.pk, sk: index.sk })
}

/// The requested part; `None` if it is empty. Without a sort key, the sort text of all records is
/// empty: the part contains all of them or none.
fn wanted(query: &Query) -> Option<Part<'_>> {
    let part = Part::of(&query.sort)?;
    match key_names(query).sk {
        Some(_) => Some(part),
        None => (part.compare("") == Ordering::Equal).then_some(Part::ALL),
    }
}

/// The sort text of a record in the table or index that is read; `None` if it is not in it.
fn sort_text<'r>(query: &Query, record: &'r Record) -> Option<&'r str> {
    key_names(query).sk.map_or(Some(""), |sk| record.text(sk))
}

fn key_condition(query: &Query, part: &Part<'_>, marks: &mut Placeholders) -> String {
    let KeyNames { pk, sk } = key_names(query);
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let partition = format!("{} = {}", marks.name(pk), marks.value(text(&query.pk)));
    let Some(sk) = sk else { return partition };
    let part = match (part.from, part.to.as_deref()) {
        (None, None) => return partition,
        (Some(from), None) => format!("{} >= {}", marks.name(sk), marks.value(text(from))),
        (None, Some(to)) => format!("{} <= {}", marks.name(sk), marks.value(text(to))),
        (Some(from), Some(to)) => {
            let (from, to) = (marks.value(text(from)), marks.value(text(to)));
            format!("{} BETWEEN {from} AND {to}", marks.name(sk))
        }
    };
    format!("{partition} AND {part}")
}

/// DynamoDB rejects a position outside the part, which is not an error here.
fn start<'q>(query: &'q Query, part: &Part<'_>) -> Start<'q> {
    if query.pk.is_empty() {
        return Start::Nowhere;
    }
    let Some(position) = &query.start_after else { return Start::End };
    match (part.compare(&position.sort), query.forward) {
        (Ordering::Less, true) | (Ordering::Greater, false) => Start::End,
        (Ordering::Less, false) | (Ordering::Greater, true) => Start::Nowhere,
        // Sort keys of a table are unique; without one, a partition is one record.
        (Ordering::Equal, forward)
            if query.index.is_none()
                && (part.ends_at(&position.sort, forward)
                    || query.table.key_names().sk.is_none()) =>
        {
            Start::Nowhere
        }
        (Ordering::Equal, _) => Start::Behind(position),
    }
}

fn start_key(query: &Query, position: &Position) -> Attributes {
    let mut key = from_key(query.table.key_names(), &position.key);
    if let Some(index) = query.index {
        key.insert(index.pk.to_owned(), AttributeValue::S(query.pk.clone()));
        let sort = AttributeValue::S(position.sort.clone());
        key.extend(index.sk.map(|sk| (sk.to_owned(), sort)));
    }
    key
}

fn position(query: &Query, record: &Record) -> Result<Position, StorageError> {
    let sort = sort_text(query, record).ok_or_else(|| record.misfit("no sort key"))?.to_owned();
    let key = query.table.key_of(record).ok_or_else(|| record.misfit("no key"))?;
    Ok(Position { sort, key })
}

#[cfg(test)]
mod tests {
    use larder_storage_item::{API_KEY_HASH, GSI1, Key, SortKeys, Table};

    use super::*;

    fn query(sort: SortKeys, forward: bool, start: Option<&str>) -> Query {
        let start_after = start.map(|sort| Position { sort: sort.into(), key: Key::new("p", "s") });
        Query {
            table: Table::InventoryManagement,
            index: Some(GSI1),
            pk: "p".to_owned(),
            sort,
            forward,
            limit: 10,
            start_after,
        }
    }

    fn begins(query: &Query) -> &'static str {
        let part = Part::of(&query.sort).unwrap();
        match start(query, &part) {
            Start::End => "at the end",
            Start::Behind(_) => "behind",
            Start::Nowhere => "nowhere",
        }
    }

    #[test]
    fn a_position_outside_of_the_part_is_before_all_of_it_or_behind() {
        let prefix = || SortKeys::BeginsWith("b".to_owned());
        let between = || SortKeys::Between("b".to_owned(), "b~".to_owned());
        for part in [prefix, between] {
            assert_eq!(begins(&query(part(), true, None)), "at the end");
            assert_eq!(begins(&query(part(), true, Some("b1"))), "behind");
            assert_eq!(begins(&query(part(), true, Some("a"))), "at the end");
            assert_eq!(begins(&query(part(), true, Some("c"))), "nowhere");
            assert_eq!(begins(&query(part(), false, Some("a"))), "nowhere");
            assert_eq!(begins(&query(part(), false, Some("c"))), "at the end");
        }
    }

    #[test]
    fn behind_the_last_key_there_can_be_nothing_is_read() {
        let between = || SortKeys::Between("a".to_owned(), "b".to_owned());
        for (forward, last) in [(true, "b"), (false, "a")] {
            let of_an_index = query(between(), forward, Some(last));
            assert_eq!(begins(&of_an_index), "behind", "others may have the same key");
            assert_eq!(begins(&Query { index: None, ..of_an_index }), "nowhere");
        }
    }

    #[test]
    fn nobody_has_the_empty_partition() {
        let nobody = Query { pk: String::new(), ..query(SortKeys::Any, true, None) };
        assert_eq!(begins(&nobody), "nowhere");
    }

    #[test]
    fn a_page_of_an_index_continues_with_both_keys() {
        let wanted = query(SortKeys::Any, true, None);
        let position = Position { sort: "sort".to_owned(), key: Key::new("pk", "sk") };
        let key = start_key(&wanted, &position);
        let text = |name: &str| key[name].as_s().unwrap().as_str();
        let parts = ["GSI1PK", "GSI1SK", "PK", "SK"].map(text);
        assert_eq!(parts, ["p", "sort", "pk", "sk"]);
    }

    fn by_hash(sort: SortKeys, start: Option<&str>) -> Query {
        let index = Some(API_KEY_HASH);
        Query { table: Table::ApiKeys, index, ..query(sort, true, start) }
    }

    #[test]
    fn a_page_of_an_index_without_sort_key_continues_with_the_keys_there_are() {
        let position = Position { sort: String::new(), key: Key::new("id", "") };
        let key = start_key(&by_hash(SortKeys::Any, None), &position);
        let mut names: Vec<_> = key.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["api_key_hash", "key_id"]);
        assert_eq!(begins(&by_hash(SortKeys::Any, Some(""))), "behind");
    }

    #[test]
    fn without_a_sort_key_all_of_a_partition_is_wanted_or_nothing() {
        let any = [SortKeys::Any, SortKeys::BeginsWith(String::new())];
        for sort in any {
            assert_eq!(wanted(&by_hash(sort, None)), Some(Part::ALL));
        }
        let other = [
            SortKeys::BeginsWith("a".to_owned()),
            SortKeys::Between("a".to_owned(), "b".to_owned()),
        ];
        for sort in other {
            assert_eq!(wanted(&by_hash(sort, None)), None);
        }
        let mut marks = Placeholders::default();
        let query = by_hash(SortKeys::Any, None);
        assert_eq!(key_condition(&query, &Part::ALL, &mut marks), "#0 = :0");
    }

    #[test]
    fn behind_the_only_record_of_a_partition_nothing_is_read() {
        let of_the_table = Query { index: None, ..by_hash(SortKeys::Any, Some("")) };
        assert_eq!(begins(&of_the_table), "nowhere");
    }
}
