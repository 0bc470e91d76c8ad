import { describe, expect, it } from 'vitest';

import { type ScheduleSettings, changedFields, isAgentsAfter, patched } from './schedule.changes.js';

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

describe('isAgentsAfter', () => {
  it('is the agent’s once an agent changed anything', () => {
    expect(isAgentsAfter(false, 'agent', ['name'])).toBe(true);
    expect(isAgentsAfter(false, 'agent', [])).toBe(false);
  });

  it.each(['session', 'personal_token'] as const)(
    'by %s: not any more, unless only the name changed',
    (kind) => {
      expect(isAgentsAfter(true, kind, ['inputs'])).toBe(false);
      expect(isAgentsAfter(true, kind, ['name', 'enabled'])).toBe(false);
      expect(isAgentsAfter(true, kind, ['name'])).toBe(true);
      expect(isAgentsAfter(true, kind, [])).toBe(true);
    },
  );

  it('stays what it is by an API key', () => {
    expect(isAgentsAfter(true, 'api_key', ['inputs'])).toBe(true);
    expect(isAgentsAfter(false, 'api_key', ['inputs'])).toBe(false);
  });
});
