# Written by `npm run python-client`, of openapi.json a4061bae696363b0ccf987e0c0c8f03af8f2f936c717044753c7957c142cb05b.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AuditCredential(TypedDict):
    type: Literal['api_key', 'pat']
    name: str | None
    """
    The key's, token's or app's name.
    """


class AuditTarget(TypedDict):
    type: str
    """
    The kind of thing that was changed, such as `script`.
    """
    id: str


class AuditActor(TypedDict):
    userId: str
    name: str


class Liveness(TypedDict):
    status: Literal['live']
    """
    `live` for as long as the process answers at all.
    """


class LoadedExtension(TypedDict):
    name: str
    version: str | None


class Readiness(TypedDict):
    status: Literal['ready']
    """
    `ready`: everything that a request needs works.
    """
    checks: dict[str, str]
    """
    Each part that was looked at, by name, and how it is.
    """
    extensions: NotRequired[list[LoadedExtension]]
    """
    What extends this process, by `GATEHOUSE_EXTENSIONS`; left out where nothing does.
    """


class BudgetLimits(TypedDict):
    runs: NotRequired[int]
    """
    Runs that are started, held ones among them.
    """
    messages: NotRequired[int]
    """
    Messages to agents.
    """
    tokens: NotRequired[int]
    """
    Tokens that models read and wrote, as they say themselves.
    """
    cost: NotRequired[float]
    """
    What these tokens cost, in the currency of `GATEHOUSE_MODEL_PRICE`, without which it cannot be limited.
    """


class AgentBudget(TypedDict):
    day: NotRequired[BudgetLimits]
    month: NotRequired[BudgetLimits]


class Agent(TypedDict):
    id: str
    slug: str
    """
    Unique in the workspace; the address of its chat.
    """
    name: str
    instructions: str
    model: str | None
    """
    null: the one that the operator chose for all agents.
    """
    scripts: list[str]
    """
    The slugs of the scripts that it may run, as far as you can see them. In a chat it runs those that its caller may run.
    """
    enabled: bool
    """
    An agent that is not enabled answers nobody.
    """
    approvalPolicy: Literal['always', 'none']
    """
    `always`: each run that it starts waits for a person, whatever else allows.
    """
    budget: AgentBudget | None
    """
    What may be used by it; null: no limit of its own.
    """
    createdByUserId: str | None
    """
    null where an API key made it.
    """
    createdAt: str
    updatedAt: str


class AgentPage(TypedDict):
    items: list[Agent]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


Script: TypeAlias = str


class AgentInput(TypedDict):
    model: NotRequired[str | None]
    """
    A model of the endpoint that the operator set; null for the one that they chose for all agents.
    """
    scripts: NotRequired[list[Script]]
    """
    The slugs of the scripts that it may run.
    """
    enabled: NotRequired[bool]
    """
    An agent that is not enabled answers nobody.
    """
    approvalPolicy: NotRequired[Literal['always', 'none']]
    """
    `always`: each run that it starts waits for a person, whatever else allows. Lowering it takes an owner or admin in person.
    """
    budget: NotRequired[AgentBudget | None]
    """
    What may be used by it; null: no limit of its own. Raising it takes an owner or admin in person.
    """
    slug: str
    """
    Lower-case letters, digits and dashes. Unique in the workspace; it cannot be changed.
    """
    name: str
    instructions: NotRequired[str]
    """
    What the model is told before each conversation.
    """


class AgentUse(TypedDict):
    until: NotRequired[str]
    """
    When it begins anew.
    """
    cost: float | None
    """
    null: the operator has set no price.
    """
    runs: int
    messages: int
    tokens: int
    reads: int
    """
    Calls of tools that only read.
    """


class AgentUsage(TypedDict):
    day: AgentUse
    """
    Today, in UTC.
    """
    month: AgentUse
    currency: str | None
    """
    Of the cost; null: the operator has set no price.
    """
    notices: NotRequired[list[str]]
    """
    Which limits are near (80 %) or reached. Left out where none is.
    """


class AgentPatch(TypedDict):
    model: NotRequired[str | None]
    """
    A model of the endpoint that the operator set; null for the one that they chose for all agents.
    """
    approvalPolicy: NotRequired[Literal['always', 'none']]
    """
    `always`: each run that it starts waits for a person, whatever else allows. Lowering it takes an owner or admin in person.
    """
    budget: NotRequired[AgentBudget | None]
    """
    What may be used by it; null: no limit of its own. Raising it takes an owner or admin in person.
    """
    name: NotRequired[str]
    instructions: NotRequired[str]
    """
    What the model is told before each conversation.
    """
    scripts: NotRequired[list[Script]]
    """
    They replace the earlier ones, but for those that you cannot see, which stay.
    """
    enabled: NotRequired[bool]


class ChatReply(TypedDict):
    role: Literal['assistant']
    content: str


RunEndReason: TypeAlias = Literal['expired', 'replaced', 'skipped']
"""
Why it was cancelled without anybody asking for it: it had not begun in time.
"""


class RunApproval(TypedDict):
    id: str
    approveUrl: str


class RunScript(TypedDict):
    id: str
    slug: str


class RunStarter(TypedDict):
    userId: str | None
    """
    null for an API key of the workspace.
    """
    credentialType: str | None
    """
    `pat`, `api_key` or `oauth`; null in the app and for schedules, triggers and hooks.
    """
    credentialName: str | None


RunCauseType: TypeAlias = Literal['batch', 'conversation', 'event', 'hook', 'rerun', 'run', 'schedule', 'trigger']
"""
`run`: its script started this one, or an event of it did, or its request to a hook. `rerun`: of that run. `event`: a
trigger was fired by it.
"""


class RunCause(TypedDict):
    type: RunCauseType
    """
    `run`: its script started this one, or an event of it did, or its request to a hook. `rerun`: of that run. `event`: a
    trigger was fired by it.
    """
    id: str


class RunDebounce(TypedDict):
    key: str
    """
    What its inputs make of the version's key; empty where that has none.
    """
    starts: int
    """
    How many starts it stands for. Its inputs, version and `startedBy` are those of the newest.
    """
    until: str
    """
    It waits no longer than until then, whatever is started.
    """


class RunNetwork(TypedDict):
    connections: NotRequired[int]
    """
    Of a host that is not reached by HTTP: connections that were made to it.
    """
    seconds: NotRequired[int]
    """
    How long those were open, together.
    """
    host: str
    """
    With its port where that is not 443. `(port 5432)` counts connections to a port that the gate does not serve, whatever their host.
    """
    requests: int
    """
    Requests that were let through.
    """
    denied: int
    """
    Requests, or connections to such a port, that were refused; the log says why.
    """
    bytesIn: int
    bytesOut: int


class RunAttempt(TypedDict):
    attempt: int
    """
    Counted from 1.
    """
    error: str | None
    """
    Why it did not end well.
    """
    startedAt: str | None
    """
    When its command began; null where it never did.
    """
    finishedAt: str | None
    durationMs: int | None
    network: list[RunNetwork]
    logLines: int
    """
    How many lines its part of the log has had.
    """


class File(TypedDict):
    direction: Literal['in', 'out']
    """
    `in`: given to a run. `out`: written by one.
    """
    downloadUrl: str | None
    """
    A link that is good for an hour and needs no key. null where links are off: then read `/v1/files/{fileId}/content`.
    """
    id: str
    name: str
    """
    For a file that a run wrote: its path in /outputs.
    """
    type: str
    """
    The media type.
    """
    size: int
    """
    In bytes.
    """
    runId: str | None
    """
    null for an upload that no run has used yet.
    """
    field: str | None
    """
    The input that it was given as.
    """
    sha256: str | None
    createdAt: str
    expiresAt: str
    """
    A day after the upload; once a run uses it or has written it, as many days as the plan says, 30 unless the operator set another number.
    """


class WholeLog(TypedDict):
    bytes: int
    """
    Of its text: `GET /v1/runs/{runId}/log/content`.
    """
    missingLines: int
    """
    How many lines it does not have: of an attempt it takes 256 MiB, and no more than could be stored in time.
    """


class ChatUsage(TypedDict):
    inputTokens: int
    """
    Tokens that the model read, in all turns.
    """
    outputTokens: int
    """
    Tokens that it wrote.
    """
    turns: int
    """
    How often it was asked.
    """


class ChatMessageInput(TypedDict):
    content: str
    role: Literal['assistant', 'user']
    """
    Who said it: the person, or the agent in an earlier response.
    """


class ChatInput(TypedDict):
    messages: list[ChatMessageInput]
    """
    The conversation so far, which is kept nowhere else; the last message is the person's. At most 400 KiB of text.
    """


class Conversation(TypedDict):
    id: str
    title: str
    """
    How its first message begins; empty before.
    """
    answering: bool
    """
    The agent answers a message just now; it takes no other before.
    """
    createdAt: str
    updatedAt: str
    """
    When something was said last.
    """


class ConversationPage(TypedDict):
    items: list[Conversation]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ConversationCall(TypedDict):
    script: str | None
    """
    The slug of the script whose run it is about.
    """
    input: Any
    """
    JSON
    """
    tool: str
    """
    The name of the tool.
    """
    result: str | None
    """
    What the model was told of it; null while it goes on, where it was broken off, or where you may not see the script any more.
    """
    runId: str | None
    """
    The run that it started or is about.
    """
    waits: bool
    """
    The run had not ended: what came of it is filled in with the next message.
    """


class ConversationMessage(TypedDict):
    role: Literal['assistant', 'user']
    content: str
    """
    Empty where the agent only called tools.
    """
    calls: list[ConversationCall]
    """
    In one response of its model.
    """
    createdAt: str


class ConversationDetail(TypedDict):
    id: str
    title: str
    """
    How its first message begins; empty before.
    """
    answering: bool
    """
    The agent answers a message just now; it takes no other before.
    """
    createdAt: str
    updatedAt: str
    """
    When something was said last.
    """
    messages: list[ConversationMessage]


class ConversationMessageInput(TypedDict):
    content: NotRequired[str]
    """
    Left out: the agent goes on, now that a run for which it waited has ended.
    """


class AgentSettings(TypedDict):
    memberBudget: AgentBudget | None
    """
    What each member's agents may use together, those of apps and of the workspace; null: whatever else allows.
    """


class AgentSettingsPatch(TypedDict):
    memberBudget: NotRequired[AgentBudget | None]
    """
    What each member's agents may use together; null: whatever else allows.
    """


class Slow(TypedDict):
    seconds: NotRequired[int | None]
    """
    A run that takes longer than so many seconds; null: the factor alone counts.
    """
    factor: NotRequired[float | None]
    """
    One that takes longer than so many times what 95 % of the newest successes of its script took; there must be 20 of them. null: the seconds alone count.
    """


QuietHours = TypedDict(
    'QuietHours',
    {
        'from': str,
        'to': str,
        'timeZone': str,
    },
)


class AlertDestination(TypedDict):
    channel: str
    host: str | None
    """
    Of the address, all of it that is shown; null where the channel takes none.
    """
    to: list[str]
    """
    Addresses of members; none: all owners and admins.
    """


class Alert(TypedDict):
    on: list[Literal['endpoint.disabled', 'error.new', 'failed', 'firstFailure', 'hook.refused', 'recovered', 'run.unplaceable', 'schedule.missed']]
    slow: Slow | None
    notSucceededFor: str | None
    groupSeconds: NotRequired[int]
    quietHours: QuietHours | None
    id: str
    name: str
    script: str | None
    """
    The slug of the only script that it is about; null: all of them.
    """
    schedule: str | None
    """
    The only schedule whose runs it is about; null: whatever starts them.
    """
    destination: AlertDestination
    enabled: bool
    deadlineAt: str | None
    """
    Of `notSucceededFor`: when it tells; null: it does not, or has told and waits for a success.
    """
    createdByUserId: str | None
    """
    null where an API key made it.
    """
    createdAt: str
    updatedAt: str


class AlertPage(TypedDict):
    items: list[Alert]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class SlowInput(TypedDict):
    seconds: NotRequired[int | str | None]
    """
    One that takes longer than so many seconds, or than a text such as `5m` says; null: the factor alone counts.
    """
    factor: NotRequired[float | None]
    """
    One that takes longer than so many times what 95 % of the newest successes of its script took; there must be 20 of them. null: the seconds alone count.
    """


class AlertDestinationInput(TypedDict):
    channel: str
    """
    `mail`, `slack`, `mattermost`, `teams`, `ntfy`, `pagerduty`, `webhook`, or a channel of an extension.
    """
    url: NotRequired[str]
    """
    Where the channel takes an address: an https URL on a public host. It is a secret, and never shown again.
    """
    to: NotRequired[list[str]]
    """
    For `mail`: addresses of members. Left out: all owners and admins, whoever they are then.
    """


GroupSeconds: TypeAlias = int
"""
What happens within as many seconds after a message is one message. A text such as `5m` may be given.
"""


GroupSeconds1: TypeAlias = str
"""
What happens within as many seconds after a message is one message. A text such as `5m` may be given.
"""


class AlertInput(TypedDict):
    script: NotRequired[str | None]
    """
    The slug of the only script that it is about. Left out, or null: all of them.
    """
    schedule: NotRequired[str | None]
    """
    The only schedule whose runs it is about. Left out, or null: whatever starts them. The rule is deleted with it.
    """
    on: NotRequired[list[Literal['endpoint.disabled', 'error.new', 'failed', 'firstFailure', 'hook.refused', 'recovered', 'run.unplaceable', 'schedule.missed']]]
    """
    `failed`: each run that fails. `firstFailure`: one that fails after its script had succeeded. `recovered`: one that succeeds
    after a failure. `error.new`: one that fails in a way that is new for its script, or that was resolved before.
    `run.unplaceable`: one that waits for a worker with tags that none carries. The others are about what is not a run. Tests count for nothing.
    """
    slow: NotRequired[SlowInput | None]
    """
    Runs that take long. Left out, or null: none.
    """
    notSucceededFor: NotRequired[int | str | None]
    """
    Tells once where no run has succeeded for as long: a text such as `26h` or a number of seconds, from a minute to a year. It takes a
    `script` or a `schedule`.
    """
    groupSeconds: NotRequired[GroupSeconds | GroupSeconds1]
    """
    What happens within as many seconds after a message is one message. A text such as `5m` may be given.
    """
    quietHours: NotRequired[QuietHours | None]
    """
    When messages wait. Left out, or null: never.
    """
    name: str
    destination: AlertDestinationInput
    """
    Where messages go.
    """
    enabled: NotRequired[bool]
    """
    While it is false, nothing is noted.
    """


GroupSeconds2: TypeAlias = int
"""
What happens within as many seconds after a message is one message. A text such as `5m` may be given.
"""


GroupSeconds3: TypeAlias = str
"""
What happens within as many seconds after a message is one message. A text such as `5m` may be given.
"""


class AlertPatch(TypedDict):
    on: NotRequired[list[Literal['endpoint.disabled', 'error.new', 'failed', 'firstFailure', 'hook.refused', 'recovered', 'run.unplaceable', 'schedule.missed']]]
    """
    `failed`: each run that fails. `firstFailure`: one that fails after its script had succeeded. `recovered`: one that succeeds
    after a failure. `error.new`: one that fails in a way that is new for its script, or that was resolved before.
    `run.unplaceable`: one that waits for a worker with tags that none carries. The others are about what is not a run. Tests count for nothing.
    """
    groupSeconds: NotRequired[GroupSeconds2 | GroupSeconds3]
    """
    What happens within as many seconds after a message is one message. A text such as `5m` may be given.
    """
    name: NotRequired[str]
    destination: NotRequired[AlertDestinationInput]
    """
    Where messages go.
    """
    enabled: NotRequired[bool]
    """
    While it is false, nothing is noted.
    """
    slow: NotRequired[SlowInput | None]
    """
    null: none.
    """
    notSucceededFor: NotRequired[int | str | None]
    """
    null: not told.
    """
    quietHours: NotRequired[QuietHours | None]
    """
    null: never.
    """


