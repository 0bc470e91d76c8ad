export type { LogFields } from './log-fields.js';
export { RequestLog } from './request-log.js';
export { serviceLogger } from './service-logger.js';
