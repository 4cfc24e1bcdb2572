//! Reading a JSON object field by field, with every mistake reported at once.

use std::borrow::Cow;

use larder_domain::{Described, Rule};
use serde_json::value::RawValue;

use crate::{
    FieldError, Problem,
    json::{Object, parse_members, parse_object},
    read::Refusal,
    request_body::RequestBody,
};

/// A longer list would only help clients that send thousands of wrong fields on purpose.
const MAX_REPORTED: usize = 50;

/// The fields of a request body.
///
/// Read each field once, then [`finish`](Self::finish): no field is silently dropped, because an
/// unread field is an error.
///
/// ```
/// # use larder_http::{Fields, Problem, read};
/// # fn main() -> Result<(), Problem> {
/// # struct AddDays { days: u32, urgent: Option<bool> }
/// let mut fields = Fields::parse(br#"{"days": "7"}"#)?;
/// let days = fields.required("days", read::text(str::parse));
/// let urgent = fields.optional("urgent", read::boolean);
/// let request = fields.finish(|| Some(AddDays { days: days?, urgent }))?;
/// # assert_eq!((request.days, request.urgent), (7, None));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Fields<'a> {
    members: Vec<Member<'a>>,
    errors: Vec<FieldError>,
}

#[derive(Debug)]
struct Member<'a> {
    name: Cow<'a, str>,
    value: &'a RawValue,
    asked_for: bool,
}

/// A PATCH of one field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Not mentioned: leave it.
    #[default]
    Absent,
    /// `null`: clear it.
    Null,
    /// A new value.
    Set(T),
}

/// Absence and null have no rule.
impl<T: Described> Described for Patch<T> {
    const RULE: Rule = T::RULE;
}

impl<T> Patch<T> {
    /// The new value of the field, given its present one.
    pub fn apply(self, present: Option<T>) -> Option<T> {
        match self {
            Self::Absent => present,
            Self::Null => None,
            Self::Set(value) => Some(value),
        }
    }

    /// The same in the domain's form: the outer `None` keeps the field, an inner one clears it.
    pub fn into_change(self) -> Option<Option<T>> {
        match self {
            Self::Absent => None,
            Self::Null => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }

    /// Whether the field is unchanged.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<'a> Fields<'a> {
    /// The fields of a body, which must be one JSON object.
    pub fn parse(body: &'a [u8]) -> Result<Self, Problem> {
        parse_object(body).map(Self::of)
    }

    /// The same, with an empty body as an object without fields.
    pub fn parse_optional(body: &'a [u8]) -> Result<Self, Problem> {
        if body.trim_ascii().is_empty() {
            return Ok(Self::of(Object::default()));
        }
        Self::parse(body)
    }

    /// The same if one of the fields is a client's own document: its reader must check depth and
    /// repeated keys itself.
    pub fn parse_document(body: &'a [u8]) -> Result<Self, Problem> {
        parse_members(body).map(Self::of)
    }

    fn of(object: Object<'a>) -> Self {
        let member = |(name, value)| Member { name, value, asked_for: false };
        Self { members: object.0.into_iter().map(member).collect(), errors: Vec::new() }
    }

    /// A required, non-null field. `None` means that an error was recorded.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        reader: impl FnOnce(&'a RawValue) -> Result<T, Refusal>,
    ) -> Option<T> {
        let Some(value) = self.take(name) else {
            self.refuse(name, "is required");
            return None;
        };
        if value.get() == "null" {
            self.refuse(name, "must not be null");
            return None;
        }
        self.read(name, value, reader)
    }

    /// A field that may be absent or null.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        reader: impl FnOnce(&'a RawValue) -> Result<T, Refusal>,
    ) -> Option<T> {
        let value = self.take(name).filter(|value| value.get() != "null")?;
        self.read(name, value, reader)
    }

    /// A field of a PATCH that can be cleared: absent, null and a value are three things.
    pub fn patch<T>(
        &mut self,
        name: &'static str,
        reader: impl FnOnce(&'a RawValue) -> Result<T, Refusal>,
    ) -> Patch<T> {
        match self.take(name) {
            None => Patch::Absent,
            Some(value) if value.get() == "null" => Patch::Null,
            Some(value) => self.read(name, value, reader).map_or(Patch::Absent, Patch::Set),
        }
    }

    /// A field of a PATCH that cannot be cleared: it may be absent but not null.
    pub fn change<T>(
        &mut self,
        name: &'static str,
        reader: impl FnOnce(&'a RawValue) -> Result<T, Refusal>,
    ) -> Option<T> {
        let value = self.take(name)?;
        if value.get() == "null" {
            self.refuse(name, "must not be null");
            return None;
        }
        self.read(name, value, reader)
    }

    /// A field with special rules. The function gets the fields and the name.
    pub fn read_with<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Self, &'static str) -> T,
    ) -> T {
        read(self, name)
    }

    /// The raw value of a field, without marking it as read.
    pub fn peek(&self, name: &str) -> Option<&'a RawValue> {
        self.members.iter().find(|member| member.name == name).map(|member| member.value)
    }

    /// Records an error that no single reader could see, such as two fields at odds.
    pub fn refuse(&mut self, field: &'static str, message: impl Into<Cow<'static, str>>) {
        self.errors.push(FieldError { field: Cow::Borrowed(field), message: message.into() });
    }

    /// Accepts the unread fields and returns their number.
    pub fn ignore_unknown(&mut self) -> usize {
        let before = self.members.len();
        self.members.retain(|member| member.asked_for);
        before - self.members.len()
    }

    /// Builds the request if every field was valid and none was unknown.
    ///
    /// `build` runs only if there was no error, so a `?` on a required field in it never returns
    /// early.
    pub fn finish<T>(mut self, build: impl FnOnce() -> Option<T>) -> Result<T, Problem> {
        let unknown = self.members.iter().filter(|member| !member.asked_for);
        let unknown: Vec<_> = unknown.map(|member| unknown_field(member.name.as_ref())).collect();
        conclude(unknown, std::mem::take(&mut self.errors), build)
    }

    /// The whole body, if every field was valid and none was unknown.
    pub fn into_body<B: RequestBody<'a>>(mut self) -> Result<B, Problem> {
        let body = B::read(&mut self);
        self.finish(|| body)
    }

    fn take(&mut self, name: &str) -> Option<&'a RawValue> {
        let member = self.members.iter_mut().find(|member| member.name == name)?;
        member.asked_for = true;
        Some(member.value)
    }

    fn read<T>(
        &mut self,
        name: &'static str,
        value: &'a RawValue,
        reader: impl FnOnce(&'a RawValue) -> Result<T, Refusal>,
    ) -> Option<T> {
        reader(value).map_err(|refusal| self.refuse(name, refusal)).ok()
    }
}

pub(crate) fn unknown_field(name: &str) -> FieldError {
    FieldError { field: Cow::Owned(name.to_owned()), message: Cow::Borrowed("is not known here") }
}

/// The last step of reading: all errors in one problem, or the result.
pub(crate) fn conclude<T>(
    unknown: Vec<FieldError>,
    refused: Vec<FieldError>,
    build: impl FnOnce() -> Option<T>,
) -> Result<T, Problem> {
    let problem = if !unknown.is_empty() {
        Problem::bad_request("UNKNOWN_FIELD", "A field is not known here")
    } else if !refused.is_empty() {
        Problem::bad_request("INVALID_FIELDS", "Validation failed")
    } else {
        return build().ok_or_else(|| Problem::internal(&"a request that read well was not built"));
    };
    Err(problem.field_errors(refused.into_iter().chain(unknown).take(MAX_REPORTED)))
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