class AlertMessage(TypedDict):
    status: Literal['failed', 'sending', 'sent', 'waiting']
    """
    `waiting` takes in what else happens; `sending` is attempted until it is `sent` or has `failed`.
    """
    conditions: dict[str, int]
    """
    How many of each condition.
    """
    id: str
    test: bool
    """
    Somebody tried the rule.
    """
    count: int
    """
    How many events it tells of.
    """
    text: str | None
    """
    What happened first, in a line; null for a test.
    """
    runId: str | None
    """
    The newest run that it tells of and whose log it ends with.
    """
    attempts: int
    error: str | None
    """
    Why the last attempt failed.
    """
    dueAt: str | None
    """
    When it is begun, or attempted again; null: it is over.
    """
    sentAt: str | None
    createdAt: str


class AlertMessagePage(TypedDict):
    items: list[AlertMessage]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class Decider(TypedDict):
    userId: str
    name: str


class ApprovalSecret(TypedDict):
    name: str
    envVar: str
    """
    The environment variable that a command line keeps it in.
    """


class DenialInput(TypedDict):
    reason: NotRequired[str]
    """
    Why not, for the one who asked.
    """


class LoginInput(TypedDict):
    email: str
    """
    The account's e-mail address, in any case.
    """
    password: str


class WorkspaceOfUser(TypedDict):
    id: str
    name: str
    slug: str
    role: Literal['admin', 'guest', 'member', 'owner']
    """
    The person's role there.
    """


class UserMe(TypedDict):
    id: str
    name: str
    email: str
    workspaces: list[WorkspaceOfUser]
    """
    The workspaces that the person is in, by slug; for a token, those that it may act in.
    """


class PasswordChangeInput(TypedDict):
    current: str
    """
    The password until now.
    """
    next: str
    """
    The new password.
    """


class PasswordForgottenInput(TypedDict):
    email: str
    """
    The account's e-mail address, in any case.
    """


class PasswordResetInput(TypedDict):
    token: str
    """
    What stands at the end of the link that was mailed.
    """
    password: str
    """
    The new password.
    """


class PersonalToken(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'mcp', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]
    id: str
    name: str
    workspaces: list[str] | None
    """
    The slugs of the workspaces in which it may act; null for all that the person is in.
    """
    last4: str
    """
    The last four characters of the token.
    """
    expiresAt: str | None
    lastUsedAt: str | None
    lastUsedAddress: str | None
    """
    The address from which it was last used.
    """
    createdAt: str


class PersonalTokenPage(TypedDict):
    items: list[PersonalToken]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


Workspace: TypeAlias = str


class PersonalTokenInput(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'mcp', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]
    """
    What it may do: at least one scope, none twice. `write` does not imply `read`.
    """
    workspaces: NotRequired[list[Workspace] | None]
    """
    The slugs of the workspaces in which it may act; null or absent for all that the person is in.
    """
    expiresAt: NotRequired[str | None]
    """
    When it stops working, in the future; null or absent for never. Its person is told a week before.
    """
    name: str
    """
    What the token is for.
    """


class PersonalTokenCreated(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'mcp', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]
    id: str
    name: str
    workspaces: list[str] | None
    """
    The slugs of the workspaces in which it may act; null for all that the person is in.
    """
    last4: str
    """
    The last four characters of the token.
    """
    expiresAt: str | None
    lastUsedAt: str | None
    lastUsedAddress: str | None
    """
    The address from which it was last used.
    """
    createdAt: str
    token: str
    """
    The token itself, shown this once.
    """


class ScopeList(TypedDict):
    items: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'mcp', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]


class Passkey(TypedDict):
    id: str
    name: str
    """
    What its person calls it.
    """
    createdAt: str
    lastUsedAt: str | None


class Authenticator(TypedDict):
    createdAt: str
    lastUsedAt: str | None


class SecondFactors(TypedDict):
    passkeys: list[Passkey]
    authenticator: Authenticator | None
    """
    The app for codes; null: none is set up.
    """
    recoveryCodesLeft: int
    available: bool
    """
    Whether the account may have second factors: where it has a password.
    """
    passkeysAvailable: bool
    """
    Whether a passkey may be added: browsers want the service to have a name and TLS, or to be on this machine.
    """


class AuthenticatorOffer(TypedDict):
    secret: str
    """
    To be typed into the app: base32.
    """
    uri: str
    """
    The same with all that the app has to know, for a QR code: `otpauth://totp/…`.
    """


class AuthenticatorConfirmInput(TypedDict):
    code: str
    """
    One that the app shows.
    """


class FactorAdded(TypedDict):
    recoveryCodes: list[str] | None
    """
    With the first factor: ten codes for whoever loses their device, each good once. They are shown this once.
    """


class PasskeyAdded(TypedDict):
    recoveryCodes: list[str] | None
    """
    With the first factor: ten codes for whoever loses their device, each good once. They are shown this once.
    """
    passkey: Passkey


class RecoveryCodes(TypedDict):
    recoveryCodes: list[str]
    """
    In place of those that there were. They are shown this once.
    """


class Session(TypedDict):
    id: str
    device: str
    """
    What signed in, as far as it says of itself: `Firefox on Windows`.
    """
    address: str | None
    """
    The address that it was last used from; null where that was not kept.
    """
    current: bool
    """
    Whether it is the one that asks.
    """
    createdAt: str
    lastUsedAt: str
    """
    To within a quarter of a minute.
    """
    expiresAt: str


class SessionPage(TypedDict):
    items: list[Session]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class CliParameter(TypedDict):
    name: str
    """
    The parameter of the path or the query, or the field of the body, that it fills.
    """
    description: str
    type: Literal['boolean', 'integer', 'number', 'string']
    choices: list[str] | None
    """
    null: any.
    """
    required: bool


class CliCommand(TypedDict):
    group: str
    """
    The extension's name: the command is `gatehouse <group> <name>`.
    """
    name: str
    method: str
    path: str
    """
    With its parameters in braces.
    """
    fields: dict[str, str | int | bool]
    """
    What every request has besides: in the query of `GET` and `DELETE`, in the body otherwise.
    """
    summary: str
    arguments: list[CliParameter]
    options: list[CliParameter]
    columns: list[str] | None
    """
    The fields that a person sees; null: JSON.
    """
    list: bool
    """
    Whether the route gives pages.
    """


class CliCommandList(TypedDict):
    items: list[CliCommand]


class Environment(TypedDict):
    id: str
    name: str
    approvalPolicy: Literal['agents', 'always', 'none']
    agentsAllowed: bool
    """
    Whether agents may run or schedule scripts here.
    """
    runsOn: list[str]
    """
    The tags that a worker must carry, whatever a version says; empty: as the version says.
    """
    isDefault: bool
    """
    Where a request that names no environment acts.
    """
    createdByUserId: str | None
    """
    null where an API key or the system made it.
    """
    createdAt: str
    updatedAt: str


class EnvironmentPage(TypedDict):
    items: list[Environment]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


RunsOnItem: TypeAlias = str


class EnvironmentInput(TypedDict):
    name: str
    """
    Unique in the workspace; what `x-environment` names.
    """
    approvalPolicy: NotRequired[Literal['agents', 'always', 'none']]
    """
    Which runs a person must approve first. The script's policy applies as well: the stricter one wins.
    """
    agentsAllowed: NotRequired[bool]
    """
    Whether agents may run or schedule scripts here.
    """
    runsOn: NotRequired[list[RunsOnItem]]
    """
    The tags that a worker must carry to run anything here, all of them. Empty: as each version says.
    """


class EnvironmentUsage(TypedDict):
    secretValues: int
    """
    Deleted with the environment.
    """
    schedules: int
    triggers: int
    hooks: int


class EnvironmentDetail(TypedDict):
    id: str
    name: str
    approvalPolicy: Literal['agents', 'always', 'none']
    agentsAllowed: bool
    """
    Whether agents may run or schedule scripts here.
    """
    runsOn: list[str]
    """
    The tags that a worker must carry, whatever a version says; empty: as the version says.
    """
    isDefault: bool
    """
    Where a request that names no environment acts.
    """
    createdByUserId: str | None
    """
    null where an API key or the system made it.
    """
    createdAt: str
    updatedAt: str
    usage: EnvironmentUsage


class EnvironmentPatch(TypedDict):
    name: NotRequired[str]
    """
    Another name takes an owner or admin in person.
    """
    approvalPolicy: NotRequired[Literal['agents', 'always', 'none']]
    """
    Lowering it takes an owner or admin in person.
    """
    runsOn: NotRequired[list[RunsOnItem]]
    """
    The tags that a worker must carry to run anything here, all of them, for runs that are started from now on. Empty: as each version says.
    """
    isDefault: NotRequired[Literal[True]]
    """
    Makes it the default, which takes an owner or admin in person; the one that was is not any more.
    """
    agentsAllowed: NotRequired[bool]
    """
    Letting agents in takes an owner or admin in person.
    """


ErrorStatus: TypeAlias = Literal['ignored', 'open', 'resolved']


class ErrorGroup(TypedDict):
    status: ErrorStatus
    """
    `ignored` and `resolved` ones are counted, too. A resolved one that comes again is `open`, and so is an ignored one whose time is over.
    """
    id: str
    title: str
    """
    What went wrong. `<n>`, `<id>`, `<value>`, `<address>` and `<path>` stand for what differs from run to run.
    """
    exception: str | None
    """
    The type of the exception, where the script's runs ended with a traceback of Python or Node.
    """
    place: str | None
    """
    The file and function of the script in which it was thrown.
    """
    sample: str
    """
    What its newest run said: the traceback, or the error. Secrets are masked in it.
    """
    script: RunScript
    environment: str
    ignoreUntil: str | None
    """
    While it is ignored: until when; null: for good.
    """
    count: int
    """
    How many runs have failed with it.
    """
    firstAt: str
    lastAt: str
    latestRunId: str
    """
    The newest run that failed with it.
    """
    version: int
    """
    The version of the script that this run had.
    """


class ErrorGroupPage(TypedDict):
    items: list[ErrorGroup]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ErrorIgnoreInput(TypedDict):
    until: NotRequired[str | None]
    """
    A moment that is to come: it is open again from then on. Left out, or null: it is ignored for good.
    """


class UploadAddressInput(TypedDict):
    name: str
    """
    The file's name, by whose extension its media type is known. Of a path, its last part is kept, which must have at most 255 bytes.
    """
    maxBytes: int
    """
    How many bytes it has at most.
    """


class UploadAddress(TypedDict):
    uploadUrl: str
    """
    Whoever has it can send the file, once: `curl -T table.csv '<uploadUrl>'`. It is shown only here.
    """
    id: str
    name: str
    maxBytes: int
    expiresAt: str
    """
    15 minutes from now.
    """


class FileScript(TypedDict):
    slug: str | None
    name: str | None


class FileRun(TypedDict):
    id: str
    startedAt: str


class FileListItem(TypedDict):
    direction: Literal['in', 'out']
    """
    `in`: given to a run. `out`: written by one.
    """
    downloadUrl: str | None
    """
    A link that is good for an hour and needs no key. null where links are off: then read `/v1/files/{fileId}/content`.
    """
    id: str
    name: str
    """
    For a file that a run wrote: its path in /outputs.
    """
    type: str
    """
    The media type.
    """
    size: int
    """
    In bytes.
    """
    runId: str | None
    """
    null for an upload that no run has used yet.
    """
    field: str | None
    """
    The input that it was given as.
    """
    sha256: str | None
    createdAt: str
    expiresAt: str
    """
    A day after the upload; once a run uses it or has written it, as many days as the plan says, 30 unless the operator set another number.
    """
    script: FileScript
    """
    Of the run that it belongs to; both fields are null for an upload that no run has used yet.
    """
    run: FileRun | None
    startedBy: str | None
    """
    Who started the run, or else uploaded it: a person's name, or the key or agent it came through.
    """


class FilePage(TypedDict):
    items: list[FileListItem]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class Authority(TypedDict):
    subject: str
    fingerprint: str
    """
    SHA-256 of the certificate, in hexadecimal with colons.
    """
    validFrom: str
    validUntil: str
    expired: bool
    """
    Nothing that it issued is trusted any more.
    """


class HostAuthorities(TypedDict):
    host: str
    """
    With its port, unless that is 443: `db.example.com:5432`, `api.example.com`, `*.example.com`.
    """
    certificates: list[Authority]
    createdByUserId: str | None
    """
    null where the person is gone.
    """
    createdAt: str
    updatedAt: str


class HostAuthoritiesList(TypedDict):
    items: list[HostAuthorities]
    """
    By host, 20 at most.
    """


class HostAuthoritiesInput(TypedDict):
    certificates: str
    """
    1 to 20 certificates in PEM, and nothing else: of authorities, or a certificate that the host has signed by itself.
    """


Header: TypeAlias = str


class HookReceipt(TypedDict):
    verdict: Literal['accepted', 'duplicate', 'filtered', 'handshake', 'refused']
    """
    `accepted`: it started a run. `filtered`, `duplicate` and `handshake` started nothing, and `refused` was not verified or could not be used.
    """
    id: str
    receivedAt: str
    reason: str | None
    """
    Why it was refused, or which part of the filter did not fit.
    """
    providerId: str | None
    """
    The sender's own name for the request.
    """
    bytes: int
    """
    Of the body.
    """
    runId: str | None


class HookReceiptPage(TypedDict):
    items: list[HookReceipt]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class HookReceiptDetail(TypedDict):
    verdict: Literal['accepted', 'duplicate', 'filtered', 'handshake', 'refused']
    """
    `accepted`: it started a run. `filtered`, `duplicate` and `handshake` started nothing, and `refused` was not verified or could not be used.
    """
    headers: dict[str, str]
    """
    Those that are kept.
    """
    query: dict[str, str]
    bodyEncoding: Literal['base64', 'utf8']
    """
    `base64` where the body is no text.
    """
    body: str | None
    """
    null of a request that started no run: its body is not kept.
    """
    id: str
    receivedAt: str
    reason: str | None
    """
    Why it was refused, or which part of the filter did not fit.
    """
    providerId: str | None
    """
    The sender's own name for the request.
    """
    bytes: int
    """
    Of the body.
    """
    runId: str | None


class HookReplayInput(TypedDict):
    version: NotRequired[int]
    """
    The version to run, published or not, as a test. Without it: the published one.
    """


class HookTaken(TypedDict):
    id: str
    """
    Of the receipt.
    """


class RequestingApp(TypedDict):
    registered: Literal['built_in', 'document', 'dynamic', 'operator']
    """
    How the service knows it: by a document at its host, by having registered itself, by the operator, or as a part of the service.
    """
    name: str
    """
    What the app calls itself; nobody has checked it.
    """
    clientId: str
    host: str | None
    """
    Whose the app is, as far as anybody can tell: the host that describes it. null where nothing vouches for it.
    """
    uri: str | None
    """
    A page that the app names as its own.
    """
    redirectHost: str | None
    """
    Where the person's browser will bring the consent: a host, or `scheme:`. null for a device.
    """
    local: bool
    """
    Whether that is this computer, on which any program may claim to be the app.
    """


