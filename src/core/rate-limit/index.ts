export { addressGroup } from './address-group.js';
export { writeRateHeaders } from './rate-headers.js';
export { type CredentialHolder, RateLimitInterceptor } from './rate-limit.interceptor.js';
export { RateLimitModule } from './rate-limit.module.js';
export { RateLimiter, type RatePolicy, type RateReport } from './rate-limiter.js';
