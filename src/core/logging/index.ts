export type { LogFields } from './log-fields.js';
export { RequestLogger } from './request-logger.js';
export { serviceLogger } from './service-logger.js';
