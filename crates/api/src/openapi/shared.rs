//! What all operations share, so that no route repeats it: the answers of the extractors and of the
//! stack, the type of errors, and limits that follow from types.

use axum::http::StatusCode;
use larder_domain::{Urn, Whose};
use larder_http::ProblemDocument;
use utoipa::{
    Number, PartialSchema as _, ToSchema as _,
    openapi::{
        Content, Header, HttpMethod, ObjectBuilder, OpenApi, PathItem, Ref, RefOr, Response,
        Schema,
        path::{Operation, Parameter, ParameterBuilder, ParameterIn},
        request_body::RequestBody,
        schema::{
            AdditionalProperties, ArrayItems, KnownFormat, Object, SchemaFormat, SchemaType, Type,
        },
        security::SecurityRequirement,
    },
};

const PROBLEM: &str = "application/problem+json";

/// Completes the document of the routes.
pub(super) fn complete(document: &mut OpenApi) {
    let everywhere = document.security.clone().unwrap_or_default();
    for (address, path) in &mut document.paths.paths {
        for (method, operation) in operations(path) {
            if has_inventory(address) {
                add_inventory(operation);
            }
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(Parameter { schema: Some(schema), .. }) = parameter {
                    refuse_null(schema);
                    complete_each([schema]);
                }
            }
            for content in operation.request_body.iter_mut().flat_map(contents) {
                refuse_null(content);
            }
            let traits = RequestTraits::of(&method, operation, &everywhere);
            add_shared_answers(operation, &traits);
            for (status, response) in &mut operation.responses.responses {
                if let (RefOr::T(response), Ok(status)) = (response, status.parse()) {
                    complete_response(status, response);
                }
            }
        }
    }
    let components = document.components.get_or_insert_default();
    components
        .schemas
        .entry(ProblemDocument::name().into_owned())
        .or_insert_with(ProblemDocument::schema);
    let mut nested = Vec::new();
    ProblemDocument::schemas(&mut nested);
    for (name, schema) in nested {
        components.schemas.entry(name).or_insert(schema);
    }
    for schema in components.schemas.values_mut() {
        if let RefOr::T(schema) = schema {
            complete_schema(schema);
        }
    }
}

/// Whether the operations of this path are about one of the two inventories of a member.
fn has_inventory(address: &str) -> bool {
    let of_one = ["inventory/", "products", "search", "today", "events"];
    let address = address.strip_prefix("/api/v1/").unwrap_or_default();
    let is_of_one = of_one.iter().any(|start| address.starts_with(start));
    // Tags are for things that all share, and who moves something says where to.
    is_of_one && !address.contains("/nfc-urls") && !address.ends_with("/move")
}

/// The parameter that says which of the two.
fn add_inventory(operation: &mut Operation) {
    let names = Whose::ALL.map(Whose::as_str);
    let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
    let parameter = ParameterBuilder::new()
        .name("inventory")
        .parameter_in(ParameterIn::Query)
        .description(Some(
            "Which inventory: at first the household's, where there is one; otherwise your own",
        ))
        .schema(Some(schema));
    operation.parameters.get_or_insert_default().push(RefOr::T(parameter.build()));
}

