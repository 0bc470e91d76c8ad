import {
  deliveriesAttempts,
  deliveriesList,
  deliveriesRedeliver,
  deliveriesRequest,
  deliveriesStatistics,
} from '../generated/sdk.gen.js';
import type {
  DeliveriesAttemptsData,
  DeliveriesListData,
  DeliveriesRequestData,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryOutcome,
  WebhookRequest,
  WebhookStatistics,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** What was sent to an endpoint in the last 30 days. */
export class WebhookDeliveries {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(
    endpointId: string,
    query?: DeliveriesListData['query'],
    options?: CallOptions,
  ): Pages<WebhookDelivery> {
    return this.calls.list(deliveriesList<true>, { path: { endpointId }, query }, options);
  }

  /** Each attempt at a delivery, newest first. */
  attempts(
    endpointId: string,
    deliveryId: string,
    query?: DeliveriesAttemptsData['query'],
    options?: CallOptions,
  ): Pages<WebhookAttempt> {
    return this.calls.list(deliveriesAttempts<true>, { path: { endpointId, deliveryId }, query }, options);
  }

  /** What was sent at an attempt, the last one where none is named, or what will be sent. */
  request(
    endpointId: string,
    deliveryId: string,
    query?: DeliveriesRequestData['query'],
    options?: CallOptions,
  ): Promise<WebhookRequest> {
    return this.calls.send(deliveriesRequest<true>, { path: { endpointId, deliveryId }, query }, options);
  }

  /** How many there were in each of the last 24 hours. */
  statistics(endpointId: string, options?: CallOptions): Promise<WebhookStatistics> {
    return this.calls.send(deliveriesStatistics<true>, { path: { endpointId } }, options);
  }

  /** Sends the event again, as a delivery of its own. */
  redeliver(endpointId: string, deliveryId: string, options?: CallOptions): Promise<WebhookDeliveryOutcome> {
    return this.calls.send(deliveriesRedeliver<true>, { path: { endpointId, deliveryId } }, options);
  }
}
