"""The server that is checked: the real binary on a store of its own, which is deleted afterwards."""

import contextlib
import json
import pathlib
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request


@contextlib.contextmanager
def running(binary):
    """Starts the server on a free port, and fails if it has panicked or logged an error."""
    with tempfile.TemporaryDirectory(prefix="larder-contract-") as store:
        log = pathlib.Path(store) / "server.log"
        # Only an empty environment has no settings of the machine in it.
        server = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--store", f"{store}/store", "--log", "json",
             "--rate-limits", "off", "--registration", "open"],
            env={}, stderr=subprocess.PIPE, text=True,
        )
        first_line = server.stderr.readline()
        keeper = threading.Thread(target=_keep, args=(server.stderr, log))
        keeper.start()
        try:
            yield f"http://{json.loads(first_line)['address']}"
        finally:
            server.terminate()
            server.wait(timeout=30)
            keeper.join()
        if server.returncode != 0:
            raise SystemExit(f"contract: the server ended with {server.returncode}:\n{_tail(log)}")
        complaints = [line for line in log.read_text().splitlines() if _is_complaint(line)]
        if complaints:
            raise SystemExit("contract: the server logged:\n" + "\n".join(complaints[:20]))


def _keep(lines, log):
    with log.open("w") as file:
        file.writelines(lines)


def _tail(log):
    return "\n".join(log.read_text().splitlines()[-20:])


def _is_complaint(line):
    """A panic is logged as an error, or printed by itself."""
    if "panicked" in line:
        return True
    try:
        return json.loads(line).get("level") == "ERROR"
    except ValueError:
        return False


def call(base, method, path, body=None, token=None, headers=None):
    """The JSON of an answer; anything but success ends the check with what was answered."""
    headers = {**(headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
    data = body if isinstance(body, bytes) else None
    if body is not None and data is None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    request = urllib.request.Request(base + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
    except urllib.error.HTTPError as refused:
        raise SystemExit(f"contract: {method} {path}: {refused.code} {refused.read().decode()}") from None
    return json.loads(text) if text else None
