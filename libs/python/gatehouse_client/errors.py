"""What a request may end with besides its response."""

from __future__ import annotations

import json

import httpx


class GatehouseError(Exception):
    """What the service refused, or that it could not be reached (`status` is None)."""

    def __init__(
        self,
        message: str,
        status: int | None = None,
        code: str | None = None,
        details: list[dict[str, str]] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        #: To branch on: the service's page /docs/errors lists them.
        self.code = code
        #: Each wrong place of the request, by its `path`.
        self.details = details or []
        self.request_id = request_id
        #: Seconds after which the service asks to be tried again.
        self.retry_after = retry_after


def refusal(response: httpx.Response) -> GatehouseError:
    """The error of a response that is no success, and whose body has been read."""
    asked = response.headers.get("Retry-After", "")
    retry_after = float(asked) if asked.isdigit() else None
    try:
        error = json.loads(response.content)["error"]
        return GatehouseError(
            error["message"],
            response.status_code,
            error["code"],
            error.get("details"),
            error.get("requestId"),
            retry_after,
        )
    except (ValueError, KeyError, TypeError):
        words = f"{_origin(response)} responded with the status {response.status_code}, but not as Gatehouse does."
        return GatehouseError(words, response.status_code, retry_after=retry_after)


def unexpected(response: httpx.Response) -> GatehouseError:
    """A success of something else, such as a proxy's page."""
    return GatehouseError(f"{_origin(response)} responded, but not as Gatehouse does.", response.status_code)


def unreachable(url: object, error: Exception) -> GatehouseError:
    return GatehouseError(f"{url} could not be reached: {error or type(error).__name__}")


def _origin(response: httpx.Response) -> str:
    url = response.request.url
    return f"{url.scheme}://{url.netloc.decode()}"
