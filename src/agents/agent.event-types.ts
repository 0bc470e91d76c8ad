import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from '../core/outbox/index.js';
import { AGENT_EVENTS, type AgentEventType } from './agent.events.js';

const TEXT_OR_NULL = { type: ['string', 'null'] };

const SCHEMA = {
  type: 'object',
  properties: {
    agent: {
      type: 'object',
      properties: { id: { type: 'string' }, slug: { type: 'string' }, name: { type: 'string' } },
      required: ['id', 'slug', 'name'],
    },
    changed: { type: 'array', items: { type: 'string' } },
    by: {
      type: 'object',
      properties: { userId: TEXT_OR_NULL, credentialType: TEXT_OR_NULL, credentialName: TEXT_OR_NULL },
      required: ['userId', 'credentialType', 'credentialName'],
    },
  },
  required: ['agent', 'changed', 'by'],
};

const agent = (type: AgentEventType, description: string): EventTypeDefinition => ({
  type,
  description,
  environmentScoped: false,
  audience: { scope: 'agents:read', role: 'member' },
  schema: SCHEMA,
  example: {
    agent: { id: 'agt_01k7q3v5yzf8c9m2n4p6r8t0vx', slug: 'support', name: 'Support' },
    changed: type === 'agent.updated' ? ['instructions', 'scripts'] : [],
    by: { userId: 'usr_01k7q3v5yzf8c9m2n4p6r8t0vy', credentialType: null, credentialName: null },
  },
});

@DefinesEventTypes()
export class AgentEventTypes implements EventTypeSource {
  readonly eventTypes = Object.entries(AGENT_EVENTS).map(([type, description]) =>
    agent(type as AgentEventType, description),
  );
}
