import type { WebhookDelivery } from '@gatehouse/client/operations';

import { RUN_AGES, type RunAge, ageOf, momentOf, startOf, textOf } from '../../runs/list/run-list-search.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Which deliveries are shown; it stands in the page's address. */
export interface DeliverySearch {
  status?: WebhookDelivery['status'];
  /** Of the event. */
  type?: string;
  /** How long ago they were made at most, or from which moment on. */
  since?: RunAge | (string & {});
  /** Before which moment. */
  until?: string;
}

const EVENT_TYPE = /^[a-z0-9_.-]{1,200}$/;

/** What somebody wrote into the address by hand is used where it fits, and left out elsewhere. */
export function deliverySearchOf(search: Record<string, unknown>): DeliverySearch {
  const type = textOf(search['type']);
  const found = {
    status: DELIVERY_STATUSES.find((known) => known === search['status']),
    type: type !== undefined && EVENT_TYPE.test(type) ? type : undefined,
    since: RUN_AGES.find((known) => known === search['since']) ?? momentOf(search['since']),
    until: momentOf(search['until']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The same as the service is asked for it. */
export function deliveryQuery({ status, type, since, until }: DeliverySearch, now: number) {
  return {
    ...(status && { status }),
    ...(type && { eventType: type }),
    ...(since && { since: sinceOf(since, now) }),
    ...(until && { until }),
  };
}

/** From which moment on. */
export function sinceOf(since: NonNullable<DeliverySearch['since']>, now: number): string {
  const age = ageOf(since);
  return age ? startOf(age, now) : since;
}
