import { describe, expect, it } from 'vitest';

import { delayAfter, isTriedAgain, parseRetry } from './retry.js';

const problems = (given: object, idempotent = false): unknown => {
  try {
    return parseRetry(given, idempotent);
  } catch (error) {
    return (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
};

describe('retry', () => {
  it('has defaults, and is never there by itself', () => {
    expect(parseRetry(undefined, false)).toBeNull();
    expect(parseRetry(null, false)).toBeNull();
    expect(parseRetry({ attempts: 3 }, false)).toEqual({
      attempts: 3,
      delay: 10,
      factor: 2,
      maxDelay: 3600,
      on: ['failed', 'timed_out'],
    });
  });

  it('names each wrong field', () => {
    expect(problems({})).toEqual(['retry.attempts']);
    expect(problems({ attempts: 11, delay: -1, factor: 0.5, maxDelay: 86_401, on: [], often: 1 })).toEqual([
      'retry.often',
      'retry.attempts',
      'retry.delay',
      'retry.factor',
      'retry.maxDelay',
      'retry.on',
    ]);
    expect(problems({ attempts: 2, on: ['failed', 'exit:0', 'exit:256', 7] })).toEqual([
      'retry.on.1',
      'retry.on.2',
      'retry.on.3',
    ]);
  });

  it('takes what was lost again only where the version says that it may', () => {
    expect(problems({ attempts: 2, on: ['lost'] })).toEqual(['retry.on.0']);
    expect(parseRetry({ attempts: 2, on: ['lost', 'lost'] }, true)?.on).toEqual(['lost']);
  });

  it('waits longer each time, up to the longest', () => {
    const retry = parseRetry({ attempts: 5, delay: 2, factor: 3, maxDelay: 10 }, false)!;
    expect([1, 2, 3, 4].map((attempt) => delayAfter(attempt, retry))).toEqual([2, 6, 10, 10]);
  });

  it('takes a random part of each wait away', () => {
    const retry = parseRetry({ attempts: 5, delay: '10s', factor: 1, jitter: 0.5 }, false)!;
    expect(retry).toMatchObject({ delay: 10, jitter: 0.5 });
    expect([0, 0.5, 1].map((random) => delayAfter(1, retry, random))).toEqual([10, 7.5, 5]);
    expect(problems({ attempts: 2, jitter: 1.1 })).toEqual(['retry.jitter']);
  });

  it('is for the reasons that it names, and as often as it says', () => {
    const by = (...on: string[]) => parseRetry({ attempts: 2, on }, true);
    expect(isTriedAgain(by('failed'), 1, 'exit:3')).toBe(true);
    expect(isTriedAgain(by('exit:75'), 1, 'exit:75')).toBe(true);
    expect(isTriedAgain(by('exit:75'), 1, 'exit:3')).toBe(false);
    expect(isTriedAgain(by('failed'), 1, 'timed_out')).toBe(false);
    expect(isTriedAgain(by('failed'), 1, 'lost')).toBe(false);
    expect(isTriedAgain(by('failed'), 2, 'failed')).toBe(false);
    expect(isTriedAgain(by('failed'), 1, null)).toBe(false);
    expect(isTriedAgain(null, 1, 'failed')).toBe(false);
  });
});
