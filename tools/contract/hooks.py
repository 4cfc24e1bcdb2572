"""What no schema can say about valid requests.

A request that is meant to be valid names things that exist, and obeys the rules between fields.
Invalid ones stay as they are, except for their ids, so that more than the ids is looked at.
"""

import itertools
import json
import os
import pathlib
import re

import schemathesis
from hypothesis import strategies
from schemathesis.core.parameters import ParameterLocation

from household import gtin, picture

_ids = json.loads(pathlib.Path(os.environ["LARDER_CONTRACT_IDS"]).read_text())
_turns = {kind: itertools.cycle(ids) for kind, ids in _ids.items() if isinstance(ids, list)}
_numbers = itertools.count(1_000_000)

#: What the ids of a path name, by how the path begins.
_PATHS = {
    "/api/v1/inventory/items/": {"id": "item", "itemId": "item", "urlId": "tag"},
    "/api/v1/products/by-barcode/": {"gtin": "barcode"},
    "/api/v1/products/": {"id": "product"},
    "/api/v1/storage-locations/": {"id": "location"},
    "/api/v1/stores/": {"id": "store"},
    "/api/v1/shopping-list/": {"id": "shopping"},
    "/api/v1/me/sessions/": {"id": "session"},
    "/api/v1/me/tokens/": {"id": "token_id"},
    "/api/v1/notifications/": {"id": "notification"},
    "/api/v1/nfc-urls/": {"urlId": "tag"},
    "/api/v1/api-keys/": {"key_id": "key"},
    "/api/v1/devices/": {"hardware_id": "device"},
    "/api/v1/resources/": {"urn": "urn", "collectionUrn": "urn", "memberUrn": "urn"},
    "/api/v1/unique-keys/": {"resourceType": "type", "key": "property", "value": "serial"},
    "/api/v1/grants/": {"principal": "principal", "urn": "urn"},
    "/api/v1/households/current/members/": {"userId": "member"},
    "/t/": {"urlId": "tag"},
}

#: What the fields of bodies name, and texts whose rule is a table or a computation.
_FIELDS = {
    "categoryId": "category",
    "storageLocationId": "kept_location",
    "preferredStoreId": "kept_store",
    "storeId": "kept_store",
    "itemId": "kept_item",
    "productId": "product",
    "deviceId": "device",
    "hardware_id": "device",
    "barcode": "barcode",
    "parentUrn": "urn",
    "timeZone": "zone",
    "expiresAt": "future",
}

#: What the URNs of queries name.
_URNS = {"urn": "urn", "principal": "principal"}

#: Unicode's characters that are not shown. Some may stand in certain places, which takes more than a
#: regular expression to tell.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)



# A picture and, because a schema knows only bytes, what is none.
for _kind in ("image/jpeg", "image/png", "image/webp"):
    schemathesis.openapi.media_type(_kind, strategies.sampled_from([picture(), b"no picture"]))


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None:
        return
    if case.path_parameters and not case.meta.is_negative_at(ParameterLocation.PATH):
        case.path_parameters.update(_known_ids(case))
    if case.query and not case.meta.is_negative_at(ParameterLocation.QUERY):
        _make_agree(case.operation.label, case.query)
    if case.headers and "Content-Encoding" in case.headers:
        # The tool says gzip, but packs nothing.
        case.headers["Content-Encoding"] = "identity"
    if not case.meta.is_negative_at(ParameterLocation.BODY):
        _make_valid(case)


def _make_valid(case):
    if isinstance(case.body, (dict, list)):
        body = _valid(None, case.body)
        if case.operation.label == "POST /api/v1/inventory/lots/consume":
            _keep_one(body, ["productId", "barcode", "name"])
        case.body = body


def _known_ids(case):
    for beginning, names in _PATHS.items():
        if case.operation.path.startswith(beginning):
            return {name: next(_turns[names[name]]) for name in case.path_parameters if name in names}
    return {}


def _make_agree(operation, query):
    """The rules between the parameters of a query."""
    # Only a cursor from an answer is valid.
    query.pop("cursor", None)
    if operation == "DELETE /api/v1/resources/{urn}" and str(query.get("dryRun")).lower() != "true":
        query.pop("limit", None)
    # A pattern does not say that the type within a URN has at most 200 characters.
    query.update({name: next(_turns[kind]) for name, kind in _URNS.items() if name in query})
    if operation == "GET /api/v1/grants":
        _keep_one(query, ["urn", "principal"])
    if operation == "GET /api/v1/me/export" and ("of" in query or query.get("format") == "csv"):
        query.update({"format": "csv", "of": query.get("of", "items")})
    if "from" in query and "to" in query:
        query["from"], query["to"] = sorted([query["from"], query["to"]], key=int)
    # A chart has no more buckets than milliseconds.
    if operation.endswith("/series"):
        query.pop("from", None)


def _keep_one(values, names):
    given = [name for name in names if values.get(name) is not None]
    if not given:
        values[names[0]] = next(_turns["product"])
    for name in given[1:]:
        del values[name]


def _valid(name, value):
    """The value of a field: an id of what exists, and what the rules beyond the schema allow."""
    if value is None:
        return None
    if name in _FIELDS and isinstance(value, str):
        return next(_turns[_FIELDS[name]])
    if name in ("password", "new") and isinstance(value, str):
        return f"carousel of {next(_numbers)} bluebirds"
    if name == "barcodes" and isinstance(value, list):
        return [gtin(next(_numbers)) for _ in value]
    if name == "uniqueKeys" and all(isinstance(key, dict) and "value" in key for key in value):
        return [{**key, "value": f"{key['value'][:100]} {next(_numbers)}"} for key in value]
    if name == "attributes":
        return _storable(value)
    if isinstance(value, dict):
        return {key: _valid(key, member) for key, member in value.items()}
    if isinstance(value, list):
        return [_valid(None, element) for element in value]
    if isinstance(value, str):
        return _IGNORABLE.sub("x", value)
    if isinstance(value, float):
        # In binary, many multiples of 0.01 are none.
        return round(value, 2)
    return value


def _storable(value):
    """A free document within the limits of every engine: names of 1 to 255 bytes, 38 digits."""
    if isinstance(value, dict):
        return {key.replace("\0", "x")[:60] or "x": _storable(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_storable(element) for element in value]
    if isinstance(value, str):
        return value.replace("\0", "x")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return max(-(10**30), min(10**30, round(value, 2)))
    return value
