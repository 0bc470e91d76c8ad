import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { finished, python, publishedScript, runUntil, type TestScript } from '../support/scripts.js';

const SCHEMA = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' }, more: { default: 7 } },
};
const ECHO = 'import json, os; print(open(os.environ["GATEHOUSE_INPUTS"]).read())';

let ws: TestWorkspace;
let owner: Client;
let script: TestScript;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
  script = await python(owner, ECHO, { inputSchema: SCHEMA });
});

const batch = (body: object, headers: Record<string, string> = {}, of = script): Promise<Answer> =>
  owner.post(`/v1/scripts/${of.slug}/runs/batch`, body, headers);
const counts = async (): Promise<Json> => {
  const { rows } = await database().query<Json>(
    `SELECT (SELECT count(*)::int FROM runs WHERE workspace_id = $1) AS runs,
       (SELECT sum(used)::int FROM usage_counters WHERE workspace_id = $1 AND meter = 'runs') AS used,
       (SELECT count(*)::int FROM events WHERE workspace_id = $1 AND type = 'run.started') AS events`,
    [ws.id],
  );
  return rows[0]!;
};
const pathsOf = ({ body }: Answer): string[] =>
  (body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path);

describe('A batch', () => {
  it('starts a run for each of its inputs, in their order', async () => {
    const { status, body, text } = await batch({ inputs: [{ n: 1 }, { n: 2, more: 'x' }], priority: 2 });
    expect(status, text).toBe(202);
    const runs = body.runs as string[];
    const [one, two] = [await runUntil(owner, runs[0]!, finished), await runUntil(owner, runs[1]!, finished)];
    const cause = { type: 'batch', id: body.id as string };
    expect(one).toMatchObject({ output: { n: 1, more: 7 }, priority: 2, causedBy: cause, interface: 'api' });
    expect(two).toMatchObject({ output: { n: 2, more: 'x' }, startedBy: { credentialType: 'pat' } });
    const { items } = (await owner.get(`/v1/runs?causedBy=${body.id}`)).body as { items: Json[] };
    expect(items.map(({ id }) => id as string)).toEqual([...runs].reverse());
    const { rows } = await database().query(
      `SELECT action, details FROM audit_events WHERE workspace_id = $1 AND target_id = $2`,
      [ws.id, body.id],
    );
    expect(rows).toMatchObject([
      { action: 'run.batch_started', details: { script: script.slug, version: 1, runs: 2 } },
    ]);
  });

  it('waits in the queue of its script', async () => {
    await owner.post('/v1/workspace/queues', { name: 'stopped', paused: true });
    const queued = await python(owner, 'pass');
    await owner.patch(`/v1/scripts/${queued.slug}`, { queue: 'stopped' });
    const { body } = await batch({ inputs: [{}, {}] }, {}, queued);
    for (const id of body.runs as string[]) {
      const waits = (await owner.get(`/v1/runs/${id}`)).body;
      expect(waits).toMatchObject({ phase: 'waiting', queue: 'stopped' });
      expect(waits.waitsBecause).toMatch(/paused/);
    }
    await owner.patch('/v1/workspace/queues/stopped', { paused: false });
    for (const id of body.runs as string[])
      expect((await runUntil(owner, id, finished)).status).toBe('succeeded');
  });

  it('starts all or none, and names each wrong place', async () => {
    const before = await counts();
    const answer = await batch({ inputs: [{ n: 1 }, { n: 'x' }, { n: 3 }, {}] });
    expect([answer.status, pathsOf(answer)]).toEqual([400, ['inputs.1.n', 'inputs.3.n']]);
    for (const [inputs, paths] of [
      [[], ['inputs']],
      [{}, ['inputs']],
      [
        [{ n: 1 }, 4, null, []],
        ['inputs.1', 'inputs.2', 'inputs.3'],
      ],
      [Array.from({ length: 1001 }, () => ({ n: 1 })), ['inputs']],
    ] as const) {
      const refused = await batch({ inputs });
      expect([refused.status, pathsOf(refused)]).toEqual([400, paths]);
    }
    expect(pathsOf(await batch({ inputs: [{ n: 1 }], priority: 11 }))).toEqual(['priority']);
    expect(await counts()).toEqual(before);
  });

  it('of a thousand is counted, told and started once, also where it is sent twice', async () => {
    const before = await counts();
    const body = {
      startAt: new Date(Date.now() + 3_600_000).toISOString(),
      inputs: Array.from({ length: 1000 }, (_, n) => ({ n, more: [1, 2, 3, 4, 5, 'x'.repeat(150)] })),
    };
    const key = { 'idempotency-key': `batch-${process.pid}` };
    const first = await batch(body, key);
    expect(first.status, first.text.slice(0, 300)).toBe(202);
    expect((await batch(body, key)).body).toEqual(first.body);
    const after = await counts();
    for (const name of ['runs', 'used', 'events']) {
      expect((after[name] as number) - (before[name] as number), name).toBe(1000);
    }
    const last = (await owner.get(`/v1/runs/${(first.body.runs as string[])[999]}`)).body;
    expect(last).toMatchObject({ phase: 'delayed', inputs: { n: 999 } });
  });

  it('is refused where a person has to approve a run, or a file is given', async () => {
    const held = await python(owner, 'print(1)');
    await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    const before = await counts();
    const refused = await batch({ inputs: [{}] }, {}, held);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining('start its runs one by one'),
    ]);
    const taking = await publishedScript(
      owner,
      { 'main.py': 'print(1)' },
      { inputSchema: { type: 'object', properties: { data: { type: 'string', format: 'file' } } } },
    );
    const file = await batch({ inputs: [{}, { data: 'fil_00000000000000000000000000' }] }, {}, taking);
    expect([file.status, pathsOf(file)]).toEqual([400, ['inputs.1.data']]);
    expect(await counts()).toEqual(before);
  });
});
