# Python 3.9 or newer, nothing to install: WEBHOOK_SECRET=whsec_… python3 verify.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
FIVE_MINUTES = 300


def verify(headers, body):
    timestamp = headers.get("webhook-timestamp", "0")
    if abs(time.time() - int(timestamp)) > FIVE_MINUTES:
        raise ValueError("The timestamp is missing or too old.")

    content = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    signed = hmac.new(KEY, content, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(signed)
    # There is more than one for a day after the secret was rotated.
    given = headers.get("webhook-signature", "").encode().split()
    if not any(hmac.compare_digest(expected, signature) for signature in given):
        raise ValueError("No signature fits.")
    return json.loads(body)


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they came: JSON that was parsed and written again has another signature.
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify(self.headers, body)
        except ValueError as error:
            self.send_error(401, str(error))
            return
        print(event["id"], event["type"], event["data"])
        self.send_response(204)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8080"))), Hook).serve_forever()
