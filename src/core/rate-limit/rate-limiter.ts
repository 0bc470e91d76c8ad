import { Injectable } from '@nestjs/common';

import { RateLimited } from '../errors/index.js';
import { RateBucketsRepository } from './rate-buckets.repository.js';

/** A token bucket: `perMinute` tokens flow in, at most `burst` are kept. */
export interface RatePolicy {
  name: string;
  perMinute: number;
  burst: number;
}

/** One bucket of a policy. */
export interface RateBucketName {
  policy: RatePolicy;
  key: string;
}

export interface RateVerdict {
  allowed: boolean;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until one more is allowed; 0 when this one was. */
  retryAfterSeconds: number;
}

/** Called with what is left of a limit. */
export type RateReport = (policy: RatePolicy, verdict: RateVerdict) => void;

interface Lease {
  tokens: number;
  left: number;
  usedAt: number;
  /** Resolves with how many tokens it brought. */
  renewal: Promise<number> | null;
}

const IDLE_MS = 60_000;
const MOST_LEASES = 10_000;

/**
 * Buckets live in the database and are shared by all processes. A process leases up to a twentieth of the burst at a
 * time: not every request costs a statement.
 */
@Injectable()
export class RateLimiter {
  private readonly leases = new Map<string, Lease>();

  constructor(private readonly buckets: RateBucketsRepository) {}

  async take(key: string, policy: RatePolicy): Promise<RateVerdict> {
    const [verdict] = await this.takeFromEach([{ policy, key }]);
    return verdict!;
  }

  /**
   * Takes a token that there has to be.
   *
   * @param report is told what is left, also where nothing is
   * @throws RateLimited with `refusal`
   */
  async demand(key: string, policy: RatePolicy, refusal: string, report?: RateReport): Promise<void> {
    const verdict = await this.take(key, policy);
    report?.(policy, verdict);
    if (!verdict.allowed) throw new RateLimited(verdict.retryAfterSeconds, refusal);
  }

  /** Takes a token from each bucket, or none where one of them has none. The verdicts are in the order of the buckets. */
  async takeFromEach(buckets: readonly RateBucketName[]): Promise<RateVerdict[]> {
    const leased = buckets.map((bucket) => ({ bucket, lease: this.leaseOf(nameOf(bucket)) }));
    // Requests that waited for the same renewal share its tokens; one that got none renews again, until none are granted.
    for (;;) {
      const empty = leased.filter(({ lease }) => lease.tokens < 1);
      if (empty.length === 0) break;
      const unasked = empty.filter(({ lease }) => lease.renewal === null);
      if (unasked.length > 0) this.renew(unasked);
      const granted = await Promise.all(empty.map(({ lease }) => lease.renewal!));
      if (granted.includes(0)) break;
    }
    const allowed = leased.every(({ lease }) => lease.tokens >= 1);
    return leased.map(({ bucket: { policy }, lease }) => {
      const hasToken = lease.tokens >= 1;
      if (allowed) lease.tokens -= 1;
      return verdictOf(policy, lease, hasToken);
    });
  }

  /** Returns one token, whichever process took it. */
  async giveBack(key: string, policy: RatePolicy): Promise<void> {
    await this.buckets.giveBack(nameOf({ policy, key }), policy.burst);
  }

  /** One statement for all of them. */
  private renew(leased: { bucket: RateBucketName; lease: Lease }[]): void {
    const orders = leased.map(({ bucket }) => {
      const { perMinute, burst } = bucket.policy;
      return {
        key: nameOf(bucket),
        burst,
        perSecond: perMinute / 60,
        wanted: Math.max(1, Math.floor(burst / 20)),
      };
    });
    const taking = this.buckets.take(orders);
    for (const { bucket, lease } of leased) {
      lease.renewal = taking
        .then((rows) => {
          const { granted, tokens } = rows.find(({ key }) => key === nameOf(bucket))!;
          lease.tokens += granted;
          lease.left = tokens;
          return granted;
        })
        .finally(() => (lease.renewal = null));
    }
  }

  private leaseOf(key: string): Lease {
    const now = Date.now();
    let lease = this.leases.get(key);
    if (!lease || now - lease.usedAt > IDLE_MS) lease = { tokens: 0, left: 0, usedAt: now, renewal: null };
    lease.usedAt = now;
    // Re-inserting keeps the map ordered by use, so that the first entry is the one to forget.
    this.leases.delete(key);
    this.leases.set(key, lease);
    if (this.leases.size > MOST_LEASES) this.leases.delete(this.leases.keys().next().value!);
    return lease;
  }
}

function nameOf({ policy, key }: RateBucketName): string {
  return `${policy.name}:${key}`;
}

function verdictOf({ perMinute, burst }: RatePolicy, { left, tokens }: Lease, allowed: boolean): RateVerdict {
  const remaining = Math.max(0, Math.floor(left + tokens));
  const perSecond = perMinute / 60;
  return {
    allowed,
    remaining,
    resetSeconds: Math.ceil((burst - remaining) / perSecond),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond)),
  };
}
