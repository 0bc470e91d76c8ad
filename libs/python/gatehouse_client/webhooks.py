"""Verifies deliveries to webhook endpoints."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any


class WebhookVerificationError(Exception):
    """A delivery that does not come from this endpoint's Gatehouse, or is too old."""


def verify_webhook(body: bytes, headers: Mapping[str, str], secret: str, tolerance: float = 300) -> Any:
    """Checks that a delivery comes from Gatehouse, and gives its event.

    body: the bytes as they came. headers: by names in any case. secret: the endpoint's (`whsec_…`). tolerance: seconds.
    """
    found = {name.lower(): value for name, value in headers.items()}
    try:
        sent = [found[f"webhook-{name}"] for name in ("id", "timestamp", "signature")]
        age = abs(time.time() - int(sent[1]))
    except (KeyError, ValueError):
        raise WebhookVerificationError("A header of the signature is missing or malformed.") from None
    if age > tolerance:
        raise WebhookVerificationError(f"The delivery is {round(age)} s away from this machine's time.")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise WebhookVerificationError("The secret is not one of an endpoint.") from None
    signed = f"{sent[0]}.{sent[1]}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    if not any(hmac.compare_digest(expected, each.encode()) for each in sent[2].split(" ")):
        raise WebhookVerificationError("No signature fits. Is it the secret of this endpoint, and the body as it came?")
    return json.loads(body)
