//! The one description of each entity: its fields under their public names.
//!
//! Records, rows, feeds, idempotent replays and exports are derived from it, so a field is named
//! once. An engine implements [`FieldSink`] and [`FieldSource`] for its format and lists the names
//! that differ. [`entity!`] destructures exhaustively in both directions: a forgotten field does
//! not compile.

use std::{borrow::Cow, fmt::Display};

use jiff::Timestamp;
use thiserror::Error;

/// A field that is invalid for its entity.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name} {reason}")]
pub struct FieldError {
    /// The public name of the field.
    pub name: &'static str,
    /// The reason.
    pub reason: String,
}

impl FieldError {
    /// An error about this field.
    pub fn new(name: &'static str, reason: impl Display) -> Self {
        Self { name, reason: reason.to_string() }
    }
}

/// The destination of an entity, field by field.
pub trait FieldSink {
    /// Writes text.
    fn text(&mut self, name: &'static str, text: &str);
    /// Writes a field that has its default value. A sink that need not store it omits it.
    fn default_text(&mut self, name: &'static str, text: &str) {
        self.text(name, text);
    }
    /// Writes a list of texts. A sink that need not store an empty one omits it.
    fn texts(&mut self, name: &'static str, texts: &[&str]);
    /// Writes a time.
    fn time(&mut self, name: &'static str, at: Timestamp);
    /// Writes an exact decimal with two places.
    fn hundredths(&mut self, name: &'static str, hundredths: i64);
    /// Writes a count.
    fn count(&mut self, name: &'static str, count: u64);
    /// Writes whether something is so.
    fn flag(&mut self, name: &'static str, flag: bool);
    /// Writes a flag that has its default value. A sink that need not store it omits it.
    fn default_flag(&mut self, name: &'static str, flag: bool) {
        self.flag(name, flag);
    }
    /// Writes that an optional field is empty.
    fn absent(&mut self, name: &'static str);
}

/// The source of an entity. `None` is an absent field.
pub trait FieldSource {
    /// Reads text.
    fn text(&self, name: &'static str) -> Result<Option<Cow<'_, str>>, FieldError>;
    /// Reads a list of texts.
    fn texts(&self, name: &'static str) -> Result<Option<Vec<Cow<'_, str>>>, FieldError>;
    /// Reads a time.
    fn time(&self, name: &'static str) -> Result<Option<Timestamp>, FieldError>;
    /// Reads an exact decimal with two places.
    fn hundredths(&self, name: &'static str) -> Result<Option<i64>, FieldError>;
    /// Reads a count.
    fn count(&self, name: &'static str) -> Result<Option<u64>, FieldError>;
    /// Reads whether something is so.
    fn flag(&self, name: &'static str) -> Result<Option<bool>, FieldError>;
}

/// A value that is one field of an entity, or several.
pub trait Field: Sized {
    /// Writes it.
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized));

    /// Writes an absent field.
    fn write_absent(name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.absent(name);
    }

    /// Reads it; `None` if it is absent.
    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError>;
}

/// Reads a required field.
pub(crate) fn required<T: Field>(
    name: &'static str,
    from: &(impl FieldSource + ?Sized),
) -> Result<T, FieldError> {
    T::read(name, from)?.ok_or_else(|| FieldError::new(name, "is missing"))
}

/// Something with an identity that is stored, listed and announced.
pub trait Entity: Sized {
    /// Writes every field.
    fn write(&self, to: &mut (impl FieldSink + ?Sized));
    /// Reads every field.
    fn read(from: &(impl FieldSource + ?Sized)) -> Result<Self, FieldError>;
}

/// Optional fields can always be read: absence is a value.
impl<T: Field> Field for Option<T> {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        match self {
            Some(value) => value.write(name, to),
            None => T::write_absent(name, to),
        }
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        T::read(name, from).map(Some)
    }
}

impl Field for Timestamp {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.time(name, *self);
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        from.time(name)
    }
}

impl Field for u64 {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.count(name, *self);
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        from.count(name)
    }
}

impl Field for bool {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.flag(name, *self);
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        from.flag(name)
    }
}

/// Implements [`Field`] for a value: how it is written, and how it is read from the raw value.
macro_rules! field {
    ($($type:ty: $kind:ident(|$value:ident| $raw:expr, $parse:expr)),+ $(,)?) => {$(
        impl $crate::entity::Field for $type {
            fn write(
                &self,
                name: &'static str,
                to: &mut (impl $crate::entity::FieldSink + ?Sized),
            ) {
                let $value = self;
                to.$kind(name, $raw);
            }

            fn read(
                name: &'static str,
                from: &(impl $crate::entity::FieldSource + ?Sized),
            ) -> Result<Option<Self>, $crate::entity::FieldError> {
                let Some(raw) = from.$kind(name)? else { return Ok(None) };
                let parsed = ($parse)(&raw);
                parsed.map(Some).map_err(|error| $crate::entity::FieldError::new(name, error))
            }
        }
    )+};
}

/// Implements [`Entity`] for a struct: every field and its public name. A field that consists of several
/// ignores its name.
macro_rules! entity {
    ($type:ident { $($field:ident: $name:literal),+ $(,)? }) => {
        impl $crate::entity::Entity for $type {
            fn write(&self, to: &mut (impl $crate::entity::FieldSink + ?Sized)) {
                let Self { $($field),+ } = self;
                $($crate::entity::Field::write($field, $name, to);)+
            }

            fn read(
                from: &(impl $crate::entity::FieldSource + ?Sized),
            ) -> Result<Self, $crate::entity::FieldError> {
                Ok(Self { $($field: $crate::entity::required($name, from)?),+ })
            }
        }
    };
}

/// Declares the details of an entity, with a patch of the same fields, each once: its
/// documentation, type and public name. In a patch, `None` leaves a field unchanged.
macro_rules! details {
    (
        $(#[$details_doc:meta])* $details:ident,
        $(#[$patch_doc:meta])* $patch:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty = $name:literal,)+
        }
    ) => {
        $(#[$details_doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $details {
            $($(#[$doc])* pub $field: $type,)+
        }

        $(#[$patch_doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct $patch {
            $($(#[$doc])* pub $field: Option<$type>,)+
        }

        impl $details {
            /// The public names of the fields that differ.
            pub fn differences(&self, other: &Self) -> Vec<&'static str> {
                let fields = [$(($name, self.$field != other.$field)),+];
                fields.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
            }
        }

        impl $patch {
            /// The patch that sets every field.
            pub fn to(details: $details) -> Self {
                Self { $($field: Some(details.$field)),+ }
            }

            /// The details after the change.
            #[must_use]
            pub fn apply(self, to: &$details) -> $details {
                $details { $($field: self.$field.unwrap_or_else(|| to.$field.clone())),+ }
            }

            /// One part of an edit from `base` (`None`: unknown) to `mine`, with the entity now
            /// being `theirs`.
            fn part_of_edit(
                part: $crate::three_way::Part,
                base: Option<&$details>,
                mine: &$details,
                theirs: &$details,
            ) -> Self {
                Self {
                    $($field: part.take(
                        base.map(|base| &base.$field), &mine.$field, &theirs.$field,
                    )),+
                }
            }
        }

        $crate::entity::entity! { $details { $($field: $name),+ } }

        /// The fields are flattened into those of the entity.
        impl $crate::entity::Field for $details {
            fn write(
                &self,
                _: &'static str,
                to: &mut (impl $crate::entity::FieldSink + ?Sized),
            ) {
                $crate::entity::Entity::write(self, to);
            }

            fn read(
                _: &'static str,
                from: &(impl $crate::entity::FieldSource + ?Sized),
            ) -> Result<Option<Self>, $crate::entity::FieldError> {
                <Self as $crate::entity::Entity>::read(from).map(Some)
            }
        }
    };
}

pub(crate) use {details, entity, field};

field! {
    crate::Email: text(|email| email.as_str(), Self::parse_stored),
    crate::Zone: text(|zone| zone.name(), Self::parse),
    crate::InviteCode: text(|code| code.as_str(), Self::parse),
    crate::Unit: text(|unit| unit.as_str(), Self::parse),
    crate::ImageUrl: text(|url| url.as_str(), Self::parse),
    crate::Notes: text(|notes| notes.as_str(), Self::parse),
}
