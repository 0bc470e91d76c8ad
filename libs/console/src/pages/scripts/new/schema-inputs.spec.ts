import { describe, expect, it } from 'vitest';

import { type BuiltInput, builtInputs, withInput, withInputUp, withoutInput } from './schema-inputs.js';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    city: { type: 'string', description: 'Where.', minLength: 2 },
    size: { enum: ['s', 'm'], default: 's' },
    amount: { type: 'integer', minimum: 1, default: 3 },
    tables: { type: 'array', items: { type: 'string', format: 'file' } },
    deep: { type: 'object', properties: { one: { type: 'string' } } },
  },
  required: ['city', 'amount'],
};

const input = (name: string, rest: Partial<BuiltInput> = {}): BuiltInput => ({
  name,
  kind: 'text',
  description: '',
  isRequired: false,
  choices: [],
  start: '',
  ...rest,
});

describe('the inputs of a schema', () => {
  it('are shown in their order', () => {
    expect(builtInputs(SCHEMA)).toEqual([
      input('city', { description: 'Where.', isRequired: true }),
      input('size', { kind: 'choice', choices: ['s', 'm'], start: 's' }),
      input('amount', { kind: 'whole', isRequired: true, start: '3' }),
      input('tables', { kind: 'files' }),
      input('deep', { kind: 'other' }),
    ]);
    expect(builtInputs({})).toEqual([]);
    expect(builtInputs({ properties: 3 })).toEqual([]);
  });

  it('stay what they are where nothing is changed', () => {
    for (const one of builtInputs(SCHEMA)) expect(withInput(SCHEMA, one.name, one)).toEqual(SCHEMA);
  });

  it('keep a beginning that no field can show, and have one that JSON can', () => {
    const schema = { type: 'object', properties: { city: { type: 'string', default: null } } };
    const [city] = builtInputs(schema) as [BuiltInput];
    expect(city.start).toBe('');
    expect(withInput(schema, 'city', { ...city, description: 'Where.' })['properties']).toEqual({
      city: { type: 'string', description: 'Where.', default: null },
    });
    const begun = withInput({}, null, input('count', { kind: 'number', start: '1e999' }));
    expect(begun['properties']).toEqual({ count: { type: 'number', default: '1e999' } });
  });

  it('keep what the builder does not show, but for what another kind has no use for', () => {
    const [city] = builtInputs(SCHEMA) as [BuiltInput];
    const renamed = withInput(SCHEMA, 'city', { ...city, name: 'town', description: '' });
    expect(renamed).toMatchObject({ additionalProperties: false, required: ['town', 'amount'] });
    expect(Object.entries(renamed['properties'] as object)[0]).toEqual([
      'town',
      { type: 'string', minLength: 2 },
    ]);
    const dated = withInput(SCHEMA, 'city', { ...city, kind: 'date' });
    expect((dated['properties'] as typeof SCHEMA.properties).city).toEqual({
      type: 'string',
      format: 'date',
      description: 'Where.',
    });
  });

  it('are added, moved and taken out', () => {
    const first = withInput({}, null, input('count', { kind: 'number', isRequired: true, start: '1.5' }));
    expect(first).toEqual({
      type: 'object',
      properties: { count: { type: 'number', default: 1.5 } },
      required: ['count'],
    });
    const both = withInputUp(withInput(first, null, input('sure', { kind: 'yesNo', start: 'true' })), 'sure');
    expect(Object.entries(both['properties'] as object)[0]).toEqual([
      'sure',
      { type: 'boolean', default: true },
    ]);
    expect(withoutInput(both, 'count')).toEqual({
      type: 'object',
      properties: { sure: { type: 'boolean', default: true } },
    });
  });
});
