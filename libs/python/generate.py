"""Writes what is made of something else: the models, of the OpenAPI document, and the client that does not await.

Usage: python generate.py DIRECTORY, the package's. It takes what requirements.txt names.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

import unasync

HERE = Path(__file__).parent
NAMES = {
    "AsyncConnection": "Connection",
    "AsyncGatehouse": "Gatehouse",
    "AsyncCollection": "Collection",
    "AsyncAlerts": "Alerts",
    "AsyncErrors": "Errors",
    "AsyncAutomations": "Automations",
    "AsyncSecrets": "Secrets",
    "AsyncApprovalRequests": "ApprovalRequests",
    "AsyncRuns": "Runs",
    "AsyncFiles": "Files",
    "AsyncClient": "Client",
    "async_sleep": "sync_sleep",
    "asynccontextmanager": "contextmanager",
    "aclose": "close",
    "aread": "read",
    "aiter_bytes": "iter_bytes",
    "aiter_sse": "iter_sse",
    "_async": "_sync",
}

package = Path(sys.argv[1])
document = HERE.parent / "client" / "openapi.json"
digest = hashlib.sha256(document.read_bytes()).hexdigest()
subprocess.run(
    [
        *(sys.executable, "-m", "datamodel_code_generator"),
        *("--input", document, "--input-file-type", "openapi"),
        *("--output", package / "models.py", "--output-model-type", "typing.TypedDict"),
        *("--target-python-version", "3.11", "--disable-timestamp", "--formatters", "builtin"),
        *("--use-field-description", "--use-schema-description", "--enum-field-as-literal", "all"),
        *("--use-union-operator", "--use-standard-collections", "--no-use-closed-typed-dict", "--openapi-scopes", "schemas"),
        *("--custom-file-header", f"# Written by `npm run python-client`, of openapi.json {digest}."),
    ],
    check=True,
)
models = package / "models.py"
# It asks for an old Python's package where the library has the same.
models.write_text(models.read_text().replace("from typing_extensions import TypedDict", "from typing import TypedDict"))

source = HERE / "gatehouse_client" / "_async"
rule = unasync.Rule(f"{source}/", f"{package}/_sync/", NAMES)
unasync.unasync_files([str(path) for path in sorted(source.glob("*.py"))], [rule])
