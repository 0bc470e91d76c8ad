import { describe, expect, it } from 'vitest';

import { changedFields, patched } from './changes.js';

interface Settings {
  name: string;
  model: string | null;
  inputs: Record<string, unknown>;
  enabled: boolean;
}

const FIELDS = ['name', 'model', 'inputs', 'enabled'] as const;
const before: Settings = { name: 'a', model: 'm', inputs: { hosts: ['x'] }, enabled: true };

describe('patched', () => {
  it('changes what is given, also to what counts as nothing, and nothing else', () => {
    expect(patched(FIELDS, before, {})).toEqual(before);
    const patch = { model: null, inputs: {}, enabled: false };
    expect(patched(FIELDS, before, patch)).toEqual({ ...before, ...patch });
  });

  it('has no more than the settings', () => {
    const row: Settings = { ...before, ...{ id: 'i' } };
    expect(patched(FIELDS, row, { name: 'b' })).toEqual({ ...before, name: 'b' });
  });
});

describe('changedFields', () => {
  it('names what differs, in order', () => {
    expect(changedFields(FIELDS, before, structuredClone(before))).toEqual([]);
    const after = { ...before, inputs: { hosts: ['y'] }, name: 'b' };
    expect(changedFields(FIELDS, before, after)).toEqual(['name', 'inputs']);
  });
});
