import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from '../core/outbox/index.js';

@DefinesEventTypes()
export class EnvironmentEventTypes implements EventTypeSource {
  readonly eventTypes: readonly EventTypeDefinition[] = [
    {
      type: 'environment.updated',
      description: 'The name or the rules of an environment were changed; `changed` lists which fields.',
      environmentScoped: false,
      audience: { scope: 'workspace.environments:read', role: 'member' },
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, changed: { type: 'array', items: { type: 'string' } } },
        required: ['name', 'changed'],
      },
      example: { name: 'production', changed: ['approvalPolicy'] },
    },
  ];
}
