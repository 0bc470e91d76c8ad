import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { archiveOf, newSlug } from '../support/scripts.js';
import { anAttacker } from './support/attack.js';

const attacker = anAttacker();

/** Asks for a version with this schema. */
async function publish(field: 'inputSchema' | 'outputSchema', schema: unknown): Promise<Answer> {
  const slug = newSlug();
  await attacker.api.post('/v1/scripts', { slug, name: slug });
  return attacker.api.post(`/v1/scripts/${slug}/versions`, {
    archive: await archiveOf({ 'main.py': 'pass' }),
    [field]: schema,
  });
}

/** Two ways at each of 60 steps, which is more than anybody can go. */
const EXPONENTIAL = Object.fromEntries([
  ['d0', { type: 'string' }],
  ...Array.from({ length: 60 }, (_, step) => [
    `d${step + 1}`,
    { anyOf: [{ $ref: `#/$defs/d${step}` }, { $ref: `#/$defs/d${step}` }] },
  ]),
]);

describe('a schema', () => {
  it('(a+)+$ does not hang on 50,000 characters, as a pattern of values or of names', async () => {
    const script = await attacker.script('pass', {
      inputSchema: {
        properties: { text: { type: 'string', pattern: '(a+)+$' } },
        patternProperties: { '^(b+)+$': { type: 'null' } },
        additionalProperties: false,
      },
    });
    for (const inputs of [{ text: `${'a'.repeat(50_000)}!` }, { [`${'b'.repeat(50_000)}!`]: null }]) {
      const { status, text } = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs });
      expect(status).toBe(400);
      expect(text).not.toMatch(/take too long/);
    }
  });

  it('(a+)+$ does not hang on what a script returns', async () => {
    const end = await attacker.attempt('print("a" * 50000 + "!")', {
      outputSchema: { type: 'string', pattern: '^(a+)+$' },
    });
    expect(end).toMatchObject({ status: 'failed', output: null });
    expect(end.error).toMatch(/^the output does not match outputSchema/);
  });

  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>', '(', 'a{1,100000}'])(
    'with the pattern %j is refused',
    async (pattern) => {
      const { status, body } = await publish('inputSchema', { properties: { text: { pattern } } });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('inputSchema.properties.text.pattern');
    },
  );

  it('with exponentially many alternatives is given up on, and others are answered soon after', async () => {
    const script = await attacker.script('pass', {
      inputSchema: { properties: { value: { $ref: '#/$defs/d60' } }, $defs: EXPONENTIAL },
    });
    const inputs = { value: 1 };
    const { status, body } = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, { inputs });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/take too long/);
    const end = await attacker.attempt('print(1)', {
      outputSchema: { $ref: '#/$defs/d60', $defs: EXPONENTIAL },
    });
    expect(end).toMatchObject({ status: 'failed', output: null });
    expect(end.error).toMatch(/too long/);
  });

  it('is never fetched from elsewhere', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`;
    for (const reference of [url, 'file:///etc/passwd', '/etc/passwd', 'other.json', '//127.0.0.1/x']) {
      for (const field of ['inputSchema', 'outputSchema'] as const) {
        const { status, body } = await publish(field, {
          type: 'object',
          properties: { a: { $ref: reference } },
        });
        expect(status).toBe(400);
        expect(body.error.details[0].path).toBe(`${field}.properties.a.$ref`);
      }
    }
    for (const dialect of [url, 'http://json-schema.org/draft-04/schema#']) {
      expect((await publish('inputSchema', { $schema: dialect })).status).toBe(400);
    }
    expect(requests).toBe(0);
    server.close();
  });

  it('that refers to itself without end is refused', async () => {
    expect((await publish('inputSchema', { properties: { a: { $ref: '#/properties/a' } } })).status).toBe(
      400,
    );
    expect((await publish('inputSchema', { allOf: [{ $ref: '#' }] })).status).toBe(400);
  });

  it('that is huge is refused', async () => {
    const nested = Array.from({ length: 40 }).reduce<object>((inner) => ({ not: inner }), {});
    const wide = { properties: Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`p${n}`, {}])) };
    for (const schema of [nested, wide]) {
      const { status, body } = await publish('inputSchema', schema);
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('inputSchema');
    }
  });

  it('is data, whatever code its names and values look like', async () => {
    const code = "\"];process.exit(1);//`${process.exit(1)}`\u2028'+process.exit(1)+'";
    const schema = {
      title: code,
      $comment: code,
      type: 'object',
      properties: { [code]: { type: 'string', default: code, enum: [code], const: code } },
      patternProperties: { '^x"\\]\\);process\\.exit': { description: code } },
      dependentRequired: { [code]: [code] },
      [code]: code,
    };
    const end = await attacker.attempt('print(json.dumps(list(inputs().values())))', { inputSchema: schema });
    expect(end).toMatchObject({ status: 'succeeded', output: [code] });
  });
});
