//! The schema of a request body: what its attributes say, completed by the rules of its fields.

use larder_domain::Rule;
use serde_json::{Value, json};
use utoipa::{
    Number,
    openapi::{
        Object, RefOr, Schema,
        schema::{AdditionalProperties, ArrayItems, KnownFormat, SchemaFormat, SchemaType, Type},
    },
};

/// What happens to fields that a body does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownFields {
    /// They are refused.
    Closed,
    /// They are ignored.
    Open,
}

/// The schema of a body with these fields. What an attribute says wins over the rule: it is
/// stricter.
pub fn schema_of_body(
    mut shape: RefOr<Schema>,
    unknown: UnknownFields,
    fields: &[(&'static str, Rule)],
) -> RefOr<Schema> {
    if let RefOr::T(Schema::Object(body)) = &mut shape {
        for (name, rule) in fields {
            if let Some(RefOr::T(field)) = body.properties.get_mut(*name) {
                limit(field, rule);
            }
        }
        if unknown == UnknownFields::Closed {
            body.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
    }
    shape
}

/// Adds what the rule says. References have rules of their own.
fn limit(schema: &mut Schema, rule: &Rule) {
    match (schema, rule) {
        (Schema::Array(array), Rule::List { of, least, most, distinct }) => {
            array.min_items = array.min_items.or(Some(*least));
            array.max_items = array.max_items.or(Some(*most));
            array.unique_items |= distinct;
            if let ArrayItems::RefOrSchema(items) = &mut array.items
                && let RefOr::T(items) = &mut **items
            {
                limit(items, of);
            }
        }
        (Schema::Object(value), rule) => limit_value(value, rule),
        _ => {}
    }
}

/// Adds to the schema of a value what the rule says of it.
pub fn limit_value(value: &mut Object, rule: &Rule) {
    match *rule {
        Rule::Any | Rule::List { .. } => {}
        Rule::Uuid => value.format = Some(SchemaFormat::Custom("uuid".to_owned())),
        Rule::Date => {
            value.format = Some(SchemaFormat::KnownFormat(KnownFormat::Date));
            value.pattern = Some("^(19[0-9]{2}|20[0-9]{2}|2100)-[0-9]{2}-[0-9]{2}$".to_owned());
        }
        Rule::Text { least, most, pattern } => {
            value.min_length = value.min_length.or((least > 0).then_some(least));
            value.max_length = value.max_length.or(Some(most));
            if value.pattern.is_none() && !pattern.is_empty() {
                value.pattern = Some(pattern.to_owned());
            }
        }
        Rule::Hundredths { least, most } => {
            value.minimum.get_or_insert_with(|| hundredths(least));
            value.maximum.get_or_insert_with(|| hundredths(most));
            value.multiple_of = Some(Number::Float(0.01));
            if least < 0 {
                // A change of nothing is a mistake.
                value
                    .extensions
                    .get_or_insert_default()
                    .insert("not".to_owned(), json!({"const": 0}));
            }
        }
        Rule::Whole { least, most } => {
            value.minimum.get_or_insert_with(|| whole(least));
            value.maximum.get_or_insert_with(|| whole(most));
        }
        Rule::Numbers(numbers) => {
            one_of(value, numbers.iter().map(|number| json!(number)).collect());
        }
        Rule::Words(words) => one_of(value, words().into_iter().map(Value::from).collect()),
    }
}

/// Absence is a value where it is allowed.
fn one_of(value: &mut Object, mut values: Vec<Value>) {
    if matches!(&value.schema_type, SchemaType::Array(types) if types.contains(&Type::Null)) {
        values.push(Value::Null);
    }
    value.enum_values = Some(values);
}

fn whole(number: i64) -> Number {
    isize::try_from(number).map_or(Number::Float(0.0), Number::Int)
}

#[expect(clippy::cast_precision_loss, reason = "limits have ten digits")]
fn hundredths(number: i64) -> Number {
    if number % 100 == 0 { whole(number / 100) } else { Number::Float(number as f64 / 100.0) }
}
