import { describe, expect, it } from 'vitest';

import { checkSchema, fitInputs } from '../../../../json-schema/index.js';
import { inputProblems } from './input-problems.js';

type Schema = Record<string, unknown>;

/** A schema of one input, values that fit it, and values that do not. */
type Case = [schema: Schema, fit: unknown[], unfit: unknown[]];

const CASES: Case[] = [
  [{}, [null, 0, '', [], {}], []],
  // Types
  [{ type: 'string' }, ['', 'text'], [1, null, true, [], {}]],
  [{ type: 'number' }, [0, -1.5, 1e300], ['1', null, true]],
  [{ type: 'integer' }, [0, -3, 1.0, 1e15], [1.5, '1']],
  [{ type: 'boolean' }, [true, false], [0, 'true', null]],
  [{ type: 'null' }, [null], [0, '', false]],
  [{ type: 'array' }, [[], [1, 'a']], [{}, '[]']],
  [{ type: 'object' }, [{}, { a: 1 }], [[], null]],
  [{ type: ['string', 'null'] }, ['', null], [1, {}]],
  [{ type: ['integer', 'array'] }, [1, []], [1.5, {}]],
  [{ type: 'string', nullable: true }, ['a', null], [1]],
  [{ enum: ['a', 1, null, { b: [1] }] }, ['a', 1, null, { b: [1] }], ['b', 2, { b: [2] }, { b: [1], c: 1 }]],
  [{ const: { a: [1, 'x'] } }, [{ a: [1, 'x'] }], [{ a: ['x', 1] }, { a: [1] }]],
  [{ const: 1 }, [1, 1.0], [true, '1']],
  // Numbers
  [{ minimum: 1, maximum: 14 }, [1, 14, 'text'], [0.9, 15]],
  [{ exclusiveMinimum: 0, exclusiveMaximum: 1 }, [0.5], [0, 1]],
  [{ type: 'integer', multipleOf: 5 }, [0, 15, -5], [7]],
  [{ multipleOf: 0.1 }, [0.3, 1.1, 7], [0.35]],
  [{ multipleOf: 1e9 }, [0, 2e9], [1]],
  [{ multipleOf: 1e-7 }, [1, 3e-7, 1e300], [1e-10]],
  [{ multipleOf: 0.5 }, [0.5, 3], [0.7]],
  [{ multipleOf: 0.25, minimum: 0 }, [0.75], [-0.25, 0.1]],
  // Texts
  [{ minLength: 2, maxLength: 3 }, ['ab', 'äöü', '👍👍', 1], ['a', '👍', 'abcd', '👍👍👍👍']],
  [{ pattern: '^[a-z]+$' }, ['abc', 1], ['', 'Abc', 'a b']],
  [{ pattern: 'b' }, ['abc'], ['aac']],
  [{ pattern: '^\\d{4}-\\w+\\s?$' }, ['2026-ab', '2026-a '], ['٢٠٢٦-ab', '2026-ä']],
  [{ pattern: '^.$' }, ['a', '👍'], ['', 'ab', '\n']],
  [{ pattern: '^(?:x|\\p{L})+$' }, ['xä'], ['x1']],
  [{ type: 'string', format: 'date' }, ['2026-01-31', '2024-02-29'], ['2026-02-29', '31.1.2026', '']],
  [{ format: 'time' }, ['09:30:00Z', '09:30:00.5+02:00'], ['09:30', '25:00:00Z']],
  [
    { format: 'date-time' },
    ['2026-01-31T09:30:00Z', '2026-01-31t09:30:00+01:00'],
    ['2026-01-31', '2026-01-31T09:30'],
  ],
  [{ format: 'duration' }, ['PT15M', 'P1DT2H', 'P2W'], ['15 minutes', 'P', 'PT']],
  [
    { format: 'email' },
    ['a@example.com', 'a.b+c@sub.example.com'],
    ['nobody', '@example.com', 'a b@example.com'],
  ],
  [{ format: 'hostname' }, ['example.com', 'a-b.c'], ['-a.com', 'a_b.com', '']],
  [{ format: 'ipv4' }, ['192.0.2.1'], ['256.0.0.1', '1.2.3']],
  [{ format: 'ipv6' }, ['2001:db8::1', '::', '::ffff:192.0.2.1'], ['2001:db8', '1::2::3']],
  [{ format: 'uuid' }, ['0190f3d1-7d1c-7b58-8a2e-0a8f1c4c0001'], ['0190f3d1']],
  [{ format: 'uri' }, ['https://example.com/a?b#c', 'mailto:a@example.com'], ['example.com', '/a', 'a b:c']],
  [{ format: 'uri-reference' }, ['/a/b?c', '../d', 'https://example.com'], ['a b']],
  [{ format: 'json-pointer' }, ['', '/a/~0b'], ['a', '/~2']],
  [{ format: 'regex' }, ['^a+$'], ['(', '[']],
  [{ format: 'password' }, ['any', ''], []],
  // Objects
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    [{ a: '' }, { a: 'x', b: 1 }],
    [{}, { b: 1 }, { a: 1 }],
  ],
  [{ properties: { a: false } }, [{}, { b: 1 }], [{ a: 1 }]],
  [
    { properties: { a: true }, additionalProperties: false },
    [{}, { a: 1 }],
    [{ b: 1 }, { a: 1, constructor: 1 }],
  ],
  [{ additionalProperties: { type: 'integer' } }, [{}, { a: 1 }], [{ a: 1, b: 'x' }]],
  [
    { patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false },
    [{ 'x-a': 1 }],
    [{ 'x-a': 'b' }, { a: 1 }],
  ],
  [{ propertyNames: { pattern: '^[a-z]+$' } }, [{ ab: 1 }], [{ 'a-b': 1 }]],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }, { a: 1, b: 2 }], [{}, { a: 1, b: 2, c: 3 }]],
  [{ required: ['constructor'] }, [{ constructor: 1 }], [{}]],
  [{ dependentRequired: { a: ['b'] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    { dependentSchemas: { a: { required: ['b'], properties: { b: { type: 'string' } } } } },
    [{}, { a: 1, b: '' }],
    [{ a: 1 }, { a: 1, b: 1 }],
  ],
  // Lists
  [{ items: { type: 'integer' } }, [[], [1, 2], 'text'], [[1, 'a']]],
  [
    { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    [['a'], ['a', 1]],
    [[1], ['a', 1, 2]],
  ],
  [{ minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    { uniqueItems: true },
    [
      [1, '1', true],
      [{ a: 1 }, { a: 2 }],
    ],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [{ contains: { type: 'integer' } }, [[1], ['a', 1]], [[], ['a']]],
  [
    { contains: { type: 'integer' }, minContains: 2, maxContains: 3 },
    [
      [1, 2],
      [1, 'a', 2, 3],
    ],
    [[1], [1, 2, 3, 4]],
  ],
  [{ contains: { type: 'integer' }, minContains: 0, maxContains: 1 }, [[], ['a'], [1]], [[1, 2]]],
  // Alternatives
  [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
  [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 6], [4]],
  [{ oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 9], [1, 6]],
  [{ not: { type: 'string' } }, [1, null], ['a']],
  [
    {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      then: { required: ['b'] },
      else: { required: ['c'] },
    },
    [{ a: 1, b: 1 }, { a: 2, c: 1 }, { c: 1 }],
    [{ a: 1 }, { a: 2, b: 1 }],
  ],
  // What no part of the schema has looked at
  [
    { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
    [{}, { a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  [
    {
      oneOf: [
        { properties: { kind: { const: 'a' }, x: true }, required: ['kind'] },
        { properties: { kind: { const: 'b' }, y: true }, required: ['kind'] },
      ],
      unevaluatedProperties: false,
    },
    [
      { kind: 'a', x: 1 },
      { kind: 'b', y: 1 },
    ],
    [{ kind: 'a', y: 1 }, { kind: 'c' }],
  ],
  [
    { if: { required: ['a'] }, then: { properties: { a: true, b: true } }, unevaluatedProperties: false },
    [{}, { a: 1, b: 1 }],
    [{ b: 1 }],
  ],
  [{ prefixItems: [true], unevaluatedItems: false }, [[], [1]], [[1, 2]]],
  // References
  [
    { $ref: '#/$defs/person' },
    [{ email: 'a@example.com' }, { email: 'a@example.com', knows: [{ email: 'b@example.com' }] }],
    [{}, { email: 'nobody' }, { email: 'a@example.com', knows: [{}] }],
  ],
  [{ $ref: '#/$defs/person', maxProperties: 1 }, [{ email: 'a@example.com' }], [{ email: 'a@b.c', a: 1 }]],
  [{ $ref: '#count' }, [1], [0, 1.5]],
];

const $defs = {
  person: {
    type: 'object',
    required: ['email'],
    properties: {
      email: { type: 'string', format: 'email' },
      knows: { type: 'array', items: { $ref: '#/$defs/person' } },
    },
  },
  count: { $anchor: 'count', type: 'integer', minimum: 1 },
};

/** Where one differs, the form would refuse what the service takes, or the other way round. */
describe('the validators of the form and of the service', () => {
  it.each(CASES)('say the same of %j', (input, fit, unfit) => {
    const schema = { type: 'object', properties: { input }, $defs };
    checkSchema(schema, 'inputSchema');
    const byForm = (value: unknown) => inputProblems(schema as never, { input: value }).length === 0;
    const byService = (value: unknown) => {
      try {
        fitInputs(schema, { input: structuredClone(value) });
        return true;
      } catch {
        return false;
      }
    };
    const all = [...fit, ...unfit];
    const expected = all.map((value, index) => [value, index < fit.length]);
    expect(all.map((value) => [value, byService(value)])).toEqual(expected);
    expect(all.map((value) => [value, byForm(value)])).toEqual(expected);
  });
});
