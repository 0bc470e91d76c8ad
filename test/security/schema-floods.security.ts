import { beforeAll, describe, expect, it } from 'vitest';

import { type Answer, type Client, createClient, Seed } from '../../libs/testing/index.js';
import { archiveOf, newSlug } from '../support/scripts.js';
import { expectAnswersDuring } from './support/answers-during.js';
import { aGatedAttacker } from './support/gated.js';

const MiB = 1024 * 1024;
/** Alone: of a service that others use, it could not be told for whom it grows and whom it keeps waiting. */
const attacker = aGatedAttacker({ alone: true });
let bystander: Client;

beforeAll(async () => {
  const { baseUrl } = attacker.gatehouse;
  const { owner, slug } = await new Seed(baseUrl, attacker.database).workspace();
  bystander = createClient({ baseUrl, token: owner.token, workspace: slug });
});

const HUNDRED_NAMES = Array.from({ length: 100 }, (_, index) => `name${index}`);
const INPUTS_OF_1_MIB = { items: Array.from({ length: 340_000 }, () => ({})) };

/** Alternatives of alternatives: little to send, much to try. */
function alternatives(levels: number): object {
  const $defs: Record<string, object> = { d0: { type: 'string' } };
  for (let level = 1; level <= levels; level++) {
    const before = { $ref: `#/$defs/d${level - 1}` };
    $defs[`d${level}`] = { anyOf: [before, before] };
  }
  return { properties: { value: { $ref: `#/$defs/d${levels}` } }, $defs };
}

const expectUnnoticed = (flood: Promise<unknown>): Promise<void> =>
  expectAnswersDuring(flood, () => bystander.get('/v1/workspace'));

async function version(fields: Record<string, unknown>): Promise<Answer> {
  const slug = newSlug();
  await attacker.api.post('/v1/scripts', { slug, name: slug });
  return attacker.api.post(`/v1/scripts/${slug}/versions`, {
    archive: await archiveOf({ 'main.py': 'pass' }),
    ...fields,
  });
}

describe('inputs', () => {
  it('of which 34 million names are missing cost neither the memory nor the time of others', async () => {
    const script = await attacker.script('pass', {
      inputSchema: { properties: { items: { type: 'array', items: { required: HUNDRED_NAMES } } } },
    });
    const before = attacker.residentBytes();
    const flood = Promise.all(
      Array.from({ length: 8 }, () =>
        attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: INPUTS_OF_1_MIB }),
      ),
    );
    await expectUnnoticed(flood);
    for (const { status, body } of await flood) {
      expect(status).toBe(400);
      expect(body.error.details[0]).toEqual({ path: 'inputs.items.0.name0', message: 'is required' });
      expect(body.error.details.length).toBeLessThanOrEqual(20);
    }
    expect(attacker.residentBytes() - before).toBeLessThan(1024 * MiB);
  });

  it('of 60 requests that each take long to judge do not keep others waiting', async () => {
    const script = await attacker.script('pass', { inputSchema: alternatives(18) });
    const flood = Promise.all(
      Array.from({ length: 60 }, () =>
        attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: { value: 1 } }),
      ),
    );
    await expectUnnoticed(flood);
    for (const { status } of await flood) expect([400, 503]).toContain(status);
  });
});

describe('defaults', () => {
  it.each([
    ['a text', 'x'.repeat(50_000)],
    ['many small things', Array.from({ length: 10_000 }, () => [])],
  ])('that 20,000 items of a list take, each %s, make no run of a gigabyte', async (_, value) => {
    const items = { type: 'object', properties: { value: { default: value } } };
    const script = await attacker.script('pass', {
      inputSchema: { properties: { items: { type: 'array', items } } },
    });
    const flood = Promise.all(
      [50, 20_000].map((length) =>
        attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: { items: Array(length).fill({}) } }),
      ),
    );
    await expectUnnoticed(flood);
    for (const { status, text } of await flood) {
      expect(status).toBe(400);
      expect(text).toMatch(/256 KiB larger by the defaults|take too long/);
    }
  });
});

