//! What each route owes to those who don't belong.

/// Who may call a route, and the status they get for the example request, which carries the first
/// household's ids.
#[derive(Clone, Copy)]
pub(super) enum Access {
    /// Needs no token, and answers the same whatever the token.
    Public { everyone: u16 },
    /// Answers 401 without a good token; a stranger is the admin of another household.
    Bearer { stranger: u16 },
}

/// One route and one example request for it.
pub(super) struct Route {
    pub(super) method: &'static str,
    /// As documented, with `{}` for each parameter.
    pub(super) path: &'static str,
    /// A real path; `<item>` and the like become the first household's ids.
    pub(super) example: &'static str,
    /// JSON with the same placeholders; empty for no body.
    pub(super) body: &'static str,
    pub(super) access: Access,
    /// Whether a 200 never ends.
    pub(super) streams: bool,
}

const fn route(
    method: &'static str,
    path: &'static str,
    example: &'static str,
    body: &'static str,
    access: Access,
) -> Route {
    Route { method, path, example, body, access, streams: false }
}

/// A route without parameters, which is its own example.
const fn plain(
    method: &'static str,
    path: &'static str,
    body: &'static str,
    access: Access,
) -> Route {
    route(method, path, path, body, access)
}

const fn public(everyone: u16) -> Access {
    Access::Public { everyone }
}

const fn bearer(stranger: u16) -> Access {
    Access::Bearer { stranger }
}

const MEMBER: &str = "/api/v1/households/current/members/{}";
const THE_MEMBER: &str = "/api/v1/households/current/members/<member>";
const ITEM: &str = "/api/v1/inventory/items/{}";
const THE_ITEM: &str = "/api/v1/inventory/items/<item>";
const PRODUCT: &str = "/api/v1/products/{}";
/// The product that the item has made has its id.
const THE_PRODUCT: &str = "/api/v1/products/<item>";
const PHOTO: &str = "/api/v1/products/{}/photo";
const THE_PHOTO: &str = "/api/v1/products/<item>/photo";
const THUMBNAIL: &str = "/api/v1/products/{}/photo/thumbnail";
const THE_THUMBNAIL: &str = "/api/v1/products/<item>/photo/thumbnail";
const BY_BARCODE: &str = "/api/v1/products/by-barcode/{}";
/// The first household's product has it.
const THE_BARCODE: &str = "/api/v1/products/by-barcode/<barcode>";
const FOREIGN_PRODUCT: &str = r#"{"productId":"<item>","quantity":1}"#;
const LOCATION: &str = "/api/v1/storage-locations/{}";
const THE_LOCATION: &str = "/api/v1/storage-locations/<location>";
const STORE: &str = "/api/v1/stores/{}";
const THE_STORE: &str = "/api/v1/stores/<store>";
const LIST: &str = "/api/v1/shopping-list";
const ENTRY: &str = "/api/v1/shopping-list/{}";
const THE_ENTRY: &str = "/api/v1/shopping-list/<entry>";
const TAGS: &str = "/api/v1/inventory/items/{}/nfc-urls";
const THE_TAGS: &str = "/api/v1/inventory/items/<item>/nfc-urls";
const TAG: &str = "/api/v1/nfc-urls/{}";
const THE_TAG: &str = "/api/v1/nfc-urls/<tag>";
const DEVICE: &str = "/api/v1/devices/{}";
const THE_DEVICE: &str = "/api/v1/devices/<device>";
const RESOURCES: &str = "/api/v1/resources";
const RESOURCE: &str = "/api/v1/resources/{}";
const THE_BOX: &str = "/api/v1/resources/<box>";
const PARENT: &str = "/api/v1/resources/{}/parent";
const THE_PARENT: &str = "/api/v1/resources/<box>/parent";
const BOX_PHOTO: &str = "/api/v1/resources/{}/photo";
const THE_BOX_PHOTO: &str = "/api/v1/resources/<box>/photo";
const BOX_THUMBNAIL: &str = "/api/v1/resources/{}/photo/thumbnail";
const THE_BOX_THUMBNAIL: &str = "/api/v1/resources/<box>/photo/thumbnail";
const MEMBER_OF: &str = "/api/v1/resources/{}/members/{}";
const THE_MEMBER_OF: &str = "/api/v1/resources/<room>/members/<box>";
/// Whoever holds a tag needs no token; nobody holds this one.
const UNKNOWN_TAG: &str = "/t/0000000000000000000000";

