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
/// the schema, and a reader of one value (see [`read`](crate::read)). The limits in the schema are
/// those of the parsed type ([`Rule`](crate::Rule)); documentation and `#[schema]` attributes add to
/// them. Errors are reported in the order of the fields.
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
/// A body that borrows from the request has a lifetime: `struct Body<'a>`. One whose unknown fields
/// are ignored is a `lenient struct`.
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
        $crate::request_body! {
            @fields [[$(#[$attr])* $vis struct $name] Closed 'body []] [] $($fields)*
        }
    };
    ($(#[$attr:meta])* $vis:vis struct $name:ident<$life:lifetime> { $($fields:tt)* }) => {
        $crate::request_body! {
            @fields [[$(#[$attr])* $vis struct $name] Closed $life [<$life>]] [] $($fields)*
        }
    };
    ($(#[$attr:meta])* $vis:vis lenient struct $name:ident { $($fields:tt)* }) => {
        $crate::request_body! {
            @fields [[$(#[$attr])* $vis struct $name] Open 'body []] [] $($fields)*
        }
    };
    ($(#[$attr:meta])* $vis:vis lenient struct $name:ident<$life:lifetime> { $($fields:tt)* }) => {
        $crate::request_body! {
            @fields [[$(#[$attr])* $vis struct $name] Open $life [<$life>]] [] $($fields)*
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
    (@change $ty:ty, $schema:ty, $read:expr; $body:tt $done:tt [$($field:tt)*] $($rest:tt)*) => {
        $crate::request_body! {
            @special Option<$ty>, Option<$schema>,
            |fields, name| Some(fields.change(name, $read));
            $body $done [#[schema(nullable = false, required = false)] $($field)*] $($rest)*
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

    (@fields [
        [$(#[$head:meta])* $vis:vis struct $name:ident] $unknown:ident $life:lifetime [$($generics:tt)*]
    ] [$([
        [$(#[$attr:meta])* $field:ident $($json:literal)?] $ty:ty, $schema:ty, $read:expr
    ])*]) => {
        $vis struct $name $($generics)* {
            $($vis $field: $ty,)*
        }

        const _: () = {
            // What the attributes say of the schema.
            #[derive(utoipa::ToSchema)]
            $(#[$head])*
            #[allow(dead_code, reason = "only its schema is used")]
            struct Shape $($generics)* {
                $(
                    $(#[$attr])*
                    $(#[schema(rename = $json)])?
                    #[schema(value_type = $schema)]
                    $field: $ty,
                )*
            }

            impl $($generics)* utoipa::PartialSchema for $name $($generics)* {
                fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                    let shape = <Shape as utoipa::PartialSchema>::schema();
                    $crate::schema_of_body(shape, $crate::UnknownFields::$unknown, &[$((
                        $crate::request_body!(@name $field $($json)?),
                        <$ty as $crate::Described>::RULE,
                    )),*])
                }
            }

            impl $($generics)* utoipa::ToSchema for $name $($generics)* {
                fn name() -> std::borrow::Cow<'static, str> {
                    let name = <Shape as utoipa::ToSchema>::name();
                    if name == "Shape" { stringify!($name).into() } else { name }
                }

                fn schemas(
                    schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>,
                ) {
                    <Shape as utoipa::ToSchema>::schemas(schemas);
                }
            }
        };

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

    use larder_domain::{Barcodes, Delta, ExpirationDate, ItemId, Quantity, Role, TapNonce};
    use serde_json::json;
    use utoipa::{PartialSchema as _, ToSchema as _};

    use crate::{Fields, Patch, Problem, read};

    request_body! {
        /// One field of each kind.
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

    /// The fields of a body, in order.
    type Read = (String, Option<u8>, bool, Option<String>, Patch<u8>, u8);

    fn read(body: &str) -> Result<Read, Problem> {
        let EachKind { name, count, is_cold, unit, shelf, twice } =
            Fields::parse(body.as_bytes())?.into_body()?;
        Ok((name.into_owned(), count, is_cold, unit, shelf, twice))
    }

    #[test]
    fn a_field_is_read_as_its_kind_says() {
        let least = |shelf| ("rice".to_owned(), None, false, None, shelf, 2);
        let read = |body| read(body).unwrap();
        assert_eq!(read(r#"{"itemName":"rice","twice":1}"#), least(Patch::Absent));
        let nulls = r#"{"itemName":"rice","count":null,"is_cold":null,"shelf":null,"twice":1}"#;
        assert_eq!(read(nulls), least(Patch::Null));
        let all = r#"{"itemName":"rice","count":3,"is_cold":true,"unit":"kg","shelf":4,"twice":5}"#;
        let unit = Some("kg".to_owned());
        assert_eq!(read(all), ("rice".to_owned(), Some(3), true, unit, Patch::Set(4), 10));
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
                "unit": {"type": "string"},
                "shelf": whole,
                "twice": {"type": "integer", "format": "int32", "minimum": 0},
            },
            "additionalProperties": false,
        });
        assert_eq!(serde_json::to_value(EachKind::schema()).unwrap(), expected);
        assert_eq!(EachKind::name(), "EachKind");
    }

    request_body! {
        #[schema(as = Ruled)]
        lenient struct RuledFields {
            optional quantity: Quantity as f64 = read::number(Quantity::parse),
            #[schema(minimum = 0.01)]
            required delta: Delta as f64 = read::number(Delta::parse),
            required on: ExpirationDate as String = read::text(ExpirationDate::parse),
            patch id: ItemId as String = read::text(str::parse),
            change role: Role as String = read::text(str::parse),
            required nonce: TapNonce as String = read::text(TapNonce::parse),
            required codes: Barcodes as Vec<String> = |_| Err("is not read here".into()),
        }
    }

    #[test]
    fn the_schema_has_the_limits_of_the_parsed_types() {
        let read = Fields::parse(b"{}").unwrap().into_body();
        let refused = read.map(|RuledFields { quantity, delta, on, id, role, nonce, codes }| {
            drop((quantity, delta, on, id, role, nonce, codes));
        });
        assert_eq!(refused.unwrap_err().errors().len(), 4);
        let schema = serde_json::to_value(RuledFields::schema()).unwrap();
        let most = 99_999_999.99;
        let expected = json!({
            "quantity": {"type": ["number", "null"], "format": "double", "minimum": 0, "maximum": most, "multipleOf": 0.01},
            "delta": {"type": "number", "format": "double", "minimum": 0.01, "maximum": most, "multipleOf": 0.01, "not": {"const": 0}},
            "on": {"type": "string", "format": "date", "pattern": "^(19[0-9]{2}|20[0-9]{2}|2100)-[0-9]{2}-[0-9]{2}$"},
            "id": {"type": ["string", "null"], "format": "uuid"},
            "role": {"type": "string", "enum": ["admin", "member"]},
            "nonce": {"type": "string", "minLength": 8, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"},
            "codes": {
                "type": "array",
                "items": {"type": "string", "minLength": 8, "maxLength": 14, "pattern": "^([0-9]{8}|[0-9]{12,14})$"},
                "minItems": 0, "maxItems": 20, "uniqueItems": true,
            },
        });
        assert_eq!(schema["properties"], expected, "{schema:#}");
        assert_eq!(schema.get("additionalProperties"), None);
        assert_eq!(RuledFields::name(), "Ruled");
    }
}
