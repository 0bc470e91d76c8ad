import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

@DefinesEventTypes()
export class QueueEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'queue.updated',
      description:
        'A queue got another limit, was paused, or goes on; `changed` lists which fields were changed.',
      environmentScoped: false,
      audience: { scope: 'runs:read', role: 'member' },
      schema: eventData({
        name: TEXT,
        limit: { type: ['integer', 'null'] },
        paused: { type: 'boolean' },
        changed: { type: 'array', items: TEXT },
      }),
      example: { name: 'imports', limit: 3, paused: true, changed: ['paused'] },
    },
  ];
}
