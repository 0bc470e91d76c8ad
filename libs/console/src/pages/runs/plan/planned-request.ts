import type { PlannedRequest } from '@gatehouse/client/operations';

import { jsonOrNull } from '../../../api/json-or-null.js';
import { indentedJson } from '../../../kit/indented-json.js';

/** `https://api.example.com/v1/charges`, `postgres://db.example.com:5432/orders`. */
export function addressOf({
  protocol,
  host,
  target,
}: Pick<PlannedRequest, 'protocol' | 'host' | 'target'>): string {
  const scheme = protocol === 'websocket' ? 'wss' : protocol;
  return `${scheme}://${host}${target === '' || target.startsWith('/') ? '' : '/'}${target}`;
}

/** A name of a file whose kind says how the body is shown. */
export function bodyName({ protocol, headers }: Pick<PlannedRequest, 'protocol' | 'headers'>): string {
  if (protocol === 'postgres') return 'statement.sql';
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  return type.includes('json') ? 'body.json' : 'body.txt';
}

/** As it was sent, but for the layout of JSON. Empty: it is not here. */
export function bodyText(request: Pick<PlannedRequest, 'protocol' | 'headers' | 'body'>): string {
  const { text } = request.body;
  if (text === null) return '';
  const isJson = bodyName(request) === 'body.json' && jsonOrNull(text) !== null;
  return isJson ? indentedJson(text) : text;
}
