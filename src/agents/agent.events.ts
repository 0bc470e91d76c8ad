import { Injectable } from '@nestjs/common';

import { actorOf, AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Outbox } from '../core/outbox/index.js';
import type { AgentField } from './agent.changes.js';

export const AGENT_EVENTS = {
  'agent.created': 'An agent was made.',
  'agent.updated': 'An agent was changed; `changed` names the fields.',
  'agent.deleted': 'An agent was deleted. The runs that it started keep its name.',
} as const;

export type AgentEventType = keyof typeof AGENT_EVENTS;

/** Writes down what happened to an agent, as an event and in the audit trail, in the transaction in which it happens. */
@Injectable()
export class AgentEventWriter {
  constructor(
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
  ) {}

  async add(
    type: AgentEventType,
    caller: WorkspaceCaller,
    { id, slug, name }: { id: string; slug: string; name: string },
    changed: readonly AgentField[] = [],
  ): Promise<void> {
    const workspaceId = caller.workspace.id;
    const { userId, credentialType, credentialName } = actorOf(caller);
    const data = { agent: { id, slug, name }, changed, by: { userId, credentialType, credentialName } };
    await this.outbox.add({ workspaceId, environmentId: null, type, data });
    const details = { slug, name, ...(changed.length > 0 && { changed }) };
    await this.audit.record(workspaceId, caller, type, { type: 'agent', id }, details);
  }
}
