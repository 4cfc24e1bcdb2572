//! Schemas of what devices send by name: values, conditions and features.

use std::borrow::Cow;

use larder_domain::{Capabilities, FeatureName};
use larder_http::{Described, limit_value};
use utoipa::openapi::{
    RefOr, Schema,
    schema::{AdditionalProperties, Array, Object, Type},
};

/// An object of at most 64 values, each under a name of this type.
pub(super) fn by_name<N: Described>(value: impl Into<RefOr<Schema>>) -> Object {
    let mut values = Object::with_type(Type::Object);
    values.max_properties = Some(Capabilities::MAX);
    values.property_names = Some(Box::new(name::<N>().into()));
    values.additional_properties = Some(Box::new(AdditionalProperties::RefOr(value.into())));
    values
}

fn name<N: Described>() -> Object {
    let mut name = Object::with_type(Type::String);
    limit_value(&mut name, &N::RULE);
    name
}

/// At most 64 names of features.
pub(super) struct FeatureNames;

impl utoipa::PartialSchema for FeatureNames {
    fn schema() -> RefOr<Schema> {
        let mut names = Array::new(name::<FeatureName>());
        names.max_items = Some(Capabilities::MAX);
        names.into()
    }
}

impl utoipa::ToSchema for FeatureNames {
    fn name() -> Cow<'static, str> {
        "FeatureNames".into()
    }
}

/// At most 64 features, each with whether it is present.
pub(super) struct FeatureFlags;

impl utoipa::PartialSchema for FeatureFlags {
    fn schema() -> RefOr<Schema> {
        by_name::<FeatureName>(Object::with_type(Type::Boolean)).into()
    }
}

impl utoipa::ToSchema for FeatureFlags {
    fn name() -> Cow<'static, str> {
        "FeatureFlags".into()
    }
}
