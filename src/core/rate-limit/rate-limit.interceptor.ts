import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

import { Settings } from '../config/settings.js';
import { RateLimited } from '../errors/problems.js';
import type { GatehouseResponse, GatehouseRequest } from '../http/request.js';
import { addressGroup } from './address-group.js';
import { writeRateHeaders } from './rate-headers.js';
import { RateLimiter, type RatePolicy } from './rate-limiter.js';

/** A request with the bucket that it takes its token from, until it has done so. */
type CountedRequest = GatehouseRequest & { countedFor?: CountedFor | undefined };

interface CountedFor {
  policy: RatePolicy;
  key: string;
  /** What a 429 says. */
  problem: string;
}

const FAILURES: RatePolicy = { name: 'failures', perMinute: 60, burst: 60 };

/**
 * Counts each request once, for its credential or, where it has no good one, for its address. The guards say which.
 * A request that they let in is counted here, and one that they refuse by `ProblemFilter`: refused requests cost as well,
 * and too many of them are a 429 whatever else is wrong with them.
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  private readonly requests: RatePolicy;
  private readonly enabled: boolean;

  constructor(
    private readonly limiter: RateLimiter,
    settings: Settings,
  ) {
    this.enabled = settings.rateLimit > 0;
    this.requests = { name: 'requests', perMinute: settings.rateLimit, burst: settings.rateBurst };
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    await this.count(http.getRequest<CountedRequest>(), http.getResponse<GatehouseResponse>());
    return next.handle();
  }

  countForCredential(request: CountedRequest, key: string): void {
    request.countedFor = { policy: this.requests, key, problem: 'Too many requests with this credential.' };
  }

  /** Only failures count against an address: a valid credential is never refused for where it comes from. */
  countForAddress(request: CountedRequest): void {
    const key = addressGroup(request.ip);
    request.countedFor = { policy: FAILURES, key, problem: 'Too many requests without a valid credential.' };
  }

  /** @throws RateLimited where no token is left */
  async count(request: CountedRequest, response: GatehouseResponse): Promise<void> {
    const { countedFor } = request;
    if (!countedFor || !this.enabled) return;
    request.countedFor = undefined;
    const { policy, key, problem } = countedFor;
    const verdict = await this.limiter.take(key, policy);
    // A narrower limit may have set them already.
    if (!verdict.allowed || !response.hasHeader('ratelimit')) writeRateHeaders(response, policy, verdict);
    if (!verdict.allowed) throw new RateLimited(verdict.retryAfterSeconds, problem);
  }
}
