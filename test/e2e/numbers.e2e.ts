import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { type TestScript, newSlug, python, run } from '../support/scripts.js';

let api: Client;
let echo: TestScript;

beforeAll(async () => {
  const workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  echo = await python(api, 'import os; print(open(os.environ["GATEHOUSE_INPUTS"]).read())', {
    inputSchema: { type: 'object' },
  });
});

const INEXACT = [
  '9007199254740993',
  '-12345678901234567890',
  '1e400',
  '-1E+400',
  '1e-400',
  '3.14159265358979323846',
];
const MESSAGE = 'this number cannot be kept exactly; send it as a string';

/** Sends a body as it stands. */
const start = (inputs: string): Promise<Answer> =>
  api.post(`/v1/scripts/${echo.slug}/runs`, `{"inputs": ${inputs}}`);

describe('a number in a request', () => {
  it.each(INEXACT)('that cannot be kept is refused with its place: %s', async (number) => {
    const { status, body } = await start(`{"items": [{"id": 1}, {"id": ${number}}]}`);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'inputs.items.1.id', message: MESSAGE }]);
  });

  it.each(['0.1', '1.50', '1e22', '9007199254740991', '-0', '0.10000000000000001', '5e-324', '1E5'])(
    'that JavaScript holds is taken: %s',
    async (number) => {
      const { status, body, text } = await start(`{"n": ${number}}`);
      expect(status, text).toBe(200);
      expect(body.inputs.n).toBe(Number(number) + 0);
      expect(body.output).toEqual(body.inputs);
    },
  );

  it('that only looks like one in a text is a text', async () => {
    const { status, body } = await start('{"n": "1e400 \\" 12345678901234567890"}');
    expect(status).toBe(200);
    expect(body.output.n).toBe('1e400 " 12345678901234567890');
  });

  it.each<[string, (number: string) => Promise<Answer>, string]>([
    [
      'a schedule',
      (number) =>
        api.post(
          `/v1/scripts/${echo.slug}/schedules`,
          `{"name": "a", "cron": "0 0 1 1 *", "inputs": {"n": ${number}}}`,
        ),
      'inputs.n',
    ],
    [
      "a trigger's filter",
      (number) =>
        api.post(
          `/v1/scripts/${echo.slug}/triggers`,
          `{"name": "a", "eventType": "ping", "filter": {"n": ${number}}}`,
        ),
      'filter.n',
    ],
    [
      'an approval request',
      (number) =>
        api.post(
          '/v1/workspace/approval-requests',
          `{"action": "team.create", "reason": "x", "input": {"n": ${number}}}`,
        ),
      'input.n',
    ],
    [
      'a schema',
      (number) =>
        api.post(
          `/v1/scripts/${echo.slug}/versions`,
          `{"archive": "", "inputSchema": {"properties": {"a": {"maximum": ${number}}}}}`,
        ),
      'inputSchema.properties.a.maximum',
    ],
    ['a field that there is not', (number) => api.post('/v1/scripts', `{"slug": ${number}}`), 'slug'],
  ])('is refused in %s as well', async (_, send, path) => {
    const { status, body } = await send('1e400');
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path, message: MESSAGE }]);
  });
});

