import { describe, expect, it } from 'vitest';

import { withoutPatterns } from './without-patterns.js';

const pattern = '^(a+)+$';

describe('withoutPatterns', () => {
  it('leaves out patterns, and nothing that is only called so', () => {
    const schema = {
      type: 'object',
      properties: {
        pattern: { type: 'string', pattern, default: { pattern } },
        list: { items: { pattern } },
      },
    };
    expect(withoutPatterns(schema)).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string', default: { pattern } }, list: { items: {} } },
    });
  });

  it('leaves a schema without patterns as it is', () => {
    const schema = { oneOf: [{ type: 'string' }, { not: { type: 'null' } }] };
    expect(withoutPatterns(schema)).toBe(schema);
  });

  it.each([
    { not: { pattern } },
    { oneOf: [{ pattern }, { type: 'string' }] },
    { patternProperties: { [pattern]: {} }, additionalProperties: false },
    { if: { pattern }, then: false },
  ])('takes anything where a looser part would refuse what fits: %j', (schema) =>
    expect(withoutPatterns(schema)).toEqual({}),
  );
});
