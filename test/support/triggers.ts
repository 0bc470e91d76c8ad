import { expect } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { client, database, newWorkspace } from './gatehouse.js';
import { type TestScript, python } from './scripts.js';

export const byOwner = ({ owner, slug }: TestWorkspace): Client =>
  client({ token: owner.token, workspace: slug });

export interface TriggerWorld {
  workspace: TestWorkspace;
  /** The owner, in production. */
  api: Client;
  /** Published, takes any text as `what` and prints it. */
  script: TestScript;
}

export async function newTriggerWorld(): Promise<TriggerWorld> {
  const workspace = await newWorkspace();
  const api = byOwner(workspace);
  return { workspace, api, script: await echo(api) };
}

/** A published script that prints its optional input `what`. */
export function echo(api: Client, fields: Record<string, unknown> = {}): Promise<TestScript> {
  return python(api, 'import sys; print(sys.argv[1:])', {
    command: 'python3 main.py [{what}]',
    inputSchema: { type: 'object', properties: { what: {} } },
    ...fields,
  });
}

export async function trigger(
  api: Client,
  { slug }: TestScript,
  fields: Record<string, unknown> = {},
): Promise<Json> {
  const body = { name: 'When', eventType: 'run.failed', ...fields };
  const answer = await api.post(`/v1/scripts/${slug}/triggers`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** The runs that a trigger has started, the first one first. */
export async function runsOf({ id }: Json): Promise<Json[]> {
  const { rows } = await database().query<Json>(
    `SELECT id, status, phase, inputs, error, by_agent AS "byAgent", hops, interface,
       started_by_user_id AS "startedByUserId", credential_type AS "credentialType", environment_id AS "environmentId"
     FROM runs WHERE trigger_id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

/** Waits until a trigger has started so many runs. */
export async function runsUntil(of: Json, count: number): Promise<Json[]> {
  await expect.poll(() => runsOf(of).then(({ length }) => length)).toBe(count);
  return runsOf(of);
}

/** Waits until everything that a workspace has told by now has been carried out of the outbox, and has fired its triggers. */
export async function allDispatched({ id }: TestWorkspace, timeout = 60_000): Promise<void> {
  const waiting = async (): Promise<number> => {
    const { rows } = await database().query<{ count: number }>(
      `SELECT ((SELECT count(*) FROM events WHERE workspace_id = $1 AND dispatched_at IS NULL)
         + (SELECT count(*) FROM waiting_firings WHERE workspace_id = $1))::int AS count`,
      [id],
    );
    return rows[0]!.count;
  };
  await expect.poll(waiting, { timeout }).toBe(0);
}

/** Runs that wait for approval, as an earlier flood has left them. */
export async function leaveHeld({ workspace, script }: TriggerWorld, count: number): Promise<void> {
  await database().query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase, inputs,
       by_agent, interface, test)
     SELECT t.id, $2, $3, $4, $5, v.id, 1, 'awaiting_approval', 'held', '{}', false, 'trigger', false
     FROM unnest($1::text[]) AS t(id), script_versions v WHERE v.script_id = $4 AND v.number = 1`,
    [
      Array.from({ length: count }, () => newId('run')),
      workspace.id,
      workspace.environmentId,
      script.id,
      script.slug,
    ],
  );
}