const CREDENTIALS: &str = r#"{"email":"nobody@example.org","password":"not the password"}"#;
const NO_RESET: &str = r#"{"token":"abc","password":"four words in a row"}"#;
const WRONG_PASSWORD: &str = r#"{"current":"not the password","new":"another password"}"#;
const REFRESH: &str = r#"{"refreshToken":"never-issued-never-issued"}"#;
/// A device shows its key instead of a token; without one, everybody is a stranger.
const REGISTRATION: &str = r#"{"hardware_id":"<device>"}"#;
/// Foreign references in the body count as unknown ones.
const FOREIGN_PLACE: &str =
    r#"{"name":"Bread","quantity":1,"unit":"個","storageLocationId":"<location>"}"#;

const GRANT: &str = "/api/v1/grants/{}/{}";
const THE_GRANT: &str = "/api/v1/grants/<grantee>/<box>";
/// Only trees that are too large for one transaction leave a job behind; `deletion/kills.rs` shows a stranger one.
const UNKNOWN_JOB: &str = "/api/v1/jobs/01955556-3cd2-7df2-b839-693fa6fbd505";
/// Into a room of the first household.
const FOREIGN_PARENT: &str =
    r#"{"resourceType":"Home.Box","parentUrn":"<room urn>","attributes":{}}"#;

