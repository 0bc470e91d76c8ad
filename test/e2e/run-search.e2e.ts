import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, finished, python, runUntil, type TestScript } from '../support/scripts.js';

const SCHEMA = {
  type: 'object',
  properties: { customer: { type: 'string' }, region: { type: 'string' }, order: {} },
};
const LABELLED = { inputSchema: SCHEMA, labels: { customer: '{customer}', place: '{region}/{customer}' } };
const ECHO = 'import os; print(open(os.environ["GATEHOUSE_INPUTS"]).read())';

let ws: TestWorkspace;
let owner: Client;
let script: TestScript;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
  script = await python(owner, ECHO, LABELLED);
});

const start = (body: object, of = script): Promise<Answer> => owner.post(`/v1/scripts/${of.slug}/runs`, body);
const idsOf = async (query: string, api = owner): Promise<string[]> => {
  const { status, body, text } = await api.get(`/v1/runs?${query}`);
  expect(status, text).toBe(200);
  return (body.items as { id: string }[]).map(({ id }) => id);
};
const found = (query: string) => expect.poll(() => idsOf(query));
const pathsOf = ({ status, body }: Answer): unknown[] => [
  status,
  ...(body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path),
];

describe('Labels', () => {
  it('are made of inputs by the version, and those of the start come first', async () => {
    const inputs = { customer: 'acme', region: 'eu' };
    const { status, body, text } = await start({
      inputs,
      labels: { place: 'elsewhere', note: 'first: yes' },
    });
    expect(status, text).toBe(200);
    const labels = { customer: 'acme', place: 'elsewhere', note: 'first: yes' };
    expect(body.labels).toEqual(labels);
    expect((await owner.get(`/v1/runs/${body.id}`)).body.labels).toEqual(labels);
    const { items } = (await owner.get('/v1/runs?label=note')).body as { items: Json[] };
    expect(items).toMatchObject([{ id: body.id, labels }]);
    const { rows } = await database().query(
      `SELECT type, data FROM events WHERE data ->> 'runId' = $1 ORDER BY id`,
      [body.id],
    );
    expect(rows).toMatchObject([
      { type: 'run.started', data: { labels } },
      { type: 'run.succeeded', data: { labels } },
    ]);
    const version = (await owner.get(`/v1/scripts/${script.slug}/versions/1`)).body;
    expect(version.labels).toEqual(LABELLED.labels);
  });

  it('leave out what comes out empty, are one line each, and no longer than may be', async () => {
    const { body } = await start({ inputs: { customer: `a\nb\tc${'x'.repeat(300)}`, order: 1 } });
    expect(body.labels).toEqual({
      customer: `a b c${'x'.repeat(251)}`,
      place: `/a b c${'x'.repeat(250)}`,
    });
    expect((await start({ inputs: {} })).body.labels).toEqual({ place: '/' });
  });

  it('are what a script prints while it goes on, which a rerun keeps', async () => {
    const code = `
import sys
for line in ["::label step=one", "::label step=two words", "::label No=1", "::label x=", "plain", "::label customer=printed"]:
    print(line, file=sys.stderr)
`;
    const printing = await python(owner, code, LABELLED);
    const { body } = await start({ inputs: { customer: 'acme' }, labels: { given: 'yes' } }, printing);
    const labels = { given: 'yes', place: '/acme', customer: 'printed', step: 'two words' };
    expect(body.labels).toEqual(labels);
    const { lines } = (await owner.get(`/v1/runs/${body.id}/log`)).body;
    expect(lines).toEqual(['::label No=1', '::label x=', 'plain']);
    const again = await owner.post(`/v1/runs/${body.id}/rerun`, {});
    expect(again.body.labels).toEqual(labels);
    expect(await idsOf('label=step%3Dtwo+words')).toEqual([again.body.id, body.id]);
  });

  it('are at most 16: what is printed beyond that is dropped, and the log says so once', async () => {
    const code = `
import sys
for n in range(40): print(f"::label n{n}={n}", file=sys.stderr)
print("::label n0=" + "x" * 257, file=sys.stderr)
print("::label n0=changed", file=sys.stderr)
`;
    const { body } = await start({}, await python(owner, code));
    const labels = body.labels as Record<string, string>;
    expect(Object.keys(labels)).toHaveLength(16);
    expect(labels).toMatchObject({ n0: 'changed', n15: '15' });
    expect((await owner.get(`/v1/runs/${body.id}/log`)).body.lines).toEqual([
      '[labels were dropped here: a run has at most 16, of at most 256 characters]',
    ]);
  });

  it('are of a whole batch, and of what waits for further starts those of the newest', async () => {
    const batch = await owner.post(`/v1/scripts/${script.slug}/runs/batch`, {
      inputs: [{ customer: 'b1' }, { customer: 'b2' }],
      labels: { night: '7' },
    });
    expect(batch.status, batch.text).toBe(202);
    const [one, two] = batch.body.runs as [string, string];
    expect((await owner.get(`/v1/runs/${two}`)).body.labels).toEqual({
      customer: 'b2',
      place: '/b2',
      night: '7',
    });
    expect(await idsOf('label=night%3D7')).toEqual([two, one]);
    expect(await idsOf('label=night&label=customer%3Db1')).toEqual([one]);

    const gathered = await python(owner, ECHO, { ...LABELLED, debounce: { wait: 600 } });
    const first = await start({ inputs: { customer: 'd1' }, labels: { turn: '1' } }, gathered);
    const second = await start({ inputs: { customer: 'd2' } }, gathered);
    expect(second.body).toMatchObject({ id: first.body.id, labels: { customer: 'd2', place: '/d2' } });
    expect(second.body.labels).not.toHaveProperty('turn');
  });

  it.each([
    [{ A: 'x' }, 'labels.A'],
    [{ a: '' }, 'labels.a'],
    [{ a: 'x'.repeat(257) }, 'labels.a'],
    [{ a: 'x\ny' }, 'labels.a'],
    [{ a: 1 }, 'labels.a'],
    [Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`l${n}`, 'x'])), 'labels'],
    [Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`l${n}`, 'x'])), 'labels'],
    [['a'], 'labels'],
    [null, 'labels'],
  ])('that are wrong are refused at their place (%#)', async (labels, path) => {
    expect(pathsOf(await start({ labels }))).toEqual([400, path]);
  });

  it('of a version name inputs that there are', async () => {
    const slug = script.slug;
    const archive = await archiveOf({ 'main.py': ECHO });
    const version = (labels: unknown) =>
      owner.post(`/v1/scripts/${slug}/versions`, { archive, inputSchema: SCHEMA, labels });
    expect(pathsOf(await version({ a: '{nobody}', b: '{' }))).toEqual([400, 'labels.a', 'labels.b']);
    expect(pathsOf(await version({ a: '' }))).toEqual([400, 'labels.a']);
    expect(pathsOf(await version({ 'a b': 'x' }))).toEqual([400, 'labels.a b']);
  });
});

