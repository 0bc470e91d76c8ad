import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';

/** A token bucket: `perMinute` tokens flow in, at most `burst` are kept. */
export interface RatePolicy {
  name: string;
  perMinute: number;
  burst: number;
}

export interface RateVerdict {
  allowed: boolean;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until one more is allowed; 0 when this one was. */
  retryAfterSeconds: number;
}

interface Lease {
  tokens: number;
  left: number;
  usedAt: number;
  /** Resolves with how many tokens it brought. */
  renewal: Promise<number> | null;
}

interface Bucket {
  granted: number;
  tokens: number;
}

const IDLE_MS = 60_000;
const MOST_LEASES = 10_000;

/**
 * Buckets live in the database and are shared by all processes. A process leases up to a twentieth of the burst at a time,
 * so that not every request costs a statement.
 */
@Injectable()
export class RateLimiter {
  private readonly leases = new Map<string, Lease>();

  constructor(private readonly database: Database) {}

  async take(key: string, policy: RatePolicy): Promise<RateVerdict> {
    const lease = this.leaseOf(`${policy.name}:${key}`);
    // Requests that waited for the same renewal share its tokens; one that got none renews again, until none are granted.
    while (lease.tokens < 1) {
      lease.renewal ??= this.renew(`${policy.name}:${key}`, policy, lease).finally(
        () => (lease.renewal = null),
      );
      if ((await lease.renewal) === 0) break;
    }
    const allowed = lease.tokens >= 1;
    if (allowed) lease.tokens -= 1;
    const remaining = Math.max(0, Math.floor(lease.left + lease.tokens));
    const perSecond = policy.perMinute / 60;
    return {
      allowed,
      remaining,
      resetSeconds: Math.ceil((policy.burst - remaining) / perSecond),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - lease.left) / perSecond)),
    };
  }

  /** Returns one token, whichever process took it. */
  async giveBack(key: string, policy: RatePolicy): Promise<void> {
    await this.database.execute(GIVE_BACK, [`${policy.name}:${key}`, policy.burst]);
  }

  private async renew(key: string, policy: RatePolicy, lease: Lease): Promise<number> {
    const share = Math.max(1, Math.floor(policy.burst / 20));
    const bucket = await this.database.one<Bucket>(TAKE, [key, policy.burst, policy.perMinute / 60, share]);
    lease.tokens += bucket!.granted;
    lease.left = bucket!.tokens;
    return bucket!.granted;
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

/** $1 key, $2 burst, $3 tokens a second, $4 wanted. Refills by the database's clock and grants whole tokens. */
const TAKE = `
  INSERT INTO rate_buckets AS b (key, tokens, granted, updated_at)
  VALUES ($1, $2::float8 - LEAST($4::float8, floor($2::float8)), LEAST($4::float8, floor($2::float8)), clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET (tokens, granted, updated_at) = (
    SELECT filled - LEAST($4::float8, floor(filled)), LEAST($4::float8, floor(filled)), clock_timestamp()
    FROM (SELECT LEAST($2::float8, b.tokens +
      GREATEST(0, extract(epoch FROM clock_timestamp() - b.updated_at)) * $3::float8) AS filled) AS now_filled)
  RETURNING granted, tokens`;

const GIVE_BACK = 'UPDATE rate_buckets SET tokens = LEAST($2::float8, tokens + 1) WHERE key = $1';
