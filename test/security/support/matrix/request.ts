import { randomInt } from 'node:crypto';

import { type Answer, createClient } from '../../../../libs/testing/index.js';
import { baseUrl } from '../../../support/gatehouse.js';
import type { Principal } from './principals.js';
import type { World } from './world.js';
import type { Allowed, Route } from './route-line.js';

export interface HarmlessRequest {
  path: string;
  body: unknown;
  /** The status for those who may use the route. */
  allowed: Allowed;
}

/**
 * A request that changes nothing even for those who may use the route, since access is judged before all that it fails by:
 * a list is read (200), of a single thing one is named that there is not (404), and anything else is sent with
 * a field that no request has (400).
 */
export function harmlessRequest({ method, path, resources, allowed }: Route): HarmlessRequest {
  const named = fill(
    path,
    resources.map((kind) => ABSENT[kind] ?? 'absent'),
  );
  const reads = method === 'GET';
  const answer =
    allowed ?? (resources.length > 0 && (reads || method === 'DELETE') ? 404 : reads ? 200 : 400);
  if (answer === 200 || answer === 404) return { path: named, body: undefined, allowed: answer };
  return {
    path: `${named}?nonsense=1`,
    body: reads || method === 'DELETE' ? undefined : { nonsense: true },
    allowed: answer,
  };
}

const ABSENT: Record<string, string> = { version: '7' };

export function fill(path: string, values: readonly string[]): string {
  const left = [...values];
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(left.shift()!));
}

/** Each request from an address of its own, so that the limit of failures per address lets all of them through. */
export function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const api = createClient({ baseUrl: baseUrl(), headers: { 'x-forwarded-for': address, ...headers } });
  switch (method) {
    case 'GET':
      return api.get(path);
    case 'DELETE':
      return api.delete(path);
    case 'PUT':
      return api.put(path, body);
    case 'PATCH':
      return api.patch(path, body);
    default:
      return api.post(path, body);
  }
}

export function headersOf(caller: Principal, { access }: Route): Promise<Record<string, string>> {
  return caller.headers(typeof access === 'object' ? access.scope : null);
}

export async function bodyOf({ body }: Route, caller: World): Promise<unknown> {
  return typeof body === 'function' ? await body(caller.workspace) : body;
}
