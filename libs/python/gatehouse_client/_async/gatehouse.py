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
from .connection import AsyncConnection
from .resources import (
    AsyncAlerts,
    AsyncApprovalRequests,
    AsyncAutomations,
    AsyncCollection,
    AsyncErrors,
    AsyncFiles,
    AsyncRuns,
    AsyncSecrets,
)


class AsyncGatehouse(AsyncConnection):
    """A connection to a service, with what its interface has by kind."""

    @property
    def runs(self) -> AsyncRuns:
        return AsyncRuns(self)

    @property
    def files(self) -> AsyncFiles:
        return AsyncFiles(self)

    @property
    def secrets(self) -> AsyncSecrets:
        return AsyncSecrets(self)

    @property
    def approval_requests(self) -> AsyncApprovalRequests:
        return AsyncApprovalRequests(self)

    @property
    def alerts(self) -> AsyncAlerts:
        return AsyncAlerts(self, "/v1/alerts")

    @property
    def errors(self) -> AsyncErrors:
        return AsyncErrors(self)

    @property
    def queues(self) -> AsyncCollection[Queue, QueueInput, QueuePatch]:
        return AsyncCollection(self, "/v1/workspace/queues")

    @property
    def schedules(self) -> AsyncAutomations[Schedule, ScheduleInput, SchedulePatch]:
        return AsyncAutomations(self, "/v1/schedules")

    @property
    def triggers(self) -> AsyncAutomations[Trigger, TriggerInput, TriggerPatch]:
        return AsyncAutomations(self, "/v1/triggers")

    @property
    def hooks(self) -> AsyncAutomations[Hook, HookInput, HookPatch]:
        return AsyncAutomations(self, "/v1/hooks")

    @property
    def scripts(self) -> AsyncCollection[Script, ScriptInput, ScriptPatch]:
        return AsyncCollection(self, "/v1/scripts")

    @property
    def agents(self) -> AsyncCollection[Agent, AgentInput, AgentPatch]:
        return AsyncCollection(self, "/v1/agents")

    @property
    def environments(self) -> AsyncCollection[Environment, EnvironmentInput, EnvironmentPatch]:
        return AsyncCollection(self, "/v1/workspace/environments")

    @property
    def teams(self) -> AsyncCollection[Team, TeamInput, TeamPatch]:
        return AsyncCollection(self, "/v1/workspace/teams")

    @property
    def webhook_endpoints(self) -> AsyncCollection[WebhookEndpoint, EndpointInput, EndpointPatch]:
        return AsyncCollection(self, "/v1/workspace/webhook-endpoints")

    async def run(self, script: str, inputs: Mapping[str, Any] | None = None, wait: bool = True) -> HeldRun:
        """Runs a script's published version, and waits until it has ended or is held for a person.

        Its `status` says how it went, `output` what came of it. A held one has an `approval`.
        """
        return await self.runs.start(script, inputs, wait=wait)

    async def wait(self, run_id: str) -> Run:
        """Waits until a run has ended, also one that is held first."""
        return await self.runs.wait(run_id)
