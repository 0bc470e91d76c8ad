import { beforeAll, describe, expect, it, vi } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { byToken, newTeam } from '../support/people.js';
import { python, run, type TestScript } from '../support/scripts.js';
import { anAttacker } from './support/attack.js';

const attacker = anAttacker();
const WORD = 'needle77';
const PATIENCE = { timeout: 60_000, interval: 100 };

let ws: TestWorkspace;
let owner: Client;
let script: TestScript;
let mine: string;

const listed = async (api: Client, query: string): Promise<unknown[]> => {
  const { status, body, text } = await api.get(`/v1/runs?${query}`);
  expect([200, 403], text).toContain(status);
  return status === 403 ? [] : (body.items as Json[]).map(({ id }) => id);
};
/** However somebody looks for it. */
const ways = (id: string): string[] => [
  `q=${WORD}`,
  `q=${id}`,
  `label=secretive%3D${WORD}`,
  'label=secretive',
  `q=${WORD}&label=secretive`,
];
const start = async (api: Client, headers: Record<string, string> = {}): Promise<string> => {
  const { status, body, text } = await api.post(
    `/v1/scripts/${script.slug}/runs`,
    { labels: { secretive: WORD } },
    headers,
  );
  expect(status, text).toBe(200);
  await vi.waitFor(async () => expect(await listed(owner, `q=${WORD}`)).toContain(body.id), PATIENCE);
  return body.id as string;
};

beforeAll(async () => {
  ws = await newWorkspace();
  owner = byToken(ws.owner, ws);
  script = await python(owner, 'print("ok")');
  mine = await start(owner);
});

describe('runs that somebody may not see are not found', () => {
  it('in another workspace, whose own words are the same', async () => {
    const elsewhere = await newWorkspace();
    const stranger = byToken(elsewhere.owner, elsewhere);
    for (const query of ways(mine)) expect([query, await listed(stranger, query)]).toEqual([query, []]);
    for (const body of [{ q: WORD }, { label: ['secretive'] }]) {
      const { body: found } = await stranger.post('/v1/runs/cancel', { ...body, dryRun: true });
      expect(found).toEqual({ matched: 0, more: false });
    }
    expect((await stranger.get(`/v1/runs/${mine}/log?q=ok`)).status).toBe(404);
  });

  it('by a key of another environment', async () => {
    expect((await owner.post('/v1/workspace/environments', { name: 'staging' })).status).toBe(201);
    const bound = client({ token: await ws.apiKey('staging') });
    for (const query of ways(mine)) expect([query, await listed(bound, query)]).toEqual([query, []]);
    const there = await start(owner, { 'x-environment': 'staging' });
    for (const query of ways(there)) expect([query, await listed(bound, query)]).toEqual([query, [there]]);
  });

  it("by a guest, but their own; by a member who does not see the script; in a member's exports neither", async () => {
    const guest = byToken(await ws.person('guest'), ws);
    for (const query of ways(mine)) expect([query, await listed(guest, query)]).toEqual([query, []]);
    const hidden = await python(owner, 'print(1)');
    const team = await newTeam(ws, 'others');
    const changed = await owner.patch(`/v1/scripts/${hidden.slug}`, { access: 'teams', teamIds: [team.id] });
    expect(changed.status, changed.text).toBe(200);
    const word = 'hidden88';
    const { body } = await owner.post(`/v1/scripts/${hidden.slug}/runs`, { labels: { word } });
    await expect.poll(() => listed(owner, `q=${word}`)).toEqual([body.id]);
    const member = byToken(await ws.person('member'), ws);
    for (const query of [`q=${word}`, `q=${body.id}`, `label=word%3D${word}`]) {
      expect([query, await listed(member, query)]).toEqual([query, []]);
      expect((await member.get(`/v1/runs/export?${query}`)).text).toBe('');
    }
    expect(await listed(member, `q=${WORD}`)).toContain(mine);
  });
});

