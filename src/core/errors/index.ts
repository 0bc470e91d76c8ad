export { ERROR_CODES, type ErrorCode } from './error-codes.js';
export {
  ConfirmationRequired,
  Conflict,
  type ErrorDetail,
  Forbidden,
  InvalidRequest,
  NotFound,
  ProblemError,
  QuotaExceeded,
  RateLimited,
  Unauthorized,
  Unavailable,
} from './problems.js';
