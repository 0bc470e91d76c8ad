import { createHmac, randomBytes, randomUUID } from 'node:crypto';

import type { WorkspaceEvent } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import { WrongUse } from '../failure/command-failure.js';

const PREFIX = 'whsec_';

export const newSigningSecret = (): string => PREFIX + randomBytes(24).toString('base64');

/** The one of the environment: never an option, those are in every list of processes. @throws WrongUse where it is none */
export function givenSigningSecret(): string | null {
  const secret = process.env['GATEHOUSE_WEBHOOK_SECRET'] || null;
  if (secret === null || secret.startsWith(PREFIX)) return secret;
  throw new WrongUse(
    'GATEHOUSE_WEBHOOK_SECRET is no signing secret.',
    `Set it to what the receiver verifies with (${PREFIX}…).`,
  );
}

/** A delivery as an endpoint gets it: its body, and the headers that verify it. */
interface SignedDelivery {
  body: string;
  headers: Record<string, string>;
}

/** Signs an event the way that deliveries are signed (Standard Webhooks). */
export function signDelivery({ id, type, createdAt, data }: WorkspaceEvent, secret: string): SignedDelivery {
  const delivery = `msg_${randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const body = stringifyJson({ id, type, createdAt, data });
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
