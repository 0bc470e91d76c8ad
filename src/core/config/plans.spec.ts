import { describe, expect, it } from 'vitest';

import { parsePlans } from './plans.js';

describe('plans', () => {
  it('are read by name, with what they leave out', () => {
    const plans = parsePlans(
      '{"pro": {"limits": {"runs": 1000, "members": null}, "retentionDays": 90}, "free": {}}',
    );
    expect([...plans]).toEqual([
      ['default', { limits: {}, retentionDays: 30 }],
      ['pro', { limits: { runs: 1000 }, retentionDays: 90 }],
      ['free', { limits: {}, retentionDays: 30 }],
    ]);
  });

  it('have a default that can be set, and nothing in it has to be', () => {
    expect(parsePlans('{"default": {"limits": {"storage_bytes": 0}}}').get('default')).toEqual({
      limits: { storage_bytes: 0 },
      retentionDays: 30,
    });
    expect([...parsePlans('{}').keys()]).toEqual(['default']);
  });

  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'plans must be an object'],
    ['{"Pro": {}}', '"Pro" is no name for a plan'],
    ['{"pro": 5}', 'pro must be an object'],
    ['{"pro": {"limit": {}}}', 'pro.limit is not known; there are limits, retentionDays'],
    ['{"pro": {"limits": {"run": 1}}}', 'pro.limits.run is not known; there are runs, run_seconds'],
    ['{"pro": {"limits": {"runs": -1}}}', 'pro.limits.runs must be a whole number, or null'],
    ['{"pro": {"limits": {"runs": "5"}}}', 'pro.limits.runs must be a whole number, or null'],
    ['{"pro": {"limits": {"runs": 1.5}}}', 'pro.limits.runs must be a whole number, or null'],
    ['{"pro": {"retentionDays": 0}}', 'pro.retentionDays must be a whole number from 1 to 3650'],
    ['{"pro": {"retentionDays": null}}', 'pro.retentionDays must be a whole number from 1 to 3650'],
  ])('that are wrong say where: %s', (text, problem) => {
    expect(() => parsePlans(text)).toThrow(problem);
  });
});
