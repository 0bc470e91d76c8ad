import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerPairs } from './forwarded-headers.js';
import type { GateContext } from './gate-context.js';
import { type HeldBody, type HeldRequest, MAX_HELD_TEXT_BYTES } from './held-request.js';
import { type Route, schemeOf } from './router.js';
import { headersWithoutSecrets } from './upstream-request.js';

/** What a person sees of a request, and the hash that a yes is for. */
export function describeHeld(
  gate: GateContext,
  route: Route,
  req: IncomingMessage,
  body: Buffer,
): Omit<HeldRequest, 'number' | 'at'> {
  const { label, origin, secretNames } = route;
  const { method = '', url: target = '', rawHeaders } = req;
  const held = heldBody(body);
  const sent = headersWithoutSecrets(gate, route, req, body);
  const whole = [label, origin, method, target, sent, secretNames, held.bytes, held.sha256];
  return {
    protocol: schemeOf(origin),
    host: label,
    method,
    target,
    headers: headerPairs(rawHeaders),
    body: held,
    sha256: sha256(JSON.stringify(whole)),
  };
}

export function heldBody(body: Buffer): HeldBody {
  const shown = isUtf8(body) ? wholeCharacters(body.subarray(0, MAX_HELD_TEXT_BYTES)) : null;
  return {
    bytes: body.length,
    sha256: sha256(body),
    text: shown?.toString() ?? null,
    cut: shown !== null && shown.length < body.length,
  };
}

/** Without the beginning of a character whose end is cut off. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let end = bytes.length; end > bytes.length - 4 && end > 0; end--) {
    const part = bytes.subarray(0, end);
    if (isUtf8(part)) return part;
  }
  return bytes.subarray(0, 0);
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
