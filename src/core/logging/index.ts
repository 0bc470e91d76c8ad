export type { LogFields } from './log-fields.js';
export { EVERYTHING, LogLevels } from './log-levels.js';
export { LoggingModule } from './logging.module.js';
export { RaisedLevel } from './raised-level.entity.js';
export { RaisedLevelsRepository } from './raised-levels.repository.js';
export { serviceLogger } from './service-logger.js';
