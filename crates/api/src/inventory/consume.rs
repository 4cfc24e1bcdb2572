//! `POST /inventory/lots/consume`: take from the lots of a product, the first to expire first.

use larder_app::ProductChoice;
use larder_domain::{Consumed, Gtin, ItemId, ItemName, ProductId, Quantity, Taken, Unit};
use larder_http::{
    Fields, Hundredths, Json, JsonBody, Problem, ProblemDocument, read, request_body,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, ApiState, Idempotency, InInventory, need::ChangeStock};

request_body! {
    /// How much to take of which product: exactly one of `productId`, `name` and `barcode`.
    struct Consumption {
        #[schema(format = "uuid")]
        optional product "productId": ProductId as String = read::text(str::parse),
        #[schema(min_length = 1, max_length = 200)]
        optional name: ItemName as String = read::text(ItemName::parse),
        optional barcode: Gtin as String = read::text(Gtin::parse),
        /// More than 0, with at most two decimals.
        #[schema(minimum = 0.01, maximum = 99_999_999.99)]
        required quantity: Quantity as f64 = read::number(Quantity::parse_more_than_zero),
        /// Absent: the product's.
        #[schema(min_length = 1, max_length = 20)]
        optional unit: Unit as String = read::text(Unit::parse),
    }
}

/// What was taken from a lot.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TakenDto {
    #[schema(value_type = String, format = "uuid")]
    item_id: ItemId,
    /// The change of its quantity, in its unit: below 0.
    #[schema(value_type = f64)]
    applied: Hundredths,
}

/// What was taken, and what was not there.
#[derive(Serialize, ToSchema)]
#[schema(as = Consumed)]
struct ConsumedDto {
    taken: Vec<TakenDto>,
    /// In the unit of the request; 0 if there was enough.
    #[schema(value_type = f64)]
    missing: Hundredths,
}

impl ConsumedDto {
    fn of(consumed: &Consumed) -> Self {
        let taken = |taken: &Taken| TakenDto {
            item_id: taken.item,
            applied: Hundredths(taken.applied_hundredths),
        };
        Self {
            taken: consumed.taken.0.iter().map(taken).collect(),
            missing: consumed.missing.into(),
        }
    }
}

/// Take from the lots of a product
///
/// From the lot that expires first, then from the next, in one atomic step. Lots in units that do
/// not convert are left alone.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/lots/consume",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(Idempotency),
    request_body = Consumption,
    responses(
        (status = 200, body = ConsumedDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`, `BARCODE_NOT_FOUND`"),
        (status = 409, body = ProblemDocument, description = "`UNIT_MISMATCH`"),
        (status = 422, body = ProblemDocument, description = "`TOO_MANY_LOTS`"),
    ),
)]
pub(super) async fn consume(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let Consumption { product, name, barcode, quantity, unit } =
        Fields::parse(&body)?.into_body()?;
    let choice = match (product, name, barcode) {
        (Some(id), None, None) => ProductChoice::Id(id),
        (None, Some(name), None) => ProductChoice::Name(name),
        (None, None, Some(code)) => ProductChoice::Barcode(code),
        (None, None, None) => {
            return Err(one_of("productId", "must be given, or name, or barcode").into());
        }
        (Some(_), Some(_), _) => return Err(one_of("name", "must not come with productId").into()),
        (_, _, Some(_)) => return Err(one_of("barcode", "must be the only one").into()),
    };
    let write = async |claim: Option<_>| {
        api.app.consume(&caller, &choice, quantity, unit, claim.as_ref()).await
    };
    let consumed = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok(Json::of(&ConsumedDto::of(&consumed)))
}

fn one_of(field: &'static str, message: &'static str) -> Problem {
    Problem::bad_request("INVALID_FIELDS", "Validation failed").field_error(field, message)
}
