import { describe, expect, it } from 'vitest';

import { type TriggerSettings, changedFields, patched, changesAuthor } from './trigger.changes.js';

const before: TriggerSettings = {
  name: 'a',
  environment: 'production',
  filter: { test: false },
  inputs: {},
  enabled: true,
};

describe('patched', () => {
  it('changes what is given, also to what counts as nothing', () => {
    expect(patched(before, {})).toEqual(before);
    expect(patched(before, { enabled: false, filter: {} })).toEqual({
      ...before,
      enabled: false,
      filter: {},
    });
  });
});

describe('changedFields', () => {
  it('names what differs', () => {
    expect(changedFields(before, { ...before, filter: { test: false } })).toEqual([]);
    expect(changedFields(before, { ...before, inputs: { a: 1 }, name: 'b' })).toEqual(['name', 'inputs']);
  });
});

describe('changesAuthor', () => {
  it('is about what it takes from events', () => {
    expect(changesAuthor(['filter'])).toBe(true);
    expect(changesAuthor(['name', 'inputs'])).toBe(true);
    expect(changesAuthor(['name', 'environment', 'enabled'])).toBe(false);
  });
});
