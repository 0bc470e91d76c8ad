import { describe, expect, it } from 'vitest';

import { processorTime } from '../fuzz/index.js';
import { costOf, isWithin } from './schema-cost.js';

const object = (property: Record<string, unknown>) => ({ type: 'object', properties: { a: property } });
const names = Array.from({ length: 100 }, (_, index) => `name${index}`);

describe('costOf', () => {
  it.each([
    { ...object({ type: 'string', maxLength: 10, title: 'A' }), required: ['a'] },
    object({ type: 'array', items: { type: 'integer', minimum: 0 } }),
    object({ type: 'string', format: 'file' }),
    object({ enum: ['x', 'y'] }),
  ])('counts no more than the largest schema for %j', (schema) => {
    const { size, perValue } = costOf(schema);
    expect(perValue).toBeLessThan(size);
  });

  it.each([{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { items: { not: {} } }, { prefixItems: [{}] }])(
    'counts all schemas for %j',
    (property) => {
      const { size, perValue } = costOf(object(property));
      expect(perValue).toBe(size);
    },
  );

  it.each([
    { pattern: '(a+)+$' },
    { $ref: '#/$defs/x' },
    { $dynamicRef: '#x' },
    { type: 'array', uniqueItems: true },
    { patternProperties: { x: {} } },
    { propertyNames: { maxLength: 3 } },
    { unevaluatedProperties: false },
    { 'x-unknown': 1 },
  ])('knows no bound for %j', (property) => expect(costOf(object(property)).perValue).toBeNull());
});

describe('isWithin', () => {
  const cost = costOf({ properties: { items: { items: { required: names } } } });

  it('multiplies values by what looks at each', () => {
    const items = (count: number) => ({ items: Array.from({ length: count }, () => ({})) });
    expect(isWithin(10_000, cost, items(50))).toBe(true);
    expect(isWithin(10_000, cost, items(100))).toBe(false);
  });

  it('counts long texts', () => {
    const text = costOf(object({ type: 'string', maxLength: 3 }));
    expect(isWithin(1_000, text, { a: 'x'.repeat(1_000) })).toBe(true);
    expect(isWithin(1_000, text, { a: 'x'.repeat(100_000) })).toBe(false);
    const mail = costOf(object({ type: 'string', format: 'email' }));
    expect(isWithin(1_000, mail, { a: 'x'.repeat(100) })).toBe(true);
    expect(isWithin(1_000, mail, { a: 'x'.repeat(1_000) })).toBe(false);
  });

  it('stops counting early', async () => {
    const large = { items: Array.from({ length: 300_000 }, () => ({})) };
    const time = await processorTime(() => {
      for (let again = 0; again < 100; again++) isWithin(10_000, cost, large);
    });
    expect(time).toBeLessThan(5_000);
  });
});
