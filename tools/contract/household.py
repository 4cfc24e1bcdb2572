"""A household with something of everything, so that the ids of requests can name what is there."""

import struct
import zlib

from server import call

#: How many of each, because some requests delete what they name.
MANY = 24
EMAIL, PASSWORD = "mia@example.com", "bluebird carousel 42"


def fill(base):
    """Creates the household. Returns its admin's token and the ids by what they name."""
    login = call(base, "POST", "/api/v1/auth/register", {
        "email": EMAIL, "password": PASSWORD, "name": "Mia"})
    token, me = login["accessToken"], login["user"]["id"]

    def post(path, body=None):
        return call(base, "POST", "/api/v1" + path, body, token)

    def put(path, body, headers=None):
        return call(base, "PUT", "/api/v1" + path, body, token, headers)

    def get(path):
        return call(base, "GET", "/api/v1" + path, None, token)

    household = post("/households", {"name": "Home", "timeZone": "Asia/Tokyo"})
    account = f"urn:pp:System.Account::{household['id']}"
    key = post("/api-keys", {"description": "Sensors"})
    device = {"X-API-Key": key["api_key"]}
    macs = [f"AA:BB:CC:00:00:{number:02X}" for number in range(MANY)]
    for mac in macs:
        call(base, "POST", "/device/register", {
            "hardware_id": mac, "boot_id": "f47ac10b-58cc-4372-a567-0e02b2c3d479", "firmware_version": "1.0.16",
            "capabilities": {"sensors": ["temperature_c"], "features": {"tft_display": True}},
        }, headers=device)
    ids = {
        "api_key": key["api_key"],
        "token": token,
        "category": [row["id"] for row in get("/categories")["items"]],
        "member": [me],
        "device": macs,
        "key": [post("/api-keys", {"description": f"Spare {n}"})["key_id"] for n in range(MANY)],
        "store": [post("/stores", {"name": f"Shop {n}"})["id"] for n in range(MANY)],
        "location": [post("/storage-locations", {"name": f"Shelf {n}"})["id"] for n in range(MANY)],
        "item": [], "product": [], "barcode": [], "shopping": [], "tag": [], "urn": [], "principal": [],
    }
    for n in range(2 * MANY):
        item = post("/inventory/items", {
            "name": f"Rice {n}", "quantity": 3.25, "unit": "kg", "lowStockThreshold": 5, "barcode": gtin(n)})["item"]
        ids["item"].append(item["id"])
        ids["product"].append(item["productId"])
        ids["barcode"].append(gtin(n))
        ids["shopping"].append(post("/shopping-list", {"name": f"Bread {n}"})["shoppingItemId"])
        ids["tag"].append(post(f"/inventory/items/{item['id']}/nfc-urls", {"label": f"Door {n}"})["urlId"])
        resource = post("/resources", {
            "resourceType": "Home.Box", "attributes": {"name": f"Box {n}"},
            "uniqueKeys": [{"key": "serialNumber", "value": f"S{n}"}]})
        ids["urn"].append(resource["urn"])
    # Sessions of other programs: the one of this check must not be ended.
    own = [session["id"] for session in get("/me/sessions")["items"]]
    for _ in range(MANY // 2):
        call(base, "POST", "/api/v1/auth/login", {"email": EMAIL, "password": PASSWORD})
    ids["session"] = [row["id"] for row in get("/me/sessions")["items"] if row["id"] not in own]
    ids["notification"] = [row["notificationId"] for row in get("/notifications?limit=50")["items"]]
    # References must last: requests delete what paths name.
    for kind in ("location", "store", "item"):
        ids[f"kept_{kind}"], ids[kind] = ids[kind][:4], ids[kind][4:]
    ids["type"], ids["property"], ids["serial"] = ["Home.Box"], ["serialNumber"], [f"S{n}" for n in range(MANY)]
    # A time that is not over, as expiry times must be.
    ids["future"] = ["2090-01-01T00:00:00Z"]
    ids["token_id"] = [
        post("/me/tokens", {"name": f"Program {n}", "scopes": ["read"]})["id"] for n in range(MANY)]
    ids["zone"] = ["Asia/Tokyo", "Europe/Berlin", "UTC"]
    ids["principal"] = [f"urn:pp:System.User::{me}"]
    ids["account"] = account
    for n in range(MANY):
        put(f"/products/{ids['product'][n]}/photo", picture(), {"Content-Type": "image/png"})
        put(f"/resources/{ids['urn'][n]}/photo", picture(), {"Content-Type": "image/png"})
        put(f"/grants/{ids['principal'][0]}/{ids['urn'][n]}", {"actions": ["read"]})
    return token, ids


def gtin(number):
    """An EAN-13 of the range that shops use for themselves."""
    digits = f"20{number:010d}"
    odd, even = sum(map(int, digits[0::2])), sum(map(int, digits[1::2]))
    return digits + str(-(odd + 3 * even) % 10)


def picture():
    """A grey PNG of 8 by 8 pixels."""
    def chunk(kind, data):
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + b"\x80" * 8 for _ in range(8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))
