"""What Schemathesis cannot know of Gatehouse."""

import re

import schemathesis
from schemathesis.core.parameters import ParameterLocation

# Rules that a JSON Schema cannot tell. A request that breaks one of them is well formed, and 400 all the same.
# Each is the place in `details` and how the message begins.
MEANING = [
    # What is named must be there.
    (r"x-environment|environment", r"there is no environment"),
    (r"x-environment", r"must be one of"),
]

KNOWN_RULES = [(re.compile(place), re.compile(message)) for place, message in MEANING]


@schemathesis.hook
def before_call(context, case, kwargs):
    """An environment that there is, where it is not the header that is tried: otherwise nothing else would be."""
    if case.headers and "x-environment" in case.headers and not negative(case, ParameterLocation.HEADER):
        case.headers["x-environment"] = "production"


def negative(case, location):
    return case.meta is not None and case.meta.is_negative_at(location)


@schemathesis.check
def form_of_valid_requests(ctx, response, case):
    """A request that fits the document is never refused for its form."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code not in (400, 413, 415, 422):
        return
    error = response.json()["error"]
    details = error.get("details") or [{"path": "", "message": error["message"]}]
    refused = [f"{detail['path']}: {detail['message']}" for detail in details if not is_known(detail)]
    if refused:
        raise AssertionError("A request that fits the document was refused for its form: " + "; ".join(refused))


def is_known(detail):
    return any(
        place.fullmatch(detail["path"]) and message.match(detail["message"]) for place, message in KNOWN_RULES
    )
