"""The client. `_sync` is made of this: `npm run python-client`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..models import (
    Agent,
    AgentInput,
    AgentPatch,
    EndpointInput,
    EndpointPatch,
    Environment,
    EnvironmentInput,
    EnvironmentPatch,
    HeldRun,
    Hook,
    HookInput,
    HookPatch,
    Queue,
    QueueInput,
    QueuePatch,
    Run,
    Schedule,
    ScheduleInput,
    SchedulePatch,
    Script,
    ScriptInput,
    ScriptPatch,
    Team,
    TeamInput,
    TeamPatch,
    Trigger,
    TriggerInput,
    TriggerPatch,
    WebhookEndpoint,
)
from .connection import Connection
from .resources import (
    Alerts,
    ApprovalRequests,
    Automations,
    Collection,
    Errors,
    Files,
    Runs,
    Secrets,
)


class Gatehouse(Connection):
    """A connection to a service, with what its interface has by kind."""

    @property
    def runs(self) -> Runs:
        return Runs(self)

    @property
    def files(self) -> Files:
        return Files(self)

    @property
    def secrets(self) -> Secrets:
        return Secrets(self)

    @property
    def approval_requests(self) -> ApprovalRequests:
        return ApprovalRequests(self)

    @property
    def alerts(self) -> Alerts:
        return Alerts(self, "/v1/alerts")

    @property
    def errors(self) -> Errors:
        return Errors(self)

    @property
    def queues(self) -> Collection[Queue, QueueInput, QueuePatch]:
        return Collection(self, "/v1/workspace/queues")

    @property
    def schedules(self) -> Automations[Schedule, ScheduleInput, SchedulePatch]:
        return Automations(self, "/v1/schedules")

    @property
    def triggers(self) -> Automations[Trigger, TriggerInput, TriggerPatch]:
        return Automations(self, "/v1/triggers")

    @property
    def hooks(self) -> Automations[Hook, HookInput, HookPatch]:
        return Automations(self, "/v1/hooks")

    @property
    def scripts(self) -> Collection[Script, ScriptInput, ScriptPatch]:
        return Collection(self, "/v1/scripts")

    @property
    def agents(self) -> Collection[Agent, AgentInput, AgentPatch]:
        return Collection(self, "/v1/agents")

    @property
    def environments(self) -> Collection[Environment, EnvironmentInput, EnvironmentPatch]:
        return Collection(self, "/v1/workspace/environments")

    @property
    def teams(self) -> Collection[Team, TeamInput, TeamPatch]:
        return Collection(self, "/v1/workspace/teams")

    @property
    def webhook_endpoints(self) -> Collection[WebhookEndpoint, EndpointInput, EndpointPatch]:
        return Collection(self, "/v1/workspace/webhook-endpoints")

    def run(self, script: str, inputs: Mapping[str, Any] | None = None, wait: bool = True) -> HeldRun:
        """Runs a script's published version, and waits until it has ended or is held for a person.

        Its `status` says how it went, `output` what came of it. A held one has an `approval`.
        """
        return self.runs.start(script, inputs, wait=wait)

    def wait(self, run_id: str) -> Run:
        """Waits until a run has ended, also one that is held first."""
        return self.runs.wait(run_id)
