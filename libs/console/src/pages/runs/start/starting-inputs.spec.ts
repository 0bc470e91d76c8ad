import { describe, expect, it } from 'vitest';

import { startingInputs } from './starting-inputs.js';

const schema = {
  properties: { city: { type: 'string' }, mail: { type: 'boolean' }, on: { type: 'boolean', default: true } },
  required: ['mail', 'on'],
};
const nothing = { typed: null, link: undefined, run: null, last: null };

describe('startingInputs', () => {
  it('prefers what was typed, then the link, then the earlier run, then the last time', () => {
    const all = { typed: null, link: { city: 'A' }, run: { city: 'B' }, last: { city: 'C' } };
    expect(startingInputs({ ...all, typed: { city: 'D' } }, schema)).toMatchObject({
      from: 'typed',
      inputs: { city: 'D' },
    });
    expect(startingInputs(all, schema)).toMatchObject({ from: 'link', inputs: { city: 'A' } });
    expect(startingInputs({ ...all, link: undefined }, schema)).toMatchObject({
      from: 'run',
      inputs: { city: 'B' },
    });
    expect(startingInputs({ ...nothing, last: { city: 'C' } }, schema)).toMatchObject({ from: 'last' });
  });

  it('takes the link as text, and ignores one that is no object', () => {
    expect(startingInputs({ ...nothing, link: '{"city":"A"}' }, schema).inputs).toMatchObject({ city: 'A' });
    expect(startingInputs({ ...nothing, link: '[1]' }, schema).from).toBeNull();
    expect(startingInputs({ ...nothing, link: '{' }, schema).from).toBeNull();
  });

  it('begins a needed box without a default as not ticked', () => {
    expect(startingInputs(nothing, schema).inputs).toEqual({ mail: false });
  });

  it('forgets what the schema does not know any more', () => {
    expect(startingInputs({ ...nothing, last: { town: 'C', city: 'D' } }, schema).inputs).toEqual({
      mail: false,
      city: 'D',
    });
  });
});
