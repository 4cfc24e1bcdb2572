"""Checks that a server and its OpenAPI document agree: check.py BINARY [more arguments of Schemathesis]."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from openapi_spec_validator import OpenAPIV31SpecValidator

import client
import household
import server

HERE = pathlib.Path(__file__).parent


def main():
    binary, more = sys.argv[1], sys.argv[2:]
    with server.running(binary) as base, tempfile.TemporaryDirectory() as directory:
        validate(server.call(base, "GET", "/openapi.json"))
        client.check(base, directory)
        token, ids = household.fill(base)
        facts = pathlib.Path(directory) / "ids.json"
        facts.write_text(json.dumps(ids))
        schemathesis(base, token, ids["api_key"], facts, more)


def validate(document):
    if not document["openapi"].startswith("3.1."):
        raise SystemExit(f"contract: OpenAPI {document['openapi']}, not 3.1")
    mistakes = list(OpenAPIV31SpecValidator(document).iter_errors())
    for mistake in mistakes:
        print(f"{'/'.join(map(str, mistake.absolute_path))}: {mistake.message[:200]}", file=sys.stderr)
    if mistakes:
        raise SystemExit(f"contract: the OpenAPI document has {len(mistakes)} mistakes")
    operations = sum(len(path) for path in document["paths"].values())
    print(f"The OpenAPI document is valid: {operations} operations.", flush=True)


def schemathesis(base, token, api_key, facts, more):
    program = pathlib.Path(sys.executable).with_name("schemathesis")
    # Hooks are found beside the configuration, and nothing else is taken from the machine.
    environment = {
        "PATH": os.environ["PATH"], "PYTHONPATH": str(HERE), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(facts.parent / "hypothesis"),
        "LARDER_TOKEN": token, "LARDER_API_KEY": api_key, "LARDER_CONTRACT_IDS": str(facts),
    }
    command = [program, "--config-file", HERE / "schemathesis.toml", "run", f"{base}/openapi.json", *more]
    if subprocess.run(command, env=environment, check=False).returncode != 0:
        raise SystemExit("contract: server and document disagree, see above")


if __name__ == "__main__":
    main()
