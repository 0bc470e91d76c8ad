import { describe, expect, it } from 'vitest';

import { CANCELLATION, RUN_PHASES, RUN_TRANSITIONS, mayFollow } from './run.status.js';

describe('run phases', () => {
  it('never lead out of the end, nor from executing back into the queue', () => {
    expect(RUN_TRANSITIONS.finished).toEqual([]);
    expect(mayFollow('executing', 'queued')).toBe(false);
    expect(mayFollow('executing', 'starting')).toBe(false);
  });

  it('let a run be taken by another worker only before it began', () => {
    expect(RUN_PHASES.filter((phase) => mayFollow(phase, 'queued'))).toEqual(['held', 'starting']);
  });

  it('all reach the end', () => {
    for (const phase of RUN_PHASES.filter((name) => name !== 'finished'))
      expect(mayFollow(phase, 'finished')).toBe(true);
  });

  it('say what cancelling does', () => {
    expect(CANCELLATION.finished).toBe('refused');
    expect(CANCELLATION.queued).toBe('at_once');
    expect(CANCELLATION.executing).toBe('by_worker');
  });
});
