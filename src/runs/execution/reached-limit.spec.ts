import { describe, expect, it } from 'vitest';

import { reachedLimit } from './reached-limit.js';

const resources = { memory: 512, cpus: null, processes: 20, tmp: 8 };

describe('reachedLimit', () => {
  it.each([
    ['OSError: [Errno 28] No space left on device', 'its /tmp holds 8 MiB'],
    ["Error: ENOSPC: no space left on device, write '/tmp/a'", 'its /tmp holds 8 MiB'],
    ["RuntimeError: can't start new thread", 'it may have 20 processes and threads'],
    ['BlockingIOError: [Errno 11] Resource temporarily unavailable', 'it may have 20 processes and threads'],
    ['sh: 1: Cannot fork', 'it may have 20 processes and threads'],
    ['bash: fork: retry: Resource temporarily unavailable', 'it may have 20 processes and threads'],
    ['Error: spawn python3 EAGAIN', 'it may have 20 processes and threads'],
    ['ValueError: no luck', null],
    [null, null],
  ])('of %j is %j', (lastError, limit) => expect(reachedLimit(lastError, { resources })).toBe(limit));

  it('is the usual one where the version names none', () => {
    expect(reachedLimit('ENOSPC', { resources: null })).toBe('its /tmp holds 256 MiB');
  });
});
