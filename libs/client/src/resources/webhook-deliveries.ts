import { deliveriesAttempts, deliveriesList, deliveriesRedeliver } from '../generated/sdk.gen.js';
import type {
  DeliveriesAttemptsData,
  DeliveriesListData,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryOutcome,
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

  /** Sends the event again, as a delivery of its own. */
  redeliver(endpointId: string, deliveryId: string, options?: CallOptions): Promise<WebhookDeliveryOutcome> {
    return this.calls.send(deliveriesRedeliver<true>, { path: { endpointId, deliveryId } }, options);
  }
}
