import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

@DefinesEventTypes()
export class EnvironmentEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'environment.updated',
      description: 'The name or the rules of an environment were changed; `changed` lists which fields.',
      environmentScoped: false,
      audience: { scope: 'workspace.environments:read', role: 'member' },
      schema: eventData({ name: TEXT, changed: { type: 'array', items: TEXT } }),
      example: { name: 'production', changed: ['approvalPolicy'] },
    },
  ];
}
