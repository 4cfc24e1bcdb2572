//! Request bodies that are declared once, for their reader and for the OpenAPI document.

use crate::Fields;

/// A body that [`request_body!`](crate::request_body) declares. Read it with [`Fields::into_body`].
pub trait RequestBody<'a>: Sized {
    /// Reads every field. `None` means that an error was recorded.
    fn read(fields: &mut Fields<'a>) -> Option<Self>;
}

/// Declares the body of a request: a struct of parsed values, its [`RequestBody`] and its schema.
///
/// A field is a kind, a name, the name in JSON if that is another, the parsed type, `as` the type in
/// the schema, and a reader of one value (see [`read`](crate::read)). Documentation and `#[schema]`
/// attributes go to the schema. Errors are reported in the order of the fields.
///
/// | kind | JSON | in the struct |
/// |---|---|---|
/// | `required` | there, and not null | `T` |
/// | `optional` | may be absent or null | `Option<T>` |
/// | `default` | may be absent or null | `T`, its default then |
/// | `change` | may be absent, but not null | `Option<T>` |
/// | `patch` | absent, null and a value are three things | [`Patch<T>`](crate::Patch) |
/// | `special` | whatever its function says | `T` |
///
/// A `special` field has a function instead of a reader. It gets the [`Fields`] and the name in
/// JSON, and returns `None` if it recorded an error. Its type in the schema is used verbatim, so an
/// optional field needs an `Option`.
///
/// A body that borrows from the request has a lifetime: `struct Body<'a>`.
///
/// ```
/// # use larder_http::{Fields, Patch, Problem, read, request_body};
/// # fn main() -> Result<(), Problem> {
/// request_body! {
///     /// What to change about a shelf.
///     struct ShelfChanges {
///         /// The version that the change is based on.
///         #[schema(minimum = 1)]
///         required version: u64 as u64 = read::integer,
///         #[schema(max_length = 50)]
///         patch label "shelfLabel": String as String = read::text(str::parse),
///         default is_cold "isCold": bool as bool = read::boolean,
///     }
/// }
///
/// let body = br#"{"version": 7, "shelfLabel": null}"#;
/// let ShelfChanges { version, label, is_cold } = Fields::parse(body)?.into_body()?;
/// assert_eq!((version, label, is_cold), (7, Patch::Null, false));
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! request_body {
    ($(#[$attr:meta])* $vis:vis struct $name:ident { $($fields:tt)* }) => {
        $crate::request_body! { @fields [[$(#[$attr])* $vis struct $name] 'body []] [] $($fields)* }
    };
    ($(#[$attr:meta])* $vis:vis struct $name:ident<$life:lifetime> { $($fields:tt)* }) => {
        $crate::request_body! {
            @fields [[$(#[$attr])* $vis struct $name] $life [<$life>]] [] $($fields)*
        }
    };

    // One field at a time: its kind determines the types in the struct and in the schema, and the
    // reader.
    (@fields $body:tt [$($done:tt)*] $(#[$attr:meta])*
        $kind:ident $field:ident $($json:literal)?: $ty:ty as $schema:ty = $read:expr, $($rest:tt)*
    ) => {
        $crate::request_body! {
            @$kind $ty, $schema, $read; $body [$($done)*] [$(#[$attr])* $field $($json)?] $($rest)*
        }
    };
    (@required $ty:ty, $schema:ty, $read:expr; $($field:tt)*) => {
        $crate::request_body! {
            @special $ty, $schema, |fields, name| fields.required(name, $read); $($field)*
        }
    };
    (@optional $ty:ty, $schema:ty, $read:expr; $($field:tt)*) => {
        $crate::request_body! {
            @special Option<$ty>, Option<$schema>,
            |fields, name| Some(fields.optional(name, $read)); $($field)*
        }
    };
    (@default $ty:ty, $schema:ty, $read:expr; $($field:tt)*) => {
        $crate::request_body! {
            @special $ty, Option<$schema>,
            |fields, name| Some(fields.optional(name, $read).unwrap_or_default()); $($field)*
        }
    };
    (@change $ty:ty, $schema:ty, $read:expr; $($field:tt)*) => {
        $crate::request_body! {
            @special Option<$ty>, Option<$schema>,
            |fields, name| Some(fields.change(name, $read)); $($field)*
        }
    };
    (@patch $ty:ty, $schema:ty, $read:expr; $($field:tt)*) => {
        $crate::request_body! {
            @special $crate::Patch<$ty>, Option<$schema>,
            |fields, name| Some(fields.patch(name, $read)); $($field)*
        }
    };
    (@special $ty:ty, $schema:ty, $read:expr; $body:tt [$($done:tt)*] $field:tt $($rest:tt)*) => {
        $crate::request_body! { @fields $body [$($done)* [$field $ty, $schema, $read]] $($rest)* }
    };

    (@fields [[$(#[$head:meta])* $vis:vis struct $name:ident] $life:lifetime [$($generics:tt)*]] [$([
        [$(#[$attr:meta])* $field:ident $($json:literal)?] $ty:ty, $schema:ty, $read:expr
    ])*]) => {
        #[derive(utoipa::ToSchema)]
        $(#[$head])*
        $vis struct $name $($generics)* {
            $(
                $(#[$attr])*
                $(#[schema(rename = $json)])?
                #[schema(value_type = $schema)]
                $vis $field: $ty,
            )*
        }

        impl<$life> $crate::RequestBody<$life> for $name $($generics)* {
            fn read(fields: &mut $crate::Fields<$life>) -> Option<Self> {
                $(let $field =
                    fields.read_with($crate::request_body!(@name $field $($json)?), $read);)*
                Some(Self { $($field: $field?),* })
            }
        }
    };

    (@name $field:ident) => {
        stringify!($field)
    };
    (@name $field:ident $json:literal) => {
        $json
    };
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use serde_json::json;
    use utoipa::PartialSchema as _;

    use crate::{Fields, Patch, Problem, read};

    request_body! {
        /// One field of each kind.
        #[derive(Debug, PartialEq)]
        struct EachKind<'a> {
            /// Anything.
            #[schema(max_length = 9)]
            required name "itemName": Cow<'a, str> as String = read::borrowed_text,
            optional count: u8 as u32 = read::integer,
            default is_cold: bool as bool = read::boolean,
            change unit: String as String = read::text(str::parse),
            patch shelf: u8 as u32 = read::integer,
            special twice: u8 as u32 = |fields, name| Some(2 * fields.required(name, read::integer::<u8>)?),
        }
    }

    fn read(body: &str) -> Result<EachKind<'_>, Problem> {
        Fields::parse(body.as_bytes())?.into_body()
    }

    #[test]
    fn a_field_is_read_as_its_kind_says() {
        let least = EachKind {
            name: "rice".into(),
            count: None,
            is_cold: false,
            unit: None,
            shelf: Patch::Absent,
            twice: 2,
        };
        assert_eq!(read(r#"{"itemName":"rice","twice":1}"#).unwrap(), least);
        let nulls = r#"{"itemName":"rice","count":null,"is_cold":null,"shelf":null,"twice":1}"#;
        assert_eq!(read(nulls).unwrap(), EachKind { shelf: Patch::Null, ..least });
        let all = r#"{"itemName":"rice","count":3,"is_cold":true,"unit":"kg","shelf":4,"twice":5}"#;
        let expected = EachKind {
            name: "rice".into(),
            count: Some(3),
            is_cold: true,
            unit: Some("kg".to_owned()),
            shelf: Patch::Set(4),
            twice: 10,
        };
        assert_eq!(read(all).unwrap(), expected);
    }

    #[test]
    fn mistakes_are_reported_in_the_order_of_the_fields() {
        let problem = read(r#"{"twice":null,"shelf":"4","unit":null,"is_cold":1,"count":-1}"#);
        let problem = problem.unwrap_err();
        let errors = problem.errors().iter().map(|error| (&*error.field, &*error.message));
        let expected = [
            ("itemName", "is required"),
            ("count", "is out of range"),
            ("is_cold", "must be true or false"),
            ("unit", "must not be null"),
            ("shelf", "must be a number"),
            ("twice", "must not be null"),
        ];
        assert_eq!(errors.collect::<Vec<_>>(), expected);
        let unknown = read(r#"{"itemName":"rice","twice":1,"name":"rice"}"#).unwrap_err();
        assert_eq!(unknown.code(), "UNKNOWN_FIELD");
    }

    #[test]
    fn the_schema_has_the_names_and_types_of_the_json() {
        let whole = json!({"type": ["integer", "null"], "format": "int32", "minimum": 0});
        let expected = json!({
            "type": "object",
            "description": "One field of each kind.",
            "required": ["itemName", "twice"],
            "properties": {
                "itemName": {"type": "string", "description": "Anything.", "maxLength": 9},
                "count": whole,
                "is_cold": {"type": ["boolean", "null"]},
                "unit": {"type": ["string", "null"]},
                "shelf": whole,
                "twice": {"type": "integer", "format": "int32", "minimum": 0},
            },
        });
        assert_eq!(serde_json::to_value(EachKind::schema()).unwrap(), expected);
    }
}
