import { createHmac, randomBytes } from 'node:crypto';

import { expect } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { baseUrl, database } from './gatehouse.js';
import type { TestScript } from './scripts.js';
import { newTriggerWorld, type TriggerWorld } from './triggers.js';

/** Of the secret `HOOK_KEY` of each world. */
export const KEY = 'a-key-that-only-two-know';

export async function newHookWorld(): Promise<TriggerWorld> {
  const world = await newTriggerWorld();
  await setSecret(world.api, 'HOOK_KEY', KEY);
  return world;
}

export async function setSecret(api: Client, name: string, value: string): Promise<void> {
  const answer = await api.put(`/v1/workspace/secrets/${name}`, { value, hosts: ['api.example.com'] });
  expect(answer.status, answer.text).toBeLessThan(300);
}

export const HMAC = {
  scheme: 'hmac',
  secret: 'HOOK_KEY',
  header: 'x-signature',
  algorithm: 'sha256',
  encoding: 'hex',
  idHeader: 'x-id',
};

/** A hook of a script, whose requests are signed with `HOOK_KEY`. */
export async function hook(
  api: Client,
  { slug }: TestScript,
  fields: Record<string, unknown> = {},
): Promise<Json> {
  const body = { name: 'Orders', verify: HMAC, ...fields };
  const answer = await api.post(`/v1/scripts/${slug}/hooks`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export interface HookResponse {
  status: number;
  body: Json;
  text: string;
  headers: Headers;
}

/** Sends as a stranger would: no credential, and the bytes as they are. */
export async function send(
  { url }: Json,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<HookResponse> {
  // The service's own address: it is behind another port than its base address says.
  const to = new URL(new URL(url).pathname + new URL(url).search, baseUrl());
  const response = await fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const text = await response.text();
  let parsed: Json = null as unknown as Json;
  try {
    parsed = JSON.parse(text) as Json;
  } catch {
    // Not every response is JSON.
  }
  return { status: response.status, body: parsed, text, headers: response.headers };
}

export const signed = (body: string | Buffer, key = KEY): Record<string, string> => ({
  'x-signature': createHmac('sha256', key).update(body).digest('hex'),
});

/** Sends JSON that is signed, by a new name unless another is given. */
export function sendSigned(
  to: Json,
  value: unknown,
  headers: Record<string, string> = {},
): Promise<HookResponse> {
  const body = JSON.stringify(value);
  return send(to, body, { 'x-id': randomBytes(8).toString('hex'), ...signed(body), ...headers });
}

/** The runs that a hook has started, the first one first. */
export async function runsOfHook({ id }: Json): Promise<Json[]> {
  const { rows } = await database().query<Json>(
    `SELECT id, status, phase, inputs, error, by_agent AS "byAgent", interface, started_by_user_id AS "startedByUserId"
     FROM runs WHERE hook_id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

export async function receiptsOf(api: Client, { id }: Json): Promise<Json[]> {
  const answer = await api.get(`/v1/hooks/${id}/receipts`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items;
}
