import type { FastifyReply } from 'fastify';

import type { RatePolicy, RateVerdict } from './rate-limiter.js';

/** The IETF's `RateLimit` and `RateLimit-Policy`: what is left, and what the rule is. */
export function writeRateHeaders(reply: FastifyReply, policy: RatePolicy, verdict: RateVerdict): void {
  reply.header('ratelimit-policy', `"${policy.name}";q=${policy.perMinute};w=60`);
  reply.header('ratelimit', `"${policy.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`);
}
