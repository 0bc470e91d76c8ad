import {
  deliveriesRecover,
  deliveriesTest,
  endpointsChange,
  endpointsCreate,
  endpointsDelete,
  endpointsEnable,
  endpointsGet,
  endpointsList,
  endpointsRotateSecret,
} from '../generated/sdk.gen.js';
import type {
  EndpointInput,
  EndpointPatch,
  EndpointsListData,
  RecoverInput,
  WebhookDeliveryOutcome,
  WebhookEndpoint,
  WebhookEndpointCreated,
  WebhookRecovery,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';
import { WebhookDeliveries } from './webhook-deliveries.js';

/** Addresses that the workspace's events are sent to. */
export class WebhookEndpoints {
  readonly deliveries: WebhookDeliveries;

  constructor(private readonly calls: Calls) {
    this.deliveries = new WebhookDeliveries(calls);
  }

  /** Newest first. */
  list(query?: EndpointsListData['query'], options?: CallOptions): Pages<WebhookEndpoint> {
    return this.calls.list(endpointsList<true>, { query }, options);
  }

  /** The secret that signs its deliveries is in this response only. */
  create(input: EndpointInput, options?: CallOptions): Promise<WebhookEndpointCreated> {
    return this.calls.send(endpointsCreate<true>, { body: input }, options);
  }

  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.calls.send(endpointsGet<true>, { path: { endpointId } }, options);
  }

  update(endpointId: string, patch: EndpointPatch, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.calls.send(endpointsChange<true>, { path: { endpointId }, body: patch }, options);
  }

  delete(endpointId: string, options?: CallOptions): Promise<void> {
    return this.calls.do(endpointsDelete<true>, { path: { endpointId } }, options);
  }

  enable(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.calls.send(endpointsEnable<true>, { path: { endpointId } }, options);
  }

  /** The secret before it signs on for a day. */
  rotateSecret(endpointId: string, options?: CallOptions): Promise<WebhookEndpointCreated> {
    return this.calls.send(endpointsRotateSecret<true>, { path: { endpointId } }, options);
  }

  /** Sends a `ping` at once. */
  test(endpointId: string, options?: CallOptions): Promise<WebhookDeliveryOutcome> {
    return this.calls.send(deliveriesTest<true>, { path: { endpointId } }, options);
  }

  /** Sends again what failed or was missed since then. */
  recover(endpointId: string, input: RecoverInput, options?: CallOptions): Promise<WebhookRecovery> {
    return this.calls.send(deliveriesRecover<true>, { path: { endpointId }, body: input }, options);
  }
}
