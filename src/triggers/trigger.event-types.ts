import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

@DefinesEventTypes()
export class TriggerEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: 'trigger.disabled',
      description:
        'A trigger was switched off, since its runs could not be started any more or its chain went on too long.',
      environmentScoped: true,
      audience: { scope: 'triggers:read', role: 'member', about: { kind: 'trigger', path: 'id' } },
      schema: eventData({ id: TEXT, name: TEXT, reason: TEXT }),
      example: {
        id: 'trg_01k7q3v5yzf8c9m2n4p6r8t0vw',
        name: 'When a report fails',
        reason: 'the script tell-us is archived',
      },
    },
  ];
}
