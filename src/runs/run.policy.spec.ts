import { describe, expect, it } from 'vitest';

import { holdReason, stricterPolicy } from './run.policy.js';

const circumstances = {
  scriptPolicy: 'none',
  environmentPolicy: 'none',
  byAgent: false,
  unseenTest: false,
} as const;

describe('approval policy', () => {
  it('takes the stricter of script and environment', () => {
    expect(stricterPolicy('none', 'agents')).toBe('agents');
    expect(stricterPolicy('always', 'agents')).toBe('always');
    expect(stricterPolicy('none', 'none')).toBe('none');
  });

  it.each([
    ['none', 'none', false, false],
    ['none', 'none', true, false],
    ['agents', 'none', false, false],
    ['agents', 'none', true, true],
    ['none', 'agents', true, true],
    ['none', 'always', false, true],
    ['always', 'none', true, true],
  ] as const)(
    'script %s, environment %s, agent %s: held %s',
    (scriptPolicy, environmentPolicy, byAgent, held) => {
      const reason = holdReason({ ...circumstances, scriptPolicy, environmentPolicy, byAgent });
      expect(reason !== null).toBe(held);
    },
  );

  it('holds a test of a version that nobody approved where publishing needs a second person', () => {
    expect(holdReason({ ...circumstances, unseenTest: true })).toMatch(/nobody has approved/);
  });
});
