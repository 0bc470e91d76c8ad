import { describe, expect, it } from 'vitest';

import { waitsBecause } from './waits-because.js';

const RUN = {
  phase: 'queued',
  startAt: null,
  concurrencyKey: null,
  queue: null,
  debounceKey: null,
  debounceUntil: null,
  runsOn: null,
  queuedBehind: 0,
  isUnplaceable: false,
  askedMemory: null,
  waitingApprovalIds: [],
} as const;

describe('waitsBecause', () => {
  it('says how many go before it', () => {
    expect(waitsBecause(RUN, null, false)).toBe('It is the next in line for a worker.');
    expect(waitsBecause({ ...RUN, queuedBehind: 2 }, null, false)).toBe(
      'It waits for a worker: 2 runs go before it.',
    );
  });

  it('says that a restored copy begins nothing, whatever it would wait for', () => {
    const delayed = { ...RUN, phase: 'delayed', startAt: new Date() } as const;
    for (const run of [RUN, delayed, { ...RUN, isUnplaceable: true, runsOn: ['eu'] }])
      expect(waitsBecause(run, null, true)).toMatch(/restored copy.*`resume`/);
    expect(waitsBecause({ ...RUN, phase: 'finished' }, null, true)).toBeNull();
  });
});
