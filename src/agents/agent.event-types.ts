import {
  ACTOR,
  DefinesEventTypes,
  eventData,
  type EventTypeDefinition,
  type EventTypeSource,
  SLUGGED,
  TEXT,
} from '../core/outbox/index.js';
import { AGENT_EVENTS, type AgentEventType } from './agent.events.js';

const SCHEMA = eventData({ agent: SLUGGED, changed: { type: 'array', items: TEXT }, by: ACTOR });

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
