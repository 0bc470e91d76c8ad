import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';

import { interpretingValidator } from './validator.js';

function problems(schema: RJSFSchema, inputs: unknown): string[] {
  const { errors } = interpretingValidator.validateFormData(inputs, schema);
  return errors.map(({ property, message }) => `${property} ${message}`);
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

describe('interpretingValidator', () => {
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
    const { errorSchema } = interpretingValidator.validateFormData({ 'a.b': 'x' }, dotted);
    expect(errorSchema).toEqual({ 'a.b': { __errors: ['This must be a whole number.'] } });
  });

  it('leaves the schema as it was', () => {
    const before = structuredClone(schema);
    problems(schema, {});
    interpretingValidator.isValid(schema, {}, schema);
    expect(schema).toEqual(before);
  });

  it('tells which part of a schema fits, with references into the whole', () => {
    const part: RJSFSchema = { $ref: '#/$defs/person' };
    expect(interpretingValidator.isValid(part, { email: 'a@example.com' }, schema)).toBe(true);
    expect(interpretingValidator.isValid(part, {}, schema)).toBe(false);
    expect(interpretingValidator.isValid({ $ref: '#/$defs/nobody' }, {}, schema)).toBe(false);
  });
});
