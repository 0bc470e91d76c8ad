/** What requests with an idempotency key leave behind, by which a retry gets its response (`AlertRetryResponses`). */
export const ALERT_CREATED = 'alert_created';
export const ALERT_CHANGED = 'alert_changed';
