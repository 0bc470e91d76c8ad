import { DefinesEventTypes, eventData, type EventTypeSource, TEXT } from '../core/outbox/index.js';

export const PING = 'ping';
export const ENDPOINT_DISABLED = 'webhook_endpoint.disabled';

@DefinesEventTypes()
export class WebhookEventTypes implements EventTypeSource {
  readonly eventTypes = [
    {
      type: PING,
      description: 'A test of one endpoint was asked for. No other endpoint gets it.',
      environmentScoped: true,
      schema: eventData({ message: TEXT }),
      example: { message: 'This is a test. Your endpoint works if it answers with a status of 2xx.' },
    },
    {
      type: ENDPOINT_DISABLED,
      description:
        'A webhook endpoint was switched off, because too many attempts failed or its receiver is gone.',
      environmentScoped: true,
      schema: eventData({ id: TEXT, name: TEXT, reason: TEXT }),
      example: {
        id: 'whe_01k7q3v5yzf8c9m2n4p6r8t0vw',
        name: 'hooks.example.com',
        reason: '20 attempts in a row failed; the last one: status 503',
      },
    },
  ];
}
