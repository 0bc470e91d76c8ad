import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

import { Settings } from '../config/index.js';
import { RateLimited } from '../errors/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../http/index.js';
import { addressGroup } from './address-group.js';
import { writeRateHeaders } from './rate-headers.js';
import { type RateBucketName, RateLimiter, type RatePolicy, type RateVerdict } from './rate-limiter.js';

/** A request with the buckets that it takes a token from each, until it has done so. */
type CountedRequest = GatehouseRequest & { countedFor?: CountedFor[] | undefined };

interface CountedFor extends RateBucketName {
  /** What a 429 says. */
  problem: string;
}

/** Whose a credential is: what all of theirs are counted for together. */
export interface CredentialHolder {
  kind: 'person' | 'workspace';
  id: string;
}

const FAILURES: RatePolicy = { name: 'failures', perMinute: 60, burst: 60 };

/**
 * Counts each request once: for its credential and for whom that belongs to or, where it has no good one, for its address. The
 * guards say which. A request that they let in is counted here, and one that they refuse by `ProblemFilter`: refused
 * requests cost as well, and too many of them are a 429 whatever else is wrong with them.
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  private readonly requests: RatePolicy;
  private readonly ofHolder: Record<CredentialHolder['kind'], { policy: RatePolicy; problem: string }>;
  private readonly enabled: boolean;

  constructor(
    private readonly limiter: RateLimiter,
    { rateLimit, rateBurst, rateTogether }: Settings,
  ) {
    this.enabled = rateLimit > 0;
    this.requests = { name: 'requests', perMinute: rateLimit, burst: rateBurst };
    const together = { perMinute: rateLimit * rateTogether, burst: rateBurst * rateTogether };
    this.ofHolder = {
      person: {
        policy: { name: 'person', ...together },
        problem: 'Too many requests of this person, by all their sessions, tokens and apps together.',
      },
      workspace: {
        policy: { name: 'workspace', ...together },
        problem: 'Too many requests with the API keys of this workspace, all of them together.',
      },
    };
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    await this.count(http.getRequest<CountedRequest>(), http.getResponse<GatehouseResponse>());
    return next.handle();
  }

  countForCredential(request: CountedRequest, key: string, holder: CredentialHolder): void {
    const problem = 'Too many requests with this credential.';
    request.countedFor = [
      { policy: this.requests, key, problem },
      { ...this.ofHolder[holder.kind], key: holder.id },
    ];
  }

  /** For a credential of the settings, which is nobody's in a workspace. */
  countForService(request: CountedRequest, key: string): void {
    request.countedFor = [{ policy: this.requests, key, problem: 'Too many requests with this credential.' }];
  }

  /** Only failures count against an address: a valid credential is never refused for where it comes from. */
  countForAddress(request: CountedRequest): void {
    const problem = 'Too many requests without a valid credential.';
    request.countedFor = [{ policy: FAILURES, key: addressGroup(request.ip), problem }];
  }

  /** @throws RateLimited where one of the buckets has no token left */
  async count(request: CountedRequest, response: GatehouseResponse): Promise<void> {
    const { countedFor } = request;
    if (!countedFor || !this.enabled) return;
    request.countedFor = undefined;
    const verdicts = await this.limiter.takeFromEach(countedFor);
    const { policy, problem, ...verdict } = tightest(
      countedFor.map((each, at) => ({ ...each, ...verdicts[at]! })),
    );
    // A narrower limit may have set them already.
    if (!verdict.allowed || !response.hasHeader('ratelimit')) writeRateHeaders(response, policy, verdict);
    if (!verdict.allowed) throw new RateLimited(verdict.retryAfterSeconds, problem);
  }
}

/** The one to tell of: that which refuses for longest, or else that which has least left. */
function tightest<T extends RateVerdict>(verdicts: readonly T[]): T {
  return verdicts.reduce((one, other) =>
    other.retryAfterSeconds > one.retryAfterSeconds ||
    (other.retryAfterSeconds === one.retryAfterSeconds && other.remaining < one.remaining)
      ? other
      : one,
  );
}
