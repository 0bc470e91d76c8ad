export { ERROR_CODES, type ErrorCode } from './error-codes.js';
export { errorText } from './error-text.js';
export {
  ConfirmationRequired,
  SecondFactorMissing,
  SecondFactorRequired,
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