/** Schemas with data that is much for them: some are judged, some given up, none is anybody else's business. */
const HEAVY: [string, object, unknown][] = [
  ['unique items', { uniqueItems: true }, Array.from({ length: 60_000 }, (_, id) => ({ id }))],
  [
    'a pattern on much text',
    { items: { pattern: '^(a|aa|a?b){0,30}$' } },
    Array(20).fill('a'.repeat(50_000)),
  ],
  ['what is contained', { contains: { required: HUNDRED_NAMES } }, Array(250_000).fill({})],
  ['a long list of choices', { items: { enum: [...Array(5_000).keys()] } }, Array(100_000).fill('none')],
  [
    'a large constant',
    { items: { const: [...Array(5_000).keys()] } },
    Array(30).fill([...Array(5_000).keys()]),
  ],
  [
    'names of many patterns',
    { patternProperties: Object.fromEntries(HUNDRED_NAMES.map((name) => [`${name}x?$`, { type: 'null' }])) },
    Object.fromEntries([...Array(50_000).keys()].map((id) => [`name${id}`, 1])),
  ],
  [
    'what nobody has looked at',
    { anyOf: HUNDRED_NAMES.map((name) => ({ properties: { [name]: {} } })), unevaluatedProperties: false },
    Object.fromEntries([...Array(50_000).keys()].map((id) => [`n${id}`, 1])),
  ],
  [
    'schemas that depend on names',
    {
      items: {
        dependentSchemas: Object.fromEntries(
          HUNDRED_NAMES.map((name) => [name, { required: HUNDRED_NAMES.slice(0, 40) }]),
        ),
      },
    },
    Array(3_000).fill(Object.fromEntries(HUNDRED_NAMES.slice(0, 20).map((name) => [name, 1]))),
  ],
  [
    'a schema within itself',
    { $ref: '#/$defs/node' },
    Array.from({ length: 50 }).reduce<object>((inner) => ({ a: inner }), {}),
  ],
  ['mails that are none', { items: { format: 'email' } }, Array(250).fill(`a@${'a.'.repeat(2_000)}`)],
];
const NODE = {
  anyOf: [
    { properties: { a: { $ref: '#/$defs/node' } }, required: ['b'] },
    { properties: { a: { $ref: '#/$defs/node' } }, required: ['c'] },
  ],
};

describe('data', () => {
  it.each(HEAVY)('with %s is judged or given up without keeping others waiting', async (_, value, data) => {
    const script = await attacker.script('pass', {
      inputSchema: { properties: { value }, $defs: { node: NODE } },
    });
    const flood = Promise.all(
      Array.from({ length: 2 }, () =>
        attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: { value: data } }),
      ),
    );
    await expectUnnoticed(flood);
    for (const { status, text } of await flood) expect([200, 400], text.slice(0, 300)).toContain(status);
  });

  it('that a command takes hundreds of times is refused at once', async () => {
    const script = await attacker.script('pass', {
      command: `python3 main.py "${'{x}'.repeat(600)}"`,
      inputSchema: { properties: { x: {} } },
    });
    const x = 'y'.repeat(1_000_000);
    const { status, body } = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: { x } });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('inputs.x');
  });

  it('that a trigger takes hundreds of times makes no run', async () => {
    const script = await attacker.script('pass');
    const created = await attacker.api.post(`/v1/scripts/${script.slug}/triggers`, {
      name: 'a',
      eventType: 'ping',
      inputs: { a: Array(1_000).fill('{{event.data.message}}'), b: '{{event.data.message}}'.repeat(1_000) },
    });
    expect(created.status).toBe(201);
    const event = { data: { message: 'y'.repeat(1_000_000) } };
    const { status, body } = await attacker.api.post(`/v1/triggers/${created.body.id}/test`, { event });
    expect(status).toBe(200);
    expect(body).toMatchObject({ inputs: null, reason: expect.stringContaining('larger than 1 MiB') });
  });
});

describe('schemas', () => {
  it('that take long to compile do not keep others waiting', async () => {
    const patterns = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`p${index}`, { pattern: `^(x{900}|${index})$` }]),
    );
    const flood = Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        version({ inputSchema: { title: `${index}`, properties: patterns } }),
      ),
    );
    await expectUnnoticed(flood);
    for (const { status } of await flood) expect([201, 400, 503]).toContain(status);
  });
});

describe('an output', () => {
  it('that takes long to judge does not keep others waiting', async () => {
    const script = await attacker.script(
      'print(json.dumps([{} for _ in range(300000)], separators=(",", ":")))',
      {
        outputSchema: { type: 'array', items: { required: HUNDRED_NAMES } },
      },
    );
    const ends = Promise.all([attacker.run(script), attacker.run(script)]);
    await expectUnnoticed(ends);
    for (const end of await ends) {
      expect(end).toMatchObject({ status: 'failed', output: null });
      expect(end.error).toMatch(/^the output does not match outputSchema: output\.0\.name0 is required/);
    }
  });
});
