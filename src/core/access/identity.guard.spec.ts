import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { describe, expect, it } from 'vitest';

import { RateLimited, Unauthorized } from '../errors/index.js';
import { IdentityGuard } from './identity.guard.js';

/** A guard to whom no credential is good, and what it has done, in order. */
function guardOf(count: () => Promise<void>) {
  const done: string[] = [];
  const note = <T>(what: string, then: () => Promise<T>) => {
    done.push(what);
    return then();
  };
  const guard = new IdentityGuard(
    { get: () => undefined } as never,
    { check: () => note('check', () => Promise.resolve(null)) } as never,
    { expiredAt: () => note('look up', () => Promise.resolve(null)) } as never,
    { count: () => note('count', count) } as never,
    { personalTokens: true } as never,
  );
  return { done, asked: () => guard.canActivate(new ExecutionContextHost([{}, {}], class {}, () => {})) };
}

describe('a wrong credential', () => {
  it('is counted before it is looked up once more', async () => {
    const { asked, done } = guardOf(() => Promise.resolve());
    await expect(asked()).rejects.toThrow(Unauthorized);
    expect(done).toEqual(['check', 'count', 'look up']);
  });

  it('is not looked up once more where there were too many', async () => {
    const { asked, done } = guardOf(() => Promise.reject(new RateLimited(1, 'Too many.')));
    await expect(asked()).rejects.toThrow(RateLimited);
    expect(done).toEqual(['check', 'count']);
  });
});
