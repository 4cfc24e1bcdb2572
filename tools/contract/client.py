"""A typed client, generated from the document that the server serves, does what a household does."""

import datetime
import importlib
import pathlib
import subprocess
import sys


def check(base, directory):
    """Generates the client into the directory and calls ten operations and more with it."""
    generated = pathlib.Path(directory) / "larder_client"
    generator = pathlib.Path(sys.executable).with_name("openapi-python-client")
    # What it prints is about formatters that it does not find, and about answers that are no JSON.
    said = subprocess.run(
        [generator, "generate", "--url", f"{base}/openapi.json", "--meta", "none", "--output-path", generated],
        capture_output=True, text=True, check=False,
    )
    if said.returncode != 0:
        raise SystemExit(f"contract: no client was generated:\n{said.stdout}{said.stderr}")
    sys.path.insert(0, str(directory))
    _use(base)


def _operation(tag, name):
    return importlib.import_module(f"larder_client.api.{tag}.{name}")


def _use(base):
    from larder_client import AuthenticatedClient, Client, models
    from larder_client.types import UNSET

    calls = 0

    def call(status, tag, name, *arguments, **named):
        """The typed body of an answer that must have this status."""
        nonlocal calls
        calls += 1
        answer = _operation(tag, name).sync_detailed(*arguments, **named)
        _equal(answer.status_code, status, f"the status of {name}", answer.content)
        return answer.parsed

    nobody = Client(base_url=base)
    person = models.Registration(email="noa@example.com", password="a heron over 7 rivers", name="Noa")
    login = call(201, "accounts", "register", client=nobody, body=person)
    _equal((login.user.name, login.user.household_id), ("Noa", None), "the new user")
    noa = AuthenticatedClient(base_url=base, token=login.access_token)
    home = call(201, "households", "create_household", client=noa,
                body=models.NewHousehold(name="Harbour", time_zone="Europe/Berlin"))
    _equal((home.time_zone, home.currency), ("Europe/Berlin", "EUR"), "the household")

    end = datetime.date(2031, 5, 1)
    tea = models.NewItem(name="Tea", quantity=1.25, unit="kg", expiration_date=end)
    added = call(201, "inventory", "add_item", client=noa, body=tea, idempotency_key="tea-1")
    again = call(201, "inventory", "add_item", client=noa, body=tea, idempotency_key="tea-1")
    _equal((added.merged, again.item.id), (False, added.item.id), "the added item")
    _equal((added.item.quantity, added.item.expiration_date), (1.25, end), "the added item")
    adjusted = call(200, "inventory", "adjust_item", added.item.id, client=noa, body=models.Adjustment(delta=-0.5))
    _equal((adjusted.applied, adjusted.item.quantity), (-0.5, 0.75), "the adjusted item")
    refused = call(400, "inventory", "adjust_item", added.item.id, client=noa, body=models.Adjustment(delta=0.001))
    _equal((refused.code, refused.errors[0].field), ("INVALID_FIELDS", "delta"), "the refusal")
    page = call(200, "inventory", "list_items", client=noa, search="te", limit=5)
    _equal([(item.name, item.quantity) for item in page.items], [("Tea", 0.75)], "the list of items")

    bread = call(201, "shopping", "add_shopping_item", client=noa,
                 body=models.NewShoppingListItem(name="Bread", quantity=2))
    _equal((bread.name, bread.quantity, bread.status), ("Bread", 2, "pending"), "the entry of the list")
    bought = call(200, "shopping", "set_shopping_status", bread.shopping_item_id, client=noa,
                  body=models.ShoppingStatusChange(
                      status=models.ShoppingStatusChangeStatus.PURCHASED, version=bread.version))
    entry = models.PutAwayEntry(shopping_item_id=bread.shopping_item_id, version=bought.version, unit="loaf")
    stocked = call(200, "shopping", "put_away", client=noa, body=models.PutAwayRequest(entries=[entry])).results[0]
    _equal((stocked.status, stocked.item.name, stocked.item.quantity), (200, "Bread", 2), "what was put away")

    products = call(200, "products", "list_products", client=noa)
    _equal(sorted(product.name for product in products.items), ["Bread", "Tea"], "the products")
    today = call(200, "inventory", "today", client=noa)
    _equal((today.expired.count, today.shopping.count), (0, 0), "today")
    devices = call(200, "telemetry", "list_devices", client=noa)
    _equal((devices.items, devices.next_cursor), ([], None), "the devices")
    call(204, "inventory", "delete_item", added.item.id, client=noa, version=adjusted.item.version)
    gone = call(404, "inventory", "get_item", added.item.id, client=noa)
    _equal((gone.code, gone.detail), ("ITEM_NOT_FOUND", UNSET), "the deleted item")
    stranger = AuthenticatedClient(base_url=base, token="nobody's")
    _equal(call(401, "accounts", "me", client=stranger).code, "UNAUTHENTICATED", "a stranger")
    print(f"The generated client made {calls} calls.")


def _equal(found, expected, what, more=b""):
    if found != expected:
        raise SystemExit(f"contract: {what} is {found}, not {expected} {more.decode(errors='replace')}")
