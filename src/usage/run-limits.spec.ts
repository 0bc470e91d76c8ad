import { describe, expect, it } from 'vitest';

import { excessOf, fieldsBeyond } from './run-limits.js';

const LIMITS = { maxMemory: 1024, maxCpus: 2, maxProcesses: 200, maxTimeout: 60 };
const usual = { timeoutSeconds: 30, resources: null };
const asking = (resources: object, timeoutSeconds = 30) => ({
  timeoutSeconds,
  resources: { memory: 512, cpus: null, processes: 128, ...resources },
});

describe('the limits of a plan', () => {
  it('let a version have what is within them, and whatever where they say nothing', () => {
    expect(fieldsBeyond(usual, LIMITS)).toEqual([]);
    expect(fieldsBeyond(asking({ memory: 1024, cpus: 2, processes: 200 }, 60), LIMITS)).toEqual([]);
    expect(fieldsBeyond(asking({ memory: 1_000_000, cpus: 64 }, 604_800), {})).toEqual([]);
  });

  it('name each field that is beyond them, and what to do', () => {
    const fields = fieldsBeyond(asking({ memory: 1025, cpus: 2.5, processes: 201 }, 61), LIMITS);
    expect(fields.map(({ path }) => path)).toEqual([
      'resources.memory',
      'resources.cpus',
      'resources.processes',
      'timeout',
    ]);
    expect(fields[0]!.message).toMatch(/^must not be greater than 1024: .*ask for less/);
  });

  it('say in a sentence why a run does not start', () => {
    expect(excessOf(usual, LIMITS)).toBeNull();
    expect(excessOf(asking({}, 900), LIMITS)).toMatch(
      /^The plan allows a run 60 seconds, and the version asks for 900 \(timeout\)\./,
    );
  });
});
