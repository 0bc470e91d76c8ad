import { describe, expect, it } from 'vitest';

import { parseJson } from '../output/json.js';
import { inputsOf } from './input-values.js';
import { plainSchema } from './plain-schema.js';
import { typedInputs } from './typed-inputs.js';

const NULL = { type: 'null' };
const inputOf = async (field: object, text: string | true) => {
  const schema = plainSchema({
    $defs: { Level: { enum: [1, 2] }, 'a/b': { type: 'integer' }, Loop: { $ref: '#/$defs/Loop' } },
    properties: { it: field },
  });
  return (await inputsOf([['it', text]], schema))['it'];
};

describe('an input that is typed', () => {
  it.each([
    [{ anyOf: [{ type: 'integer' }, NULL] }, '3', 3],
    [{ anyOf: [{ type: 'integer' }, NULL] }, 'null', null],
    [{ anyOf: [{ type: 'string' }, NULL] }, '3', '3'],
    [{ oneOf: [{ type: 'number' }, { type: 'boolean' }] }, 'true', true],
    [{ oneOf: [{ type: 'number' }, { type: 'boolean' }] }, true, true],
    [{ allOf: [{ $ref: '#/$defs/Level' }], default: 1 }, '2', 2],
    [{ $ref: '#/$defs/a~1b' }, '7', 7],
    [{ $ref: '#/$defs/Loop' }, '7', '7'],
    [{ enum: [1, 'two', null] }, '1', 1],
    [{ enum: [1, 'two', null] }, 'two', 'two'],
    [{ enum: ['1', 2] }, '1', '1'],
    [{ const: false }, 'false', false],
    [{ anyOf: [{ type: 'array', items: { type: 'integer' } }, NULL] }, '4', [4]],
    [{}, '3', '3'],
  ] as const)('of %j as %j is %j', async (field, text, value) =>
    expect(await inputOf(field, text)).toEqual(value),
  );

  it('is of the whole schema, wherever that has its properties', async () => {
    const schema = plainSchema({
      $ref: '#/$defs/In',
      $defs: { In: { properties: { n: { type: 'integer' } } } },
    });
    expect(await inputsOf(typedInputs(['--n', '5'], schema), schema)).toEqual({ n: 5 });
  });

  it('keeps the digits of its numbers', async () => {
    for (const text of ['8202522731445525542', '0.1234567890123456789', '1.50']) {
      expect(await inputOf({ type: 'number' }, text)).toEqual(parseJson(text));
    }
  });

  it('is read in a bounded time, however the parts of its schema refer to each other', () => {
    const all = Array.from({ length: 50 }, (_, n) => ({ $ref: `#/$defs/${n}` }));
    const $defs = Object.fromEntries(all.map((_, n) => [n, { anyOf: all }]));
    expect(plainSchema({ $defs, properties: { it: { anyOf: all } } }).properties).toHaveProperty('it');
  });
});
