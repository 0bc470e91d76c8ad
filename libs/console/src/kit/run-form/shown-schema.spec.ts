import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';

import { shownSchema } from './shown-schema.js';

const isWhole = (schema: object, inputs = {}): boolean => shownSchema(schema as RJSFSchema, inputs).isWhole;

/** Each step refers twice to the one before. */
const doubled = (refer: (to: object) => object) => ({
  ...refer({ $ref: '#/$defs/d30' }),
  $defs: Object.fromEntries([
    ['d0', { type: 'string' }],
    ...Array.from({ length: 30 }, (_, step) => [`d${step + 1}`, refer({ $ref: `#/$defs/d${step}` })]),
  ]),
});

describe('shownSchema', () => {
  it('leaves out patterns, but nothing that is only called so', () => {
    const schema = {
      type: 'object',
      properties: {
        pattern: { type: 'string', pattern: '^a$', default: { pattern: 'x' } },
        names: {
          type: 'object',
          patternProperties: { '^a': { type: 'string' } },
          additionalProperties: false,
        },
      },
    };
    const before = structuredClone(schema);
    expect(shownSchema(schema as unknown as RJSFSchema, {})).toEqual({
      schema: {
        type: 'object',
        properties: {
          pattern: { type: 'string', default: { pattern: 'x' } },
          names: { type: 'object', additionalProperties: true },
        },
      },
      isWhole: false,
    });
    expect(schema).toEqual(before);
  });

  it.each([
    ['alternatives', doubled((to) => ({ anyOf: [to, to] }))],
    ['properties', doubled((to) => ({ properties: { left: to, right: to, default: to } }))],
    ['lists', doubled((to) => ({ items: { allOf: [to, to] }, minItems: 1 }))],
    ['a property of its own kind', { properties: { self: { $ref: '#' } } }],
    ['many entries at first', { properties: { list: { items: { type: 'string' }, minItems: 1_000_000 } } }],
    ['long lists', { properties: { list: { items: { type: 'string' }, default: Array(2_000).fill('x') } } }],
    [
      'entries whose references the form does not follow',
      { properties: { list: { items: { $ref: '#named' } } } },
    ],
    ['references that the form does not follow', { properties: { one: { $ref: '#named' } } }],
  ])('writes as JSON what grows without an end: %s', (_, schema) => expect(isWhole(schema)).toBe(true));

  it('writes as JSON what is filled in with too many entries', () => {
    const schema = { properties: { list: { items: { properties: { a: {}, b: {}, c: {} } } } } };
    expect(isWhole(schema, { list: Array(20).fill({}) })).toBe(false);
    expect(isWhole(schema, { list: Array(300).fill({}) })).toBe(true);
    const names = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`name${at}`, 1]));
    expect(isWhole({ additionalProperties: { type: 'integer' } }, names)).toBe(true);
  });

  it.each([
    ['a tree', { properties: { children: { type: 'array', items: { $ref: '#' } } } }],
    [
      'a part that is used twice',
      { properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/a' } }, $defs: { a: {} } },
    ],
    [
      'a hundred fields',
      { properties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, {}])) },
    ],
  ])('shows fields for %s', (_, schema) => expect(isWhole(schema)).toBe(false));
});
