import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';

import { foundErrors } from './found-errors.js';
import { inputProblems } from './input-problems.js';
import { shapeValidator } from './validator.js';

function problems(schema: RJSFSchema, inputs: unknown): string[] {
  return inputProblems(schema, inputs).map(({ path, message }) => `.${path.join('.')} ${message}`);
}

const schema: RJSFSchema = {
  type: 'object',
  required: ['city'],
  additionalProperties: false,
  properties: {
    city: { type: 'string', minLength: 2 },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    unit: { enum: ['c', 'f'] },
    day: { type: 'string', format: 'date' },
    people: { type: 'array', items: { $ref: '#/$defs/person' } },
    way: {
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    },
  },
  $defs: {
    person: {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email' } },
    },
  },
};

describe('inputProblems', () => {
  it('finds nothing where all is well', () => {
    expect(
      problems(schema, {
        city: 'Berlin',
        days: 3,
        unit: 'c',
        day: '2026-01-31',
        people: [{ email: 'a@example.com' }],
      }),
    ).toEqual([]);
  });

  it('says what is wrong at the field, in plain words and once', () => {
    expect(problems(schema, { days: 15, unit: 'k', day: 'tomorrow' })).toEqual([
      '.city This is needed.',
      '.days This must be at most 14.',
      '.unit This must be one of "c", "f".',
      '.day This must be a date like 2026-01-31.',
    ]);
  });

  it('finds the field behind a reference', () => {
    expect(problems(schema, { city: 'Berlin', people: [{ email: 'nobody' }, {}] })).toEqual([
      '.people.0.email This must be an e-mail address.',
      '.people.1.email This is needed.',
    ]);
  });

  it('says of alternatives only that none fits', () => {
    expect(problems(schema, { city: 'Berlin', way: {} })).toEqual([
      '.way This must match exactly one of the alternatives.',
    ]);
  });

  it('refuses what the schema does not know', () => {
    expect(problems(schema, { city: 'Berlin', town: 1 })).toEqual(['.town This is not allowed here.']);
  });

  it('refuses a number that was kept as text', () => {
    expect(problems(schema, { city: 'Berlin', days: '12345678901234567890' })).toEqual([
      '.days This must be a whole number.',
    ]);
  });

  it('keeps names with dots apart in what the fields are shown', () => {
    const dotted: RJSFSchema = { type: 'object', properties: { 'a.b': { type: 'integer' } } };
    const inputs = { 'a.b': 'x' };
    expect(foundErrors(inputProblems(dotted, inputs), inputs, inputs)).toEqual({
      'a.b': { __errors: ['This must be a whole number.'] },
    });
  });
});

describe('shapeValidator', () => {
  it('leaves the schema as it was', () => {
    const before = structuredClone(schema);
    problems(schema, {});
    shapeValidator.isValid(schema, {}, schema);
    expect(schema).toEqual(before);
  });

  it('tells which part of a schema fits, with references into the whole', () => {
    const part: RJSFSchema = { $ref: '#/$defs/person' };
    expect(shapeValidator.isValid(part, { email: 'a@example.com' }, schema)).toBe(true);
    expect(shapeValidator.isValid(part, {}, schema)).toBe(false);
    expect(shapeValidator.isValid({ $ref: '#/$defs/nobody' }, {}, schema)).toBe(false);
  });

  it('tries no pattern or format, however long it would take', () => {
    const endless = `${'a'.repeat(60)}!`;
    const pattern = '^(a+)+$';
    for (const costly of [{ pattern }, { format: 'url' }, { patternProperties: { [pattern]: false } }]) {
      const part: RJSFSchema = { anyOf: [{ $ref: '#/$defs/costly' }, costly as RJSFSchema] };
      for (const value of [endless, `http://${endless}`, { [endless]: 1 }])
        expect(shapeValidator.isValid(part, value, { $defs: { costly: costly as RJSFSchema } })).toBe(true);
    }
  });
});
