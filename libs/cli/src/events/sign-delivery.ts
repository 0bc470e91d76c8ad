import { createHmac, randomBytes, randomUUID } from 'node:crypto';

import type { WorkspaceEvent } from '@gatehouse/client';

const PREFIX = 'whsec_';

export const newSigningSecret = (): string => PREFIX + randomBytes(24).toString('base64');

/** A delivery as an endpoint gets it: its body, and the headers that verify it. */
export interface SignedDelivery {
  body: string;
  headers: Record<string, string>;
}

/** Signs an event the way that deliveries are signed (Standard Webhooks). */
export function signDelivery({ id, type, createdAt, data }: WorkspaceEvent, secret: string): SignedDelivery {
  const delivery = `msg_${randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ id, type, createdAt, data });
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${delivery}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': delivery,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
  };
}
