import { expect } from 'vitest';

import { type Answer, archiveOf, type Client, type Json } from '../../libs/testing/index.js';

export { archiveOf };

let count = 0;

/** A slug that no other script of the run has. */
export const newSlug = (): string => `script-${process.pid}-${++count}`;

export interface TestScript {
  slug: string;
  id: string;
}

/** A published script of these files. `fields` go into the version. */
export async function publishedScript(
  api: Client,
  files: Record<string, string | Buffer>,
  fields: Record<string, unknown> = {},
  slug = newSlug(),
): Promise<TestScript> {
  const created = await api.post('/v1/scripts', { slug, name: slug });
  expect(created.status, created.text).toBe(201);
  await newVersion(api, slug, files, fields);
  const published = await api.post(`/v1/scripts/${slug}/publish`, { version: 1 });
  expect(published.status, published.text).toBe(200);
  return { slug, id: (created.body as { id: string }).id };
}

export async function newVersion(
  api: Client,
  slug: string,
  files: Record<string, string | Buffer>,
  fields: Record<string, unknown> = {},
): Promise<Json> {
  const version = await api.post(`/v1/scripts/${slug}/versions`, {
    archive: await archiveOf(files),
    ...fields,
  });
  expect(version.status, version.text).toBe(201);
  return version.body;
}

/** A published script of one Python file. */
export function python(api: Client, code: string, fields: Record<string, unknown> = {}): Promise<TestScript> {
  return publishedScript(api, { 'main.py': code }, fields);
}

export function run(
  api: Client,
  { slug }: TestScript,
  inputs: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return api.post(`/v1/scripts/${slug}/runs`, { inputs }, headers);
}

/** Reads a run until it fits. */
export async function runUntil(
  api: Client,
  id: string,
  fits: (run: Json) => boolean,
  timeoutMs = 60_000,
): Promise<Json> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { body } = await api.get(`/v1/runs/${id}`);
    if (fits(body)) return body;
    if (Date.now() > deadline) throw new Error(`The run stayed as it is: ${JSON.stringify(body)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export const finished = (run: Json): boolean => (run as { phase: string }).phase === 'finished';
