import { describe, expect, it } from 'vitest';

import { type ScheduleSettings, changedFields, patched } from './schedule.changes.js';

const before: ScheduleSettings = {
  name: 'Nightly',
  cron: '0 3 * * *',
  timezone: 'UTC',
  inputs: { a: 1 },
  enabled: true,
  environment: 'production',
};

describe('patched', () => {
  it('changes what is given and nothing else', () => {
    expect(patched(before, {})).toEqual(before);
    expect(patched(before, { enabled: false, inputs: {} })).toEqual({
      ...before,
      enabled: false,
      inputs: {},
    });
  });
});

describe('changedFields', () => {
  it('names what differs', () => {
    expect(changedFields(before, { ...before, inputs: { a: 1 } })).toEqual([]);
    expect(changedFields(before, { ...before, name: 'x', inputs: { a: 2 } })).toEqual(['name', 'inputs']);
  });
});
