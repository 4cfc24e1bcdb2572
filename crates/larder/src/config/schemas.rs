//! The shapes of resources: how those that were written earlier become those of today.
//!
//! ```toml
//! [[change]]
//! resource_type = "Home.Box"
//! version = 2
//! steps = [
//!     { rename = "colour", to = "color" },
//!     { add = "fragile", value = false },
//!     { remove = "legacy" },
//! ]
//! ```

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;

use larder_domain::{AttributeValue, Attributes, ResourceType, SchemaRegistry, SchemaStep};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::SettingError;
use super::layers::{Given, Layers};

/// The accepted steps.
const STEP: &str = "a step must be { rename = \"…\", to = \"…\" }, { add = \"…\", value = … } or { remove = \"…\" }";

/// All changes of shape, in the order of the file. The first of a type leads to version 2.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schemas(Vec<SchemaChange>);

/// One more version of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SchemaChange {
    resource_type: ResourceType,
    steps: Vec<SchemaStep>,
}

impl Schemas {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Self, SettingError> {
        let Some(given) = layers.find("schemas")? else { return Ok(Self::default()) };
        let text = given.read_file()?;
        Self::parse(&text).map_err(|mistake| mistake.refuse(&given, &text))
    }

    /// The registry for reading and writing resources.
    pub fn registry(&self) -> SchemaRegistry {
        self.0.iter().fold(SchemaRegistry::new(), |registry, change| {
            registry.with_steps(change.resource_type.clone(), change.steps.clone())
        })
    }

    /// Whether no type has more than one version.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn parse(text: &str) -> Result<Self, Mistake> {
        let file: File = toml::from_str(text).map_err(|error| Mistake {
            at: error.span().unwrap_or_default(),
            reason: error.message().replace('\n', ", "),
        })?;
        let (mut changes, mut newest) = (Vec::new(), BTreeMap::new());
        for Change { resource_type, version, steps } in file.change {
            let kind = ResourceType::parse(resource_type.get_ref()).map_err(|error| {
                Mistake::at(&resource_type, format_args!("resource_type {error}"))
            })?;
            let newest = newest.entry(kind.as_str().to_owned()).or_insert(1_u32);
            *newest += 1;
            if version.get_ref() != newest {
                let reason = format_args!(
                    "version must be {newest}, which is the next of {}",
                    kind.as_str()
                );
                return Err(Mistake::at(&version, reason));
            }
            let steps = steps.into_iter().map(step).collect::<Result<_, _>>()?;
            changes.push(SchemaChange { resource_type: kind, steps });
        }
        Ok(Self(changes))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    change: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    resource_type: Spanned<String>,
    version: Spanned<u32>,
    steps: Vec<Spanned<Step>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    rename: Option<String>,
    to: Option<String>,
    add: Option<String>,
    value: Option<Value>,
    remove: Option<String>,
}

fn step(given: Spanned<Step>) -> Result<SchemaStep, Mistake> {
    let at = given.span();
    let wrong = |reason: String| Mistake { at: at.clone(), reason };
    let step = match given.into_inner() {
        Step { rename: Some(from), to: Some(to), add: None, value: None, remove: None } => {
            SchemaStep::Rename { from, to }
        }
        Step { rename: None, to: None, add: Some(name), value: Some(value), remove: None } => {
            SchemaStep::Default { name, value: attribute(value).map_err(&wrong)? }
        }
        Step { rename: None, to: None, add: None, value: None, remove: Some(name) } => {
            SchemaStep::Remove { name }
        }
        _ => return Err(wrong(STEP.to_owned())),
    };
    check(&step).map_err(wrong)?;
    Ok(step)
}

/// Rejects attributes that no resource can have, before the first one is read.
fn check(step: &SchemaStep) -> Result<(), String> {
    let made = match step {
        SchemaStep::Rename { to, .. } => (to.clone(), AttributeValue::Null),
        SchemaStep::Default { name, value } => (name.clone(), value.clone()),
        SchemaStep::Remove { .. } => return Ok(()),
    };
    Attributes::new(BTreeMap::from([made])).map(drop).map_err(|error| error.to_string())
}

/// TOML has no null, and distinguishes times from texts, which attributes do not.
fn attribute(value: Value) -> Result<AttributeValue, String> {
    Ok(match value {
        Value::String(text) => AttributeValue::Text(text),
        Value::Boolean(truth) => AttributeValue::Bool(truth),
        Value::Integer(number) => AttributeValue::Number(number.into()),
        Value::Float(number) => {
            let number = number.to_string().parse();
            AttributeValue::Number(number.map_err(|_| "value must be a number within bounds")?)
        }
        Value::Datetime(_) => return Err("value must be in quotes if it is a time".to_owned()),
        Value::Array(values) => {
            AttributeValue::List(values.into_iter().map(attribute).collect::<Result<_, _>>()?)
        }
        Value::Table(values) => {
            let named = |(name, value)| Ok((name, attribute(value)?));
            AttributeValue::Map(values.into_iter().map(named).collect::<Result<_, String>>()?)
        }
    })
}

struct Mistake {
    at: Range<usize>,
    reason: String,
}

impl Mistake {
    fn at<T>(place: &Spanned<T>, reason: impl Display) -> Self {
        Self { at: place.span(), reason: reason.to_string() }
    }

    fn refuse(self, given: &Given, text: &str) -> SettingError {
        let before = text.get(..self.at.start).unwrap_or_default();
        SettingError::Schemas {
            origin: given.origin.clone(),
            path: given.text.clone().into(),
            line: before.matches('\n').count() + 1,
            reason: self.reason,
        }
    }
}
