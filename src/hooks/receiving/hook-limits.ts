import { Injectable } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { RateLimited } from '../../core/errors/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../../core/http/index.js';
import { RateLimiter, RateLimitInterceptor, type RatePolicy } from '../../core/rate-limit/index.js';
import type { OpenHook } from '../hooks.repository.js';

/** All hooks of a workspace take so many times as much as one. */
const TOGETHER = 10;
/** So many refused requests a minute are kept of a hook, so that whoever may send nothing fills no table. */
const REFUSALS: RatePolicy = { name: 'hook-refusals', perMinute: 30, burst: 30 };

/** How often others may send. */
@Injectable()
export class HookLimits {
  private readonly policies: readonly { policy: RatePolicy; keyOf: (hook: OpenHook) => string }[];

  constructor(
    private readonly limiter: RateLimiter,
    private readonly addresses: RateLimitInterceptor,
    { hookRate: perMinute }: Settings,
  ) {
    const burst = Math.max(20, Math.ceil(perMinute / 6));
    const one = { name: 'hook', perMinute, burst };
    const all = { name: 'hooks', perMinute: perMinute * TOGETHER, burst: burst * TOGETHER };
    this.policies =
      perMinute === 0
        ? []
        : [
            { policy: one, keyOf: ({ id }) => id },
            { policy: all, keyOf: ({ workspaceId }) => workspaceId },
          ];
  }

  /** @throws RateLimited where it, or its workspace, gets too many */
  async take(hook: OpenHook): Promise<void> {
    const buckets = this.policies.map(({ policy, keyOf }) => ({ policy, key: keyOf(hook) }));
    if (buckets.length === 0) return;
    const verdicts = await this.limiter.takeFromEach(buckets);
    const wait = Math.max(...verdicts.map(({ retryAfterSeconds }) => retryAfterSeconds));
    if (verdicts.some(({ allowed }) => !allowed)) {
      throw new RateLimited(
        wait,
        'Too many requests to this hook, or to all hooks of its workspace together.',
      );
    }
  }

  /** Whoever looks for addresses is counted as whoever tries credentials. @throws RateLimited */
  async takeUnknown(request: GatehouseRequest, response: GatehouseResponse): Promise<void> {
    this.addresses.countForAddress(request);
    await this.addresses.count(request, response);
  }

  async mayKeepRefusal({ id }: OpenHook): Promise<boolean> {
    return (await this.limiter.take(id, REFUSALS)).allowed;
  }
}
