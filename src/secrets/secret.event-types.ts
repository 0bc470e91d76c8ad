import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

@DefinesEventTypes()
export class SecretEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'secret.updated',
      description: "A secret's value was set or deleted in an environment. The value is not part of it.",
      environmentScoped: true,
      audience: { scope: 'workspace.secrets:read', role: 'member' },
      schema: eventData({ name: TEXT, environment: TEXT }),
      example: { name: 'STRIPE_KEY', environment: 'production' },
    },
  ];
}