/// All of them. The order matters only to the reader.
pub(super) const ROUTES: &[Route] = &[
    plain("GET", "/healthz", "", public(200)),
    plain("GET", "/readyz", "", public(200)),
    plain("GET", "/metrics", "", public(200)),
    plain("GET", "/openapi.json", "", public(200)),
    plain("GET", "/docs", "", public(200)),
    plain("POST", "/api/v1/auth/register", r#"{"email":"bad"}"#, public(400)),
    plain("POST", "/api/v1/auth/login", CREDENTIALS, public(401)),
    plain("POST", "/api/v1/auth/refresh", REFRESH, public(401)),
    plain("POST", "/api/v1/auth/logout", REFRESH, public(204)),
    plain("POST", "/api/v1/auth/forgot", r#"{"email":"nobody@example.org"}"#, public(202)),
    plain("POST", "/api/v1/auth/reset", NO_RESET, public(410)),
    plain("GET", "/api/v1/me", "", bearer(200)),
    plain("PATCH", "/api/v1/me", r#"{"name":"Stranger"}"#, bearer(200)),
    plain("DELETE", "/api/v1/me", r#"{"password":"not the stranger's"}"#, bearer(401)),
    plain("POST", "/api/v1/me/password", WRONG_PASSWORD, bearer(401)),
    plain("GET", "/api/v1/me/sessions", "", bearer(200)),
    plain("GET", "/api/v1/me/export", "", bearer(200)),
    route("DELETE", "/api/v1/me/sessions/{}", "/api/v1/me/sessions/<session>", "", bearer(404)),
    plain("POST", "/api/v1/me/tokens", r#"{"name":"Script","scopes":["read"]}"#, bearer(201)),
    plain("GET", "/api/v1/me/tokens", "", bearer(200)),
    route("DELETE", "/api/v1/me/tokens/{}", "/api/v1/me/tokens/<token>", "", bearer(404)),
    plain("POST", "/api/v1/households", r#"{"name":"Second"}"#, bearer(409)),
    plain("GET", "/api/v1/households/current", "", bearer(200)),
    plain("PATCH", "/api/v1/households/current", r#"{"name":"Renamed"}"#, bearer(200)),
    // Somebody else's name is not the stranger's: nothing is deleted.
    route(
        "DELETE",
        "/api/v1/households/current",
        "/api/v1/households/current?confirm=nobodys",
        "",
        bearer(400),
    ),
    plain("POST", "/api/v1/households/join", r#"{"inviteCode":"<invite>"}"#, bearer(409)),
    plain("POST", "/api/v1/households/current/invite-code", "", bearer(200)),
    plain("GET", "/api/v1/households/current/members", "", bearer(200)),
    route("PATCH", MEMBER, THE_MEMBER, r#"{"role":"member"}"#, bearer(404)),
    route("DELETE", MEMBER, THE_MEMBER, "", bearer(404)),
    plain("GET", "/api/v1/inventory/items", "", bearer(200)),
    plain("POST", "/api/v1/inventory/items", FOREIGN_PLACE, bearer(400)),
    // Answers name what was asked for; `inventory/bulk.rs` asks for another household's.
    plain("POST", "/api/v1/inventory/items/bulk", r#"{"changes":[]}"#, bearer(200)),
    route("GET", ITEM, THE_ITEM, "", bearer(404)),
    route("PATCH", ITEM, THE_ITEM, r#"{"version":1,"name":"Mine"}"#, bearer(404)),
    route("DELETE", ITEM, THE_ITEM, "", bearer(404)),
    route(
        "POST",
        "/api/v1/inventory/items/{}/adjust",
        "/api/v1/inventory/items/<item>/adjust",
        r#"{"delta":-1}"#,
        bearer(404),
    ),
    route(
        "GET",
        "/api/v1/inventory/items/{}/history",
        "/api/v1/inventory/items/<item>/history",
        "",
        bearer(404),
    ),
    route(
        "POST",
        "/api/v1/inventory/items/{}/move",
        "/api/v1/inventory/items/<item>/move",
        r#"{"to":"personal"}"#,
        bearer(404),
    ),
    route(
        "POST",
        "/api/v1/inventory/items/{}/undo",
        "/api/v1/inventory/items/<item>/undo",
        r#"{"version":1}"#,
        bearer(404),
    ),
    route(
        "POST",
        "/api/v1/inventory/items/{}/open",
        "/api/v1/inventory/items/<item>/open",
        "{}",
        bearer(404),
    ),
    plain("GET", "/api/v1/inventory/lots", "", bearer(200)),
    plain("POST", "/api/v1/inventory/lots/consume", FOREIGN_PRODUCT, bearer(404)),
    plain("GET", "/api/v1/products", "", bearer(200)),
    route("GET", BY_BARCODE, THE_BARCODE, "", bearer(404)),
    route("GET", PRODUCT, THE_PRODUCT, "", bearer(404)),
    route("PATCH", PRODUCT, THE_PRODUCT, r#"{"version":1,"name":"Mine"}"#, bearer(404)),
    route("DELETE", PRODUCT, THE_PRODUCT, "", bearer(404)),
    // The type of the body is refused first, whosever the product is.
    route("PUT", PHOTO, THE_PHOTO, "{}", bearer(415)),
    route("GET", PHOTO, THE_PHOTO, "", bearer(404)),
    route("DELETE", PHOTO, THE_PHOTO, "", bearer(404)),
    route("GET", THUMBNAIL, THE_THUMBNAIL, "", bearer(404)),
    route("GET", "/api/v1/products/{}/history", "/api/v1/products/<item>/history", "", bearer(404)),
    // Nothing of a household is in it: JSON is refused like any other body that is no picture.
    plain("POST", "/api/v1/scan", "{}", bearer(415)),
    route("GET", "/api/v1/search", "/api/v1/search?q=Anna", "", bearer(200)),
    plain("GET", "/api/v1/today", "", bearer(200)),
    plain("GET", "/api/v1/categories", "", bearer(200)),
    plain("GET", "/api/v1/storage-locations", "", bearer(200)),
    plain("POST", "/api/v1/storage-locations", r#"{"name":"Attic"}"#, bearer(201)),
    route("PATCH", LOCATION, THE_LOCATION, r#"{"name":"Mine"}"#, bearer(404)),
    route("DELETE", LOCATION, THE_LOCATION, "", bearer(404)),
    plain("GET", "/api/v1/stores", "", bearer(200)),
    plain("POST", "/api/v1/stores", r#"{"name":"Market"}"#, bearer(201)),
    route("GET", STORE, THE_STORE, "", bearer(404)),
    route("PATCH", STORE, THE_STORE, r#"{"name":"Mine"}"#, bearer(404)),
    route("DELETE", STORE, THE_STORE, "", bearer(404)),
    plain("GET", LIST, "", bearer(200)),
    plain("POST", LIST, r#"{"name":"Bread","itemId":"<item>"}"#, bearer(400)),
    route("DELETE", LIST, "/api/v1/shopping-list?status=purchased", "", bearer(200)),
    // As with bulk changes; `shopping/putting_away.rs` asks for another household's.
    plain("POST", "/api/v1/shopping-list/put-away", r#"{"entries":[]}"#, bearer(200)),
    route("GET", ENTRY, THE_ENTRY, "", bearer(404)),
    route("PATCH", ENTRY, THE_ENTRY, r#"{"version":1,"name":"Mine"}"#, bearer(404)),
    route("DELETE", ENTRY, THE_ENTRY, "", bearer(404)),
    route(
        "PATCH",
        "/api/v1/shopping-list/{}/status",
        "/api/v1/shopping-list/<entry>/status",
        r#"{"version":1,"status":"purchased"}"#,
        bearer(404),
    ),
    plain("GET", "/api/v1/notifications", "", bearer(200)),
    route(
        "POST",
        "/api/v1/notifications/{}/acknowledge",
        "/api/v1/notifications/<notification>/acknowledge",
        "",
        bearer(404),
    ),
    route("GET", TAGS, THE_TAGS, "", bearer(404)),
    route("POST", TAGS, THE_TAGS, r#"{"label":"Mine"}"#, bearer(404)),
    route(
        "POST",
        "/api/v1/inventory/items/{}/nfc-urls/{}/rotate",
        "/api/v1/inventory/items/<item>/nfc-urls/<tag>/rotate",
        "",
        bearer(404),
    ),
    plain("GET", "/api/v1/nfc-urls", "", bearer(200)),
    route("PATCH", TAG, THE_TAG, r#"{"label":"Mine"}"#, bearer(404)),
    route("DELETE", TAG, THE_TAG, "", bearer(404)),
    route("GET", "/api/v1/nfc-urls/{}/qr.svg", "/api/v1/nfc-urls/<tag>/qr.svg", "", bearer(404)),
    route("GET", "/t/{}", UNKNOWN_TAG, "", public(404)),
    route(
        "POST",
        "/t/{}/adjust",
        "/t/0000000000000000000000/adjust",
        r#"{"delta":-1,"nonce":"nonce-001"}"#,
        public(404),
    ),
    plain("POST", "/device/register", REGISTRATION, public(401)),
    plain("POST", "/device/data", r#"{"readings":[]}"#, public(401)),
    plain("POST", "/api/v1/api-keys", "{}", bearer(201)),
    plain("GET", "/api/v1/api-keys", "", bearer(200)),
    route("DELETE", "/api/v1/api-keys/{}", "/api/v1/api-keys/<key>", "", bearer(404)),
    plain("GET", "/api/v1/devices", "", bearer(200)),
    route("GET", DEVICE, THE_DEVICE, "", bearer(404)),
    route("PATCH", DEVICE, THE_DEVICE, r#"{"friendly_name":"Mine"}"#, bearer(404)),
    route("GET", "/api/v1/devices/{}/latest", "/api/v1/devices/<device>/latest", "", bearer(404)),
    route(
        "GET",
        "/api/v1/devices/{}/readings",
        "/api/v1/devices/<device>/readings",
        "",
        bearer(404),
    ),
    route(
        "GET",
        "/api/v1/devices/{}/readings.csv",
        "/api/v1/devices/<device>/readings.csv",
        "",
        bearer(404),
    ),
    route(
        "GET",
        "/api/v1/devices/{}/series",
        "/api/v1/devices/<device>/series?sensor=humidity_pct",
        "",
        bearer(404),
    ),
    // The operator may: after the others.
    route("DELETE", DEVICE, THE_DEVICE, "", bearer(404)),
    plain("GET", RESOURCES, "", bearer(200)),
    plain("POST", RESOURCES, FOREIGN_PARENT, bearer(404)),
    route("GET", RESOURCE, THE_BOX, "", bearer(404)),
    route("PUT", RESOURCE, THE_BOX, r#"{"attributes":{"name":"Mine"}}"#, bearer(404)),
    route(
        "GET",
        "/api/v1/resources/{}/children",
        "/api/v1/resources/<room>/children",
        "",
        bearer(404),
    ),
    route(
        "GET",
        "/api/v1/resources/{}/ancestors",
        "/api/v1/resources/<box>/ancestors",
        "",
        bearer(404),
    ),
    route(
        "GET",
        "/api/v1/resources/{}/collections",
        "/api/v1/resources/<box>/collections",
        "",
        bearer(404),
    ),
    route(
        "GET",
        "/api/v1/resources/{}/members",
        "/api/v1/resources/<room>/members",
        "",
        bearer(404),
    ),
    // The type of the body is refused first, whosever the box is.
    route("PUT", BOX_PHOTO, THE_BOX_PHOTO, "{}", bearer(415)),
    route("GET", BOX_PHOTO, THE_BOX_PHOTO, "", bearer(404)),
    route("DELETE", BOX_PHOTO, THE_BOX_PHOTO, "", bearer(404)),
    route("GET", BOX_THUMBNAIL, THE_BOX_THUMBNAIL, "", bearer(404)),
    route("GET", PARENT, THE_PARENT, "", bearer(404)),
    route("PUT", PARENT, THE_PARENT, r#"{"parentUrn":"<room urn>"}"#, bearer(404)),
    route("DELETE", PARENT, THE_PARENT, "", bearer(404)),
    route("PUT", MEMBER_OF, THE_MEMBER_OF, "", bearer(404)),
    route("DELETE", MEMBER_OF, THE_MEMBER_OF, "", bearer(404)),
    route("DELETE", RESOURCE, THE_BOX, "", bearer(404)),
    route("GET", "/api/v1/jobs/{}", UNKNOWN_JOB, "", bearer(404)),
    plain("GET", "/api/v1/grants", "", bearer(200)),
    route("GET", GRANT, THE_GRANT, "", bearer(404)),
    route("PUT", GRANT, THE_GRANT, r#"{"actions":["*"]}"#, bearer(404)),
    route("DELETE", GRANT, THE_GRANT, "", bearer(404)),
    route(
        "GET",
        "/api/v1/authorize",
        "/api/v1/authorize?principal=<grantee>&action=read&urn=<box>",
        "",
        bearer(200),
    ),
    route(
        "GET",
        "/api/v1/unique-keys/{}/{}/{}",
        "/api/v1/unique-keys/Home.Box/serial/Annas-1",
        "",
        bearer(404),
    ),
    Route {
        method: "GET",
        path: "/api/v1/events",
        example: "/api/v1/events",
        body: "",
        access: bearer(200),
        streams: true,
    },
];
