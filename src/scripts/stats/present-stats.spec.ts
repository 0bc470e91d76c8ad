import { describe, expect, it } from 'vitest';

import { presentStats } from './present-stats.js';

describe('presentStats', () => {
  it('shows all of it where nothing ran', () => {
    expect(presentStats(undefined)).toEqual({
      runs30d: 0,
      successRate: null,
      lastRunAt: null,
      people30d: 0,
      interfaces: { app: 0, api: 0, cli: 0, mcp: 0, schedule: 0, trigger: 0, hook: 0 },
    });
  });

  it('counts as a success rate only what succeeded or failed', () => {
    const row = {
      scriptId: 's',
      runs: 9,
      succeeded: 3,
      failed: 1,
      lastRunAt: new Date(0),
      people: 2,
      interfaces: { api: 9 },
    };
    expect(presentStats(row)).toEqual({
      runs30d: 9,
      successRate: 0.75,
      lastRunAt: '1970-01-01T00:00:00.000Z',
      people30d: 2,
      interfaces: { app: 0, api: 9, cli: 0, mcp: 0, schedule: 0, trigger: 0, hook: 0 },
    });
  });
});
