"""What the interface has, by kind."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from .._retries import sync_sleep
from .._uploads import Source, upload_of
from ..models import (
    Alert,
    AlertInput,
    AlertMessage,
    AlertPatch,
    ApprovalRequest,
    ApprovalRequestInput,
    ErrorGroup,
    File,
    FileListItem,
    HeldRun,
    MatchingRuns,
    PlannedRequest,
    Redemption,
    Run,
    RunBatch,
    RunLog,
    RunOperation,
    Secret,
    SecretInput,
    SecretSet,
)
from .connection import Connection

Item = TypeVar("Item")
Input = TypeVar("Input")
Patch = TypeVar("Patch")


class Collection(Generic[Item, Input, Patch]):
    """Things of one kind. `key` is the id, or the slug or name where the kind has one."""

    def __init__(self, client: Connection, path: str) -> None:
        self._client = client
        self._path = path

    def list(self, **query: Any) -> Iterator[Item]:
        """All of them, newest first, asked for page by page."""
        for item in self._client.list(self._path, **query):
            yield item

    def get(self, key: str) -> Item:
        return self._client.request("GET", self._at(key))

    def create(self, input: Input, *, idempotency_key: str | None = None) -> Item:
        return self._client.request("POST", self._path, input, idempotency_key=idempotency_key)

    def update(self, key: str, patch: Patch) -> Item:
        return self._client.request("PATCH", self._at(key), patch)

    def delete(self, key: str) -> None:
        self._client.request("DELETE", self._at(key))

    def _at(self, key: str) -> str:
        return f"{self._path}/{_part(key)}"


class Automations(Collection[Item, Input, Patch]):
    """Schedules, triggers or hooks, which belong to a script."""

    def create(  # type: ignore[override]
        self, script: str, input: Input, *, idempotency_key: str | None = None
    ) -> Item:
        path = f"/v1/scripts/{_part(script)}/{self._path.rsplit('/', 1)[1]}"
        return self._client.request("POST", path, input, idempotency_key=idempotency_key)


class Alerts(Collection[Alert, AlertInput, AlertPatch]):
    """Rules by which people are told of what goes wrong."""

    def test(self, alert_id: str) -> AlertMessage:
        """Sends a test. What became of it is in `messages`."""
        return self._client.request("POST", f"{self._at(alert_id)}/test")

    def messages(self, alert_id: str, **query: Any) -> Iterator[AlertMessage]:
        """What was told, newest first."""
        for message in self._client.list(f"{self._at(alert_id)}/messages", **query):
            yield message


class Errors:
    """What scripts fail of: runs that failed in the same way are one error."""

    def __init__(self, client: Connection) -> None:
        self._client = client

    def list(self, **query: Any) -> Iterator[ErrorGroup]:
        """Those first that were seen last. query: such as `status="open"`, `script="words"`."""
        for error in self._client.list("/v1/errors", **query):
            yield error

    def get(self, error_id: str) -> ErrorGroup:
        """Its runs: `runs.list(errorId=error_id)`."""
        return self._client.request("GET", f"/v1/errors/{_part(error_id)}")

    def resolve(self, error_id: str) -> ErrorGroup:
        """A run that fails with it afterwards opens it again."""
        return self._client.request("POST", f"/v1/errors/{_part(error_id)}/resolve")

    def ignore(self, error_id: str, until: str | None = None) -> ErrorGroup:
        """Until a moment, or for good."""
        body = {} if until is None else {"until": until}
        return self._client.request("POST", f"/v1/errors/{_part(error_id)}/ignore", body)

    def reopen(self, error_id: str) -> ErrorGroup:
        """One that is resolved or ignored."""
        return self._client.request("POST", f"/v1/errors/{_part(error_id)}/reopen")


class Secrets:
    """Secrets by name. No method gives a value."""

    def __init__(self, client: Connection) -> None:
        self._client = client

    def list(self, **query: Any) -> Iterator[Secret]:
        for secret in self._client.list("/v1/workspace/secrets", **query):
            yield secret

    def get(self, name: str) -> Secret:
        return self._client.request("GET", f"/v1/workspace/secrets/{_part(name)}")

    def set(self, name: str, input: SecretInput) -> SecretSet:
        """Sets its value in the environment that the client acts in."""
        return self._client.request("PUT", f"/v1/workspace/secrets/{_part(name)}", input)

    def delete(self, name: str, all_environments: bool = False) -> None:
        query = {"allEnvironments": "true"} if all_environments else None
        self._client.request("DELETE", f"/v1/workspace/secrets/{_part(name)}", query=query)


class ApprovalRequests:
    """What a credential may not do itself, and asks a person for."""

    def __init__(self, client: Connection) -> None:
        self._client = client
        self._path = "/v1/workspace/approval-requests"

    def list(self, **query: Any) -> Iterator[ApprovalRequest]:
        for request in self._client.list(self._path, **query):
            yield request

    def get(self, request_id: str) -> ApprovalRequest:
        return self._client.request("GET", f"{self._path}/{_part(request_id)}")

    def create(
        self, input: ApprovalRequestInput, *, idempotency_key: str | None = None
    ) -> ApprovalRequest:
        return self._client.request("POST", self._path, input, idempotency_key=idempotency_key)

    def wait(self, request_id: str) -> ApprovalRequest:
        """Waits until it has been decided, or has expired."""
        pause = 1.0
        while True:
            request = self.get(request_id)
            if request["status"] != "pending":
                return request
            sync_sleep(pause)
            pause = min(pause * 1.5, 15.0)

    def redeem(self, request_id: str) -> Redemption:
        """Gives the secret of an approved request, once."""
        return self._client.request("POST", f"{self._path}/{_part(request_id)}/redeem")


class Runs:
    """Scripts at work."""

    def __init__(self, client: Connection) -> None:
        self._client = client

    def start(
        self,
        script: str,
        inputs: Mapping[str, Any] | None = None,
        *,
        wait: bool = True,
        idempotency_key: str | None = None,
        **how: Any,
    ) -> HeldRun:
        """Runs the published version. wait: until it has ended, but neither for a person who has to approve it nor until `startAt`.
        how: `retry`, `startAt`, `expiresAt`, `priority`, `labels` and `plan`, as the interface has them."""
        path = f"/v1/scripts/{_part(script)}/runs"
        return self._started(path, {"inputs": dict(inputs or {}), **how}, wait, idempotency_key)

    def test(
        self, script: str, version: int, inputs: Mapping[str, Any] | None = None, *, wait: bool = True
    ) -> HeldRun:
        """Tries out a version that need not be published."""
        path = f"/v1/scripts/{_part(script)}/versions/{version}/runs"
        return self._started(path, {"inputs": dict(inputs or {})}, wait, None)

    def start_many(
        self,
        script: str,
        inputs: Sequence[Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
        **how: Any,
    ) -> RunBatch:
        """Starts a run for each of up to 1,000 inputs: all or none. Their ends are not waited for.
        how: `retry`, `startAt`, `expiresAt`, `priority` and `labels`, for all of them."""
        path = f"/v1/scripts/{_part(script)}/runs/batch"
        body = {"inputs": [dict(one) for one in inputs], **how}
        return self._client.request("POST", path, body, idempotency_key=idempotency_key)

    def rerun(self, run_id: str, *, wait: bool = True) -> HeldRun:
        """Runs the same version with the same inputs again."""
        return self._started(f"/v1/runs/{_part(run_id)}/rerun", None, wait, None)

    def list(self, **query: Any) -> Iterator[Run]:
        """Newest first, without inputs and outputs. query: such as `status="failed"`, `q="timeout"`."""
        for run in self._client.list("/v1/runs", **query):
            yield run

    def planned(self, run_id: str, **query: Any) -> Iterator[PlannedRequest]:
        """What a plan would have sent, in order."""
        for request in self._client.list(f"/v1/runs/{_part(run_id)}/planned", **query):
            yield request

    def export(self, path: str | os.PathLike[str], **query: Any) -> None:
        """Writes the newest 100,000 that fit to a path as they come: a line of JSON each, or `format="csv"`."""
        with self._client.open("GET", "/v1/runs/export", params=query) as response:
            _save(response, path)

    def get(self, run_id: str) -> Run:
        return self._client.request("GET", f"/v1/runs/{_part(run_id)}")

    def move(self, run_id: str, start_at: str) -> Run:
        """Moves a run that is delayed to another time: a timestamp, or a time from now such as `2h`; `0s` starts it."""
        return self._client.request("PATCH", f"/v1/runs/{_part(run_id)}", {"startAt": start_at})

    def cancel(self, run_id: str) -> Run:
        """One that executes is `cancelled` a little later, once its processes are gone."""
        return self._client.request("POST", f"/v1/runs/{_part(run_id)}/cancel")

    def cancel_many(self, *, idempotency_key: str | None = None, **which: Any) -> RunOperation:
        """Cancels all runs that fit now and have not ended, beside requests: `wait_for_operation` waits for it.
        which: what narrows the list, or `all=True`; `limit`."""
        body = {**which, "dryRun": False}
        return self._client.request("POST", "/v1/runs/cancel", body, idempotency_key=idempotency_key)

    def count_to_cancel(self, **which: Any) -> MatchingRuns:
        """How many `cancel_many` would cancel now. Changes nothing."""
        return self._client.request("POST", "/v1/runs/cancel", {**which, "dryRun": True})

    def rerun_many(self, *, idempotency_key: str | None = None, **which: Any) -> RunOperation:
        """Runs all runs again that fit now and have ended, each once.
        which: what narrows the list, or `all=True`; `limit`."""
        body = {**which, "dryRun": False}
        return self._client.request("POST", "/v1/runs/rerun", body, idempotency_key=idempotency_key)

    def count_to_rerun(self, **which: Any) -> MatchingRuns:
        """How many `rerun_many` would run again now. Changes nothing."""
        return self._client.request("POST", "/v1/runs/rerun", {**which, "dryRun": True})

    def operations(self) -> Iterator[RunOperation]:
        """What was asked for many runs, newest first."""
        for operation in self._client.list("/v1/runs/operations"):
            yield operation

    def operation(self, operation_id: str) -> RunOperation:
        return self._client.request("GET", f"/v1/runs/operations/{_part(operation_id)}")

    def cancel_operation(self, operation_id: str) -> RunOperation:
        """What it has done stays done."""
        return self._client.request("POST", f"/v1/runs/operations/{_part(operation_id)}/cancel")

    def wait_for_operation(self, operation_id: str) -> RunOperation:
        """Looks each second until it has ended."""
        while (operation := self.operation(operation_id))["status"] == "running":
            sync_sleep(1)
        return operation

    def log(
        self, run_id: str, after: int = 0, limit: int | None = None, q: str | None = None, times: bool | None = None
    ) -> RunLog:
        """The log so far, from the line `after` on. q: only lines that contain this text. times: when each was printed, as well."""
        query = {"after": after, "limit": limit, "q": q, "times": times}
        return self._client.request("GET", f"/v1/runs/{_part(run_id)}/log", query=query)

    def save_log(self, run_id: str, path: str | os.PathLike[str]) -> None:
        """Writes the whole log to a path as it comes, also the lines that `log` leaves out."""
        with self._client.open("GET", f"/v1/runs/{_part(run_id)}/log/content") as response:
            _save(response, path)

    def follow(self, run_id: str) -> Iterator[tuple[str, str]]:
        """What happens until it ends: pairs of the kind (`phase`, `log`, `progress`) and its JSON."""
        for event in self._client.stream(f"/v1/runs/{_part(run_id)}/log/stream"):
            if event.event == "end":
                return
            yield event.event, event.data

    def wait(self, run_id: str) -> Run:
        """Waits until it has ended, also where it is held first."""
        for _ in self.follow(run_id):
            pass
        return self.get(run_id)

    def _started(self, path: str, body: Any, wait: bool, key: str | None) -> HeldRun:
        run = self._client.request("POST", path, body, idempotency_key=key)
        if not wait or run["phase"] in ("finished", "held"):
            return run
        return {**self.wait(run["id"]), "approval": None}  # type: ignore[typeddict-item, unused-ignore]


class Files:
    """Files given to runs, and written by them."""

    def __init__(self, client: Connection) -> None:
        self._client = client

    def upload(self, source: Source, name: str | None = None, type: str | None = None) -> File:
        """Uploads a path, bytes, or an open binary file. An input takes the file's `id`."""
        name, type, content = upload_of(source, name, type)
        try:
            sent = content if isinstance(content, bytes) else content.read()
            return self._client.request(
                "POST", "/v1/files", query={"name": name}, content=sent, content_type=type
            )
        finally:
            if isinstance(source, (str, os.PathLike)):
                content.close()  # type: ignore[union-attr]

    def list(self, **query: Any) -> Iterator[FileListItem]:
        for file in self._client.list("/v1/files", **query):
            yield file

    def get(self, file_id: str) -> File:
        return self._client.request("GET", f"/v1/files/{_part(file_id)}")

    def content(self, file_id: str) -> bytes:
        """All of its bytes."""
        with self._open(file_id) as response:
            return response.read()

    def save(self, file_id: str, path: str | os.PathLike[str]) -> None:
        """Writes its bytes to a path as they come."""
        with self._open(file_id) as response:
            _save(response, path)

    def delete(self, file_id: str) -> None:
        self._client.request("DELETE", f"/v1/files/{_part(file_id)}")

    def _open(self, file_id: str) -> Any:
        return self._client.open("GET", f"/v1/files/{_part(file_id)}/content")


def _part(text: str) -> str:
    return quote(text, safe="")


def _save(response: Any, path: str | os.PathLike[str]) -> None:
    with open(path, "wb") as file:
        for chunk in response.iter_bytes():
            file.write(chunk)
