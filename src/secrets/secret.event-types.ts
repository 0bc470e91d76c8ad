import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from '../core/outbox/index.js';

@DefinesEventTypes()
export class SecretEventTypes implements EventTypeSource {
  readonly eventTypes: readonly EventTypeDefinition[] = [
    {
      type: 'secret.updated',
      description: "A secret's value was set or deleted in an environment. The value is not part of it.",
      environmentScoped: true,
      audience: { scope: 'workspace.secrets:read', role: 'member' },
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, environment: { type: 'string' } },
        required: ['name', 'environment'],
      },
      example: { name: 'STRIPE_KEY', environment: 'production' },
    },
  ];
}