/// The operations of a path, as far as we have such.
pub(super) fn operations(
    path: &mut PathItem,
) -> impl Iterator<Item = (HttpMethod, &mut Operation)> {
    let PathItem { get, put, post, delete, patch, .. } = path;
    let all = [
        (HttpMethod::Get, get),
        (HttpMethod::Put, put),
        (HttpMethod::Post, post),
        (HttpMethod::Delete, delete),
        (HttpMethod::Patch, patch),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// What an operation asks of a request, which determines how it can be refused.
#[expect(clippy::struct_excessive_bools, reason = "each of them adds an answer by itself")]
struct RequestTraits {
    /// A person's credentials.
    login: bool,
    /// Any parameter or body, which can be malformed.
    input: bool,
    body: bool,
    idempotency_key: bool,
    /// Which inventory, of which there may be only one.
    inventory: bool,
    /// Whether the answer can be one that the client has already.
    conditional: bool,
    /// Whether it reads or writes the store.
    store: bool,
    /// What browsers get instead of problems, if they may send it.
    pages: Vec<(String, RefOr<Content>)>,
}

impl RequestTraits {
    fn of(method: &HttpMethod, operation: &Operation, everywhere: &[SecurityRequirement]) -> Self {
        let bearer = SecurityRequirement::new("bearer", [""; 0]);
        let login = operation.security.as_deref().unwrap_or(everywhere).contains(&bearer);
        let parameters = operation.parameters.as_deref().unwrap_or_default();
        let body = operation.request_body.is_some();
        let is_get = *method == HttpMethod::Get;
        let tags = operation.tags.as_deref().unwrap_or_default();
        Self {
            login,
            input: body || !parameters.is_empty(),
            body,
            idempotency_key: parameters.iter().any(is_idempotency_key),
            inventory: parameters.iter().any(is_inventory),
            conditional: is_get && answers(operation, "application/json"),
            store: !tags.iter().any(|tag| tag == "Operations"),
            pages: other_errors(operation),
        }
    }
}

fn is_idempotency_key(parameter: &RefOr<Parameter>) -> bool {
    matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Header
        && parameter.name == "Idempotency-Key")
}

fn is_inventory(parameter: &RefOr<Parameter>) -> bool {
    matches!(parameter, RefOr::T(parameter) if parameter.name == "inventory")
}

/// What the answer for something unknown can be, besides a problem.
fn other_errors(operation: &Operation) -> Vec<(String, RefOr<Content>)> {
    let Some(RefOr::T(unknown)) = operation.responses.responses.get("404") else {
        return Vec::new();
    };
    let others = unknown.content.iter().filter(|(kind, _)| *kind != "application/json");
    others.map(|(kind, content)| (kind.clone(), content.clone())).collect()
}

fn answers(operation: &Operation, content_type: &str) -> bool {
    matches!(
        operation.responses.responses.get("200"),
        Some(RefOr::T(response)) if response.content.contains_key(content_type)
    )
}

/// Adds the answers that follow from what the operation asks, unless its handler says more.
fn add_shared_answers(operation: &mut Operation, traits: &RequestTraits) {
    let mut refuse = |applies: bool, status: StatusCode, description: &str| {
        if !applies {
            return;
        }
        let answers = &mut operation.responses.responses;
        let known = answers.entry(status.as_str().to_owned());
        let answer = known.or_insert_with(|| RefOr::T(Response::new(description)));
        let RefOr::T(answer) = answer else { return };
        if answer.content.is_empty() {
            let problem = Ref::from_schema_name(ProblemDocument::name());
            answer.content.insert(PROBLEM.to_owned(), RefOr::T(Content::new(Some(problem))));
            answer.content.extend(traits.pages.clone());
        }
    };
    refuse(traits.input, StatusCode::BAD_REQUEST, "`INVALID_FIELDS`, `UNKNOWN_FIELD`: malformed");
    refuse(
        traits.login,
        StatusCode::UNAUTHORIZED,
        "`UNAUTHENTICATED`: no credentials, or none that work",
    );
    refuse(
        traits.login,
        StatusCode::FORBIDDEN,
        "`OPERATOR_NOT_ALLOWED`; `CSRF_TOKEN_INVALID` with the cookie of a browser",
    );
    refuse(traits.inventory, StatusCode::NOT_FOUND, "`NO_HOUSEHOLD`: you have only your own");
    refuse(
        traits.idempotency_key,
        StatusCode::CONFLICT,
        "`IDEMPOTENCY_MISMATCH`, `IDEMPOTENCY_KEY_USED`",
    );
    refuse(
        traits.body,
        StatusCode::REQUEST_TIMEOUT,
        "`REQUEST_TIMEOUT`: the body took too long to arrive",
    );
    refuse(traits.body, StatusCode::PAYLOAD_TOO_LARGE, "`BODY_TOO_LARGE`");
    refuse(
        traits.body,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "`UNSUPPORTED_MEDIA_TYPE`, `UNSUPPORTED_ENCODING`",
    );
    refuse(
        true,
        StatusCode::INTERNAL_SERVER_ERROR,
        "`INTERNAL`: the log says more under the request's id",
    );
    refuse(traits.store, StatusCode::SERVICE_UNAVAILABLE, "`UNAVAILABLE`: try again soon");
    if traits.conditional {
        let unchanged = Response::new("As it was under the `ETag` of `If-None-Match`");
        let answers = &mut operation.responses.responses;
        answers.entry("304".to_owned()).or_insert(RefOr::T(unchanged));
    }
}

/// Each answer has a description, errors are problem documents, and those that pass say when to
/// try again.
fn complete_response(status: StatusCode, response: &mut Response) {
    if response.description.is_empty() {
        status.canonical_reason().unwrap_or("Answer").clone_into(&mut response.description);
    }
    if (status.is_client_error() || status.is_server_error())
        && let Some(content) = response.content.shift_remove("application/json")
    {
        response.content.insert(PROBLEM.to_owned(), content);
    }
    if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        let mut seconds = Object::with_type(Type::Integer);
        seconds.minimum = Some(Number::Int(1));
        let mut header = Header::new(seconds);
        header.description = Some("Seconds after which to try again".to_owned());
        response.headers.insert("Retry-After".to_owned(), header.into());
    }
}

