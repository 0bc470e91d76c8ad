import { DefinesEventTypes, type EventTypeDefinition, type EventTypeSource } from '../core/outbox/index.js';

@DefinesEventTypes()
export class TriggerEventTypes implements EventTypeSource {
  readonly eventTypes: readonly EventTypeDefinition[] = [
    {
      type: 'trigger.disabled',
      description:
        'A trigger was switched off, since its runs could not be started any more or its chain went on too long.',
      environmentScoped: true,
      audience: { scope: 'triggers:read', role: 'member', about: { kind: 'trigger', path: 'id' } },
      schema: {
        type: 'object',
        properties: { id: { type: 'string' }, name: { type: 'string' }, reason: { type: 'string' } },
        required: ['id', 'name', 'reason'],
      },
      example: {
        id: 'trg_01k7q3v5yzf8c9m2n4p6r8t0vw',
        name: 'When a report fails',
        reason: 'the script tell-us is archived',
      },
    },
  ];
}
