import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

@DefinesEventTypes()
export class HostAuthoritiesEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'host_authorities.updated',
      description:
        'The authorities that certificates of a host are checked by were set or deleted; `fingerprints` lists those that count now, and none where the host has none of its own any more.',
      environmentScoped: false,
      audience: { scope: 'workspace:read', role: 'member' },
      schema: eventData({ host: TEXT, fingerprints: { type: 'array', items: TEXT } }),
      example: { host: 'db.example.com:5432', fingerprints: ['5A:0C:…'] },
    },
  ];
}