fn contents(body: &mut RefOr<RequestBody>) -> impl Iterator<Item = &mut RefOr<Schema>> {
    let contents = match body {
        RefOr::T(body) => Some(body.content.values_mut()),
        RefOr::Ref(_) => None,
    };
    contents.into_iter().flatten().filter_map(|content| match content {
        RefOr::T(content) => content.schema.as_mut(),
        RefOr::Ref(_) => None,
    })
}

/// A parameter or a body can be absent, but not null.
fn refuse_null(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            if let SchemaType::Array(types) = &mut object.schema_type {
                types.retain(|of| *of != Type::Null);
                if let [only] = &types[..] {
                    object.schema_type = SchemaType::Type(only.clone());
                }
            }
        }
        RefOr::T(Schema::OneOf(one_of)) => {
            if let [RefOr::T(Schema::Object(null)), other] | [other, RefOr::T(Schema::Object(null))] =
                &mut one_of.items[..]
                && null.schema_type == SchemaType::Type(Type::Null)
            {
                *schema = other.clone();
            }
        }
        _ => {}
    }
}

/// Gives every whole number the limit of its type, and every URN its form.
fn complete_schema(schema: &mut Schema) {
    match schema {
        Schema::Object(object) => complete_object(object),
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                complete_each([&mut **items]);
            }
        }
        Schema::OneOf(any) => complete_each(&mut any.items),
        Schema::AllOf(all) => complete_each(&mut all.items),
        Schema::AnyOf(any) => complete_each(&mut any.items),
        _ => {}
    }
}

fn complete_each<'a>(schemas: impl IntoIterator<Item = &'a mut RefOr<Schema>>) {
    for schema in schemas {
        if let RefOr::T(schema) = schema {
            complete_schema(schema);
        }
    }
}

fn complete_object(object: &mut Object) {
    complete_each(object.properties.values_mut());
    if let Some(values) = &mut object.additional_properties
        && let AdditionalProperties::RefOr(values) = &mut **values
    {
        complete_each([values]);
    }
    if matches!(&object.format, Some(SchemaFormat::Custom(format)) if format == "urn") {
        object.pattern = Some(Urn::PATTERN.to_owned());
    }
    let is_integer = match &object.schema_type {
        SchemaType::Type(of) => *of == Type::Integer,
        SchemaType::Array(types) => types.contains(&Type::Integer),
        SchemaType::AnyValue => false,
    };
    if is_integer && object.maximum.is_none() && object.enum_values.is_none() {
        object.maximum = match &object.format {
            Some(SchemaFormat::KnownFormat(KnownFormat::Int32)) => {
                Some(Number::Int(i32::MAX as isize))
            }
            Some(SchemaFormat::KnownFormat(KnownFormat::Int64)) => Some(Number::Int(isize::MAX)),
            _ => None,
        };
    }
}
