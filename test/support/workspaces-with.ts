import { expect } from 'vitest';

import { client, newWorkspace } from './gatehouse.js';
import { finished, python, run, runUntil } from './scripts.js';

/** A workspace with a script that has run once. */
export async function workspaceWithRun() {
  const { owner, slug } = await newWorkspace();
  const api = client({ token: owner.token, workspace: slug });
  const script = await python(api, 'pass');
  const { body } = await run(api, script);
  await runUntil(api, body.id, finished);
  return { owner, slug, api, script, runId: body.id as string };
}

/** A workspace with a script that has failed once, and its error. */
export async function workspaceWithError() {
  const { owner, slug } = await newWorkspace();
  const api = client({ token: owner.token, workspace: slug });
  const script = await python(api, 'raise ValueError("no such city")');
  await api.post(`/v1/scripts/${script.slug}/runs`, { inputs: {} });
  const errors = async () => (await api.get('/v1/errors')).body.items as { id: string }[];
  await expect.poll(async () => (await errors()).length).toBe(1);
  return { owner, slug, api, script, errorId: (await errors())[0]!.id };
}
