import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../invalid-input/index.js';
import { checkSchema, fitInputs } from '../json-schema/index.js';
import { checkCommandNames } from './check-command-names.js';
import { deriveInputSchema } from './derive-input-schema.js';
import { parseCommand } from './parse-command.js';

describe('deriveInputSchema', () => {
  it('makes one required text per input, optional inside a group', () => {
    expect(deriveInputSchema(parseCommand('python main.py --city {city} [--unit {unit}]'))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    });
  });

  it('requires an input that also stands outside a group', () => {
    expect(deriveInputSchema(parseCommand('a [--x {x}] {x}'))['required']).toEqual(['x']);
  });

  it('is a schema that is accepted and used', () => {
    const schema = deriveInputSchema(parseCommand('a {city} [{constructor}]'));
    checkSchema(schema, 'inputSchema');
    expect(fitInputs(schema, { city: 'Rome' }).value).toEqual({ city: 'Rome' });
    expect(() => fitInputs(schema, { city: 1 })).toThrow('inputs.city must be string');
    expect(() => fitInputs(schema, {})).toThrow('inputs.city is required');
    expect(() => fitInputs(schema, { city: 'a', more: 1 })).toThrow('inputs.more is not known');
  });

  it('takes nothing when the command has no inputs', () => {
    const schema = deriveInputSchema(parseCommand('a'));
    checkSchema(schema, 'inputSchema');
    expect(() => fitInputs(schema, { a: 1 })).toThrow(InvalidInput);
  });
});

describe('checkCommandNames', () => {
  const template = parseCommand('a {city} [--unit {unit}]');

  it('accepts declared names, also by allOf and local references', () => {
    checkCommandNames(template, { properties: { city: {}, unit: {} } });
    checkCommandNames(template, {
      properties: { city: {} },
      allOf: [{ $ref: '#/$defs/more' }],
      $defs: { more: { properties: { unit: {} } } },
    });
  });

  it('names each unknown input with its position', () => {
    try {
      checkCommandNames(template, { type: 'object', properties: { country: {} } });
      expect.unreachable();
    } catch (error) {
      expect((error as InvalidInput).details!.map((detail) => detail.message)).toEqual([
        expect.stringMatching(/^\{city\} .* at character 3 /),
        expect.stringMatching(/^\{unit\} .* at character 18 /),
      ]);
    }
  });
});
