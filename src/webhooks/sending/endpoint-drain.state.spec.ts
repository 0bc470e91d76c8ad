import { describe, expect, it } from 'vitest';

import {
  type DrainEvent,
  type DrainState,
  after,
  isOver,
  isStopping,
  mayEnd,
} from './endpoint-drain.state.js';

const follow = (...events: DrainEvent[]): DrainState =>
  events.reduce<DrainState>((state, event) => after(state, event), 'due');

describe('The state of a drain', () => {
  it('ends when all that was due is written, and the lease with it', () => {
    expect(follow('fetch', 'fetched_all')).toBe('sending');
    expect(follow('fetch', 'fetched_all', 'release', 'written', 'end')).toBe('ended');
  });

  it('fetches again where more may be due than came', () => {
    expect(follow('fetch', 'fetched_part')).toBe('due');
  });

  it.each<[string, DrainEvent[]]>([
    ['during a fetch', ['fetch', 'woken', 'fetched_all']],
    ['while it sends', ['fetch', 'fetched_all', 'woken']],
    ['while the lease is given up', ['fetch', 'fetched_all', 'release', 'woken', 'written']],
  ])('loses no wake %s', (_, events) => {
    expect(follow(...events)).toBe('due');
  });

  it('does not fetch while the lease is given up, since another worker may be about to', () => {
    expect(follow('fetch', 'fetched_all', 'release', 'woken', 'fetch')).toBe('releasing_again');
  });

  it('says that it was woken too late', () => {
    expect(follow('fetch', 'fetched_all', 'end', 'woken')).toBe('ended_again');
  });

  it.each<DrainEvent[][]>([
    [[]],
    [['fetch']],
    [['fetch', 'woken']],
    [['fetch', 'fetched_all']],
    [['fetch', 'fetched_all', 'release']],
    [['fetch', 'fetched_all', 'release', 'woken']],
  ])('stops from anywhere, for good: %j', (events) => {
    const stopped = follow(...events, 'stop');
    expect(isStopping(stopped)).toBe(true);
    for (const event of ['woken', 'fetch', 'stop', 'release', 'written'] as const)
      expect(isStopping(after(stopped, event))).toBe(true);
    const last = follow(...events, 'stop', 'fetched_all', 'written', 'end');
    expect(last).toBe('stopped');
    expect([isOver(last), after(last, 'woken')]).toEqual([true, 'stopped']);
  });

  it('does not end before a fetch is over, which may have brought the lease', () => {
    expect(mayEnd(follow('fetch', 'stop'))).toBe(false);
    expect(mayEnd(follow('fetch', 'stop', 'fetched_part'))).toBe(true);
  });
});
