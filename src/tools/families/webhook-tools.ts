import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';

import { PageQuery } from '../../core/http/index.js';
import {
  DeliveriesService,
  EndpointsService,
  EndpointTestsService,
  READ_ENDPOINTS,
  SEND_AGAIN,
  WebhookDeliveryQuery,
} from '../../webhooks/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import { jsonResult } from '../tool-results.js';
import { PAGE } from './page-arguments.js';

const ENDPOINT = { type: 'string', description: "The endpoint's id." };
const FEWER = 'Ask for fewer with `limit`.';

class EndpointArguments {
  @IsString()
  endpoint: string;
}

class DeliveriesArguments extends WebhookDeliveryQuery {
  @IsString()
  endpoint: string;
}

class DeliveryArguments extends EndpointArguments {
  @IsString()
  delivery: string;
}

/** Seeing where events are sent, and sending them again. Where they are sent is not for agents to decide. */
@Injectable()
export class WebhookTools {
  readonly tools: readonly FixedTool[] = [
    fixedTool({
      name: 'list_webhook_endpoints',
      title: 'List webhook endpoints',
      description: 'Lists the webhook endpoints of the environment, newest first, and how each fares.',
      properties: PAGE,
      takes: PageQuery,
      rule: READ_ENDPOINTS,
      effect: 'reads',
      inEnvironment: true,
      run: async (caller, query) => jsonResult(await this.endpoints.list(caller, query), FEWER),
    }),
    fixedTool({
      name: 'list_webhook_deliveries',
      title: 'List deliveries to a webhook endpoint',
      description: 'Lists the deliveries of the last 30 days to a webhook endpoint, newest first.',
      properties: {
        endpoint: ENDPOINT,
        status: { type: 'string', enum: ['pending', 'delivered', 'failed'] },
        eventType: { type: 'string', description: 'Only of events of this type.' },
        since: { type: 'string', format: 'date-time', description: 'Only those made from then on.' },
        until: { type: 'string', format: 'date-time', description: 'Only those made before then.' },
        ...PAGE,
      },
      required: ['endpoint'],
      takes: DeliveriesArguments,
      rule: READ_ENDPOINTS,
      effect: 'reads',
      inEnvironment: true,
      run: async (caller, { endpoint, ...query }) =>
        jsonResult(await this.deliveries.list(caller, endpoint, query), FEWER),
    }),
    fixedTool({
      name: 'test_webhook_endpoint',
      title: 'Send a test event',
      description: 'Sends a `ping` to a webhook endpoint at once, and tells what came of it.',
      properties: { endpoint: ENDPOINT },
      required: ['endpoint'],
      takes: EndpointArguments,
      rule: SEND_AGAIN,
      effect: 'changes',
      inEnvironment: true,
      run: async (caller, { endpoint }) => jsonResult(await this.tests.test(caller, endpoint), ''),
    }),
    fixedTool({
      name: 'redeliver_webhook',
      title: 'Send an event again',
      description: 'Sends the event of a delivery again, as a new delivery with the same event id.',
      properties: { endpoint: ENDPOINT, delivery: { type: 'string', description: "The delivery's id." } },
      required: ['endpoint', 'delivery'],
      takes: DeliveryArguments,
      rule: SEND_AGAIN,
      effect: 'changes',
      inEnvironment: true,
      run: async (caller, { endpoint, delivery }) =>
        jsonResult(await this.deliveries.redeliver(caller, endpoint, delivery), ''),
    }),
  ];

  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly tests: EndpointTestsService,
  ) {}
}
