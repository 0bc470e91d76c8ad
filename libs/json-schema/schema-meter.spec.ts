import { describe, expect, it } from 'vitest';

import { compileSchema } from './compile-schema.js';
import { BudgetSpent, Meter, metered } from './schema-meter.js';
import type { JsonSchema } from './json-schema.js';

const BUDGET = 4_000;

function check(schema: JsonSchema, value: unknown, allErrors: boolean): number {
  const meter = new Meter();
  const compiled = compileSchema(metered(schema), 'input', { allErrors, meter });
  meter.fill(BUDGET);
  return compiled.check(value).length;
}

const alternative = { $ref: '#/$defs/tree' };
const tree = {
  $ref: '#/$defs/tree',
  $defs: { tree: { anyOf: [{ properties: { a: alternative } }, { properties: { a: alternative } }] } },
};
const deep = (levels: number): object => (levels === 0 ? { a: 1 } : { a: deep(levels - 1) });
const many = Array.from({ length: 5_000 }, (_, index) => index);
const named = Object.fromEntries(many.map((index) => [`n${index}`, index]));

describe('Meter', () => {
  it.each<[string, JsonSchema, unknown]>([
    ['missing names', { items: { required: many.slice(0, 100).map(String) } }, many.map(() => ({}))],
    ['items', { items: { type: 'string' } }, many],
    ['items that may not be', { prefixItems: [{}], items: false }, many],
    ['unknown names', { additionalProperties: false }, named],
    ['names', { propertyNames: { maxLength: 1 } }, named],
    ['names of a pattern', { patternProperties: { n: false, 'n.': false } }, named],
    ['what nobody looked at', { unevaluatedProperties: false }, named],
    ['alternatives within alternatives', { ...tree, required: ['b'] }, deep(20)],
  ])('ends a check of too many %s', (_, schema, value) => {
    expect(() => check(schema, value, true)).toThrow(BudgetSpent);
  });

  it('ends a check that stops at the first error, where alternatives come to no end', () => {
    const $defs = {
      ...tree.$defs,
      tree: {
        anyOf: [
          { required: ['b'], ...tree.$defs.tree },
          { properties: { a: alternative }, required: ['c'] },
        ],
      },
    };
    expect(() => check({ $ref: '#/$defs/tree', $defs }, deep(20), false)).toThrow(BudgetSpent);
  });

  it('changes nothing about what fits', () => {
    const schema = {
      properties: { a: { type: 'string', minLength: 2 } },
      required: ['b'],
      'x-cost-of-check': 1,
    };
    expect(check(schema, { a: 'xx', b: 1 }, true)).toBe(0);
    expect(check(schema, { a: 'x' }, true)).toBe(2);
    expect(schema['x-cost-of-check']).toBe(1);
  });
});
