import type { RequestListener } from 'node:http';

import { expect } from 'vitest';

import type { VersionFields } from './attack.js';
import type { GatedAttacker } from './gated.js';

/** With characters that each encoding writes differently. */
export const SECRET = 'sk_live_51Hq/+8w"quoted"-9z';

/** The version's fields for code that gets the secret at `localhost` on this port. */
export const withSecret = (port: number, more: VersionFields = {}): VersionFields => ({
  hosts: [`localhost:${port}`],
  secrets: { API_KEY: { header: 'x-key', host: `localhost:${port}` } },
  ...more,
});

/** Starts a host that may get the secret. */
export async function secretHost(attacker: GatedAttacker, listener: RequestListener): Promise<number> {
  const port = await attacker.upstreams.start(listener);
  await attacker.secret('API_KEY', SECRET, [`localhost:${port}`]);
  return port;
}

/** Every form in which the value could be read back. */
const FORMS = [
  SECRET,
  Buffer.from(SECRET).toString('base64').slice(0, 30),
  Buffer.from(`x${SECRET}`).toString('base64').slice(4, 30),
  Buffer.from(`xx${SECRET}`).toString('base64').slice(4, 30),
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET).slice(1, -1),
];
const PIECES = ['51Hq/+8w', '8w"quoted', '"-9z'];

/** In none of the forms in which it could be read back. */
export function expectNoSecret(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form);
  for (const piece of PIECES) expect(text).not.toContain(piece);
}
