import { DefinesEventTypes, type EventTypeSource } from '../core/outbox/index.js';

export const PING = 'ping';
export const ENDPOINT_DISABLED = 'webhook_endpoint.disabled';

const TEXT = { type: 'string' };

@DefinesEventTypes()
export class WebhookEventTypes implements EventTypeSource {
  readonly eventTypes = [
    {
      type: PING,
      description: 'A test of one endpoint was asked for. No other endpoint gets it.',
      environmentScoped: true,
      schema: { type: 'object', properties: { message: TEXT }, required: ['message'] },
      example: { message: 'This is a test. Your endpoint works if it answers with a status of 2xx.' },
    },
    {
      type: ENDPOINT_DISABLED,
      description:
        'A webhook endpoint was switched off, because too many attempts failed or its receiver is gone.',
      environmentScoped: true,
      schema: {
        type: 'object',
        properties: { id: TEXT, name: TEXT, reason: TEXT },
        required: ['id', 'name', 'reason'],
      },
      example: {
        id: 'whe_01k7q3v5yzf8c9m2n4p6r8t0vw',
        name: 'hooks.example.com',
        reason: '20 attempts in a row failed; the last one: status 503',
      },
    },
  ];
}
