import type { ServerResponse } from 'node:http';

import type { RatePolicy, RateVerdict } from './rate-limiter.js';

/** The IETF's `RateLimit` and `RateLimit-Policy`: what is left, and what the rule is. */
export function writeRateHeaders(response: ServerResponse, policy: RatePolicy, verdict: RateVerdict): void {
  response.setHeader('ratelimit-policy', `"${policy.name}";q=${policy.perMinute};w=60`);
  response.setHeader('ratelimit', `"${policy.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`);
}
