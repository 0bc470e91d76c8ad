import { describe, expect, it } from 'vitest';

import { processorTime } from '../fuzz/index.js';
import { InvalidInput } from '../invalid-input/index.js';
import { checkSchema } from './check-schema.js';
import { compiledSchema } from './compiled-schemas.js';

function refusal(
  schema: unknown,
  path: 'inputSchema' | 'outputSchema' = 'inputSchema',
): { path: string; message: string } {
  try {
    checkSchema(schema, path);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInput);
    return (error as InvalidInput).details![0]!;
  }
  throw new Error('accepted');
}

const withCity = (city: object) => ({ type: 'object', properties: { city } });

describe('checkSchema', () => {
  it.each<[string, object]>([
    ['an empty one', {}],
    [
      'annotations and unknown keywords',
      { title: 'T', 'x-order': ['a'], $comment: 'c', examples: [{ pattern: '(' }] },
    ],
    [
      'the dialect and an id',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://example.com/s' },
    ],
    ['an unknown format', withCity({ type: 'string', format: 'password' })],
    [
      'draft 07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { city: { type: 'string' } },
        ...withCity({ $ref: '#/definitions/city' }),
      },
    ],
    ['formats', withCity({ type: 'string', format: 'date-time', default: '2020-01-01T00:00:00Z' })],
    [
      'references',
      {
        properties: { a: { $ref: '#/$defs/x~1y' }, b: { $ref: '#n' } },
        $defs: { 'x/y': {}, n: { $anchor: 'n' } },
      },
    ],
    ['a tree', { properties: { left: { $ref: '#' }, right: { $ref: '#' } } }],
    [
      'files',
      {
        properties: {
          doc: { type: 'string', format: 'file' },
          docs: { type: 'array', items: { type: 'string', format: 'file' } },
        },
      },
    ],
    [
      'what looks like a schema in a value',
      { default: { $ref: 'http://x' }, enum: [{ format: 'nope' }, {}] },
    ],
    [
      'properties called like keywords',
      {
        properties: {
          pattern: { type: 'string' },
          $ref: { type: 'string' },
          id: {},
          format: {},
          constructor: {},
        },
      },
    ],
  ])('accepts %s', (_name, schema) => expect(() => checkSchema(schema, 'inputSchema')).not.toThrow());

  it.each<[string, unknown, string]>([
    ['no object', [], 'inputSchema'],
    ['null', null, 'inputSchema'],
    ['an input that is no object', { type: 'array' }, 'inputSchema.type'],
    ['an unknown type', withCity({ type: 'text' }), 'inputSchema.properties.city.type'],
    ['a wrong keyword value', withCity({ minLength: -1 }), 'inputSchema.properties.city.minLength'],
    ['draft 4 required', withCity({ required: true }), 'inputSchema.properties.city.required'],
    ['$data', withCity({ minimum: { $data: '1/x' } }), 'inputSchema.properties.city.minimum'],
    ['a lookahead', withCity({ pattern: '^(?=a)b' }), 'inputSchema.properties.city.pattern'],
    ['a backreference', withCity({ pattern: '(a)\\1' }), 'inputSchema.properties.city.pattern'],
    ['a named backreference', withCity({ pattern: '(?<n>a)\\k<n>' }), 'inputSchema.properties.city.pattern'],
    ['a pattern that is none', withCity({ pattern: '[a' }), 'inputSchema.properties.city.pattern'],
    [
      'a pattern of another dialect',
      withCity({ pattern: '\\Aabc\\z' }),
      'inputSchema.properties.city.pattern',
    ],
    [
      'a bad patternProperties',
      { patternProperties: { '(?!x)': {} } },
      'inputSchema.patternProperties.(?!x)',
    ],
    [
      'a remote reference',
      withCity({ $ref: 'https://example.com/s.json' }),
      'inputSchema.properties.city.$ref',
    ],
    ['a file reference', withCity({ $ref: 'file:///etc/passwd' }), 'inputSchema.properties.city.$ref'],
    ['a reference to nothing', withCity({ $ref: '#/$defs/none' }), 'inputSchema.properties.city.$ref'],
    [
      'a reference into a value',
      { ...withCity({ $ref: '#/default' }), default: {} },
      'inputSchema.properties.city.$ref',
    ],
    ['an endless reference', { $ref: '#' }, 'inputSchema'],
    [
      'an endless round',
      {
        allOf: [{ $ref: '#/$defs/a' }],
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
      'inputSchema.$defs.a',
    ],
    ['another draft', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'inputSchema.$schema'],
    [
      'a list of items, as in draft 07',
      { $schema: 'http://json-schema.org/draft-07/schema#', ...withCity({ items: [{}] }) },
      'inputSchema.properties.city.items',
    ],
    ['an inner id', withCity({ $id: 'x' }), 'inputSchema.properties.city.$id'],
    ['an asynchronous one', { $async: true }, 'inputSchema.$async'],
    [
      'a nested file',
      withCity({ type: 'object', properties: { f: { type: 'string', format: 'file' } } }),
      'inputSchema.properties.city.properties.f.format',
    ],
    [
      'a file in anyOf',
      { anyOf: [{ properties: { f: { type: 'string', format: 'file' } } }] },
      'inputSchema.anyOf.0.properties.f.format',
    ],
    ['a file without type', withCity({ format: 'file' }), 'inputSchema.properties.city.type'],
    [
      'a file with a name that is no folder',
      { properties: { '../x': { type: 'string', format: 'file' } } },
      'inputSchema.properties.../x',
    ],
    [
      'a default that does not fit',
      withCity({ type: 'integer', default: 'x' }),
      'inputSchema.properties.city.default',
    ],
    [
      '__proto__',
      JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'),
      'inputSchema.properties.__proto__',
    ],
  ])('refuses %s, naming the place', (_name, schema, path) => expect(refusal(schema).path).toBe(path));

  it('refuses one that is too large or too deep', () => {
    expect(refusal({ description: 'x'.repeat(65 * 1024) }).message).toContain('64 KiB');
    let deep: object = {};
    for (let level = 0; level < 9; level++) deep = { properties: { a: deep } };
    expect(() => checkSchema(deep, 'inputSchema')).not.toThrow();
    expect(refusal({ properties: { b: { properties: { c: deep } } } }).message).toContain('20 deep');
    let bottomless: object = {};
    for (let level = 0; level < 5000; level++) bottomless = { not: bottomless };
    expect(refusal(bottomless).message).toContain('20 deep');
  });

  it('takes any type for an output, but no file', () => {
    checkSchema({ type: 'array', items: { type: 'number' } }, 'outputSchema');
    expect(refusal({ properties: { f: { type: 'string', format: 'file' } } }, 'outputSchema').path).toBe(
      'outputSchema.properties.f.format',
    );
  });

  it('keeps names and values from becoming code', () => {
    const evil = [
      `"]; globalThis.pwned = 1; //`,
      '${globalThis.pwned = 1}',
      `'+(globalThis.pwned=1)+'`,
      '\u2028globalThis.pwned=1',
    ];
    const schema = {
      type: 'object',
      properties: Object.fromEntries(
        evil.map((text) => [text, { enum: [text], default: text, description: text }]),
      ),
      required: evil,
      patternProperties: Object.fromEntries(
        evil.map((text) => [text.replace(/[^a-zA-Z0-9=.;]/gu, '\\u{0}'), {}]),
      ),
      $defs: Object.fromEntries(evil.map((text) => [text, { const: text }])),
      dependentRequired: Object.fromEntries(evil.map((text) => [text, evil])),
    };
    checkSchema(schema, 'inputSchema');
    compiledSchema(schema, 'input').check(Object.fromEntries(evil.map((text) => [text, `${text}!`])));
    expect('pwned' in globalThis).toBe(false);
  });

  it('compiles the largest schemas in bounded time', async () => {
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 2200 }, (_, i) => [`p${i}`, { type: 'string' }])),
    };
    const many = { enum: Array.from({ length: 20_000 }, (_, i) => i % 10) };
    const refs = {
      $defs: { big: { enum: Array.from({ length: 3000 }, (_, i) => i) } },
      allOf: Array.from({ length: 2000 }, () => ({ $ref: '#/$defs/big' })),
    };
    for (const schema of [wide, many, refs]) {
      expect(await processorTime(() => checkSchema(schema, 'inputSchema'))).toBeLessThan(20_000);
    }
  });
});
