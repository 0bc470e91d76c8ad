"""The client of Gatehouse for Python, over the standard library alone."""

import base64
import binascii
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__all__ = ["Gatehouse", "GatehouseError", "WebhookVerificationError", "verify_webhook"]

_RETRIED = {429, 502, 503, 504}
_LONGEST_WAIT = 30.0


class GatehouseError(Exception):
    """What the service refused, or that it could not be reached (`status` is None)."""

    def __init__(self, message, status=None, code=None, details=None, request_id=None):
        super().__init__(message)
        self.status = status
        #: To branch on: the service's page /docs/errors lists them.
        self.code = code
        #: Each wrong place of the request, by its `path`.
        self.details = details or []
        self.request_id = request_id


class WebhookVerificationError(Exception):
    """A delivery that does not come from this endpoint's Gatehouse, or is too old."""


class Gatehouse:
    """A service, a credential, and where to act.

    token: a personal access token, which needs `workspace`, or an API key, which has its own.
    timeout: seconds that one request may take.
    """

    def __init__(self, url, token, workspace=None, environment=None, timeout=120, retries=3):
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._retries = retries
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        if workspace is not None:
            self._headers["X-Workspace"] = workspace
        if environment is not None:
            self._headers["X-Environment"] = environment
        # A redirect would take the token to another host.
        self._opener = urllib.request.build_opener(_NoRedirects)

    def run(self, script, inputs=None, wait=True):
        """Runs a script's published version, and waits until it has ended or is held for a person.

        Returns the run as a dict: its `status` says how it went, `output` what came of it. A held one has an `approval`.
        """
        path = f"/v1/scripts/{urllib.parse.quote(script, safe='')}/runs"
        run = self.request("POST", path, {"inputs": inputs or {}})
        return self.wait(run["id"]) if wait and run["phase"] not in ("finished", "held") else run

    def wait(self, run_id):
        """Waits until a run has ended, also one that is held first."""
        pause = 0.2
        while True:
            run = self.request("GET", f"/v1/runs/{urllib.parse.quote(run_id, safe='')}")
            if run["phase"] == "finished":
                return run
            time.sleep(pause)
            pause = min(pause * 1.5, 5.0)

    def list(self, path, **query):
        """Goes through all pages of a list, such as `/v1/scripts`."""
        cursor = None
        while True:
            page = self.request("GET", path, query={**query, "cursor": cursor})
            yield from page["items"]
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def request(self, method, path, body=None, query=None):
        """Sends any request of the interface, and again where it failed in passing. Returns what the JSON says, or None."""
        url = self._url + path
        given = {name: value for name, value in (query or {}).items() if value is not None}
        if given:
            url += "?" + urllib.parse.urlencode(given)
        headers = dict(self._headers)
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        if method != "GET":
            # The same for each try, so that it is carried out once.
            headers["Idempotency-Key"] = str(uuid.uuid4())
        for tried in range(self._retries + 1):
            try:
                return self._send(urllib.request.Request(url, data, headers, method=method))
            except GatehouseError as error:
                passing = error.status is None or error.status in _RETRIED
                if not passing or tried == self._retries:
                    raise
                time.sleep(min(getattr(error, "retry_after", None) or 0.5 * 2**tried, _LONGEST_WAIT))

    def _send(self, request):
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, urllib.error.URLError) as error:
            raise GatehouseError(f"{self._url} could not be reached: {error}") from error
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise GatehouseError(f"{self._url} responded, but not as Gatehouse does.", 200) from None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def _refusal(response):
    try:
        error = json.loads(response.read())["error"]
        refusal = GatehouseError(
            error["message"], response.code, error["code"], error.get("details"), error.get("requestId")
        )
    except (ValueError, KeyError, TypeError, OSError):
        refusal = GatehouseError(f"The response has the status {response.code}.", response.code)
    retry_after = response.headers.get("Retry-After", "")
    refusal.retry_after = float(retry_after) if retry_after.isdigit() else None
    return refusal


def verify_webhook(body, headers, secret, tolerance=300):
    """Checks that a delivery comes from Gatehouse, and gives its event.

    body: the bytes as they came. headers: a mapping, by names in any case. secret: the endpoint's (`whsec_…`).
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
