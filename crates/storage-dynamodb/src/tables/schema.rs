//! The declaration in the words of the SDK.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};

use larder_storage_item::KeyNames;

use super::{IndexDeclaration, TableDeclaration, parts};

/// A partition key and, if there is one, a sort key.
pub(super) fn keys(names: KeyNames) -> Vec<KeySchemaElement> {
    let key = |(name, key_type): (&str, KeyType)| {
        KeySchemaElement::builder()
            .attribute_name(name)
            .key_type(key_type)
            .build()
            .expect("a key with name and type is complete")
    };
    parts(names).into_iter().zip([KeyType::Hash, KeyType::Range]).map(key).collect()
}

/// The types of all key attributes of a table and its indexes: texts.
pub(super) fn attributes(table: &TableDeclaration) -> Vec<AttributeDefinition> {
    let text = |name: &str| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
            .expect("an attribute with name and type is complete")
    };
    table.key_attributes().into_iter().map(text).collect()
}

/// The indexes of a table, or `None`: DynamoDB refuses an empty list.
pub(super) fn indexes(table: &TableDeclaration) -> Option<Vec<GlobalSecondaryIndex>> {
    (!table.indexes.is_empty()).then(|| table.indexes.iter().map(index).collect())
}

/// An index of whole records.
fn index(declared: &IndexDeclaration) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex::builder()
        .index_name(declared.name)
        .set_key_schema(Some(keys(declared.keys)))
        .projection(whole_records())
        .build()
        .expect("an index with name, keys and projection is complete")
}

/// The projection of every index.
pub(super) fn whole_records() -> Projection {
    Projection::builder().projection_type(ProjectionType::All).build()
}
