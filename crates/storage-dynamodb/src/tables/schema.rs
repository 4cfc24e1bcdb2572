//! The declaration in the words of the SDK.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};

use super::{IndexDeclaration, TableDeclaration};

/// A partition key and a sort key.
pub(super) fn keys(pk: &str, sk: &str) -> Vec<KeySchemaElement> {
    let key = |name: &str, key_type| {
        KeySchemaElement::builder()
            .attribute_name(name)
            .key_type(key_type)
            .build()
            .expect("a key with name and type is complete")
    };
    vec![key(pk, KeyType::Hash), key(sk, KeyType::Range)]
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

/// An index of whole records.
pub(super) fn index(declared: &IndexDeclaration) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex::builder()
        .index_name(declared.name)
        .set_key_schema(Some(keys(declared.pk, declared.sk)))
        .projection(whole_records())
        .build()
        .expect("an index with name, keys and projection is complete")
}

/// The projection of every index.
pub(super) fn whole_records() -> Projection {
    Projection::builder().projection_type(ProjectionType::All).build()
}
