import { describe, expect, it } from 'vitest';

import { changeDetails, isAgentsAfter } from './automation.changes.js';

describe('isAgentsAfter', () => {
  it('is the agent’s once an agent changed anything', () => {
    expect(isAgentsAfter(false, 'agent', ['name'])).toBe(true);
    expect(isAgentsAfter(false, 'agent', [])).toBe(false);
  });

  it.each(['session', 'personal_token'] as const)(
    'by %s: not any more, unless only the name changed',
    (kind) => {
      expect(isAgentsAfter(false, kind, ['inputs'])).toBe(false);
      expect(isAgentsAfter(true, kind, ['inputs'])).toBe(false);
      expect(isAgentsAfter(true, kind, ['enabled'])).toBe(false);
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

describe('changeDetails', () => {
  it('tells from what to what, but not what inputs and filters say', () => {
    const before = { name: 'a', inputs: { key: 1 }, filter: { test: true } };
    const after = { name: 'b', inputs: { key: 2 }, filter: {} };
    expect(changeDetails(before, after, ['name', 'inputs', 'filter'])).toEqual({
      name: { from: 'a', to: 'b' },
      inputs: 'changed',
      filter: 'changed',
    });
  });
});
