"""When a request is sent again, and after how long."""

from __future__ import annotations

import asyncio
import random
import time

from .errors import GatehouseError

_PASSING = {429, 502, 503, 504}
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
#: Whoever is asked to wait for longer is better told.
_LONGEST_ASKED_PAUSE = 60.0

sync_sleep = time.sleep
async_sleep = asyncio.sleep


def is_passing(error: GatehouseError) -> bool:
    """Whether the same request may well succeed a little later."""
    return error.status is None or error.status in _PASSING


def pause_before_next(error: GatehouseError, tried: int, retries: int) -> float | None:
    """Seconds until the next try; None where another would not help. tried: how often it failed before."""
    # An earlier try of this very request is being carried out still: its response is worth waiting for.
    if error.code == "idempotency_in_progress":
        return (error.retry_after or 1.0) + random.random() / 4
    if tried >= retries or not is_passing(error):
        return None
    if error.retry_after is not None:
        return None if error.retry_after > _LONGEST_ASKED_PAUSE else error.retry_after + random.random() / 4
    most = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**tried)
    return most / 2 + random.random() * most / 2
