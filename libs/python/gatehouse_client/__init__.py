"""The client of Gatehouse for Python: `Gatehouse`, and `AsyncGatehouse` with the same methods to await."""

from ._async.gatehouse import AsyncGatehouse
from ._sync.gatehouse import Gatehouse
from .errors import GatehouseError
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = ["AsyncGatehouse", "Gatehouse", "GatehouseError", "WebhookVerificationError", "verify_webhook"]
