/** What requests with an idempotency key leave behind, by which a retry gets its response (`WebhookRetryResponses`). */
export const ENDPOINT_CREATED = 'webhook_endpoint_created';
export const ENDPOINT_CHANGED = 'webhook_endpoint_changed';
export const WEBHOOK_TEST = 'webhook_test';
