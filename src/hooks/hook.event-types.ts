import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

const ABOUT_HOOK = { scope: 'hooks:read', role: 'member', about: { kind: 'hook', path: 'id' } } as const;
const HOOK_DATA = eventData({ id: TEXT, name: TEXT, reason: TEXT });

export const HOOK_REFUSED = 'hook.refused';

@DefinesEventTypes()
export class HookEventTypes implements EventTypeSource {
  readonly eventTypes: EventTypeSource['eventTypes'] = [
    {
      type: HOOK_REFUSED,
      description:
        'A hook refused a request. Told at most once a minute of each hook; its receipts have more.',
      environmentScoped: true,
      audience: ABOUT_HOOK,
      schema: HOOK_DATA,
      example: {
        id: 'hok_01k7q3v5yzf8c9m2n4p6r8t0vw',
        name: 'Pull requests',
        reason: 'its signature is not right',
      },
    },
    {
      type: 'hook.disabled',
      description: 'A hook was switched off, since its runs could not be started any more.',
      environmentScoped: true,
      audience: ABOUT_HOOK,
      schema: HOOK_DATA,
      example: {
        id: 'hok_01k7q3v5yzf8c9m2n4p6r8t0vw',
        name: 'Pull requests',
        reason: 'the script label-pull-request is archived',
      },
    },
  ];
}
