import { describe, expect, it } from 'vitest';

import { holdOf, stricterPolicy } from './run.policy.js';

const circumstances = {
  scriptPolicy: 'none',
  environmentPolicy: 'none',
  byAgent: false,
  agentAsks: false,
  asked: null,
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
      const hold = holdOf({ ...circumstances, scriptPolicy, environmentPolicy, byAgent });
      expect(hold !== null).toBe(held);
    },
  );

  it('holds a test of a version that nobody approved where publishing needs a second person', () => {
    const hold = holdOf({ ...circumstances, unseenTest: true });
    expect(hold).toMatchObject({ by: 'test', reason: expect.stringMatching(/nobody has approved/) });
  });

  it.each([
    ['always', 'always', 'environment', 'environment'],
    ['none', 'always', 'environment', 'environment'],
    ['always', 'agents', 'script', 'script'],
    ['agents', 'agents', 'script', 'script'],
    ['none', 'agents', 'script', 'environment'],
  ] as const)(
    'script %s, environment %s: decided as what the %s holds, in words the %s',
    (scriptPolicy, environmentPolicy, by, whose) => {
      const hold = holdOf({ ...circumstances, scriptPolicy, environmentPolicy, byAgent: true });
      expect(hold).toMatchObject({ by, reason: expect.stringContaining(`of the ${whose} is`) });
    },
  );

  it('holds what no policy does where the agent always asks, or the inputs match what the script asks about', () => {
    const when = { title: 'more than 100', properties: { amount: { exclusiveMinimum: 100 } } };
    const asked = { when, who: 'agents' } as const;
    expect(holdOf({ ...circumstances, byAgent: true, agentAsks: true, asked })).toMatchObject({
      by: 'script',
      reason: expect.stringMatching(/^This agent always asks/),
    });
    expect(holdOf({ ...circumstances, asked })).toMatchObject({
      by: 'script',
      reason:
        "The script asks for approval of an agent's run whose inputs match its condition (`ask`): more than 100.",
    });
    // The stricter one decides who may let it go.
    expect(holdOf({ ...circumstances, environmentPolicy: 'always', asked })).toMatchObject({
      by: 'environment',
    });
  });
});
