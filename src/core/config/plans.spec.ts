import { describe, expect, it } from 'vitest';

import { parsePlans } from './plans.js';

const days = (each: number) => ({ runs: each, logs: each, files: each });

describe('plans', () => {
  it('are read by name, with what they leave out', () => {
    const plans = parsePlans(
      '{"pro": {"limits": {"runs": 1000, "members": null}, "retentionDays": 90}, "free": {}}',
    );
    expect([...plans]).toEqual([
      ['default', { limits: {}, ofRun: {}, retention: days(30) }],
      ['pro', { limits: { runs: 1000 }, ofRun: {}, retention: days(90) }],
      ['free', { limits: {}, ofRun: {}, retention: days(30) }],
    ]);
  });

  it('have a default that can be set, and nothing in it has to be', () => {
    expect(parsePlans('{"default": {"limits": {"storage_bytes": 0}}}').get('default')).toEqual({
      limits: { storage_bytes: 0 },
      ofRun: {},
      retention: days(30),
    });
    expect([...parsePlans('{}').keys()]).toEqual(['default']);
  });

  it('limit what a single run may use', () => {
    const limits = '{"runs": 5, "maxMemory": 1024, "maxCpus": 0.5, "maxProcesses": null, "maxTimeout": 60}';
    expect(parsePlans(`{"small": {"limits": ${limits}}}`).get('small')).toMatchObject({
      limits: { runs: 5 },
      ofRun: { maxMemory: 1024, maxCpus: 0.5, maxTimeout: 60 },
    });
  });

  it('keep what they do not name as the setting says', () => {
    const plans = parsePlans('{"pro": {"retention": {"runs": 90}}, "short": {"retention": {"runs": 3}}}', {
      runs: 20,
      logs: 7,
    });
    expect(plans.get('default')!.retention).toEqual({ runs: 20, logs: 7, files: 20 });
    expect(plans.get('pro')!.retention).toEqual({ runs: 90, logs: 7, files: 90 });
    expect(plans.get('short')!.retention).toEqual({ runs: 3, logs: 3, files: 3 });
  });

  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'plans must be an object'],
    ['{"Pro": {}}', '"Pro" is no name for a plan'],
    ['{"pro": 5}', 'pro must be an object'],
    ['{"pro": {"limit": {}}}', 'pro.limit is not known; there are limits, retention, retentionDays'],
    ['{"pro": {"limits": {"run": 1}}}', 'pro.limits.run is not known; there are runs, run_seconds'],
    ['{"pro": {"limits": {"runs": -1}}}', 'pro.limits.runs must be a whole number, or null'],
    ['{"pro": {"limits": {"runs": "5"}}}', 'pro.limits.runs must be a whole number, or null'],
    ['{"pro": {"limits": {"runs": 1.5}}}', 'pro.limits.runs must be a whole number, or null'],
    ['{"pro": {"limits": {"maxMemory": 511}}}', 'pro.limits.maxMemory must be a whole number from 512 on'],
    ['{"pro": {"limits": {"maxMemory": 512.5}}}', 'pro.limits.maxMemory must be a whole number from 512 on'],
    ['{"pro": {"limits": {"maxCpus": 0}}}', 'pro.limits.maxCpus must be a number from 0.1 on, or null'],
    ['{"pro": {"limits": {"maxProcesses": 16}}}', 'pro.limits.maxProcesses must be a whole number from 128'],
    ['{"pro": {"limits": {"maxTimeout": "60"}}}', 'pro.limits.maxTimeout must be a whole number from 30 on'],
    ['{"pro": {"limits": {"toString": 1}}}', 'pro.limits.toString is not known'],
    ['{"pro": {"retentionDays": 0}}', 'pro.retention.runs must be a whole number from 1 to 3650'],
    ['{"pro": {"retentionDays": null}}', 'pro.retention.runs must be a whole number from 1 to 3650'],
    ['{"pro": {"retention": {"logs": 0}}}', 'pro.retention.logs must be a whole number from 1 to 3650'],
    [
      '{"pro": {"retention": {"audit": 400}}}',
      'pro.retention.audit is not known; there are runs, logs, files',
    ],
    ['{"pro": {"retention": 5}}', 'pro.retention must be an object'],
  ])('that are wrong say where: %s', (text, problem) => {
    expect(() => parsePlans(text)).toThrow(problem);
  });
});
