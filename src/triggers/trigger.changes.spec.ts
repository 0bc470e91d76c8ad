import { describe, expect, it } from 'vitest';

import { type TriggerSettings, changedFields, patched, takesAnew } from './trigger.changes.js';

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

describe('takesAnew', () => {
  it('is about what it takes from events', () => {
    expect(takesAnew(['filter'])).toBe(true);
    expect(takesAnew(['name', 'inputs'])).toBe(true);
    expect(takesAnew(['name', 'environment', 'enabled'])).toBe(false);
  });
});