describe('The list of runs', () => {
  it('finds words of labels, inputs, outputs and errors, and words that begin so', async () => {
    const { body } = await start({
      inputs: { customer: 'Zürich', order: { items: ['Größe-42', 'line\nbreak', 1234567] } },
      labels: { ticket: 'Q-981' },
    });
    const failing = await python(owner, 'raise ValueError("quicksand ahead")');
    const failed = (await start({}, failing)).body;
    expect(failed.status).toBe('failed');
    const { id } = body;
    await found('q=zürich').toEqual([id]);
    for (const q of ['ZÜR', 'größe', 'break', '12345', '981+ticket', 'customer+981+"order"', 'size%26break'])
      expect([q, await idsOf(`q=${encodeURIComponent(q).replaceAll('%2B', '+')}`)]).toEqual([
        q,
        q === 'size%26break' ? [] : [id],
      ]);
    await found('q=quicksand').toEqual([failed.id]);
    expect(await idsOf('q=quicksand&status=succeeded')).toEqual([]);
    expect(await idsOf('q=quicksand&status=cancelled,failed')).toEqual([failed.id]);
    expect(await idsOf('q=uicksand')).toEqual([]);
    expect(await idsOf(`q=${id}`)).toEqual([id]);
    expect(await idsOf(`q=${String(id).slice(0, -1)}`)).toEqual([]);
  });

  it('finds a run that goes on, and by its id at once; also where another speaks of it', async () => {
    const waiting = await python(owner, ECHO, LABELLED);
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await start({ inputs: { customer: 'slowpoke' }, startAt }, waiting);
    expect(await idsOf(`q=${body.id}`)).toEqual([body.id]);
    await found('q=slowpo').toEqual([body.id]);
    const other = await start({ inputs: { order: `see ${body.id}` } });
    await found(`q=${body.id}`).toEqual([other.body.id, body.id]);
    await owner.post(`/v1/runs/${body.id}/cancel`, {});
  });

  it('looks at small inputs and outputs only', async () => {
    const { body } = await start({
      inputs: { order: `tiny ${'x '.repeat(6_000)}` },
      labels: { size: 'huge' },
    });
    await found('q=huge').toEqual([body.id]);
    expect(await idsOf('q=tiny')).toEqual([]);
  });

  it('goes on with the next page, and is exported', async () => {
    const ids: unknown[] = [];
    for (const n of [1, 2, 3]) ids.unshift((await start({ labels: { paged: `p${n}` } })).body.id);
    await found('q=paged').toEqual(ids);
    const first = (await owner.get('/v1/runs?q=paged&limit=2')).body;
    const rest = await idsOf(`q=paged&limit=2&cursor=${first.nextCursor}`);
    expect([...(first.items as Json[]).map(({ id }) => id), ...rest]).toEqual(ids);
    const { text } = await owner.get('/v1/runs/export?q=paged&label=paged&format=csv');
    expect(text.split('\r\n').filter((line) => line.includes('paged'))).toHaveLength(3);
    expect(text).toContain('labels');
  });

  it('has those of several statuses, and those that took long', async () => {
    const slow = (await start({}, await python(owner, 'import time; time.sleep(1.1)'))).body;
    expect(await idsOf('minSeconds=1')).toContain(slow.id);
    const long = (await owner.get('/v1/runs?minSeconds=1&status=succeeded,failed')).body as { items: Json[] };
    expect(long.items.every(({ durationMs }) => (durationMs as number) >= 1000)).toBe(true);
    expect(await idsOf('minSeconds=604800')).toEqual([]);
  });

  it.each([
    ['status=failed,', 'status'],
    ['status=failed,what', 'status'],
    ['label=A', 'label'],
    ['label=a%3D', 'label'],
    [Array.from({ length: 9 }, (_, n) => `label=l${n}`).join('&'), 'label'],
    ['q=%26%7C%21', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    [`q=${'x+'.repeat(9)}`, 'q'],
    ['q=a&q=b', 'q'],
    ['minSeconds=-1', 'minSeconds'],
    ['minSeconds=1.5', 'minSeconds'],
    ['minSeconds=604801', 'minSeconds'],
  ])('refuses what is wrong at its place (%#)', async (query, path) => {
    expect(pathsOf(await owner.get(`/v1/runs?${query}`))).toEqual([400, path]);
  });

  it('has what is done to many runs at once', async () => {
    const wanted = (await start({ labels: { many: 'yes' } })).body;
    await start({ labels: { many: 'no' } });
    const rerun = (body: object) => owner.post('/v1/runs/rerun', body);
    expect((await rerun({ label: ['many=yes'], dryRun: true })).body).toEqual({ matched: 1, more: false });
    await found('q=many+yes').toEqual([wanted.id]);
    const of = { q: 'many yes', status: 'succeeded,failed', minSeconds: 0 };
    const { status, body, text } = await rerun(of);
    expect(status, text).toBe(202);
    expect(body.filter).toEqual(of);
    await found('label=many%3Dyes').toHaveLength(2);
    expect(pathsOf(await rerun({ label: 'many' }))).toEqual([400, 'label']);
    expect(pathsOf(await rerun({ label: [] }))).toEqual([400, 'label']);
    expect(pathsOf(await rerun({ q: '' }))).toEqual([400, 'q']);
    expect(pathsOf(await rerun({ status: 'running' }))).toEqual([400, 'status']);
  });
});

describe('The log of a run', () => {
  it('gives the lines that contain a text, with their numbers', async () => {
    const code = `
import sys
for n in range(3000): print(f"line {n}: {'Äpfel' if n % 1000 == 7 else 'pears'} 100%", file=sys.stderr)
`;
    const { id } = (await start({}, await python(owner, code))).body;
    const log = (query: string) => owner.get(`/v1/runs/${id}/log?${query}`);
    expect((await log('q=%C3%A4PFEL')).body).toEqual({
      lines: ['line 7: Äpfel 100%', 'line 1007: Äpfel 100%', 'line 2007: Äpfel 100%'],
      numbers: [7, 1007, 2007],
      next: 3000,
    });
    expect((await log('q=%C3%A4pfel&limit=1&after=8')).body).toMatchObject({ numbers: [1007], next: 1008 });
    expect((await log('q=nothing&attempt=1')).body).toEqual({ lines: [], numbers: [], next: 3000 });
    expect((await log('q=100%25&limit=2')).body).toMatchObject({ numbers: [0, 1], next: 2 });
    expect(pathsOf(await log(`q=${'x'.repeat(201)}`))).toEqual([400, 'q']);
    expect((await log('limit=1')).body).toEqual({ lines: ['line 0: pears 100%'], next: 1 });
  });
});

it('the words of a run go with it', async () => {
  const { id } = (await start({ labels: { gone: 'soon' } })).body;
  await found('q=gone').toEqual([id]);
  await runUntil(owner, String(id), finished);
  await database().query('DELETE FROM runs WHERE id = $1', [id]);
  const { rows } = await database().query('SELECT FROM run_words WHERE run_id = $1', [id]);
  expect(rows).toEqual([]);
  expect(await idsOf('q=gone')).toEqual([]);
});
