import { describe, expect, it } from 'vitest';

import type { InvalidInput } from '../../../libs/invalid-input/index.js';
import { type FileField, fitInputs } from '../../../libs/json-schema/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { checkConstantInputs } from './constant-inputs.js';
import { EVENT_PLACEHOLDERS } from './placeholders.js';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    who: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    paper: { type: 'string', format: 'file' },
  },
  required: ['city'],
  additionalProperties: false,
};

async function fit(by: Record<string, unknown>, constants: Record<string, unknown>): Promise<FileField[]> {
  try {
    return await Promise.resolve(fitInputs(by, constants).fileFields);
  } catch (error) {
    throw InvalidRequest.of(error as InvalidInput);
  }
}

async function problems(
  inputs: Record<string, unknown>,
  by: Record<string, unknown> = schema,
): Promise<unknown[]> {
  try {
    await checkConstantInputs(inputs, EVENT_PLACEHOLDERS, (constants) => fit(by, constants));
    return [];
  } catch (error) {
    return (error as InvalidRequest).details!.map(({ path }) => path);
  }
}

describe('checkConstantInputs', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['constants that fit', { city: 'Rome', days: 2 }, []],
    ['a required one from the event', { city: '{{event.data.city}}' }, []],
    ['one of another type from the event', { city: 'x', days: '{{event.data.days}}' }, []],
    ['an object with a part from the event', { city: 'x', who: { first: '{{event.data.name}}' } }, []],
    ['a missing one', { days: 2 }, ['inputs.city']],
    ['a wrong constant beside one from the event', { city: '{{event.data.c}}', days: 0 }, ['inputs.days']],
    ['a wrong part of an object', { city: 'x', who: {} }, ['inputs.who.name']],
    ['an unknown one', { city: 'x', town: 'y' }, ['inputs.town']],
    ['several', { days: 'x', town: 'y' }, ['inputs.city', 'inputs.town', 'inputs.days']],
    ['a file', { city: 'x', paper: 'fil_01k7q3v5yzf8c9m2n4p6r8t0vw' }, ['inputs.paper']],
  ])('%s', async (_, inputs, paths) => {
    expect((await problems(inputs)).sort()).toEqual([...paths].sort());
  });

  it('judges all inputs together only where all are known', async () => {
    const pair = { type: 'object', minProperties: 2 };
    expect(await problems({ a: 1 }, pair)).toEqual(['inputs']);
    expect(await problems({ a: 1, b: '{{event.data.b}}' }, pair)).toEqual([]);
    expect(await problems({ b: '{{event.data.b}}' }, pair)).toEqual([]);
  });
});
