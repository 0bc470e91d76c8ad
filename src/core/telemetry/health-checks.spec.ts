import { Logger } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Unavailable } from '../errors/index.js';
import { HealthChecks } from './health-checks.js';

const never = (): Promise<string> => new Promise(() => undefined);

describe('HealthChecks', () => {
  let checks: HealthChecks;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    const module = await Test.createTestingModule({
      imports: [TerminusModule.forRoot({ logger: false })],
      providers: [HealthChecks],
    }).compile();
    checks = module.get(HealthChecks);
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
    Logger.overrideLogger(['warn', 'error']);
  });

  it('tells each result by name', async () => {
    checks.register('database', async () => 'ok');
    checks.register('sandbox', async () => 'cgroup-v2');
    expect(await checks.results()).toEqual({
      database: { status: 'up', message: 'ok' },
      sandbox: { status: 'up', message: 'cgroup-v2' },
    });
  });

  it('tells of a failure only what was made for clients', async () => {
    checks.register('queue', async () => Promise.reject(new Error('connect redis://user:secret@10.0.0.1')));
    checks.register('worker', async () => Promise.reject(new Unavailable('No worker is alive.')));
    const results = await checks.results();
    expect(results['queue']).toEqual({ status: 'down', message: 'does not work; the log says why' });
    expect(results['worker']).toEqual({ status: 'down', message: 'No worker is alive.' });
  });

  it('does not wait for a check for ever', async () => {
    checks.register('database', never);
    checks.register('storage', never, { timeoutMs: 3_000 });
    const results = checks.results();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await results).toEqual({
      database: { status: 'down', message: 'did not respond within 1 s' },
      storage: { status: 'down', message: 'did not respond within 3 s' },
    });
  });

  it('checks once a second at most, and once for all who ask meanwhile', async () => {
    const check = vi.fn(async () => 'ok');
    checks.register('database', check);
    await Promise.all([checks.results(), checks.results()]);
    await checks.results();
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_001);
    await checks.results();
    expect(check).toHaveBeenCalledTimes(2);
  });
});
