import { describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { database, newWorkspace } from '../support/gatehouse.js';
import { type TestScript, newVersion, python } from '../support/scripts.js';
import { byOwner } from '../support/triggers.js';

const SCHEDULES = 500;

interface World {
  workspace: TestWorkspace;
  api: Client;
  script: TestScript;
}

async function world(): Promise<World> {
  const workspace = await newWorkspace();
  const api = byOwner(workspace);
  return { workspace, api, script: await python(api, 'pass') };
}

/** Alternatives of alternatives: little to send, and seconds to check. */
function alternatives(levels: number): object {
  const $defs: Record<string, object> = { d0: { type: 'string' } };
  for (let level = 1; level <= levels; level++) {
    const before = { $ref: `#/$defs/d${level - 1}` };
    $defs[`d${level}`] = { anyOf: [before, before] };
  }
  return { properties: { value: { $ref: `#/$defs/d${levels}` } }, $defs };
}

/** Due once in many years, the first time when `due` says. */
async function schedules({ workspace, script }: World, count: number, due: string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('schedule'));
  await database().query(
    `INSERT INTO schedules (id, workspace_id, environment_id, script_id, name, cron, timezone, inputs, by_agent,
       created_by_user_id, next_run_at)
     SELECT id, $2, $3, $4, 'leap', '0 0 29 2 *', 'UTC', '{"value": 1}', false, $5, ${due} FROM unnest($1::text[]) AS id`,
    [ids, workspace.id, workspace.environmentId, script.id, workspace.owner.id],
  );
  return ids;
}

/** How many of the attacker's schedules had their turn from before a bystander's was due until it had run. */
async function overtaking(bystander: World, attacker: World): Promise<number> {
  const [id] = await schedules(bystander, 1, `now() + interval '1 second'`);
  const which = async (condition: string) =>
    (await database().query(`SELECT FROM schedules WHERE id = $1 AND (${condition})`, [id])).rowCount;
  const ran = () => which('last_run_id IS NOT NULL');
  const wasDue = () => which('last_run_id IS NOT NULL OR next_run_at <= now()');
  await expect.poll(wasDue).toBe(1);
  const before = await left(attacker);
  await expect.poll(ran, { timeout: 90_000, interval: 50 }).toBe(1);
  return before - (await left(attacker));
}

async function stop({ workspace }: World): Promise<void> {
  await database().query('UPDATE schedules SET enabled = false, next_run_at = NULL WHERE workspace_id = $1', [
    workspace.id,
  ]);
}

const left = async ({ workspace }: World): Promise<number> => {
  const { rows } = await database().query<{ count: number }>(
    'SELECT count(*)::int AS count FROM schedules WHERE workspace_id = $1 AND next_run_at <= now()',
    [workspace.id],
  );
  return rows[0]!.count;
};

describe('500 schedules of one workspace whose inputs take seconds to check', () => {
  it('make nobody else’s schedule late', async () => {
    const [attacker, bystander] = [await world(), await world()];
    await newVersion(
      attacker.api,
      attacker.script.slug,
      { 'main.py': 'pass' },
      { inputSchema: alternatives(18) },
    );
    const published = await attacker.api.post(`/v1/scripts/${attacker.script.slug}/publish`, { version: 2 });
    expect(published.status, published.text).toBe(200);
    await schedules(attacker, SCHEDULES, 'now()');
    const turns: number[] = [];
    while (turns.length < 3) turns.push(await overtaking(bystander, attacker));
    await stop(attacker);
    expect(Math.max(...turns), `turns of the flood: ${turns.join(', ')}`).toBeLessThan(SCHEDULES / 2);
  });
});

describe('500 schedules of one workspace whose defaults make much of little', () => {
  it('make nobody else’s schedule late, and few of them are held in memory', { tags: 'slow' }, async () => {
    const [attacker, bystander] = [await world(), await world()];
    const text = 'x'.repeat(60_000);
    await attacker.api.patch(`/v1/scripts/${attacker.script.slug}`, { approvalPolicy: 'always' });
    const items = { type: 'object', properties: { value: { default: text } } };
    await newVersion(
      attacker.api,
      attacker.script.slug,
      { 'main.py': 'pass' },
      { inputSchema: { properties: { list: { default: [{}, {}, {}, {}], items } } } },
    );
    const published = await attacker.api.post(`/v1/scripts/${attacker.script.slug}/publish`, {
      version: 2,
    });
    expect(published.status, published.text).toBe(200);
    await schedules(attacker, SCHEDULES, 'now()');
    expect(await overtaking(bystander, attacker)).toBeLessThan(SCHEDULES / 2);
    await expect.poll(() => left(attacker)).toBe(0);
    // No transaction has begun more than 25 runs, or 2 MiB of inputs: runs of one have the same moment of beginning.
    const { rows } = await database().query<{ runs: number; bytes: number }>(
      `SELECT count(*)::int AS runs, sum(octet_length(inputs::text))::int AS bytes FROM runs
       WHERE workspace_id = $1 GROUP BY started_at ORDER BY 2 DESC LIMIT 1`,
      [attacker.workspace.id],
    );
    expect(rows[0]!.runs).toBeLessThanOrEqual(25);
    expect(rows[0]!.bytes).toBeLessThanOrEqual(2 * 1024 * 1024);
    await stop(attacker);
  });
});
