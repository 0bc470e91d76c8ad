"""What Schemathesis cannot know of Gatehouse."""

import random
import re
import uuid

import schemathesis
from schemathesis.core.parameters import ParameterLocation

# Rules that a JSON Schema cannot tell. A request that breaks one of them is well formed, and 400 all the same.
# Each is the place in `details` and how the message begins.
MEANING = [
    # A key has its workspace, and may send the header empty.
    (r"x-workspace", r"must not be empty"),
    # What is named must be there.
    (r"x-environment|environment", r"there is no environment|is not an environment"),
    (r"eventTypes?(\.\d+)?", r".* is no event type|there is no type"),
    (r"action", r"is not an action that can be asked for"),
    (r"teamIds\.\d+", r"is not the id of a team|is the default team"),
    (r"queue", r"is not the name of a queue"),
    (r"workspaces\.\d+|workspace", r"is not a workspace that you are in"),
    (r"next", r"must be the path of a page here"),
    (r"scripts(\.\d+)?", r"is not (the slug of )?a script|is named twice|with \d+ that you cannot see"),
    (r"name", r"has no value in the environment"),
    (r"scopes\.\d+", r"is not a scope that the app asks for|is there twice"),
    # Only this service makes them, and only it can read them.
    (r"cursor", r"is not a cursor|belongs to another list"),
    (r"token", r"is of no open invitation|is unknown, used or expired"),
    (r"password|current", r"is not your password|is missing"),
    # Moments are judged by the clock.
    (r"since", r"must not be more than 30 days ago|must not be in the future"),
    (r"startAt|expiresAt", r"must be in the future|must be within a year|must be later than"),
    # What no JSON may have, whose inside the document leaves open.
    (r".+\..*", r"is not allowed as a name|must not contain a NUL|must not contain half|this number cannot be kept exactly"),
    # Languages of their own, each with a reader that says what is wrong where.
    (r"archive", r"must be a \.tar\.gz"),
    (r"cron|timezone|command|build|url|hosts?(\..*)?|secrets\..*|env(\.\d+)?|email", r""),
    (r"(input|output)Schema(\..*)?|inputs?(\..*)?|filter(\..*)?|event(\..*)?", r""),
    (r"messages(\..*)?", r'must be "user" in the last|hold \d+ bytes'),
    # Rules between fields, or of what is named by another field.
    (r"teamIds", r"must name at least one team|go with access|must include a team that you are in"),
    (r"handler", r"needs a command of an interpreter"),
    (r"keep", r"needs `handler`|contradicts `warm`"),
    (r"retry", r"must be left out of a plan"),
    (r"idempotency-key", r"cannot be used for a stream"),
    (r"hosts", r"must name at least one host"),
    (r"certificates(\..*)?", r""),
    (r"all", r"must be true where nothing narrows|is for all runs"),
    # What is signed of a request, and which headers it is from; whether it is an owner in person is no matter of form.
    (r"verify\.(signed|timestampHeader|idHeader)", r"must have \{|is needed, since"),
    # Words are letters and digits of any language, and a label is not as long as its filter.
    (r"q", r"must have a letter or digit, and at most 8 words"),
    (r"label", r"must be at most 8 labels"),
    (r"labels", r"must be at most 16 with those of the version"),
    # A language of its own: text with inputs as {name}.
    (r"labels\..*", r"must |is not a property"),
    (r"(concurrency|debounce)\.key", r""),
    (r"debounce\.maxWait", r"must be a whole number of seconds from `wait`"),
    # What the operator of this installation allows, and what of the memory may lie in /tmp.
    (r"timeout", r"must not be greater than"),
    (r"resources\.(memory|tmp)", r"must be a whole number of MiB"),
    # Only an idempotent version, which is named elsewhere, begins again after it was lost.
    (r"retry\.on\.\d+", r"needs a version that says"),
    # What only a browser says, of options that it got before.
    (r"passkey", r"is too late|is not one that is known|was used|was not accepted"),
    # What an app for codes says now, or one that was given out before.
    (r"code", r"is wrong, too old|is neither a code|is not one of the app|is missing: "),
    (r"", r"Begin anew with the password"),
    # Its schema is that of responses as well, which may gain fields.
    (r"(budget|memberBudget|ask)(\..*)?", r"is not a field of this request"),
    (r"(slow|quietHours|destination|retention)\..*", r"is not known"),
    # The kind of a secret says what its value is.
    (r"kind", r"is \w+ for this secret"),
    (r"value", r"must be a string, unless|must be left out"),
    (r"source", r"is not a source of secrets"),
    (r"reference", r"is for a source|must say which value of the source"),
    (r"value", r"must be JSON with accessKeyId|must have (no other fields|\w+, a text)|has (an?|characters) "),
    (r"allowEnv", r"must be false for AWS keys"),
    (r"name", r"is for a body without a form|is missing: name the file here"),
    (r"name", r"the file's name must be at most 255 bytes"),
    # When an error is open again, and the time of statistics.
    (r"until", r"must be a moment that is to come|must be after `since`"),
    (r"since", r"must leave at most|must be after `since`"),
    (r"since|until", r"must be between 1971 and"),
    (r"version", r"is of a script"),
    # What a channel takes, and which rules may be about what.
    (r"destination(\.(channel|url|to(\.\d+)?))", r""),
    (r"script|schedule", r"is not the (slug|id) of a|must not be given with a script"),
    (r"on", r"must name a condition, unless"),
    (r"on\.\d+", r"is about no script"),
    (r"notSucceededFor", r"takes a script|must be from a minute"),
    (r"slow", r"needs seconds or a factor"),
    (r"quietHours\.(to|timeZone)", r"must differ|must be the name of"),
    # A request for approval that was decided or redeemed meanwhile: 400 by the interface, where others have 409.
    (r"", r"names nothing to change"),
    (r"", r"The request (is not approved|is approved|is completed|was denied|was approved|has expired)"),
    (r"", r"This Idempotency-Key was used for another request"),
]

KNOWN_RULES = [(re.compile(place, re.DOTALL), re.compile(message, re.DOTALL)) for place, message in MEANING]


@schemathesis.hook
def before_call(context, case, kwargs):
    """An environment that there is and a new key, where these are not what is tried: otherwise nothing else would be."""
    if not case.headers or negative(case, ParameterLocation.HEADER):
        return
    if "x-environment" in case.headers:
        case.headers["x-environment"] = "production"
    if "Idempotency-Key" in case.headers and random.random() < 0.9:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


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
    # What is a message of JSON-RPC says the Model Context Protocol, not this document.
    if isinstance(error["code"], int):
        return
    details = error.get("details") or [{"path": "", "message": error["message"]}]
    refused = [f"{detail['path']}: {detail['message']}" for detail in details if not is_known(detail)]
    if refused:
        raise AssertionError("A request that fits the document was refused for its form: " + "; ".join(refused))


def is_known(detail):
    return any(
        place.fullmatch(detail["path"]) and message.match(detail["message"]) for place, message in KNOWN_RULES
    )
