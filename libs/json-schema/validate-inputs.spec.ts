import { describe, expect, it } from 'vitest';

import { processorTime } from '../fuzz/index.js';
import { InvalidInput } from '../invalid-input/index.js';
import { checkSchema } from './check-schema.js';
import type { JsonSchema } from './json-schema.js';
import { fitInputs } from './validate-inputs.js';
import { outputProblem } from './validate-output.js';

function details(schema: JsonSchema, inputs: unknown): string[] {
  try {
    checkSchema(schema, 'inputSchema');
    fitInputs(schema, inputs);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInput);
    return (error as InvalidInput).details!.map(({ path, message }) => `${path} ${message}`);
  }
}

describe('fitInputs', () => {
  it('fills in defaults', () => {
    const schema = {
      properties: { unit: { type: 'string', default: 'C' }, o: { properties: { n: { default: 1 } } } },
      required: ['unit'],
    };
    expect(fitInputs(schema, { o: {} }).value).toEqual({ unit: 'C', o: { n: 1 } });
  });

  it('gives each run defaults of its own', () => {
    const schema = { properties: { list: { type: 'array', default: [] } } };
    (fitInputs(schema, {}).value['list'] as unknown[]).push('from the first run');
    expect(fitInputs(schema, {}).value).toEqual({ list: [] });
  });

  it('names every wrong input', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 2 },
        days: { type: 'integer', maximum: 7 },
        unit: { enum: ['C', 'F'] },
        mail: { type: 'string', format: 'email' },
        tags: { type: 'array', items: { type: 'string' } },
        zip: { type: 'string', pattern: '^[0-9]{5}$' },
        when: { type: ['string', 'null'] },
      },
      required: ['city', 'days'],
      additionalProperties: false,
    };
    expect(details(schema, { city: 'Rome', days: 3, when: null, zip: '00100' })).toEqual([]);
    expect(
      details(schema, {
        days: 1.5,
        unit: 'K',
        mail: 'x',
        tags: ['a', 1],
        zip: '1',
        when: 1,
        'a.b/c': 1,
      }).sort(),
    ).toEqual([
      'inputs.a.b/c is not known: the schema has no such property',
      'inputs.city is required',
      'inputs.days must be integer',
      'inputs.mail must match format "email"',
      'inputs.tags.1 must be string',
      'inputs.unit must be one of "C", "F"',
      'inputs.when must be string or null',
      'inputs.zip must match pattern "^[0-9]{5}$"',
    ]);
  });

  it('does not take for given what every object inherits', () => {
    expect(details({ required: ['constructor', 'toString'] }, {})).toEqual([
      'inputs.constructor is required',
      'inputs.toString is required',
    ]);
  });

  it('says of alternatives only that none fits', () => {
    const schema = { properties: { a: { anyOf: [{ type: 'string' }, { type: 'number', minimum: 3 }] } } };
    expect(details(schema, { a: 1 })).toEqual(['inputs.a must match one of the alternatives']);
  });

  it('accepts any object where there is no schema, and only objects', () => {
    expect(fitInputs(null, { a: 1 })).toEqual({ value: { a: 1 }, fileFields: [] });
    for (const wrong of [null, [], 'x', 1, undefined]) expect(() => fitInputs(null, wrong)).toThrow('inputs');
  });

  it('lists the files', () => {
    const file = { type: 'string', format: 'file' };
    const schema = {
      properties: { doc: file, more: { type: 'array', items: file }, none: file, text: { type: 'string' } },
    };
    expect(fitInputs(schema, { doc: 'fil_1', more: ['fil_2', 'fil_3'], text: 'fil_4' }).fileFields).toEqual([
      { field: 'doc', fileId: 'fil_1' },
      { field: 'more', fileId: 'fil_2' },
      { field: 'more', fileId: 'fil_3' },
    ]);
    expect(details(schema, { doc: '../../etc/passwd', more: [7] })).toEqual([
      'inputs.doc must be the id of a file',
      'inputs.more.0 must be string',
    ]);
  });

  it('is quick with a pattern that makes other engines hang', async () => {
    const schema = {
      properties: { a: { type: 'string', pattern: '(a+)+$' } },
      patternProperties: { '^(b+)+$': {} },
    };
    checkSchema(schema, 'inputSchema');
    const time = await processorTime(() => {
      expect(details(schema, { a: `${'a'.repeat(50_000)}!` })).toHaveLength(1);
      expect(details(schema, { [`${'b'.repeat(50_000)}!`]: 1 })).toEqual([]);
    });
    expect(time).toBeLessThan(5_000);
  });

  it.each([
    'email',
    'hostname',
    'uri',
    'uri-reference',
    'uri-template',
    'url',
    'duration',
    'date-time',
    'regex',
    'json-pointer',
    'byte',
  ])('is quick with format %s and hostile text', async (format) => {
    const schema = { properties: { a: { type: 'string', format } } };
    for (const part of ['a', 'a.', 'a@', ':', '/', '%41', '{a,', 'P1', '\t', '-', '((']) {
      for (const start of ['', 'http://', 'a@', 'P']) {
        const time = await processorTime(() => {
          details(schema, { a: `${start}${part.repeat(60_000)}!` });
          details(schema, { a: `${start}${part.repeat(4000 / part.length)}!` });
        });
        expect(time).toBeLessThan(5_000);
      }
    }
  });

  it('stops a check that would go on for ever', async () => {
    const $defs: Record<string, object> = { d0: { type: 'string' } };
    for (let i = 1; i <= 60; i++)
      $defs[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    const schema = { properties: { a: { $ref: '#/$defs/d60' } }, $defs };
    const time = await processorTime(() => {
      expect(details(schema, { a: 1 })[0]).toContain('take too long');
    });
    expect(time).toBeLessThan(10_000);
    expect(details({ properties: { a: { type: 'string' } } }, { a: 'fine' })).toEqual([]);
  });

  it('survives data as deep as its recursive schema allows', () => {
    const schema = { properties: { a: { $ref: '#' } } };
    let inputs: object = {};
    for (let level = 0; level < 90; level++) inputs = { a: inputs };
    expect(details(schema, inputs)).toEqual([]);
  });

  it('never returns more than 20 details', () => {
    const schema = { additionalProperties: { type: 'string' } };
    expect(
      details(schema, Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]))),
    ).toHaveLength(20);
  });
});

describe('outputProblem', () => {
  it('says why an output does not match', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number', default: 1 }, l: { items: { type: 'string' } } },
      required: ['l'],
    };
    expect(outputProblem(schema, { l: ['a'] })).toBeNull();
    expect(outputProblem(null, 'anything')).toBeNull();
    expect(outputProblem(schema, null)).toBe('the output does not match outputSchema: output must be object');
    expect(outputProblem(schema, { l: [1, 2] })).toBe(
      'the output does not match outputSchema: output.l.0 must be string (and 1 more)',
    );
  });

  it('fills in no defaults', () => {
    const output = {};
    outputProblem({ properties: { n: { default: 1 } } }, output);
    expect(output).toEqual({});
  });
});
