//! The attributes of a thing: for reading, and as a form.
//!
//! Strings, numbers and booleans have a field each; nested values are edited as JSON. Unedited
//! values stay exactly as they were, even if the form would represent them differently.

use std::{borrow::Cow, collections::BTreeMap};

use larder_domain::{AttributeValue, Attributes, AttributesError, Resource};

use crate::{Frame, Rule, Words, typed_number::decimal};
use larder_app::{RESOURCE_KIND as KIND, RESOURCE_NAME as NAME, is_named};

/// A longer text gets a field of several lines.
const LONG: usize = 60;

/// How a value is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    Yes,
    No,
    /// JSON.
    Data,
}

impl Shape {
    const ALL: [Self; 5] = [Self::Text, Self::Number, Self::Yes, Self::No, Self::Data];

    /// Its name in forms.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Yes => "yes",
            Self::No => "no",
            Self::Data => "data",
        }
    }
}

/// An attribute in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) value: String,
    /// Whether the thing does not have it yet.
    pub(super) is_new: bool,
    pub(super) is_removed: bool,
}

impl Field {
    pub(super) fn is_long(&self) -> bool {
        self.shape == Shape::Data || self.value.contains('\n') || self.value.chars().count() > LONG
    }

    fn of(name: &str, value: &AttributeValue) -> Self {
        let (shape, value) = match value {
            AttributeValue::Text(text) => (Shape::Text, text.clone()),
            AttributeValue::Number(number) => (Shape::Number, number.to_string()),
            AttributeValue::Bool(true) => (Shape::Yes, String::new()),
            AttributeValue::Bool(false) => (Shape::No, String::new()),
            deeper => (Shape::Data, deeper.to_json()),
        };
        Self { name: name.to_owned(), shape, value, is_new: false, is_removed: false }
    }

    /// An empty field for a new attribute.
    pub(super) fn empty() -> Self {
        let shape = Shape::Text;
        Self { name: String::new(), shape, value: String::new(), is_new: true, is_removed: false }
    }
}

/// The form of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    /// Its name. `None`: the name is not a string, and among the fields.
    pub(super) name: Option<String>,
    /// The word for its kind, unless its type says it.
    pub(super) kind: Option<String>,
    pub(super) fields: Vec<Field>,
}

/// Why a form is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// No form of ours.
    Malformed,
    /// The value of this attribute does not have its shape.
    Value(String, Rule),
    /// The attributes violate a rule as a whole.
    Attributes(AttributesError),
}

impl Unreadable {
    /// The error message: what to correct.
    pub(super) fn message(&self, frame: &Frame) -> String {
        match self {
            Self::Malformed => frame.t("failure-malformed").into_owned(),
            Self::Value(name, rule) => invalid(frame, name, *rule),
            Self::Attributes(AttributesError::ReservedName(name)) => {
                frame.t1("things-reserved-name", "name", name.as_str())
            }
            Self::Attributes(AttributesError::Twice(name)) => {
                frame.t1("things-name-twice", "name", name.as_str())
            }
            Self::Attributes(AttributesError::TooLarge) => {
                frame.t("failure-too-large").into_owned()
            }
            Self::Attributes(_) => {
                invalid(frame, &frame.t("things-field-attributes"), Rule::Unstated)
            }
        }
    }

    /// The invalid attribute, and its error.
    pub(super) fn wrong(&self, words: &Words) -> Option<(&str, String)> {
        match self {
            Self::Value(name, rule) => Some((name, rule.said(words))),
            _ => None,
        }
    }
}

fn invalid(frame: &Frame, field: &str, rule: Rule) -> String {
    frame.t2("failure-invalid", ("field", field), ("rule", rule.said(frame.words)))
}

impl Draft {
    /// The form of existing attributes.
    pub(super) fn of(attributes: &Attributes) -> Self {
        let name = match attributes.get(NAME) {
            Some(AttributeValue::Text(name)) => Some(name.clone()),
            Some(_) => None,
            None => Some(String::new()),
        };
        let is_field = |attribute: &str| attribute != NAME || name.is_none();
        let fields = attributes.iter().filter(|(attribute, _)| is_field(attribute));
        let fields = fields.map(|(attribute, value)| Field::of(attribute, value)).collect();
        Self { name, kind: None, fields }
    }

    /// The form of an existing thing. People edit the word for its kind, if it has one.
    pub(super) fn of_thing(thing: &Resource) -> Self {
        let mut draft = Self::of(&thing.attributes);
        if is_named(&thing.urn) {
            let (kind, fields): (Vec<_>, _) =
                draft.fields.into_iter().partition(|field| field.name == KIND);
            draft.fields = fields;
            draft.kind = Some(kind.into_iter().map(|field| field.value).collect());
        }
        draft
    }