it('a secret that a script prints is no word of its run: in its output, its error, its labels or its log', async () => {
  const value = 'Sesame4711Open';
  const put = await owner.put('/v1/workspace/secrets/DOOR', { value, hosts: [], allowEnv: true });
  expect(put.status, put.text).toBe(200);
  const code = `
import json, os, sys
secret = os.environ["DOOR"]
print(f"::label door={secret}", file=sys.stderr)
print(f"::label {secret}=named", file=sys.stderr)
print(f"said {secret}", file=sys.stderr)
if len(sys.argv) > 1 and sys.argv[1] == "fail": raise ValueError(secret)
print(json.dumps({"door": secret, "mark": "marked99"}))
`;
  const leaky = await python(owner, code, { env: ['DOOR'], command: 'python main.py {how}' });
  const well = (await run(owner, leaky, { how: 'well' })).body;
  const failed = (await run(owner, leaky, { how: 'fail' })).body;
  expect([well.status, failed.status]).toEqual(['succeeded', 'failed']);
  await expect.poll(() => listed(owner, 'q=marked99')).toEqual([well.id]);
  await expect.poll(() => listed(owner, 'q=how+fail')).toEqual([failed.id]);
  expect(JSON.stringify([well.labels, failed.labels])).not.toContain(value);
  for (const query of [`q=${value}`, 'q=sesame', `label=door%3D${value}`]) {
    expect([query, await listed(owner, query)]).toEqual([query, []]);
  }
  expect((await owner.get(`/v1/runs/${well.id}/log?q=sesame`)).body.lines).toEqual([]);
  const { rows } = await database().query('SELECT words::text FROM run_words WHERE run_id = ANY($1)', [
    [well.id, failed.id],
  ]);
  expect(JSON.stringify(rows).toLowerCase()).not.toContain('sesame');
});

describe('what is looked for is no statement', () => {
  const NASTY = [
    `needle77' | 'x`,
    `'needle77':* & !'x'`,
    `needle77 <-> \\`,
    `needle77:*`,
    `(needle77`,
    `needle77"); DROP TABLE run_words; --`,
    `needle77 %_`,
    `:words`,
    `$1 needle77`,
    `\u202eneedle77`,
    'ﬁ '.repeat(8),
    '\u{1d7d8}'.repeat(64),
    'e\u0301'.repeat(80),
  ];
  it.each(NASTY)('%j', async (text) => {
    const { status } = await owner.get(`/v1/runs?q=${encodeURIComponent(text)}`);
    expect([200, 400]).toContain(status);
    const log = await owner.get(`/v1/runs/${mine}/log?q=${encodeURIComponent(text)}`);
    expect(log.status).toBe(200);
    const label = `/v1/runs?label=secretive%3D${encodeURIComponent(text)}`;
    expect((await owner.get(label)).body.items).toEqual([]);
  });
});

it('a flood of labels ends as any other output does, and leaves 16 of them', async () => {
  const code = `
import sys
line = "".join(f"::label k{n}={'x' * 250}\\n" for n in range(1000))
for _ in range(300): sys.stderr.write(line)
sys.stderr.write("the end\\n")
`;
  const done = await attacker.attempt(code, { timeout: 120 });
  expect(done).toMatchObject({ status: 'succeeded' });
  expect(Object.keys(done.labels as object)).toHaveLength(16);
  const log = await attacker.log(String(done.id));
  expect(log).toEqual([expect.stringContaining('labels were dropped here'), 'the end']);
});

describe('an input of a megabyte', () => {
  it('is shortened before it is put together, however often labels and the key name it', async () => {
    const often = '{text}'.repeat(33);
    const labels = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`label-${index}`, often]));
    const named = await python(owner, 'print("ok")', {
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      labels,
      concurrency: { key: often, limit: 1 },
    });
    const text = 'x'.repeat(1_000_000);
    const {
      status,
      body,
      text: printed,
    } = await owner.post(`/v1/scripts/${named.slug}/runs`, { inputs: { text } });
    expect(status, printed).toBe(200);
    expect(body.labels).toEqual(Object.fromEntries(Object.keys(labels).map((key) => [key, 'x'.repeat(256)])));
  });
});
