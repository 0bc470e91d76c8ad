"""What all methods send and receive by. `_sync` is made of this: `npm run python-client`."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

import httpx
from httpx_sse import EventSource, ServerSentEvent

from .._retries import sync_sleep, is_passing, pause_before_next
from ..errors import GatehouseError, refusal, unexpected, unreachable

#: As long as a service takes to be started again, and then some; in seconds.
_PATIENCE = 120.0
#: The service sends something more often than that; in seconds.
_SILENCE = httpx.Timeout(30, read=60)


class Connection:
    """A service, a credential, and where to act.

    token: a personal access token, which needs `workspace`, or an API key, which has its own.
    timeout: seconds in which a response has to begin. retries: how often what failed in passing is sent again.
    """

    def __init__(
        self,
        url: str,
        token: str,
        workspace: str | None = None,
        environment: str | None = None,
        timeout: float = 120,
        retries: int = 3,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        if workspace is not None:
            headers["X-Workspace"] = workspace
        if environment is not None:
            headers["X-Environment"] = environment
        self._retries = retries
        # A redirect would take the token to another host.
        self._http = httpx.Client(
            base_url=url.rstrip("/"), headers=headers, timeout=timeout, follow_redirects=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections. A client that is used with `with` does so by itself."""
        self._http.close()

    def list(self, path: str, **query: Any) -> Iterator[Any]:
        """Goes through all pages of a list, such as `/v1/scripts`."""
        cursor: str | None = None
        while True:
            page = self.request("GET", path, query={**query, "cursor": cursor})
            for item in page["items"]:
                yield item
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
        content: Any = None,
        content_type: str | None = None,
    ) -> Any:
        """Sends any request of the interface, and again where it failed in passing. Gives what its JSON says, or None.

        idempotency_key: with the same one, a write is carried out once; without, each call has its own.
        content: bytes, or an open file, in place of a `body` for JSON.
        """
        headers = {} if content_type is None else {"Content-Type": content_type}
        if method != "GET":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        request: dict[str, Any] = {
            "params": {name: value for name, value in (query or {}).items() if value is not None},
            "headers": headers,
            **({"json": body} if body is not None else {}),
            **({"content": content} if content is not None else {}),
        }
        # A file that has been read cannot be sent again.
        retries = 0 if content is not None and not isinstance(content, bytes) else self._retries
        tried = 0
        while True:
            try:
                return self._send(method, path, request)
            except GatehouseError as error:
                pause = pause_before_next(error, tried, retries)
                if pause is None:
                    raise
                sync_sleep(pause)
                tried += 1

    def events(self, last_event_id: str = "") -> Iterator[ServerSentEvent]:
        """Events of the workspace as they happen. `reset` says that some may have been missed."""
        for event in self.stream("/v1/workspace/events/stream", last_event_id):
            yield event

    def stream(self, path: str, last_event_id: str = "") -> Iterator[ServerSentEvent]:
        """Server-sent events of a path. A connection that breaks is opened again where it was."""
        pause = 0.5
        there = time.monotonic() - _PATIENCE
        while True:
            is_open = False
            try:
                headers = {"Accept": "text/event-stream"}
                if last_event_id:
                    headers["Last-Event-ID"] = last_event_id
                with self.open("GET", path, headers=headers, timeout=_SILENCE) as response:
                    is_open = True
                    for event in EventSource(response).iter_sse():
                        last_event_id = event.id or last_event_id
                        pause = 0.5
                        # One without data is none, says the standard: it only brings an id, or how long to wait.
                        if event.data:
                            yield event
            except GatehouseError as error:
                if not is_open and (not is_passing(error) or time.monotonic() - there > _PATIENCE):
                    raise
            if is_open:
                there = time.monotonic()
            sync_sleep(pause)
            pause = min(pause * 2, 10)

    @contextmanager
    def open(self, method: str, path: str, **options: Any) -> Iterator[httpx.Response]:
        """A response whose body is still to be read, for streams and files."""
        request = self._http.build_request(method, path, **options)
        try:
            response = self._http.send(request, stream=True)
            try:
                if not response.is_success:
                    response.read()
                    raise refusal(response)
                yield response
            finally:
                response.close()
        except httpx.TransportError as error:
            raise unreachable(self._http.base_url, error) from error

    def _send(self, method: str, path: str, request: dict[str, Any]) -> Any:
        try:
            response = self._http.request(method, path, **request)
        except httpx.TransportError as error:
            raise unreachable(self._http.base_url, error) from error
        if not response.is_success:
            raise refusal(response)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError:
            raise unexpected(response) from None