    /// A submitted form: its attributes are three parallel lists.
    pub(super) fn sent(
        name: Option<String>,
        (attributes, shapes, values): (Vec<String>, Vec<String>, Vec<String>),
        removed: &[String],
        before: &Attributes,
    ) -> Result<Self, Unreadable> {
        if attributes.len() != shapes.len() || shapes.len() != values.len() {
            return Err(Unreadable::Malformed);
        }
        let removed: Vec<_> = removed.iter().map(|name| plain(name)).collect();
        let mut fields = Vec::with_capacity(attributes.len());
        for ((attribute, shape), value) in attributes.into_iter().zip(&shapes).zip(values) {
            let shape = Shape::ALL.into_iter().find(|known| known.as_str() == shape);
            let shape = shape.ok_or(Unreadable::Malformed)?;
            // Browsers normalize line breaks, also in names.
            let known = before.iter().map(|(name, _)| name);
            let known = known.into_iter().find(|known| plain(known) == plain(&attribute));
            let is_removed = removed.contains(&plain(&attribute));
            let (name, value) = (known.unwrap_or(&attribute).clone(), plain(&value).into_owned());
            fields.push(Field { name, shape, value, is_new: known.is_none(), is_removed });
        }
        Ok(Self { name: name.map(|name| plain(&name).into_owned()), kind: None, fields })
    }

    /// The parsed attributes. New fields without a name are ignored.
    pub(super) fn attributes(&self, before: &Attributes) -> Result<Attributes, Unreadable> {
        let mut values = BTreeMap::new();
        let is_left_out = |field: &Field| field.is_removed || (field.is_new && is_blank(field));
        for field in self.fields.iter().filter(|field| !is_left_out(field)) {
            let name = if field.is_new { field.name.trim() } else { &field.name };
            let unchanged = before.get(name).filter(|value| is_unchanged(field, value)).cloned();
            let value = match unchanged {
                Some(value) => value,
                None => field.read().map_err(|rule| Unreadable::Value(name.to_owned(), rule))?,
            };
            if values.insert(name.to_owned(), value).is_some() {
                return Err(Unreadable::Attributes(AttributesError::Twice(name.to_owned())));
            }
        }
        for (attribute, text) in [(NAME, &self.name), (KIND, &self.kind)] {
            let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            let unchanged = before.get(attribute).filter(|value| is_same_text(value, text));
            let new = || AttributeValue::Text(text.trim().to_owned());
            let value = unchanged.cloned().unwrap_or_else(new);
            if values.insert(attribute.to_owned(), value).is_some() {
                return Err(Unreadable::Attributes(AttributesError::Twice(attribute.to_owned())));
            }
        }
        Attributes::new(values).map_err(Unreadable::Attributes)
    }
}

impl Field {
    fn read(&self) -> Result<AttributeValue, Rule> {
        match self.shape {
            Shape::Text => Ok(AttributeValue::Text(self.value.clone())),
            Shape::Number => decimal(&self.value, str::parse).map(AttributeValue::Number),
            Shape::Yes => Ok(AttributeValue::Bool(true)),
            Shape::No => Ok(AttributeValue::Bool(false)),
            Shape::Data => self.read_data().ok_or(Rule::Data),
        }
    }

    fn read_data(&self) -> Option<AttributeValue> {
        let object = Attributes::from_json(&format!("{{\"it\":{}}}", self.value)).ok()?;
        let mut values = object.into_inner();
        let value = values.remove("it")?;
        values.is_empty().then_some(value)
    }
}

fn is_blank(field: &Field) -> bool {
    field.name.trim().is_empty() && field.value.trim().is_empty()
}

fn is_unchanged(field: &Field, value: &AttributeValue) -> bool {
    let shown = Field::of(&field.name, value);
    shown.shape == field.shape && plain(&shown.value) == field.value
}

fn is_same_text(value: &AttributeValue, text: &str) -> bool {
    matches!(value, AttributeValue::Text(before) if plain(before) == text)
}

/// A text with normalized line breaks, as a browser returns it.
fn plain(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        text.into()
    }
}

/// A value for reading.
pub(super) fn readable(words: &Words, value: &AttributeValue) -> String {
    let simple = |value: &AttributeValue| match value {
        AttributeValue::List(_) | AttributeValue::Map(_) => None,
        simple => Some(readable(words, simple)),
    };
    match value {
        AttributeValue::Null => "–".to_owned(),
        AttributeValue::Bool(true) => words.get("things-yes").into_owned(),
        AttributeValue::Bool(false) => words.get("things-no").into_owned(),
        AttributeValue::Number(number) => number.to_string(),
        AttributeValue::Text(text) => text.clone(),
        AttributeValue::List(values) => {
            let texts: Option<Vec<_>> = values.iter().map(simple).collect();
            texts.map_or_else(|| value.to_json(), |texts| texts.join(", "))
        }
        AttributeValue::Map(values) => {
            let text = |(name, value)| simple(value).map(|value| format!("{name}: {value}"));
            let texts: Option<Vec<_>> = values.iter().map(text).collect();
            texts.map_or_else(|| value.to_json(), |texts| texts.join(", "))
        }
    }
}

#[cfg(test)]
#[path = "attributes_tests.rs"]
mod tests;
