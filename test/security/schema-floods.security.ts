import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, newSlug } from '../support/scripts.js';
import { anAttacker } from './support/attack.js';

const MiB = 1024 * 1024;
const attacker = anAttacker();
let bystander: Client;

beforeAll(async () => {
  const workspace = await newWorkspace();
  bystander = client({ token: workspace.owner.token, workspace: workspace.slug });
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

/** What somebody else waits for an answer while a flood goes on, in ms, the longest wait last. */
async function waitsDuring(flood: Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  let over = false;
  const end = flood.finally(() => (over = true));
  do {
    const began = performance.now();
    const { status } = await bystander.get('/v1/workspace');
    waits.push(performance.now() - began);
    expect(status).toBe(200);
    await new Promise((done) => setTimeout(done, 20));
  } while (!over);
  await end;
  return waits.sort((one, other) => one - other);
}

/** The bounds leave room for a machine that does other things: unbounded, a wait is as long as the flood. */
function expectUnnoticed(waits: number[]): void {
  const share = (part: number): number => waits[Math.floor((waits.length - 1) * part)]!;
  const told = `${waits.length} waits: half to ${share(0.5)} ms, 95 % to ${share(0.95)} ms, all to ${share(1)} ms`;
  expect(share(0.5), told).toBeLessThan(100);
  expect(share(0.95), told).toBeLessThan(400);
  expect(share(1), told).toBeLessThan(2_000);
}

async function residentBytes(): Promise<number> {
  const { text } = await attacker.api.get('/metrics');
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

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
    const before = await residentBytes();
    const flood = Promise.all(
      Array.from({ length: 8 }, () =>
        attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: INPUTS_OF_1_MIB }),
      ),
    );
    expectUnnoticed(await waitsDuring(flood));
    for (const { status, body } of await flood) {
      expect(status).toBe(400);
      expect(body.error.details[0]).toEqual({ path: 'inputs.items.0.name0', message: 'is required' });
      expect(body.error.details.length).toBeLessThanOrEqual(20);
    }
    expect((await residentBytes()) - before).toBeLessThan(500 * MiB);
  });

  it('of 60 requests that each take long to judge do not keep others waiting', async () => {
    const script = await attacker.script('pass', { inputSchema: alternatives(18) });
    const flood = Promise.all(
      Array.from({ length: 60 }, () =>
        attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: { value: 1 } }),
      ),
    );
    expectUnnoticed(await waitsDuring(flood));
    for (const { status } of await flood) expect([400, 503]).toContain(status);
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
    expectUnnoticed(await waitsDuring(flood));
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
    expectUnnoticed(await waitsDuring(ends));
    for (const end of await ends) {
      expect(end).toMatchObject({ status: 'failed', output: null });
      expect(end.error).toMatch(/^the output does not match outputSchema: output\.0\.name0 is required/);
    }
  });
});
