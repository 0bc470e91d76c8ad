export { READ_ERRORS } from './error-access.js';
export { ErrorListQuery } from './error.dto.js';
export { ErrorsService } from './errors.service.js';
export { FailuresModule } from './failures.module.js';
