import { describe, expect, it } from 'vitest';

import { isPlainSchema } from './plain-schema.js';

const object = (property: Record<string, unknown>) => ({ type: 'object', properties: { a: property } });

describe('isPlainSchema', () => {
  it('is true for what most scripts declare', () => {
    expect(isPlainSchema({ ...object({ type: 'string', maxLength: 10, title: 'A' }), required: ['a'] })).toBe(
      true,
    );
    expect(isPlainSchema(object({ type: 'array', items: { type: 'integer', minimum: 0 } }))).toBe(true);
    expect(isPlainSchema(object({ type: 'string', format: 'file' }))).toBe(true);
    expect(isPlainSchema(object({ enum: ['x', 'y'] }))).toBe(true);
  });

  it.each([
    [{ pattern: '(a+)+$' }],
    [{ format: 'email' }],
    [{ $ref: '#/$defs/x' }],
    [{ anyOf: [{ type: 'string' }] }],
    [{ type: 'array', uniqueItems: true }],
    [{ type: 'array', items: { not: {} } }],
    [{ patternProperties: { x: {} } }],
    [{ enum: Array.from({ length: 101 }, (_, index) => index) }],
  ])('is false for %j', (property) => {
    expect(isPlainSchema(object(property))).toBe(false);
  });
});
