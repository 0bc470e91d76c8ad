export { IdempotencyKey } from './idempotency-key.entity.js';
export { IdempotencyInterceptor } from './idempotency.interceptor.js';
export { IdempotencyModule } from './idempotency.module.js';
export { type HeldKey, IdempotencyRepository } from './idempotency.repository.js';
export { IdempotencyService, mismatch } from './idempotency.service.js';
export { RetryResponseRegistry } from './retry-response-registry.js';
export { StoredResponseRemoval } from './stored-response-removal.js';
