import type { WebhookRequest } from '@gatehouse/client/operations';

import { quoted } from '../../runs/start/commands.js';

/** What curl says by itself. */
const BY_ITSELF = new Set(['host', 'content-length']);

/** The same request for a shell. It is signed as it was sent: nothing in it signs another one. */
export function curlOf({ method, url, headers, body }: WebhookRequest): string {
  return [
    `curl -sS -X ${method} ${quoted(url)}`,
    ...headers
      .filter(({ name }) => !BY_ITSELF.has(name))
      .map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ');
}