class ConnectableWorkspace(TypedDict):
    role: Literal['admin', 'guest', 'member', 'owner']
    """
    The person's own.
    """
    slug: str
    name: str
    environments: list[str]
    """
    Their names.
    """


class AppRequest(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]
    """
    What the app asks for, of what there is.
    """
    id: str
    app: RequestingApp
    workspaces: list[ConnectableWorkspace]
    """
    In which of these it may act is for the person to choose.
    """
    userCode: str | None
    """
    The code that the device shows, where one asks.
    """
    deviceAddress: str | None
    """
    Where the device asked from, by its own address.
    """
    expiresAt: str


ScriptTag: TypeAlias = str


class AppApprovalInput(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]
    """
    What it may do: at least one of the scopes that it asks for, none twice.
    """
    environment: NotRequired[str | None]
    """
    The only environment in which it may act, by name; null or absent for all.
    """
    scripts: NotRequired[list[Script] | None]
    """
    The slugs of the only scripts that there are for it. null or absent, without tags either: all that the person may see.
    """
    scriptTags: NotRequired[list[ScriptTag] | None]
    """
    Scripts with one of these tags are there for it, too, also those that get it later.
    """
    workspace: str
    """
    The slug of the workspace in which the app may act.
    """


class AppDecision(TypedDict):
    redirectTo: str | None
    """
    Where the browser goes on; null where a device asked, which finds out by itself.
    """


class AppWorkspace(TypedDict):
    slug: str
    name: str


class ConnectedApp(TypedDict):
    registered: Literal['built_in', 'document', 'dynamic', 'operator']
    """
    How the service knows it: by a document at its host, by having registered itself, by the operator, or as a part of the service.
    """
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]
    scripts: int | None
    """
    How many scripts its person chose by name, and by which tags; both null where they gave it all.
    """
    scriptTags: list[str] | None
    id: str
    name: str
    """
    What the app calls itself.
    """
    host: str | None
    """
    The host that describes it; null where nothing vouches for the name.
    """
    redirectHost: str | None
    """
    Where its consent was brought: a host, or `scheme:`. null for a device.
    """
    workspace: AppWorkspace
    environment: str | None
    """
    The only environment in which it may act; null for all.
    """
    budget: AgentBudget | None
    """
    What may be used through it; null: no limit of its own.
    """
    lastUsedAt: str | None
    """
    Within a quarter of a minute; null if never.
    """
    expiresAt: str | None
    """
    When it has to ask again, unless it is used before.
    """
    createdAt: str


class ConnectedAppPage(TypedDict):
    items: list[ConnectedApp]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ConnectedAppPatch(TypedDict):
    budget: NotRequired[AgentBudget | None]
    """
    What may be used through the app; null: no limit of its own.
    """


class DeviceCodeInput(TypedDict):
    userCode: str
    """
    The code as the device shows it.
    """


