//! Conditions and changes in DynamoDB's language. Names and values are placeholders always: no text of a
//! record is ever part of an expression.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use larder_storage_item::{Change, Condition, Number, Record, Table};

use crate::attributes::{Attributes, from_value};

/// The prefix of the store's own attributes of a resource.
const OWN_PREFIX: char = '_';

/// The placeholders of the expressions of one action.
#[derive(Debug, Default)]
pub(crate) struct Placeholders {
    names: HashMap<String, String>,
    values: Attributes,
}

impl Placeholders {
    /// The placeholder of a name; the same for the same name.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let next = self.names.len();
        self.names.entry(name.to_owned()).or_insert_with(|| format!("#{next}")).clone()
    }

    pub(crate) fn value(&mut self, value: AttributeValue) -> String {
        let placeholder = format!(":{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// The names by placeholder, or `None`: DynamoDB refuses empty maps.
    pub(crate) fn names(&self) -> Option<HashMap<String, String>> {
        let turned = self.names.iter().map(|(name, mark)| (mark.clone(), name.clone()));
        (!self.names.is_empty()).then(|| turned.collect())
    }

    /// The values by placeholder, or `None`.
    pub(crate) fn values(&self) -> Option<Attributes> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }

    fn number(&mut self, number: Number) -> String {
        self.value(AttributeValue::N(number.to_string()))
    }
}

/// Conditions on records of one table at one second. Expired records count as absent, swept or not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conditions {
    pub(crate) table: Table,
    pub(crate) now_s: i64,
}

impl Conditions {
    /// All of these conditions as one expression; `None` without conditions.
    pub(crate) fn all(self, when: &[Condition], marks: &mut Placeholders) -> Option<String> {
        let parts: Vec<_> = when.iter().map(|condition| self.one(condition, marks)).collect();
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }

    fn one(self, condition: &Condition, marks: &mut Placeholders) -> String {
        match condition {
            Condition::Exists => self.live(marks),
            Condition::NotExists => self.absent(marks),
            Condition::Equals(name, value) => {
                let (name, value) = (marks.name(name), marks.value(from_value(value)));
                format!("{name} = {value} AND {}", self.live(marks))
            }
            Condition::Absent(name) => {
                let name = marks.name(name);
                format!("attribute_not_exists({name}) AND {}", self.live(marks))
            }
            // A comparison with an absent value or a non-number is false.
            Condition::AtLeast(name, least) => {
                let (name, least) = (marks.name(name), marks.number(*least));
                format!("{name} >= {least} AND {}", self.live(marks))
            }
            Condition::AtMost(name, most) => {
                let (name, most) = (marks.name(name), marks.number(*most));
                format!("{name} <= {most} AND {}", self.live(marks))
            }
        }
    }

    fn live(self, marks: &mut Placeholders) -> String {
        let pk = marks.name(self.table.key_names().pk);
        match self.expired(marks) {
            Some(expired) => format!("attribute_exists({pk}) AND NOT ({expired})"),
            None => format!("attribute_exists({pk})"),
        }
    }

    fn absent(self, marks: &mut Placeholders) -> String {
        let pk = marks.name(self.table.key_names().pk);
        match self.expired(marks) {
            Some(expired) => format!("(attribute_not_exists({pk}) OR {expired})"),
            None => format!("attribute_not_exists({pk})"),
        }
    }

    fn expired(self, marks: &mut Placeholders) -> Option<String> {
        let ttl = marks.name(self.table.ttl_attribute()?);
        let now = marks.number(Number::from(self.now_s));
        Some(format!("{ttl} <= {now}"))
    }

    /// A condition that the record is still as it was read, attribute by attribute; for a resource,
    /// only the store's own attributes.
    pub(crate) fn unchanged(
        self,
        read: Option<&Record>,
        changes: &[Change],
        marks: &mut Placeholders,
    ) -> String {
        let Some(read) = read else { return self.absent(marks) };
        let mut parts = Vec::new();
        let is_telling = |name: &str| !is_resource(read) || name.starts_with(OWN_PREFIX);
        for (name, value) in read.iter().filter(|(name, _)| is_telling(name)) {
            let (name, value) = (marks.name(name), marks.value(from_value(value)));
            parts.push(format!("{name} = {value}"));
        }
        let new = |name: &&str| is_telling(name) && read.get(name).is_none();
        for name in changes.iter().map(name_of).filter(new) {
            parts.push(format!("attribute_not_exists({})", marks.name(name)));
        }
        parts.join(" AND ")
    }
}

/// Whether a record has user-defined attributes. They may exceed the limit of an expression, and
/// change only together with the version or the schema version, which are the store's own.
fn is_resource(record: &Record) -> bool {
    record.text("_recordType") == Some("Resource")
}

/// The changes that lead to `new` as one expression; `None` without changes. The database adds to
/// numbers that are only added to; an attribute with several changes is set to their result.
pub(crate) fn update(changes: &[Change], new: &Record, marks: &mut Placeholders) -> Option<String> {
    let (mut set, mut remove, mut add) = (Vec::new(), Vec::new(), Vec::new());
    for (at, change) in changes.iter().enumerate() {
        let name = name_of(change);
        if changes[..at].iter().any(|earlier| name_of(earlier) == name) {
            continue;
        }
        let mark = marks.name(name);
        let is_only = !changes[at + 1..].iter().any(|later| name_of(later) == name);
        match (change, new.get(name)) {
            (Change::Add(_, amount), _) if is_only => {
                add.push(format!("{mark} {}", marks.number(*amount)));
            }
            (_, Some(value)) => set.push(format!("{mark} = {}", marks.value(from_value(value)))),
            (_, None) => remove.push(mark),
        }
    }
    let clauses = [("SET", set), ("REMOVE", remove), ("ADD", add)];
    let clauses: Vec<_> = clauses
        .into_iter()
        .filter(|(_, parts)| !parts.is_empty())
        .map(|(word, parts)| format!("{word} {}", parts.join(", ")))
        .collect();
    (!clauses.is_empty()).then(|| clauses.join(" "))
}

fn name_of(change: &Change) -> &str {
    let (Change::Set(name, _) | Change::Add(name, _) | Change::Remove(name)) = change;
    name
}

#[cfg(test)]
mod tests;