describe('a number in an output', () => {
  const text = `{"id":12345678901234567890,"all":[${INEXACT.join(',')}],"tenth":0.1}`;
  const script = (fields = {}): Promise<TestScript> => python(api, `print(${JSON.stringify(text)})`, fields);

  it('is stored and returned as the script wrote it', async () => {
    const ended = await run(api, await script());
    expect(ended.status).toBe(200);
    expect(ended.text).toContain(`"output":${text}`);
    expect((await api.get(`/v1/runs/${ended.body.id}`)).text).toContain(`"output":${text}`);
    const { rows } = await database().query('SELECT output::text FROM runs WHERE id = $1', [ended.body.id]);
    expect(rows).toEqual([{ output: text }]);
  });

  it('stays so where an idempotent request is sent again', async () => {
    const headers = { 'idempotency-key': newSlug() };
    const own = await script();
    const first = await run(api, own, {}, headers);
    const again = await run(api, own, {}, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(again.text).toContain(text);
  });

  it('is checked as the number next to it, and one out of range as none', async () => {
    const integer = { properties: { id: { type: 'integer', minimum: 1 } } };
    expect((await run(api, await script({ outputSchema: integer }))).body.status).toBe('succeeded');
    const finite = { properties: { all: { type: 'array', items: { type: 'number' } } } };
    const { body } = await run(api, await script({ outputSchema: finite }));
    expect(body).toMatchObject({ status: 'failed', output: null });
    expect(body.error).toMatch(/output\.all\.2 must be number/);
  });

  it('is no way around masking', async () => {
    const digits = '73519462085173946208';
    await api.put('/v1/workspace/secrets/PIN', { value: digits, hosts: ['api.example.com'], allowEnv: true });
    const own = await python(api, 'import os; print("[1e400, %s, \\"x\\"]" % os.environ["PIN"])', {
      env: ['PIN'],
    });
    const { text: answer, body } = await run(api, own);
    expect(body.status, answer).toBe('succeeded');
    expect(answer).toContain('"output":[1e400,"***","x"]');
  });
});

describe('large inputs', () => {
  const items = (count: number): object => ({ items: Array.from({ length: count }, (_, id) => ({ id })) });

  it('run like others, with defaults, and can be run again', async () => {
    const counting = await python(
      api,
      'import json, os; i = json.load(open(os.environ["GATEHOUSE_INPUTS"])); print(len(i["items"]), i["unit"])',
      {
        inputSchema: {
          properties: { items: { type: 'array' }, unit: { default: 'C' } },
          required: ['items'],
        },
      },
    );
    const { status, body, text } = await run(api, counting, items(60_000) as Record<string, unknown>);
    expect(status, text.slice(0, 300)).toBe(200);
    expect(body).toMatchObject({ status: 'succeeded', output: '60000 C' });
    expect(body.inputs.items).toHaveLength(60_000);
    const again = await api.post(`/v1/runs/${body.id}/rerun`);
    expect(again.body).toMatchObject({ status: 'succeeded', output: '60000 C' });
  });

  it.each([
    ['a number that cannot be kept', '1e400', MESSAGE],
    ['a NUL character', '"\\u0000"', 'must not contain a NUL character'],
  ])('are refused for %s, with its place', async (_, value, message) => {
    const { status, body } = await start(`{"items": [${'{},'.repeat(60_000)}${value}]}`);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'inputs.items.60000', message }]);
  });

  it('are an object, like others', async () => {
    const { status, body } = await start(JSON.stringify(Array.from({ length: 60_000 }, () => 'some text')));
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'inputs', message: 'must be an object' }]);
  });

  it('can be held for a person', async () => {
    await api.patch(`/v1/scripts/${echo.slug}`, { approvalPolicy: 'always' });
    const { status, body } = await run(api, echo, items(60_000) as Record<string, unknown>);
    await api.patch(`/v1/scripts/${echo.slug}`, { approvalPolicy: 'none' });
    expect(status).toBe(202);
    expect(body.status).toBe('awaiting_approval');
  });

  it('are taken nowhere else', async () => {
    for (const [path, body] of [
      ['/v1/scripts', { slug: newSlug(), name: 'x', description: [items(60_000)] }],
      [`/v1/scripts/${echo.slug}/schedules`, { name: 'a', cron: '@daily', inputs: items(60_000) }],
      ['/v1/workspace/approval-requests', { action: 'team.create', reason: 'x', input: items(60_000) }],
    ] as const) {
      const { status, body: answer } = await api.post(path, body);
      expect(status).toBe(400);
      expect(answer.error.details).toHaveLength(1);
    }
  });
});