class DeviceApprovalInput(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']]
    """
    What it may do: at least one of the scopes that it asks for, none twice.
    """
    environment: NotRequired[str | None]
    """
    The only environment in which it may act, by name; null or absent for all.
    """
    scripts: NotRequired[list[Script] | None]
    """
    The slugs of the only scripts that there are for it. null or absent, without tags either: all that the person may see.
    """
    scriptTags: NotRequired[list[ScriptTag] | None]
    """
    Scripts with one of these tags are there for it, too, also those that get it later.
    """
    workspace: str
    """
    The slug of the workspace in which the app may act.
    """
    userCode: str
    """
    The code as the device shows it.
    """


class Queue(TypedDict):
    limit: int | None
    """
    How many runs of its scripts go on at once; null: as many as there are workers for.
    """
    id: str
    name: str
    paused: bool
    """
    No run of its scripts begins. Those that go on do.
    """
    going: int
    """
    Runs that have a place: they go on, or are the next for a worker. Counted to 1,000, whoever may see them.
    """
    waiting: int
    """
    Runs that wait for a place. Counted to 1,000, whoever may see them.
    """
    createdByUserId: str | None
    """
    null where an API key made it.
    """
    createdAt: str
    updatedAt: str


class QueuePage(TypedDict):
    items: list[Queue]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class QueueInput(TypedDict):
    limit: NotRequired[int | None]
    """
    How many runs of its scripts go on at once. null: as many as there are workers for.
    """
    name: str
    """
    Lower-case letters, digits and dashes, beginning with a letter or digit. Unique in the workspace; it cannot be changed.
    """
    paused: NotRequired[bool]
    """
    No run of its scripts begins. Those that go on do.
    """


class QueuedScript(TypedDict):
    slug: str
    name: str


class QueueDetail(TypedDict):
    limit: int | None
    """
    How many runs of its scripts go on at once; null: as many as there are workers for.
    """
    id: str
    name: str
    paused: bool
    """
    No run of its scripts begins. Those that go on do.
    """
    going: int
    """
    Runs that have a place: they go on, or are the next for a worker. Counted to 1,000, whoever may see them.
    """
    waiting: int
    """
    Runs that wait for a place. Counted to 1,000, whoever may see them.
    """
    createdByUserId: str | None
    """
    null where an API key made it.
    """
    createdAt: str
    updatedAt: str
    scripts: list[QueuedScript]
    """
    The scripts in it that the caller may see, by slug, at most 100.
    """


class QueuePatch(TypedDict):
    limit: NotRequired[int | None]
    """
    How many runs of its scripts go on at once. null: as many as there are workers for.
    """
    paused: NotRequired[bool]
    """
    No run of its scripts begins. Those that go on do.
    """


LabelItem: TypeAlias = str


MinSeconds: TypeAlias = int
"""
Only runs whose execution has taken so long: seconds, or a text such as `5m`.
"""


MinSeconds1: TypeAlias = str
"""
Only runs whose execution has taken so long: seconds, or a text such as `5m`.
"""


class RunsCancelInput(TypedDict):
    plan: NotRequired[Literal['false', 'true']]
    """
    `true`: only plans. `false`: none of them.
    """
    label: NotRequired[list[LabelItem]]
    """
    Only runs with all of these labels, each its name or `name=value`.
    """
    minSeconds: NotRequired[MinSeconds | MinSeconds1]
    """
    Only runs whose execution has taken so long: seconds, or a text such as `5m`.
    """
    since: NotRequired[str]
    """
    Only runs that were asked for from this moment on.
    """
    until: NotRequired[str]
    """
    Only runs that were asked for before this moment.
    """
    status: NotRequired[str]
    """
    Only runs of this status, or of these, separated by commas: awaiting_approval, running.
    """
    script: NotRequired[str]
    """
    Only runs of the script with this slug.
    """
    environment: NotRequired[str]
    """
    Only runs in the environment of this name.
    """
    interface: NotRequired[Literal['api', 'app', 'cli', 'hook', 'mcp', 'schedule', 'trigger']]
    scheduleId: NotRequired[str]
    """
    Only runs that this schedule started.
    """
    triggerId: NotRequired[str]
    """
    Only runs that this trigger started.
    """
    hookId: NotRequired[str]
    """
    Only runs that requests to this hook started.
    """
    causedBy: NotRequired[str]
    """
    Only runs that this caused: the id of a run, event, schedule, trigger, hook, batch or conversation.
    """
    q: NotRequired[str]
    """
    Only runs in which these words are, as in the list of runs.
    """
    errorId: NotRequired[str]
    """
    Only runs that failed with this error.
    """
    startedBy: NotRequired[str]
    """
    Only runs that the person with this user id started, or a token, app, schedule, trigger or hook of theirs.
    """
    all: NotRequired[bool]
    """
    Without anything that narrows: all runs that the caller may see.
    """
    dryRun: NotRequired[bool]
    """
    Only tells how many runs fit, and changes nothing.
    """
    limit: NotRequired[int]
    """
    How many runs it takes at most: the newest that fit.
    """


class MatchingRuns(TypedDict):
    matched: int
    """
    How many runs fit, counted to `limit`.
    """
    more: bool
    """
    More fit than `limit`.
    """


RunOperationKind: TypeAlias = Literal['cancel', 'rerun']


RunOperationStatus: TypeAlias = Literal['cancelled', 'completed', 'failed', 'running']
"""
`completed`: each of its runs was dealt with. `failed`: it ended before that, and `error` says why.
"""


class LeftOutRun(TypedDict):
    result: Literal['failed', 'skipped']
    """
    `skipped`: by the rules that hold for this run alone. `failed`: it could not be carried out.
    """
    runId: str
    reason: str


class RunOperation(TypedDict):
    kind: RunOperationKind
    status: RunOperationStatus
    """
    `completed`: each of its runs was dealt with. `failed`: it ended before that, and `error` says why.
    """
    filter: dict[str, str | int | list[str]]
    """
    What was asked for.
    """
    id: str
    matched: int
    """
    How many runs belong to it: those that fitted when it was asked for, at most its `limit`.
    """
    more: bool
    """
    More fitted than its `limit`.
    """
    done: int
    """
    Runs that were cancelled, or whose worker was asked to end them; or that were started again.
    """
    skipped: int
    """
    Runs that are left as they were: `leftOut` has the first of them, and why.
    """
    failed: int
    """
    Runs that could not be dealt with, by a fault of the service.
    """
    leftOut: NotRequired[list[LeftOutRun]]
    """
    The first 100 runs that were skipped or failed. On a single operation only.
    """
    error: str | None
    """
    Why it ended before its end.
    """
    waitsBecause: str | None
    """
    Why it does not go on just now.
    """
    startedBy: RunStarter
    createdAt: str
    finishedAt: str | None


MinSeconds2: TypeAlias = int
"""
Only runs whose execution has taken so long: seconds, or a text such as `5m`.
"""


MinSeconds3: TypeAlias = str
"""
Only runs whose execution has taken so long: seconds, or a text such as `5m`.
"""


class RunsRerunInput(TypedDict):
    plan: NotRequired[Literal['false', 'true']]
    """
    `true`: only plans. `false`: none of them.
    """
    label: NotRequired[list[LabelItem]]
    """
    Only runs with all of these labels, each its name or `name=value`.
    """
    minSeconds: NotRequired[MinSeconds2 | MinSeconds3]
    """
    Only runs whose execution has taken so long: seconds, or a text such as `5m`.
    """
    since: NotRequired[str]
    """
    Only runs that were asked for from this moment on.
    """
    until: NotRequired[str]
    """
    Only runs that were asked for before this moment.
    """
    status: NotRequired[str]
    """
    Only runs of this status, or of these, separated by commas: succeeded, failed, cancelled.
    """
    script: NotRequired[str]
    """
    Only runs of the script with this slug.
    """
    environment: NotRequired[str]
    """
    Only runs in the environment of this name.
    """
    interface: NotRequired[Literal['api', 'app', 'cli', 'hook', 'mcp', 'schedule', 'trigger']]
    scheduleId: NotRequired[str]
    """
    Only runs that this schedule started.
    """
    triggerId: NotRequired[str]
    """
    Only runs that this trigger started.
    """
    hookId: NotRequired[str]
    """
    Only runs that requests to this hook started.
    """
    causedBy: NotRequired[str]
    """
    Only runs that this caused: the id of a run, event, schedule, trigger, hook, batch or conversation.
    """
    q: NotRequired[str]
    """
    Only runs in which these words are, as in the list of runs.
    """
    errorId: NotRequired[str]
    """
    Only runs that failed with this error.
    """
    startedBy: NotRequired[str]
    """
    Only runs that the person with this user id started, or a token, app, schedule, trigger or hook of theirs.
    """
    all: NotRequired[bool]
    """
    Without anything that narrows: all runs that the caller may see.
    """
    dryRun: NotRequired[bool]
    """
    Only tells how many runs fit, and changes nothing.
    """
    limit: NotRequired[int]
    """
    How many runs it takes at most: the newest that fit.
    """


class RunOperationPage(TypedDict):
    items: list[RunOperation]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class RunQuantiles(TypedDict):
    p50: float | None
    """
    Half of them had no more; null: there were none.
    """
    p95: float | None
    """
    95 % of them had no more.
    """


class RunBucket(TypedDict):
    successRate: float | None
    """
    The share of those that succeeded among those that succeeded or failed; null: there were none.
    """
    at: str
    """
    When it begins.
    """
    succeeded: int
    failed: int
    """
    Time-outs and lost runs are among them.
    """
    other: int
    """
    Cancelled, denied or expired.
    """
    durationSeconds: RunQuantiles
    """
    Seconds that those took that succeeded or failed, at most 5 % off.
    """
    waitingSeconds: RunQuantiles
    """
    Seconds from when runs were asked for to when their command began, at most 5 % off.
    """


class RunCounts(TypedDict):
    successRate: float | None
    """
    The share of those that succeeded among those that succeeded or failed; null: there were none.
    """
    succeeded: int
    failed: int
    """
    Time-outs and lost runs are among them.
    """
    other: int
    """
    Cancelled, denied or expired.
    """
    durationSeconds: RunQuantiles
    """
    Seconds that those took that succeeded or failed, at most 5 % off.
    """
    waitingSeconds: RunQuantiles
    """
    Seconds from when runs were asked for to when their command began, at most 5 % off.
    """


class RunVersionCounts(TypedDict):
    successRate: float | None
    """
    The share of those that succeeded among those that succeeded or failed; null: there were none.
    """
    succeeded: int
    failed: int
    """
    Time-outs and lost runs are among them.
    """
    other: int
    """
    Cancelled, denied or expired.
    """
    durationSeconds: RunQuantiles
    """
    Seconds that those took that succeeded or failed, at most 5 % off.
    """
    waitingSeconds: RunQuantiles
    """
    Seconds from when runs were asked for to when their command began, at most 5 % off.
    """
    version: int


RunStatistics = TypedDict(
    'RunStatistics',
    {
        'by': Literal['day', 'hour'],
        'from': str,
        'until': str,
        'buckets': list[RunBucket],
        'totals': RunCounts,
        'versions': list[RunVersionCounts],
    },
)


OnItem: TypeAlias = str


class RetryInput(TypedDict):
    attempts: int
    """
    How often its command begins at most, the first time included.
    """
    delay: NotRequired[float | str]
    """
    Seconds from the end of the first attempt to the second one, or a text such as `2m`.
    """
    factor: NotRequired[float]
    """
    By how much each wait is longer than the one before.
    """
    maxDelay: NotRequired[float | str]
    """
    The longest wait, in seconds or as a text such as `1h`.
    """
    jitter: NotRequired[float]
    """
    Which part of each wait is random, so that runs that failed together are not tried together: 0.5 waits for half to all of it.
    """
    on: NotRequired[list[OnItem]]
    """
    What is tried again: `failed`, whatever the exit code, `timed_out`, one exit code as `exit:75`, or `lost`, where its worker
    died or was stopped meanwhile. `lost` needs a version that is `idempotent`.
    """


class RunPatch(TypedDict):
    startAt: str
    """
    Not before then it is queued, at most a year from now: a timestamp, or a time from now such as `2h`. A moment that is over starts it at once.
    """


class RunBatchInput(TypedDict):
    via: NotRequired[Literal['api', 'cli']]
    """
    Through what the run was started. In the app it is always `app`, for an agent `mcp`.
    """
    retry: NotRequired[RetryInput | None]
    """
    When this run is tried again, instead of what the version says. null: never.
    """
    startAt: NotRequired[str]
    """
    The run is not queued before, at most a year from now: a timestamp, or a time from now such as `2h`. Its end is not waited for. A moment that is over starts it at once.
    """
    expiresAt: NotRequired[str]
    """
    The run is cancelled where it has not begun by then. Later than `startAt`, by at most a year. A timestamp, or a time from now such as `26h`.
    """
    priority: NotRequired[int]
    labels: NotRequired[dict[str, str]]
    """
    By which the run is found, besides those that the version makes of its inputs: of the same name, these count.
    """
    inputs: list[dict[str, Any]]
    """
    The inputs of each run, as the version's `inputSchema` says. They hold no files.
    """


class RunBatch(TypedDict):
    id: str
    runs: list[str]
    """
    The ids of its runs, in the order of their inputs.
    """


class RunLog(TypedDict):
    times: NotRequired[list[str | None]]
    """
    When each line was printed, with `times` only: a quarter of a second late at most, or three quarters where much is printed. Null of
    a line that says how many were dropped, of lines that were stored before times were kept, and with `q` of all lines of a long log.
    """
    more: NotRequired[Literal[True]]
    """
    With `q` of a long log, where there was no time to look at all of it: ask again with `next`.
    """
    lines: list[str]
    """
    A log keeps its first 2,000 lines and its last 8,000. Between them is one that says how many were dropped.
    """
    next: int
    """
    The `after` of the next request. It jumps over lines that were dropped, and with `q` over those that do not contain it.
    """
    numbers: NotRequired[list[int]]
    """
    The number of each line, counted from 0. With `q` only.
    """


PlannedProtocol: TypeAlias = Literal['http', 'https', 'postgres', 'tcp', 'tls', 'websocket']


class PlannedHeader(TypedDict):
    name: str
    value: str
    """
    `***` where its name says that it is a secret.
    """


class PlannedBody(TypedDict):
    text: str | None
    """
    Up to 64 KiB of text, its secrets masked; null: it is longer, no text, or beyond the 1 MiB of a plan.
    """
    bytes: int
    sha256: str | None
    """
    In hexadecimal, where there is no text.
    """


class PlannedRequest(TypedDict):
    number: int
    """
    Counted from 1, in the order in which the script sent them.
    """
    protocol: PlannedProtocol
    at: str
    host: str
    """
    With its port where that is not 443.
    """
    method: str
    """
    Of PostgreSQL, the command of the statement; `CONNECT` of a connection by TLS or TCP.
    """
    target: str
    """
    Path and query; of PostgreSQL, the database.
    """
    headers: list[PlannedHeader]
    body: PlannedBody


class PlannedRequestPage(TypedDict):
    items: list[PlannedRequest]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


ViewedList: TypeAlias = Literal['runs']


class SavedView(TypedDict):
    list: ViewedList
    id: str
    name: str
    search: str
    """
    The filter, as the console has it in its address after the question mark.
    """
    shared: bool
    """
    For everyone in the workspace; false: for the caller alone.
    """
    createdByUserId: str | None
    createdAt: str
    updatedAt: str


class SavedViewPage(TypedDict):
    items: list[SavedView]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class SavedViewInput(TypedDict):
    list: ViewedList
    """
    Which list it filters.
    """
    name: str
    """
    Unique among what one sees of the list.
    """
    search: str
    """
    The filter, as the console has it in its address after the question mark.
    """
    shared: NotRequired[bool]
    """
    For everyone in the workspace. Default: for oneself.
    """


class SavedViewPatch(TypedDict):
    name: NotRequired[str]
    """
    Unique among what one sees of the list.
    """
    search: NotRequired[str]
    """
    The filter, as the console has it in its address after the question mark.
    """


class SchedulePreview(TypedDict):
    times: list[str]
    """
    The next five, the first one first; fewer where there are not as many.
    """


class ScriptTemplateFile(TypedDict):
    path: str
    content: str


class ScriptRetention(TypedDict):
    runs: int


class ScriptInterfaces(TypedDict):
    app: int
    api: int
    cli: int
    mcp: int
    schedule: int
    trigger: int
    hook: int


class ScriptStats(TypedDict):
    successRate: float | None
    """
    The share of those that succeeded among those that succeeded or failed; null while there are none.
    """
    runs30d: int
    """
    Runs in the last 30 days, today included (UTC).
    """
    lastRunAt: str | None
    """
    When it was last started, however long ago.
    """
    people30d: int
    """
    How many people ran it in the last 30 days.
    """
    interfaces: ScriptInterfaces
    """
    The runs of the last 30 days by where they came from.
    """


class ScriptInput(TypedDict):
    slug: str
    """
    Lower-case letters, digits and dashes, beginning with a letter or digit. Unique in the workspace; it cannot be changed.
    """
    name: str
    description: NotRequired[str]


class ScriptUser(TypedDict):
    userId: str
    name: str
    runs: int
    """
    How often they ran it in the last 30 days.
    """


class ScriptSchedule(TypedDict):
    id: str
    name: str
    cron: str
    enabled: bool


class ScriptTrigger(TypedDict):
    id: str
    name: str
    eventType: str
    enabled: bool


class ScriptHook(TypedDict):
    id: str
    name: str
    scheme: str
    """
    How its requests prove where they come from.
    """
    enabled: bool


class FollowingScript(TypedDict):
    slug: str
    name: str


class FollowingTrigger(TypedDict):
    id: str
    name: str
    eventType: str


class ScriptFollower(TypedDict):
    script: FollowingScript
    trigger: FollowingTrigger


class ScriptUsedBy(TypedDict):
    people: list[ScriptUser]
    """
    Who ran it in the last 30 days, the most frequent first, at most 100. A guest finds only themself here.
    """
    schedules: list[ScriptSchedule]
    triggers: list[ScriptTrigger]
    hooks: list[ScriptHook]
    """
    Addresses to which others send requests that start it.
    """
    followedBy: list[ScriptFollower]
    """
    Other scripts' triggers that fire on this script's runs.
    """


class ScriptDay(TypedDict):
    day: str
    """
    In UTC.
    """
    runs: int
    """
    Started that day.
    """
    succeeded: int
    """
    Ended that day.
    """
    failed: int


class ScriptActivity(TypedDict):
    days: list[ScriptDay]
    """
    The last 30 days, today included, the oldest first.
    """


TeamId: TypeAlias = str


Tag: TypeAlias = str


class PublishInput(TypedDict):
    version: int
    """
    The number of the version that runs shall use. An older one takes the script back to it.
    """
    expectedVersion: NotRequired[int]
    """
    The number of the version that is published now, 0 for none. Where it is another one nothing is published: 409.
    """


class FiledApproval(TypedDict):
    id: str
    approveUrl: str
    """
    Where a person approves or denies it.
    """


class PublishRequested(TypedDict):
    approval: FiledApproval
    """
    The request that an owner or admin other than the one who asked approves.
    """


class PlannedResponseInput(TypedDict):
    status: int
    body: NotRequired[str | None]
    """
    At most 4,096 bytes. Left out: none, as with 204, 205 and 304.
    """
    contentType: NotRequired[str | None]
    """
    Of the body. Left out: `application/json`.
    """


class PostgresRuleInput(TypedDict):
    database: NotRequired[str | None]
    """
    The only database. Left out: the one that the secret or the client names.
    """
    role: NotRequired[str | None]
    """
    The role that is taken after the sign-in and cannot be left.
    """
    readOnly: NotRequired[bool]
    """
    Whether only what reads passes. Functions of the database may do more: sign in as a user that may only read.
    """
    statementTimeout: NotRequired[int | str | None]
    """
    The longest that a statement may take, in seconds or as a text such as `90s`.
    """
    maxConnections: NotRequired[int | None]
    """
    Connections of a run at a time.
    """


Method: TypeAlias = str


Path: TypeAlias = str


class HostRuleInput(TypedDict):
    port: NotRequired[int | None]
    """
    Instead of one behind the name. Left out: 443, of `http` 80, of `postgres` 5432; `tcp` has no usual one.
    """
    protocol: NotRequired[Literal['http', 'https', 'postgres', 'tcp', 'tls']]
    """
    How it is spoken to. `http`: in the clear, with secrets only where the operator allows it. `tls`: TLS outward, and TLS or plain text in the box. `tcp`: whatever the
    two speak. `postgres`: the gate signs in. Each but `https` is one host by its name.
    """
    methods: NotRequired[list[Method] | None]
    """
    In upper case. Left out or null: any. GET does not include HEAD; a websocket is a GET.
    """
    paths: NotRequired[list[Path] | None]
    """
    Each exact, or with a `*` at its end everything that begins so; without a query. Left out or null: any.
    """
    ask: NotRequired[Literal['agents', 'always'] | None]
    """
    Of `http` and `https`: the gate holds each request that fits until a person has approved exactly it. `agents`: where an agent has
    started the run. A request that several rules fit is held if one of them asks. Of `postgres`: likewise each statement that may write.
    """
    plan: NotRequired[PlannedResponseInput | None]
    """
    Of `http` and `https`: what a request that fits, and is not sent because the run is a plan, gets instead of 409.
    """
    postgres: NotRequired[PostgresRuleInput | None]
    """
    Of `postgres`: what holds on each connection.
    """
    host: str
    """
    A name, with a port unless that is the usual one, `*.` for any below.
    """


class SecretUse(TypedDict):
    hosts: list[str]
    """
    Of the version's hosts, those that the secret may go to.
    """
    header: str
    """
    Empty: it is in no request, the gate signs in with it.
    """
    value: str
    """
    The header's value; `{secret}` is replaced by the secret. `AWS4-HMAC-SHA256 {secret}`: the request is signed with its keys.
    """


class SecretUseInput(TypedDict):
    header: NotRequired[str]
    """
    The name of the header. Left out only where all of its hosts speak PostgreSQL: the gate signs in there with a secret of the kind `postgres`.
    """
    hosts: NotRequired[list[str]]
    """
    Some of the version's hosts. Left out, with `host`: all of them that the secret's value allows.
    """
    value: NotRequired[str]
    """
    The header's value; `{secret}` is replaced by the secret. `{base64:…}` is encoded with it: `Basic {base64:x-access-token:{secret}}`
    makes Basic credentials of a token. `AWS4-HMAC-SHA256 {secret}` signs requests with a secret of the kind `aws`.
    """
    host: NotRequired[str]
    """
    One of the version's hosts, instead of `hosts`.
    """


class Resources(TypedDict):
    memory: int
    """
    In MiB, of all processes together and with what they keep in `/tmp` and `/outputs`.
    """
    cpus: float | None
    """
    How many processors' worth of time it gets at most; null: as many as there are.
    """
    processes: int
    """
    Processes and threads together.
    """
    tmp: int
    """
    How much `/tmp` holds, in MiB.
    """


class Retry(TypedDict):
    attempts: int
    """
    How often its command begins, the first time included.
    """
    delay: float
    """
    Seconds from the end of the first attempt to the second one.
    """
    factor: float
    """
    By how much each wait is longer than the one before.
    """
    maxDelay: float
    """
    The longest wait, in seconds.
    """
    jitter: NotRequired[float]
    """
    Which part of each wait is random; not there: none.
    """
    on: list[str]
    """
    What is tried again: `failed`, `timed_out`, `lost` or one exit code, as `exit:75`.
    """


OnLimit: TypeAlias = Literal['queue', 'replace', 'skip']
"""
What becomes of a run while as many go on as may.
"""


class Concurrency(TypedDict):
    limit: int
    key: str | None
    """
    Runs share places whose inputs make the same text of it; null: all runs of the script in their environment.
    """
    onLimit: OnLimit
    """
    What becomes of a run while as many go on as may.
    """


class Debounce(TypedDict):
    key: str | None
    """
    A start takes the place of one whose inputs make the same text of it; null: of any of the script in its environment.
    """
    wait: int
    """
    In seconds, from the newest start on.
    """
    maxWait: int
    """
    In seconds, from the first start on: the run waits no longer.
    """


class Keep(TypedDict):
    idleSeconds: int
    """
    Without a run for so long, it ends.
    """
    runs: int
    """
    After so many runs, it ends.
    """


class PlannedResponse(TypedDict):
    status: int
    body: str | None
    contentType: str | None
    """
    Of the body.
    """


class PostgresRule(TypedDict):
    statementTimeout: int | None
    """
    In seconds; null: what the server has.
    """
    maxConnections: int
    database: str | None
    """
    The only database; null: the one that the secret or the client names.
    """
    role: str | None
    """
    Taken after the sign-in; null: none.
    """
    readOnly: bool


class HostRule(TypedDict):
    protocol: NotRequired[Literal['http', 'postgres', 'tcp', 'tls']]
    """
    How it is spoken to. Left out: HTTPS.
    """
    ask: NotRequired[Literal['agents', 'always']]
    """
    Each request that fits, or of PostgreSQL each statement that may write, waits until a person has approved exactly it; `agents`: where an agent has started the run. Left out: none does.
    """
    host: str
    """
    One of the version's hosts.
    """
    methods: list[str] | None
    """
    null: any. A websocket is a GET.
    """
    paths: list[str] | None
    """
    Each exact, or everything that begins so where it ends in `*`. null: any.
    """
    plan: NotRequired[PlannedResponse]
    """
    What a request that fits gets in a plan, where it is not sent. Left out: 409.
    """
    postgres: NotRequired[PostgresRule]
    """
    Of a host that speaks PostgreSQL.
    """


class VersionAuthor(TypedDict):
    userId: str
    name: str


class ResourcesInput(TypedDict):
    memory: NotRequired[int]
    """
    In MiB, of all processes together and with what they keep in `/tmp` and `/outputs`. The operator says how much a version may ask for: 2048, where nothing else is set.
    """
    cpus: NotRequired[float | None]
    """
    How many processors' worth of time it gets at most; left out or null: as many as there are.
    """
    processes: NotRequired[int]
    """
    Processes and threads together.
    """
    tmp: NotRequired[int]
    """
    How much `/tmp` holds, in MiB; no more than `memory`. Left out: 256, or as much as `memory` where that is less.
    """


class ConcurrencyInput(TypedDict):
    limit: int
    key: NotRequired[str | None]
    """
    Text with inputs as `{name}`: runs share places whose inputs make the same of it, in one environment. Left out or null: all runs of the script do.
    """
    onLimit: NotRequired[OnLimit]
    """
    What becomes of a run while as many go on as may: it waits for its turn, is cancelled, or the oldest is cancelled for it.
    """


class DebounceInput(TypedDict):
    key: NotRequired[str | None]
    """
    Text with inputs as `{name}`: a start takes the place of one whose inputs make the same of it, in one environment. Left out or null: of any of the script.
    """
    wait: int | str
    """
    In seconds or as a text such as `5m`, from the newest start on.
    """
    maxWait: NotRequired[int | str]
    """
    As `wait`, from the first start on: the run waits no longer. No less than `wait`. Left out: ten times that, a day at most.
    """


class KeepInput(TypedDict):
    idleSeconds: NotRequired[int | str]
    """
    Without a run for so long, it ends: in seconds or as a text such as `5m`.
    """
    runs: NotRequired[int]
    """
    After so many runs, it ends.
    """


EnvItem: TypeAlias = str


Timeout: TypeAlias = int
"""
How long a run may take, in seconds or as a text such as `15m`, which is the most unless the operator allows another number. Over 30 s makes it a long script.
"""


Timeout1: TypeAlias = str
"""
How long a run may take, in seconds or as a text such as `15m`, which is the most unless the operator allows another number. Over 30 s makes it a long script.
"""


Timeout2: TypeAlias = int
"""
How long a run may take, in seconds or as a text such as `15m`, which is the most unless the operator allows another number. Over 30 s makes it a long script.
"""


Timeout3: TypeAlias = str
"""
How long a run may take, in seconds or as a text such as `15m`, which is the most unless the operator allows another number. Over 30 s makes it a long script.
"""


class ScriptSettings(TypedDict):
    publishNeedsSecondPerson: bool
    """
    Whether publishing takes a person other than the one who asks.
    """


class ScriptSettingsPatch(TypedDict):
    publishNeedsSecondPerson: NotRequired[bool]
    """
    Switching it off takes an owner or admin in person.
    """


class SecretSource(TypedDict):
    name: str
    """
    As a secret's `source` names it.
    """
    title: str
    reference: str
    """
    What a reference is.
    """
    example: NotRequired[str]
    """
    A reference that could be.
    """


class SecretSourceList(TypedDict):
    items: list[SecretSource]


class SecretValue(TypedDict):
    environment: str
    """
    The environment's name.
    """
    hosts: list[str]
    """
    The only hosts that this environment's value is sent to.
    """
    source: NotRequired[str]
    """
    The name of the source that the value is read from; left out where it is stored here.
    """
    reference: NotRequired[str]
    """
    Which value of the source it is; left out where it is stored here.
    """
    createdByUserId: str | None
    """
    Who set it; null where an API key did.
    """
    updatedAt: str
    lastUsedAt: str | None
    """
    When a run last used it, within half a minute.
    """


class Secret(TypedDict):
    kind: Literal['aws', 'postgres', 'text']
    """
    What its values are: texts, AWS keys that the gate signs requests with, or what it signs in to PostgreSQL with.
    """
    id: str
    name: str
    allowEnv: bool
    """
    Whether a script may read it as an environment variable instead of having it attached to requests.
    """
    createdByUserId: str | None
    """
    null where an API key made it.
    """
    createdAt: str
    updatedAt: str
    values: list[SecretValue]
    """
    One for each environment that has a value, which is never shown.
    """


class SecretPage(TypedDict):
    items: list[Secret]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


Host: TypeAlias = str


class SecretInput(TypedDict):
    value: NotRequired[str]
    """
    The value, kept as it is: 1 to 65,536 bytes of UTF-8. Of the kind `aws`, JSON with `accessKeyId`, `secretAccessKey` and, for
    temporary keys, `sessionToken`. Of the kind `postgres`, JSON with `user` and `password`, and maybe `database`, `sslmode` and `ca`. Left out where a `source` has it.
    """
    kind: NotRequired[Literal['aws', 'postgres', 'text']]
    """
    What the value is; it stays what it was when the secret was made. `aws`: keys that the gate signs requests with. `postgres`: what it signs in to PostgreSQL with. Left out: as it is, or `text` for a new secret.
    """
    hosts: list[Host]
    """
    The only hosts that this value is sent to: names, with a port unless it is 443, `*.` for any below. Empty only with `allowEnv`.
    """
    allowEnv: NotRequired[bool]
    """
    Whether a script may read it as an environment variable, which only a text can be. All environments share it. Left out: as it is, or false for a new secret; from false to true it takes an owner or admin in person.
    """
    source: NotRequired[str]
    """
    The name of a source, such as `vault`, which a setting or an extension adds: the value is read from there whenever a run needs it, and stored nowhere. For owners and admins in person.
    """
    reference: NotRequired[str]
    """
    Which value of the source it is, in the source's own words, such as a path.
    """


class SecretSet(TypedDict):
    kind: Literal['aws', 'postgres', 'text']
    """
    What its values are: texts, AWS keys that the gate signs requests with, or what it signs in to PostgreSQL with.
    """
    id: str
    name: str
    allowEnv: bool
    """
    Whether a script may read it as an environment variable instead of having it attached to requests.
    """
    createdByUserId: str | None
    """
    null where an API key made it.
    """
    createdAt: str
    updatedAt: str
    values: list[SecretValue]
    """
    One for each environment that has a value, which is never shown.
    """
    warning: NotRequired[str]
    """
    What to know about the value, such as that it is too short to be masked.
    """


class EmbeddedPage(TypedDict):
    address: str
    """
    Where the page is, for a frame.
    """
    routes: list[str]
    """
    The only routes that the console lets it use.
    """


class SignInLinkInput(TypedDict):
    token: str
    """
    What stands behind the `#` of the link.
    """


class SignInWay(TypedDict):
    id: str
    title: str
    """
    What stands on its button after `Sign in with`.
    """


class SignInWayList(TypedDict):
    items: list[SignInWay]
    passwords: bool
    """
    Whether people sign in with passwords as well.
    """


class SignInStartInput(TypedDict):
    next: NotRequired[str]
    """
    The page of the app to go on to afterwards: a path, such as `/w/acme/scripts`. By default the first one.
    """
    confirm: NotRequired[bool]
    """
    Whether whoever is signed in proves once more who they are, where they have no password for `POST /v1/auth/confirm`.
    """


class SignInStart(TypedDict):
    redirectTo: str
    """
    The address of the provider to which the browser has to go.
    """


class UsageMeter(TypedDict):
    id: Literal['agent_messages', 'members', 'run_seconds', 'runs', 'storage_bytes', 'webhook_deliveries']
    description: str
    used: int
    """
    In this period; of `storage_bytes` and `members`, now.
    """
    limit: int | None
    """
    null: unlimited.
    """


class EachRun(TypedDict):
    maxMemory: int | None
    """
    In MiB, as `resources.memory` of a version.
    """
    maxCpus: float | None
    """
    How many processors' worth of time, as `resources.cpus`. A run whose version names none gets no more.
    """
    maxProcesses: int | None
    """
    Processes and threads together, as `resources.processes`.
    """
    maxTimeout: int | None
    """
    In seconds, as `timeout` of a version.
    """


class WorkspaceUsage(TypedDict):
    periodStart: str
    """
    Periods begin each month on the day on which the workspace was made, at midnight UTC; on the month's last day where it has no such day.
    """
    periodEnd: str
    """
    When the counts begin anew.
    """
    meters: list[UsageMeter]
    eachRun: EachRun
    notices: NotRequired[list[str]]
    """
    Which limits are near (80 %) or reached. Left out where none is.
    """


class WebhookEndpoint(TypedDict):
    url: str
    id: str
    description: str | None
    enabled: bool
    """
    Becomes false after 20 failed attempts in a row, retries, tests and redeliveries included, and when the receiver answers 410.
    """
    eventTypes: list[str] | None
    """
    null: every event.
    """
    environment: str | None
    """
    The environment that it belongs to: it gets that one's events and those without one.
    """
    consecutiveFailures: int
    lastStatus: int | None
    """
    The HTTP status of the last attempt; null where there was none.
    """
    lastAttemptAt: str | None
    createdAt: str


class WebhookEndpointPage(TypedDict):
    items: list[WebhookEndpoint]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


EventType1: TypeAlias = str


class EndpointInput(TypedDict):
    url: str
    """
    Where events are sent: an https URL on a public host, without credentials or a fragment. A host that is private, also by what its name
    stands for, is refused.
    """
    description: NotRequired[str | None]
    """
    What it is for.
    """
    eventTypes: NotRequired[list[EventType1] | None]
    """
    Which events it gets. Leave it out for every event, also of types to come.
    """


class WebhookEndpointCreated(TypedDict):
    secret: str
    """
    What deliveries are signed with. Shown this once.
    """
    endpoint: WebhookEndpoint


class EndpointPatch(TypedDict):
    url: NotRequired[str]
    """
    Where events are sent: an https URL on a public host, without credentials or a fragment. A host that is private, also by what its name
    stands for, is refused.
    """
    description: NotRequired[str | None]
    """
    null takes it away.
    """
    eventTypes: NotRequired[list[EventType1] | None]
    """
    null for every event.
    """


class WebhookDelivery(TypedDict):
    id: str
    """
    Also sent as the header `webhook-id`.
    """
    eventId: str
    """
    The same for every endpoint, and for what is sent again.
    """
    eventType: str
    status: Literal['delivered', 'failed', 'pending']
    """
    `failed`: no further attempt will be made.
    """
    attempts: int
    lastStatus: int | None
    """
    The HTTP status of the last attempt; null where there was no response.
    """
    lastAttemptAt: str | None
    nextAttemptAt: str | None
    """
    When the next attempt is due; null unless it is pending.
    """
    redeliveryOf: str | None
    """
    The delivery that this one repeats; null for an original.
    """
    createdAt: str


class WebhookDeliveryPage(TypedDict):
    items: list[WebhookDelivery]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class WebhookBucket(TypedDict):
    at: str
    """
    When its hour begins.
    """
    delivered: int
    failed: int
    pending: int


class WebhookStatistics(TypedDict):
    buckets: list[WebhookBucket]
    """
    The last 24 hours, in UTC, the oldest first: deliveries by when they were made and what they are by now.
    """
    countedSince: str
    """
    From when on they are counted. At most the newest 20,000 are: of an endpoint that gets more it is within the 24 hours.
    """


class WebhookHeader(TypedDict):
    name: str
    value: str


class WebhookRequest(TypedDict):
    method: Literal['POST']
    url: str
    """
    As it was at that attempt; the address of now for attempts made before Gatehouse kept it.
    """
    attempt: int | None
    """
    The attempt at which it was sent; null: there was none yet, and it will be sent so.
    """
    headers: list[WebhookHeader]
    """
    In the order in which they are sent. What is to be sent has neither `webhook-timestamp` nor `webhook-signature`, which are made
    at each attempt; attempts made before Gatehouse kept it have no `webhook-signature`.
    """
    body: str
    """
    Byte by byte; the same at each attempt.
    """


class WebhookAttempt(TypedDict):
    number: int
    """
    1 for the first.
    """
    status: int | None
    """
    The HTTP status of the response; null where there was none.
    """
    error: str | None
    """
    Why it failed, where the status does not say it.
    """
    durationMs: int
    response: str | None
    """
    The first 1,024 bytes of the response's body; null where there was no response.
    """
    attemptedAt: str


class WebhookAttemptPage(TypedDict):
    items: list[WebhookAttempt]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class WebhookDeliveryOutcome(TypedDict):
    status: NotRequired[int | None]
    """
    Where it was attempted at once: the HTTP status; null where there was no response.
    """
    deliveryId: str
    queued: bool
    """
    True: it is queued and will be retried. False: it was attempted at once.
    """
    ok: NotRequired[bool]
    """
    Where it was attempted at once: whether it was accepted.
    """


class RecoverInput(TypedDict):
    since: str
    """
    Events since then that failed or are missing are queued again; at most 30 days ago.
    """


class WebhookRecovery(TypedDict):
    queued: int
    """
    How many deliveries were queued.
    """


class WorkspaceInput(TypedDict):
    slug: str
    """
    What `x-workspace` names: 1 to 50 lowercase letters, digits and dashes, the first no dash.
    """
    name: str


class Workspace1(TypedDict):
    id: str
    name: str
    slug: str


class WorkspacePatch(TypedDict):
    name: NotRequired[str]


class ApiKey(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'mcp', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']] | None
    """
    What it may do; null for all that an admin may, except `mcp`.
    """
    id: str
    name: str
    environment: str | None
    """
    The name of the environment that it is bound to; null for a key that acts in all.
    """
    last4: str
    """
    The last four characters of the key.
    """
    createdByUserId: str | None
    expiresAt: str | None
    """
    When it stops working; null for never.
    """
    lastUsedAt: str | None
    lastUsedAddress: str | None
    """
    The address from which it was last used.
    """
    createdAt: str


class ApiKeyPage(TypedDict):
    items: list[ApiKey]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ApiKeyInput(TypedDict):
    environment: NotRequired[str | None]
    """
    The name of the environment that it is bound to; null or absent for a key that acts in all.
    """
    scopes: NotRequired[list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'mcp', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']] | None]
    """
    What it may do: at least one scope, none twice. `write` does not imply `read`, and a route that asks for no scope is
    refused to it. null or absent: all that an admin may. Only `mcp` has to be said: it opens `/mcp`.
    """
    expiresAt: NotRequired[str | None]
    """
    When it stops working, in the future; null or absent for never. Whoever made it is told a week before.
    """
    name: str
    """
    What the key is for.
    """


class ApiKeyCreated(TypedDict):
    scopes: list[Literal['agents:read', 'agents:write', 'files:read', 'files:write', 'hooks:read', 'hooks:write', 'mcp', 'runs:read', 'runs:write', 'schedules:read', 'schedules:write', 'scripts:read', 'scripts:write', 'triggers:read', 'triggers:write', 'workspace.approvals:read', 'workspace.approvals:write', 'workspace.audit:read', 'workspace.audit:write', 'workspace.environments:read', 'workspace.environments:write', 'workspace.members:read', 'workspace.members:write', 'workspace.secrets:read', 'workspace.secrets:write', 'workspace.teams:read', 'workspace.teams:write', 'workspace.usage:read', 'workspace.usage:write', 'workspace.webhooks:read', 'workspace.webhooks:write', 'workspace:read', 'workspace:write']] | None
    """
    What it may do; null for all that an admin may, except `mcp`.
    """
    id: str
    name: str
    environment: str | None
    """
    The name of the environment that it is bound to; null for a key that acts in all.
    """
    last4: str
    """
    The last four characters of the key.
    """
    createdByUserId: str | None
    expiresAt: str | None
    """
    When it stops working; null for never.
    """
    lastUsedAt: str | None
    lastUsedAddress: str | None
    """
    The address from which it was last used.
    """
    createdAt: str
    key: str
    """
    The key itself, shown this once.
    """


class Member(TypedDict):
    id: str
    """
    The membership's id.
    """
    userId: str
    name: str
    email: str
    role: Literal['admin', 'guest', 'member', 'owner']
    joinedAt: str


class MemberPage(TypedDict):
    items: list[Member]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class MemberPatch(TypedDict):
    role: Literal['admin', 'guest', 'member', 'owner']


class Invitation(TypedDict):
    role: Literal['admin', 'guest', 'member', 'owner'] | None
    """
    null: a member.
    """
    id: str
    email: str
    teamIds: list[str]
    """
    The teams joined on accepting, besides the default one.
    """
    expiresAt: str
    createdAt: str


class InvitationPage(TypedDict):
    items: list[Invitation]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class InvitationInput(TypedDict):
    email: str
    """
    Whom to invite. The case of its letters does not matter.
    """
    role: NotRequired[Literal['admin', 'guest', 'member', 'owner'] | None]
    """
    null or absent: a member. Only an owner invites owners.
    """
    teamIds: NotRequired[list[TeamId]]
    """
    The ids of the teams to join besides the default one, which all but guests join in any case.
    """


class InvitationCreated(TypedDict):
    role: Literal['admin', 'guest', 'member', 'owner'] | None
    """
    null: a member.
    """
    link: NotRequired[str]
    """
    What to send to the person. Only where no mail can be sent, and shown this once; otherwise it is in the mail.
    """
    id: str
    email: str
    teamIds: list[str]
    """
    The teams joined on accepting, besides the default one.
    """
    expiresAt: str
    createdAt: str


class InvitingWorkspace(TypedDict):
    name: str


class InvitationOffer(TypedDict):
    workspace: InvitingWorkspace
    email: str
    """
    Who is invited.
    """
    role: Literal['admin', 'guest', 'member', 'owner']
    """
    The role that the person will have.
    """
    invitedBy: str | None
    """
    The name of the person who invites.
    """
    expiresAt: str
    hasAccount: bool
    """
    True: to accept, sign in as this address. False: accepting makes the account.
    """


class InvitationAcceptance(TypedDict):
    name: NotRequired[str]
    """
    The name of the new account. Only where the address has none.
    """
    password: NotRequired[str]
    """
    The password of the new account. Only where the address has none.
    """


class Team(TypedDict):
    id: str
    name: str
    isDefault: bool
    """
    True for the one team that every member but guests belongs to.
    """
    memberIds: list[str]
    """
    The user ids of who is in it.
    """
    createdAt: str


class TeamPage(TypedDict):
    items: list[Team]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class TeamInput(TypedDict):
    name: str
    """
    Unique in the workspace.
    """


class TeamPatch(TypedDict):
    name: NotRequired[str]
    """
    Unique in the workspace.
    """


class SignInSettings(TypedDict):
    secondFactorRequired: bool
    """
    Whether people with a password need a second factor to act in the workspace, also by their tokens and apps.
    """
    stepUpMinutes: int | None
    """
    Within how many minutes before they approve something, or change a secret, people confirm that it is them; null: they need not.
    """


class SignInSettingsPatch(TypedDict):
    stepUpMinutes: NotRequired[int | None]
    """
    null: they need not.
    """
    secondFactorRequired: NotRequired[bool]


class Detail(TypedDict):
    path: str
    """
    Where, in dotted form: `inputs.city`.
    """
    message: str
    """
    What is wrong there.
    """


class Error1(TypedDict):
    code: Literal['confirmation_required', 'conflict', 'forbidden', 'idempotency_in_progress', 'idempotency_mismatch', 'internal_error', 'invalid_request', 'method_not_allowed', 'misdirected_request', 'not_found', 'payload_too_large', 'quota_exceeded', 'rate_limited', 'second_factor_missing', 'second_factor_required', 'unauthorized', 'unavailable', 'unsupported_media_type']
    """
    What went wrong, for programs to branch on.
    """
    message: str
    """
    What went wrong, for people. It may change.
    """
    requestId: str
    """
    The same as in the header `x-request-id`.
    """
    docs: str
    """
    Where this code is explained.
    """
    details: NotRequired[list[Detail]]
    """
    Each wrong place of the request.
    """


class Error(TypedDict):
    error: Error1


class HookVerification1(TypedDict):
    """
    How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.
    """

    scheme: Literal['slack', 'standard-webhooks', 'stripe']
    secret: str
    """
    The name of a secret of the workspace.
    """
    tolerance: NotRequired[int | str]
    """
    How far the timestamp of a request may be away, in seconds or as a text such as `5m`.
    """


class HookVerification2(TypedDict):
    """
    How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.
    """

    scheme: Literal['github', 'gitlab', 'shopify']
    secret: str
    """
    The name of a secret of the workspace.
    """


class HookVerification3(TypedDict):
    """
    How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.
    """

    scheme: Literal['hmac']
    secret: str
    """
    The name of a secret of the workspace.
    """
    header: str
    algorithm: Literal['sha1', 'sha256', 'sha512']
    encoding: Literal['base64', 'hex']
    prefix: NotRequired[str]
    signed: NotRequired[str]
    """
    What is signed, of `{body}`, `{timestamp}` and `{id}`: such as `{timestamp}.{body}`.
    """
    timestampHeader: NotRequired[str]
    idHeader: NotRequired[str]
    tolerance: NotRequired[int | str]
    """
    How far the timestamp of a request may be away, in seconds or as a text such as `5m`.
    """
    verifyToken: NotRequired[str]
    """
    The secret that Meta shows as `hub.verify_token` when it looks at the address.
    """


class HookVerification4(TypedDict):
    """
    How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.
    """

    scheme: Literal['basic']
    username: str
    secret: str
    """
    The name of a secret of the workspace.
    """


class HookVerification5(TypedDict):
    """
    How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.
    """

    scheme: Literal['token']
    secret: str
    """
    The name of a secret of the workspace.
    """
    header: NotRequired[str]


class HookVerification6(TypedDict):
    """
    How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.
    """

    scheme: Literal['none']


HookVerification: TypeAlias = HookVerification1 | HookVerification2 | HookVerification3 | HookVerification4 | HookVerification5 | HookVerification6
"""
How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.
"""


class JsonObject(TypedDict):
    """
    Any object.
    """


class EventType(TypedDict):
    type: str
    """
    What an endpoint's `eventTypes` and a trigger's `eventType` name.
    """
    schema: JsonObject
    """
    JSON Schema of the event's `data`. Fields are only ever added.
    """
    example: JsonObject
    """
    An example of `data`.
    """
    description: str
    """
    What has happened when it is sent.
    """
    environmentScoped: bool
    """
    Whether it belongs to one environment, and only that environment's endpoints and triggers get it.
    """


class EventTypeList(TypedDict):
    items: list[EventType]


class AuditEvent(TypedDict):
    actorType: Literal['api_key', 'staff', 'system', 'user']
    details: JsonObject
    """
    What else is known of it, such as the name of what was made; `{from, to}` of a field that was changed. Which keys an action has,
    `/docs/audit` says. `…` stands for what is longer than 2,000 characters. Never a secret. Nothing for an app with chosen scripts.
    """
    id: str
    action: str
    """
    What was done, as a dotted name such as `environment.created`.
    """
    credential: AuditCredential | None
    """
    What it was done with; null for actions taken in the app.
    """
    address: str | None
    """
    Where the request came from, as an IP address; null for schedules and the like, and in entries of before it was kept.
    """
    target: AuditTarget | None
    """
    What it was done to.
    """
    actor: AuditActor | None
    """
    The person who did it; null for API keys and the system.
    """
    createdAt: str


class AuditEventPage(TypedDict):
    items: list[AuditEvent]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class HeldRun(TypedDict):
    inputs: NotRequired[JsonObject]
    """
    The inputs with defaults filled in. On a single run only.
    """
    output: NotRequired[Any]
    """
    What the script returned: any JSON; null on failure. On a single run only.
    """
    progress: float | None
    """
    0 to 1, as the script reported it.
    """
    outputView: Literal['chart', 'markdown', 'table'] | None
    """
    What the script asks for its output to be shown as: the last `::view …` that it printed on standard error.
    """
    plannedRequests: int
    """
    How many requests and connections a plan would have made, those that are not listed included. 0 for what is no plan.
    """
    priority: int
    """
    -10 to 10. Those of a higher one begin first.
    """
    labels: dict[str, str]
    """
    By which it is found: what its start gives, what its version makes of its inputs, and what it prints as `::label name=value`.
    """
    endReason: RunEndReason | None
    """
    Why it was cancelled without anybody asking for it: it had not begun in time.
    """
    approval: RunApproval | None
    """
    The request that a person decides: about the run where it is held for one, or about the first request of it that waits for one.
    """
    id: str
    script: RunScript
    version: int
    """
    The number of the version that it runs; 0 for a trial, which has none.
    """
    environment: str
    status: Literal['awaiting_approval', 'cancelled', 'failed', 'running', 'succeeded']
    phase: Literal['delayed', 'executing', 'finished', 'held', 'queued', 'retrying', 'starting', 'waiting']
    """
    Where it is on its way; `running` covers `delayed`, until `startAt`, `waiting` for its turn, `queued`, `starting`, `executing` and `retrying`, which waits for its next attempt.
    """
    error: str | None
    """
    Why it failed, in words that tell what to do.
    """
    startedBy: RunStarter
    interface: Literal['api', 'app', 'cli', 'hook', 'mcp', 'schedule', 'trigger']
    approvalRequestId: str | None
    waitingApprovalIds: list[str]
    """
    The ids of the requests for approval that wait while it executes: for each request that it wants to send and that a person has to approve, the oldest first.
    """
    scheduleId: str | None
    triggerId: str | None
    hookId: str | None
    causedBy: RunCause | None
    """
    What stands directly before it; null: nothing but who started it.
    """
    progressMessage: str | None
    test: bool
    """
    A test of a chosen version.
    """
    trial: bool
    """
    A test of a trial: of a folder that is no version.
    """
    plan: bool
    """
    A plan: it only reads, and what it would send is listed instead.
    """
    logLines: int
    """
    How many lines its log has had, those that are no longer kept included.
    """
    attempt: int
    """
    The number of its newest attempt, from 1.
    """
    nextAttemptAt: str | None
    """
    While it is `retrying`: when its next attempt is queued.
    """
    startAt: str | None
    """
    It is not queued before; null: at once.
    """
    expiresAt: str | None
    """
    It is cancelled where it has not begun by then; null: never.
    """
    concurrencyKey: str | None
    """
    With which runs of its script and environment it shares places: what its inputs make of the version's key. Empty: with all, as in a queue without a key; null: with none.
    """
    queue: str | None
    """
    The queue of the workspace in which it waits, or that gave it its place; null: none.
    """
    debounce: RunDebounce | None
    """
    Which further starts take its place while it is `delayed`; null: none, each makes a run.
    """
    runsOn: list[str]
    """
    The tags that its worker must carry, as its environment or version said when it was asked for; empty: any worker will do.
    """
    startedAt: str
    """
    When it was asked for.
    """
    executionStartedAt: str | None
    """
    When its command began.
    """
    finishedAt: str | None
    durationMs: int | None
    """
    Of the execution alone.
    """
    cpuMs: int | None
    """
    Processor time of all its processes in its newest attempt. null where it is not known.
    """
    peakMemoryBytes: int | None
    """
    The most memory that all its processes had at a time in its newest attempt, with what they kept in files. null where it is not known.
    """
    queuedBehind: NotRequired[int]
    """
    While it is queued: how many runs are before it, counted to 1,000. On a single run only.
    """
    waitsBecause: NotRequired[str]
    """
    While it is delayed, waiting, queued or without the memory that it asks for, or a request of it waits for approval: why, in a sentence. On a single run only.
    """
    attempts: NotRequired[list[RunAttempt]]
    """
    All that began, the newest last. On a single run only.
    """
    network: NotRequired[list[RunNetwork]]
    """
    What its code did over the network, by host, once it is finished. On a single run only.
    """
    files: NotRequired[list[File]]
    """
    Files given as inputs and files written to /outputs. On a single run only.
    """
    wholeLog: NotRequired[WholeLog | None]
    """
    What there is of a log of which lines lie in the file store, once the run is finished; null: none do. On a single run only.
    """


class Chat(TypedDict):
    message: ChatReply
    runs: list[HeldRun]
    """
    The runs that the agent started, in that order, as it saw them last; as in a list, without inputs and output.
    """
    usage: ChatUsage
    ending: Literal['answered', 'budget', 'calls', 'refused', 'runs', 'time', 'tokens', 'turns']
    """
    `answered`: the model had said all that it wanted. Otherwise what stopped it: too many `turns`, `calls` of tools, `runs` or `tokens` for one
    message, its `time`, a `budget` that is used up, or the model `refused`.
    """


class ApprovableAction(TypedDict):
    input: JsonObject
    """
    JSON Schema of the input.
    """
    id: str
    title: str
    approverRoles: list[Literal['admin', 'guest', 'member', 'owner']]
    """
    The roles whose yes counts.
    """
    createsSecret: bool
    """
    Whether it makes a secret: then the token that asked redeems the request once it is approved.
    """


class ApprovableActionList(TypedDict):
    items: list[ApprovableAction]


class EarlierApproval(TypedDict):
    input: JsonObject
    id: str
    decidedAt: str | None
    decidedBy: Decider | None


class ApprovalRequest(TypedDict):
    input: JsonObject
    result: JsonObject | None
    """
    What it came to, never a secret; `{error}` where it failed.
    """
    previous: NotRequired[EarlierApproval | None]
    """
    The request like it, about the same script, that was approved last: what has changed since. null: there is none. On a single request in the app only.
    """
    id: str
    action: str
    """
    The id of the action.
    """
    title: str
    summary: str
    """
    Exactly what will happen.
    """
    reason: str
    status: Literal['approved', 'completed', 'denied', 'expired', 'failed', 'pending']
    """
    `approved`: it waits to be redeemed by the token that asked.
    """
    requestedBy: str | None
    """
    The user id of the person who asked, or whose schedule or trigger did; null for an API key.
    """
    requestedWith: str | None
    """
    The name of the API key, token or app that asked; null in the app, for schedules and triggers, and of requests of before it
    was kept.
    """
    expiresAt: str
    """
    24 hours after it was filed, of `request.send` 15 minutes; an hour after it was approved, where a secret waits to be fetched.
    """
    createdAt: str
    decidedAt: str | None
    decidedBy: Decider | None
    """
    The person who approved or denied it.
    """
    decisionReason: str | None
    """
    Why it was denied, if the person said so.
    """
    secret: ApprovalSecret | None
    """
    Set where the action makes a secret.
    """
    runId: str | None
    """
    The run that it is about: a held one, or the one of which a request waits.
    """
    approveUrl: str
    """
    Where a person approves or denies it.
    """
    mayDecide: NotRequired[bool]
    """
    Whether the person who reads it may decide it now. In the app only.
    """


class ApprovalRequestPage(TypedDict):
    items: list[ApprovalRequest]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ApprovalRequestInput(TypedDict):
    input: JsonObject
    """
    What the action is to be done with, as its schema says.
    """
    action: str
    """
    The id of an action from the list of approvable actions.
    """
    reason: str
    """
    Why it is needed, for the person who decides. Line breaks are kept.
    """


class Redemption(TypedDict):
    request: ApprovalRequest
    secret: str | None
    """
    Shown this once; null where the action failed.
    """
    envVar: str | None


class ConfirmationInput(TypedDict):
    code: NotRequired[str | None]
    """
    Six digits of the app for codes, or a recovery code.
    """
    passkey: NotRequired[JsonObject | None]
    """
    Instead of a code: what the browser says, as JSON of WebAuthn.
    """
    password: NotRequired[str | None]
    """
    The password of whoever is signed in; not needed with a passkey.
    """


class PasskeyOptions(TypedDict):
    options: JsonObject
    """
    For the browser, as JSON of WebAuthn: `PublicKeyCredential.parseRequestOptionsFromJSON`, or `parseCreationOptionsFromJSON`.
    """


class PasskeyInput(TypedDict):
    passkey: JsonObject
    """
    What the browser says, as JSON of WebAuthn: `PublicKeyCredential.toJSON()`.
    """
    name: str
    """
    What it is called in the list: where it is kept.
    """


class SecondStep(TypedDict):
    passkeyOptions: JsonObject | None
    """
    For the browser, as JSON of WebAuthn; null where the account has no passkey.
    """
    codes: bool
    """
    Whether there is an app for codes. A recovery code is always taken.
    """


class SecondFactorInput(TypedDict):
    code: NotRequired[str | None]
    """
    Six digits of the app for codes, or a recovery code.
    """
    passkey: NotRequired[JsonObject | None]
    """
    Instead of a code: what the browser says, as JSON of WebAuthn.
    """


class PasskeyResponseInput(TypedDict):
    passkey: JsonObject
    """
    What the browser says, as JSON of WebAuthn: `PublicKeyCredential.toJSON()`.
    """


class Hook(TypedDict):
    verify: HookVerification
    filter: JsonObject
    inputs: JsonObject
    id: str
    name: str
    script: RunScript
    """
    What a request starts.
    """
    environment: str
    """
    The name of the environment whose secrets verify requests and in which its runs are.
    """
    headers: list[str]
    respond: bool
    enabled: bool
    disabledReason: str | None
    """
    Why the system switched it off. null while it is on, and where somebody switched it off.
    """
    createdByUserId: str | None
    """
    Whom its runs are started as. null where an API key made it.
    """
    lastReceivedAt: str | None
    """
    To the minute.
    """


class HookPage(TypedDict):
    items: list[Hook]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class HookInput(TypedDict):
    verify: HookVerification
    headers: NotRequired[list[Header]]
    """
    Headers to keep besides the usual ones, in small letters. Those that prove who sends are never kept.
    """
    filter: NotRequired[JsonObject]
    """
    Dotted paths of the request, each with the JSON value that must be there for a run to start: `body.…`, `headers.…` (in small letters) and `query.…`, as a trigger's filter has them. At most 50 paths.
    """
    inputs: NotRequired[JsonObject]
    """
    The inputs of the runs. `{{request.body.<path>}}`, `{{request.headers.<name>}}` and `{{request.query.<name>}}` take a value from the request, as `{{event.data.<path>}}` of a trigger does from its event. `{{request.body}}` is all of it: of JSON the value, of a form its fields, and otherwise the text.
    """
    respond: NotRequired[bool]
    """
    Whether the sender waits for the run, for up to 10 seconds, and gets its output.
    """
    name: str
    environment: NotRequired[str]
    """
    The environment whose secrets verify requests and in which its runs are, by name. Without it: the one that the request acts in.
    """


class NewHook(TypedDict):
    verify: HookVerification
    filter: JsonObject
    inputs: JsonObject
    url: str
    """
    Where requests go. Shown here only: whoever has it can send, as far as `verify` lets them.
    """
    warning: NotRequired[str]
    """
    What to know about the new hook, such as that a secret of `verify` has no value yet.
    """
    id: str
    name: str
    script: RunScript
    """
    What a request starts.
    """
    environment: str
    """
    The name of the environment whose secrets verify requests and in which its runs are.
    """
    headers: list[str]
    respond: bool
    enabled: bool
    disabledReason: str | None
    """
    Why the system switched it off. null while it is on, and where somebody switched it off.
    """
    createdByUserId: str | None
    """
    Whom its runs are started as. null where an API key made it.
    """
    lastReceivedAt: str | None
    """
    To the minute.
    """


class HookPatch(TypedDict):
    headers: NotRequired[list[Header]]
    """
    Headers to keep besides the usual ones, in small letters. Those that prove who sends are never kept.
    """
    respond: NotRequired[bool]
    """
    Whether the sender waits for the run, for up to 10 seconds, and gets its output.
    """
    name: NotRequired[str]
    verify: NotRequired[HookVerification]
    filter: NotRequired[JsonObject]
    """
    Dotted paths of the request, each with the JSON value that must be there for a run to start: `body.…`, `headers.…` (in small letters) and `query.…`, as a trigger's filter has them. At most 50 paths. It replaces the earlier one.
    """
    inputs: NotRequired[JsonObject]
    """
    The inputs of the runs. `{{request.body.<path>}}`, `{{request.headers.<name>}}` and `{{request.query.<name>}}` take a value from the request, as `{{event.data.<path>}}` of a trigger does from its event. `{{request.body}}` is all of it: of JSON the value, of a form its fields, and otherwise the text. They replace the earlier ones.
    """
    enabled: NotRequired[bool]
    """
    Switches it off and on. While it is off, its address does not exist.
    """
    environment: NotRequired[str]
    """
    Moves it to another environment, by name.
    """


class RunInput(TypedDict):
    inputs: NotRequired[JsonObject]
    """
    The inputs, as the version's `inputSchema` says. A file is given by its id.
    """
    via: NotRequired[Literal['api', 'cli']]
    """
    Through what the run was started. In the app it is always `app`, for an agent `mcp`.
    """
    retry: NotRequired[RetryInput | None]
    """
    When this run is tried again, instead of what the version says. null: never.
    """
    startAt: NotRequired[str]
    """
    The run is not queued before, at most a year from now: a timestamp, or a time from now such as `2h`. Its end is not waited for. A moment that is over starts it at once.
    """
    expiresAt: NotRequired[str]
    """
    The run is cancelled where it has not begun by then. Later than `startAt`, by at most a year. A timestamp, or a time from now such as `26h`.
    """
    priority: NotRequired[int]
    labels: NotRequired[dict[str, str]]
    """
    By which the run is found, besides those that the version makes of its inputs: of the same name, these count.
    """
    plan: NotRequired[bool]
    """
    Only plans the run: what reads passes, and what would send is refused and listed (`GET /v1/runs/{runId}/planned`). A plan is never
    tried again, waits for no further starts and shares no places. It needs what a run needs, and counts as one in usage.
    """


class Run(TypedDict):
    inputs: NotRequired[JsonObject]
    """
    The inputs with defaults filled in. On a single run only.
    """
    output: NotRequired[Any]
    """
    What the script returned: any JSON; null on failure. On a single run only.
    """
    progress: float | None
    """
    0 to 1, as the script reported it.
    """
    outputView: Literal['chart', 'markdown', 'table'] | None
    """
    What the script asks for its output to be shown as: the last `::view …` that it printed on standard error.
    """
    plannedRequests: int
    """
    How many requests and connections a plan would have made, those that are not listed included. 0 for what is no plan.
    """
    priority: int
    """
    -10 to 10. Those of a higher one begin first.
    """
    labels: dict[str, str]
    """
    By which it is found: what its start gives, what its version makes of its inputs, and what it prints as `::label name=value`.
    """
    endReason: RunEndReason | None
    """
    Why it was cancelled without anybody asking for it: it had not begun in time.
    """
    id: str
    script: RunScript
    version: int
    """
    The number of the version that it runs; 0 for a trial, which has none.
    """
    environment: str
    status: Literal['awaiting_approval', 'cancelled', 'failed', 'running', 'succeeded']
    phase: Literal['delayed', 'executing', 'finished', 'held', 'queued', 'retrying', 'starting', 'waiting']
    """
    Where it is on its way; `running` covers `delayed`, until `startAt`, `waiting` for its turn, `queued`, `starting`, `executing` and `retrying`, which waits for its next attempt.
    """
    error: str | None
    """
    Why it failed, in words that tell what to do.
    """
    startedBy: RunStarter
    interface: Literal['api', 'app', 'cli', 'hook', 'mcp', 'schedule', 'trigger']
    approvalRequestId: str | None
    waitingApprovalIds: list[str]
    """
    The ids of the requests for approval that wait while it executes: for each request that it wants to send and that a person has to approve, the oldest first.
    """
    scheduleId: str | None
    triggerId: str | None
    hookId: str | None
    causedBy: RunCause | None
    """
    What stands directly before it; null: nothing but who started it.
    """
    progressMessage: str | None
    test: bool
    """
    A test of a chosen version.
    """
    trial: bool
    """
    A test of a trial: of a folder that is no version.
    """
    plan: bool
    """
    A plan: it only reads, and what it would send is listed instead.
    """
    logLines: int
    """
    How many lines its log has had, those that are no longer kept included.
    """
    attempt: int
    """
    The number of its newest attempt, from 1.
    """
    nextAttemptAt: str | None
    """
    While it is `retrying`: when its next attempt is queued.
    """
    startAt: str | None
    """
    It is not queued before; null: at once.
    """
    expiresAt: str | None
    """
    It is cancelled where it has not begun by then; null: never.
    """
    concurrencyKey: str | None
    """
    With which runs of its script and environment it shares places: what its inputs make of the version's key. Empty: with all, as in a queue without a key; null: with none.
    """
    queue: str | None
    """
    The queue of the workspace in which it waits, or that gave it its place; null: none.
    """
    debounce: RunDebounce | None
    """
    Which further starts take its place while it is `delayed`; null: none, each makes a run.
    """
    runsOn: list[str]
    """
    The tags that its worker must carry, as its environment or version said when it was asked for; empty: any worker will do.
    """
    startedAt: str
    """
    When it was asked for.
    """
    executionStartedAt: str | None
    """
    When its command began.
    """
    finishedAt: str | None
    durationMs: int | None
    """
    Of the execution alone.
    """
    cpuMs: int | None
    """
    Processor time of all its processes in its newest attempt. null where it is not known.
    """
    peakMemoryBytes: int | None
    """
    The most memory that all its processes had at a time in its newest attempt, with what they kept in files. null where it is not known.
    """
    queuedBehind: NotRequired[int]
    """
    While it is queued: how many runs are before it, counted to 1,000. On a single run only.
    """
    waitsBecause: NotRequired[str]
    """
    While it is delayed, waiting, queued or without the memory that it asks for, or a request of it waits for approval: why, in a sentence. On a single run only.
    """
    attempts: NotRequired[list[RunAttempt]]
    """
    All that began, the newest last. On a single run only.
    """
    network: NotRequired[list[RunNetwork]]
    """
    What its code did over the network, by host, once it is finished. On a single run only.
    """
    files: NotRequired[list[File]]
    """
    Files given as inputs and files written to /outputs. On a single run only.
    """
    wholeLog: NotRequired[WholeLog | None]
    """
    What there is of a log of which lines lie in the file store, once the run is finished; null: none do. On a single run only.
    """


class RunPage(TypedDict):
    items: list[Run]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class Schedule(TypedDict):
    inputs: JsonObject
    upcoming: NotRequired[list[str]]
    """
    With `upcoming` of the list only: when it is due, the next time first. The first 60 where there are more.
    """
    id: str
    name: str
    script: RunScript
    """
    What it runs.
    """
    environment: str
    """
    The name of the environment that its runs use.
    """
    cron: str
    timezone: str
    enabled: bool
    disabledReason: str | None
    """
    Why the system switched it off. null while it is on, and where somebody switched it off.
    """
    createdByUserId: str | None
    """
    Whom its runs are started as. null where an API key made it.
    """
    nextRunAt: str | None
    """
    null while it is switched off.
    """
    lastRunAt: str | None
    lastRunId: str | None


class SchedulePage(TypedDict):
    items: list[Schedule]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ScheduleInput(TypedDict):
    cron: str
    """
    Minute, hour, day of month, month and weekday, with names, ranges, steps and lists, or one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually. 0 and 7 are Sunday. Where neither day field has a `*`, a day that fits either is enough. With a fixed hour, a time that the clocks skip is due when they jump and one that they show twice is due once; with `*` or a step in the hour field it is due as often as the clocks show it.
    """
    timezone: NotRequired[str]
    """
    The name of an IANA time zone.
    """
    inputs: NotRequired[JsonObject]
    """
    The inputs of its runs, which must fit the published version's `inputSchema`. Files cannot be given, since uploads expire.
    """
    name: str
    environment: NotRequired[str]
    """
    The environment of its runs, by name. Without it: the one that the request acts in.
    """


class SchedulePatch(TypedDict):
    cron: NotRequired[str]
    """
    Minute, hour, day of month, month and weekday, with names, ranges, steps and lists, or one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually. 0 and 7 are Sunday. Where neither day field has a `*`, a day that fits either is enough. With a fixed hour, a time that the clocks skip is due when they jump and one that they show twice is due once; with `*` or a step in the hour field it is due as often as the clocks show it.
    """
    name: NotRequired[str]
    timezone: NotRequired[str]
    """
    The name of an IANA time zone.
    """
    inputs: NotRequired[JsonObject]
    """
    The inputs of its runs, which must fit the published version's `inputSchema`. Files cannot be given, since uploads expire. They replace the earlier ones.
    """
    enabled: NotRequired[bool]
    """
    Switches it off and on. Switched on, it goes on with the next time that it is due.
    """
    environment: NotRequired[str]
    """
    Moves its runs to another environment, by name.
    """


class ScriptTemplate(TypedDict):
    name: str
    """
    The name by which an extension declares it.
    """
    inputSchema: JsonObject | None
    """
    null: one text for each `{name}` of the command.
    """
    title: str
    description: str | None
    files: list[ScriptTemplateFile]
    command: str | None
    """
    null: it is worked out from the files.
    """
    hosts: list[str]


class ScriptTemplateList(TypedDict):
    items: list[ScriptTemplate]


class AskRule(TypedDict):
    when: JsonObject
    """
    A JSON Schema of the inputs, with defaults filled in. Its `title` is told to whoever decides.
    """
    who: Literal['agents', 'all']
    """
    Whose runs: those that agents start, or all.
    """


class Script4(TypedDict):
    inputSchema: JsonObject | None
    """
    The published version's JSON Schema of inputs; null until one is published.
    """
    retention: ScriptRetention | None
    """
    For how long its runs are kept, with their logs and files, where that is less than the operator says; null: as the operator says.
    """
    id: str
    slug: str
    """
    Unique in the workspace.
    """
    name: str
    description: str
    status: Literal['archived', 'draft', 'published']
    ownerUserId: str | None
    """
    Who made it; null for an API key.
    """
    publishedVersion: int | None
    """
    The version that runs use; null until one is published.
    """
    access: Literal['teams', 'workspace']
    """
    `workspace`: everyone in the workspace but guests. `teams`: members of `teamIds`, and owners and admins.
    """
    teamIds: list[str]
    """
    The teams that it is shared with; empty unless `access` is `teams`.
    """
    lastVersion: int
    """
    The number of its newest version; 0 before the first.
    """
    revision: int
    """
    Goes up by one each time that its name, description, access, teams, tags, approval policy, queue, retention or `ask` are changed.
    """
    approvalPolicy: Literal['agents', 'always', 'none']
    """
    Which runs wait for a person: none, those that an agent started, or all. The environment's policy counts as well.
    """
    ask: AskRule | None
    """
    Runs whose inputs match a schema wait for a person, whatever the policies say; null: none for that reason.
    """
    tags: list[str]
    queue: str | None
    """
    The name of the queue whose places its runs share with those of other scripts, in all environments; null: none.
    """
    stats: ScriptStats
    createdAt: str
    updatedAt: str
    """
    When the script was last changed, got a version, or was published.
    """


class ScriptPage(TypedDict):
    items: list[Script4]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ScriptDetail(TypedDict):
    inputSchema: JsonObject | None
    """
    The published version's JSON Schema of inputs; null until one is published.
    """
    retention: ScriptRetention | None
    """
    For how long its runs are kept, with their logs and files, where that is less than the operator says; null: as the operator says.
    """
    id: str
    slug: str
    """
    Unique in the workspace.
    """
    name: str
    description: str
    status: Literal['archived', 'draft', 'published']
    ownerUserId: str | None
    """
    Who made it; null for an API key.
    """
    publishedVersion: int | None
    """
    The version that runs use; null until one is published.
    """
    access: Literal['teams', 'workspace']
    """
    `workspace`: everyone in the workspace but guests. `teams`: members of `teamIds`, and owners and admins.
    """
    teamIds: list[str]
    """
    The teams that it is shared with; empty unless `access` is `teams`.
    """
    lastVersion: int
    """
    The number of its newest version; 0 before the first.
    """
    revision: int
    """
    Goes up by one each time that its name, description, access, teams, tags, approval policy, queue, retention or `ask` are changed.
    """
    approvalPolicy: Literal['agents', 'always', 'none']
    """
    Which runs wait for a person: none, those that an agent started, or all. The environment's policy counts as well.
    """
    ask: AskRule | None
    """
    Runs whose inputs match a schema wait for a person, whatever the policies say; null: none for that reason.
    """
    tags: list[str]
    queue: str | None
    """
    The name of the queue whose places its runs share with those of other scripts, in all environments; null: none.
    """
    stats: ScriptStats
    createdAt: str
    updatedAt: str
    """
    When the script was last changed, got a version, or was published.
    """
    readme: str | None
    """
    The published version's, in Markdown.
    """
    usedBy: ScriptUsedBy


class ScriptPatch(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    teamIds: NotRequired[list[TeamId]]
    """
    With `access: teams`: the teams that it is shared with. They replace the earlier ones.
    """
    tags: NotRequired[list[Tag]]
    """
    They replace the earlier ones.
    """
    queue: NotRequired[str | None]
    """
    The name of the queue whose places its runs share; null: none. What waits goes there at once. To take it out of a queue
    takes an owner or admin.
    """
    retention: NotRequired[ScriptRetention | None]
    """
    For how long its runs are kept; never longer than the operator says. null: as long as that. A shorter time takes an owner or admin in person.
    """
    ask: NotRequired[AskRule | None]
    """
    Runs whose inputs match a schema wait for a person, whatever the policies say: those of agents, or all. null: none for that
    reason. Where it was set, changing it takes an owner or admin in person.
    """
    expectedVersion: NotRequired[int]
    """
    The script's `revision` that the change was made for. At another one nothing is changed: 409.
    """
    access: NotRequired[Literal['teams', 'workspace']]
    """
    Opening a script to more people takes an owner or admin in person.
    """
    approvalPolicy: NotRequired[Literal['agents', 'always', 'none']]
    """
    Lowering it takes an owner or admin in person.
    """


class ScriptVersion(TypedDict):
    inputSchema: JsonObject
    outputSchema: JsonObject | None
    resources: Resources | None
    """
    What the box of a run may use; null: the usual.
    """
    retry: Retry | None
    """
    When a run that did not end well is tried again; null: never.
    """
    concurrency: Concurrency | None
    """
    How many of its runs go on at once that share a key; null: any number.
    """
    debounce: Debounce | None
    """
    How long a start waits for further ones of its key, which take its place; null: it does not.
    """
    labels: dict[str, str]
    """
    Labels of its runs, by name: text with inputs as `{name}`.
    """
    keep: Keep | None
    """
    How long the process that calls it stays for further runs; null: it ends with its run.
    """
    secrets: dict[str, SecretUse]
    """
    The secrets attached to its requests, by name.
    """
    id: str
    number: int
    """
    Counted from 1 within the script.
    """
    command: str
    """
    What a run executes, with inputs as `{name}`.
    """
    build: str | None
    """
    The install command that replaces the usual one; null means the usual one.
    """
    buildLog: str | None
    """
    The end of what installing the dependencies printed; null where nothing was installed.
    """
    archiveBytes: int
    """
    The size of the folder with its dependencies, compressed, in bytes.
    """
    archiveSha256: str
    """
    The SHA-256 of the archive as it was uploaded, in hex.
    """
    timeoutSeconds: int
    """
    How long a run may take; over 30 it is a long run.
    """
    runsOn: list[str]
    """
    The tags that a worker must carry; empty: any worker will do.
    """
    idempotent: bool
    """
    Whether a run whose worker died while it executed may begin once more.
    """
    warm: bool
    """
    Whether runs may begin in an interpreter that was started, or has imported packages, before them.
    """
    handler: bool
    """
    Whether its command names a file that exports a function, which each run calls with its inputs.
    """
    hosts: list[str]
    """
    The only hosts that its code may reach; empty means no network.
    """
    hostRules: list[HostRule]
    """
    Which requests of its code those hosts get. A host without a rule gets any.
    """
    env: list[str]
    """
    The secrets that its code reads as environment variables.
    """
    createdVia: Literal['api', 'app', 'cli']
    message: str | None
    """
    What is new in it, as whoever made it says; null: they have not said.
    """
    createdBy: VersionAuthor | None
    """
    Who made it; null for an API key.
    """
    published: bool
    """
    Whether runs use it now.
    """
    publishedAt: str | None
    """
    When it was last published.
    """
    createdAt: str


class ScriptVersionPage(TypedDict):
    items: list[ScriptVersion]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class ScriptVersionInput(TypedDict):
    archive: str
    """
    The script's folder as a .tar.gz of at most 10 MiB, in base64, without dependencies.
    """
    build: NotRequired[str | None]
    """
    Replaces the usual installation (requirements.txt, else pyproject.toml, into .deps; package.json with npm). Runs in the folder, with package registries reachable.
    """
    inputSchema: NotRequired[JsonObject]
    """
    A JSON Schema (2020-12) of an object. Left out: one text input for each `{name}` of the command.
    """
    outputSchema: NotRequired[JsonObject | None]
    """
    A JSON Schema (2020-12) that what the script returns must fit.
    """
    hosts: NotRequired[list[str | HostRuleInput]]
    """
    The only hosts that the script may reach, by HTTPS unless an object says otherwise: names, with a port unless it is 443, `*.` for any below. An object names the only requests that a host may get, or another protocol. Left out: no network.
    """
    secrets: NotRequired[dict[str, SecretUseInput]]
    """
    The secrets attached to its requests, by name.
    """
    env: NotRequired[list[EnvItem]]
    """
    The secrets that its code reads as environment variables.
    """
    timeout: NotRequired[Timeout | Timeout1]
    """
    How long a run may take, in seconds or as a text such as `15m`, which is the most unless the operator allows another number. Over 30 s makes it a long script.
    """
    resources: NotRequired[ResourcesInput | None]
    """
    What the box of a run may use. Left out or null: as usual.
    """
    runsOn: NotRequired[list[RunsOnItem]]
    """
    The tags that a worker must carry to run it, all of them. Where the environment names any, those count instead.
    """
    retry: NotRequired[RetryInput | None]
    """
    When a run that does not end well is tried again. Left out or null: never.
    """
    idempotent: NotRequired[bool]
    """
    Says that a run may begin once more after its worker died while it executed: what `lost` in `retry.on` needs.
    """
    concurrency: NotRequired[ConcurrencyInput | None]
    """
    How many runs go on at once that share a key. Left out or null: any number.
    """
    debounce: NotRequired[DebounceInput | None]
    """
    How long a start waits for further ones of its key, which take its place. Left out or null: it does not.
    """
    labels: NotRequired[dict[str, str]]
    """
    Labels of its runs, by name: text with inputs as `{name}`. What comes out empty is left out. A start may give others of the same name.
    """
    warm: NotRequired[bool]
    """
    Whether runs may begin in an interpreter that was started, or has imported packages, before them.
    """
    handler: NotRequired[bool]
    """
    The command names a file, such as `node main.mjs` or `python main.py`, that exports a function: its default, or `main` in Python.
    Each run calls it with its inputs, and what it returns is the output.
    """
    keep: NotRequired[KeepInput | None]
    """
    How long the process that calls the function stays for further runs of this version. Only with `handler`. What the function leaves
    in memory is there in the next run; everything else of a run ends with it. Left out or null: each run has a process of its own.
    """
    readme: NotRequired[str | None]
    """
    Markdown, shown while this version is published.
    """
    message: NotRequired[str | None]
    """
    What is new in it, for whoever looks at the list of versions.
    """
    tags: NotRequired[list[Tag]]
    """
    When given, they become the script's tags, which a credential that is bound to an environment cannot change.
    """
    via: NotRequired[Literal['api', 'app', 'cli']]
    """
    Through what it was made. In the app it is always `app`.
    """
    expectedVersion: NotRequired[int]
    """
    The number of the newest version, 0 for none: the one that this was made from. Where it is another one no version is made: 409.
    """
    command: NotRequired[str]
    """
    What a run executes, with inputs as `{name}`; `[ … ]` is left out when its inputs are empty. Worked out from the folder when it is left out.
    """


class ScriptFolderInput(TypedDict):
    archive: str
    """
    The script's folder as a .tar.gz of at most 10 MiB, in base64, without dependencies.
    """
    build: NotRequired[str | None]
    """
    Replaces the usual installation (requirements.txt, else pyproject.toml, into .deps; package.json with npm). Runs in the folder, with package registries reachable.
    """
    inputSchema: NotRequired[JsonObject]
    """
    A JSON Schema (2020-12) of an object. Left out: one text input for each `{name}` of the command.
    """
    outputSchema: NotRequired[JsonObject | None]
    """
    A JSON Schema (2020-12) that what the script returns must fit.
    """
    hosts: NotRequired[list[str | HostRuleInput]]
    """
    The only hosts that the script may reach, by HTTPS unless an object says otherwise: names, with a port unless it is 443, `*.` for any below. An object names the only requests that a host may get, or another protocol. Left out: no network.
    """
    secrets: NotRequired[dict[str, SecretUseInput]]
    """
    The secrets attached to its requests, by name.
    """
    env: NotRequired[list[EnvItem]]
    """
    The secrets that its code reads as environment variables.
    """
    timeout: NotRequired[Timeout2 | Timeout3]
    """
    How long a run may take, in seconds or as a text such as `15m`, which is the most unless the operator allows another number. Over 30 s makes it a long script.
    """
    resources: NotRequired[ResourcesInput | None]
    """
    What the box of a run may use. Left out or null: as usual.
    """
    runsOn: NotRequired[list[RunsOnItem]]
    """
    The tags that a worker must carry to run it, all of them. Where the environment names any, those count instead.
    """
    retry: NotRequired[RetryInput | None]
    """
    When a run that does not end well is tried again. Left out or null: never.
    """
    idempotent: NotRequired[bool]
    """
    Says that a run may begin once more after its worker died while it executed: what `lost` in `retry.on` needs.
    """
    concurrency: NotRequired[ConcurrencyInput | None]
    """
    How many runs go on at once that share a key. Left out or null: any number.
    """
    debounce: NotRequired[DebounceInput | None]
    """
    How long a start waits for further ones of its key, which take its place. Left out or null: it does not.
    """
    labels: NotRequired[dict[str, str]]
    """
    Labels of its runs, by name: text with inputs as `{name}`. What comes out empty is left out. A start may give others of the same name.
    """
    warm: NotRequired[bool]
    """
    Whether runs may begin in an interpreter that was started, or has imported packages, before them.
    """
    handler: NotRequired[bool]
    """
    The command names a file, such as `node main.mjs` or `python main.py`, that exports a function: its default, or `main` in Python.
    Each run calls it with its inputs, and what it returns is the output.
    """
    keep: NotRequired[KeepInput | None]
    """
    How long the process that calls the function stays for further runs of this version. Only with `handler`. What the function leaves
    in memory is there in the next run; everything else of a run ends with it. Left out or null: each run has a process of its own.
    """
    command: NotRequired[str]
    """
    What a run executes, with inputs as `{name}`; `[ … ]` is left out when its inputs are empty. Worked out from the folder when it is left out.
    """


class Trial(TypedDict):
    inputSchema: JsonObject
    outputSchema: JsonObject | None
    resources: Resources | None
    """
    What the box of a run may use; null: the usual.
    """
    retry: Retry | None
    """
    When a run that did not end well is tried again; null: never.
    """
    concurrency: Concurrency | None
    """
    How many of its runs go on at once that share a key; null: any number.
    """
    debounce: Debounce | None
    """
    How long a start waits for further ones of its key, which take its place; null: it does not.
    """
    labels: dict[str, str]
    """
    Labels of its runs, by name: text with inputs as `{name}`.
    """
    keep: Keep | None
    """
    How long the process that calls it stays for further runs; null: it ends with its run.
    """
    secrets: dict[str, SecretUse]
    """
    The secrets attached to its requests, by name.
    """
    id: str
    command: str
    """
    What a run executes, with inputs as `{name}`.
    """
    build: str | None
    """
    The install command that replaces the usual one; null means the usual one.
    """
    buildLog: str | None
    """
    The end of what installing the dependencies printed; null where nothing was installed.
    """
    archiveBytes: int
    """
    The size of the folder with its dependencies, compressed, in bytes.
    """
    archiveSha256: str
    """
    The SHA-256 of the archive as it was uploaded, in hex.
    """
    timeoutSeconds: int
    """
    How long a run may take; over 30 it is a long run.
    """
    runsOn: list[str]
    """
    The tags that a worker must carry; empty: any worker will do.
    """
    idempotent: bool
    """
    Whether a run whose worker died while it executed may begin once more.
    """
    warm: bool
    """
    Whether runs may begin in an interpreter that was started, or has imported packages, before them.
    """
    handler: bool
    """
    Whether its command names a file that exports a function, which each run calls with its inputs.
    """
    hosts: list[str]
    """
    The only hosts that its code may reach; empty means no network.
    """
    hostRules: list[HostRule]
    """
    Which requests of its code those hosts get. A host without a rule gets any.
    """
    env: list[str]
    """
    The secrets that its code reads as environment variables.
    """
    createdVia: Literal['api', 'app', 'cli']
    createdBy: VersionAuthor | None
    """
    Who made it; null for an API key.
    """
    createdAt: str
    expiresAt: str
    """
    Until when it can be run. It is gone a little later.
    """


class SettingsForm(TypedDict):
    path: str
    """
    `GET` gives the values, `PUT` takes them.
    """
    schema: JsonObject
    """
    JSON Schema of the values.
    """


class SettingsPage(TypedDict):
    name: str
    """
    The name by which an extension declares it.
    """
    title: str
    description: str | None
    form: SettingsForm | None
    """
    null for an embedded page.
    """
    embedded: EmbeddedPage | None
    """
    null for a form.
    """


class SettingsPageList(TypedDict):
    items: list[SettingsPage]


class Trigger(TypedDict):
    filter: JsonObject
    inputs: JsonObject
    id: str
    name: str
    script: RunScript
    """
    What an event starts.
    """
    environment: str
    """
    The name of the environment whose events it gets, besides those of the whole workspace, and in which its runs are.
    """
    eventType: str
    enabled: bool
    disabledReason: str | None
    """
    Why the system switched it off. null while it is on, and where somebody switched it off.
    """
    createdByUserId: str | None
    """
    Whom its runs are started as. null where an API key made it.
    """
    lastFiredAt: str | None


class TriggerPage(TypedDict):
    items: list[Trigger]
    nextCursor: str | None
    """
    Pass it as `cursor` to get the next page; null on the last one.
    """


class TriggerInput(TypedDict):
    eventType: str
    """
    One of `GET /v1/workspace/event-types`.
    """
    filter: NotRequired[JsonObject]
    """
    Dotted paths under the event's `data`, each with the JSON value that must be there for the trigger to fire. `items.0` is the first item of a list. A path that leads nowhere fits nothing; `null` fits only null. At most 50 paths.
    """
    inputs: NotRequired[JsonObject]
    """
    The inputs of the runs. `{{event.data.<path>}}` takes a value from the event: alone, it keeps the value's type, and the input is left out where the event has none; within a text it is the value as text, objects and lists as compact JSON. Texts within objects and lists are filled in as well. Anything else in double braces that begins with `event` is refused, and other braces are just text.
    """
    name: str
    environment: NotRequired[str]
    """
    The environment whose events it gets and in which its runs are, by name. Without it: the one that the request acts in.
    """


class TriggerPatch(TypedDict):
    name: NotRequired[str]
    filter: NotRequired[JsonObject]
    """
    Dotted paths under the event's `data`, each with the JSON value that must be there for the trigger to fire. `items.0` is the first item of a list. A path that leads nowhere fits nothing; `null` fits only null. At most 50 paths. It replaces the earlier one.
    """
    inputs: NotRequired[JsonObject]
    """
    The inputs of the runs. `{{event.data.<path>}}` takes a value from the event: alone, it keeps the value's type, and the input is left out where the event has none; within a text it is the value as text, objects and lists as compact JSON. Texts within objects and lists are filled in as well. Anything else in double braces that begins with `event` is refused, and other braces are just text. They replace the earlier ones.
    """
    enabled: NotRequired[bool]
    """
    Switches it off and on. What happened while it was off does not fire it later.
    """
    environment: NotRequired[str]
    """
    Moves it to another environment, by name.
    """


class TriggerTestInput(TypedDict):
    event: JsonObject
    """
    An event as a webhook endpoint would get it. Only `data` is needed; `type` is compared where it is given.
    """


class TriggerTest(TypedDict):
    inputs: JsonObject | None
    """
    The run's inputs; null where there would be no run.
    """
    fires: bool
    """
    Whether the event would start a run.
    """
    reason: str | None
    """
    Why it would not, or why its run would fail; null where it would start one that fits the script.
    """
