import { GatehouseError } from './errors.js';

/** Where in a request something is wrong, such as `inputs.city`. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** What the service said when it refused a request. */
export interface Refusal {
  code: string;
  message: string;
  status: number;
  requestId?: string;
  docs?: string;
  details?: ErrorDetail[];
  retryAfterMs?: number;
}

/** The service refused the request. There is a class for each `code`; one that is newer than this package is this class. */
export class ApiError extends GatehouseError {
  readonly code: string;
  readonly status: number;
  /** Under which the operator finds it in the log. */
  readonly requestId: string | undefined;
  /** The page that explains the code. */
  readonly docs: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** How long the service asks to wait before the next try. */
  readonly retryAfterMs: number | undefined;

  constructor({ code, message, status, requestId, docs, details, retryAfterMs }: Refusal) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.docs = docs;
    this.details = details ?? [];
    this.retryAfterMs = retryAfterMs;
  }
}

export class InvalidRequestError extends ApiError {}
export class UnauthorizedError extends ApiError {}
export class ForbiddenError extends ApiError {}
export class ConfirmationRequiredError extends ForbiddenError {}
export class SecondFactorRequiredError extends ForbiddenError {}
export class SecondFactorMissingError extends ForbiddenError {}
export class QuotaExceededError extends ForbiddenError {}
export class NotFoundError extends ApiError {}
export class MethodNotAllowedError extends ApiError {}
export class ConflictError extends ApiError {}
export class IdempotencyInProgressError extends ConflictError {}
export class PayloadTooLargeError extends ApiError {}
export class UnsupportedMediaTypeError extends ApiError {}
export class MisdirectedRequestError extends ApiError {}
export class IdempotencyMismatchError extends ApiError {}
export class RateLimitedError extends ApiError {}
export class InternalError extends ApiError {}
export class UnavailableError extends ApiError {}

export const ERROR_CLASSES: Readonly<Record<string, new (refusal: Refusal) => ApiError>> = {
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  confirmation_required: ConfirmationRequiredError,
  second_factor_required: SecondFactorRequiredError,
  second_factor_missing: SecondFactorMissingError,
  quota_exceeded: QuotaExceededError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  conflict: ConflictError,
  idempotency_in_progress: IdempotencyInProgressError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  misdirected_request: MisdirectedRequestError,
  idempotency_mismatch: IdempotencyMismatchError,
  rate_limited: RateLimitedError,
  internal_error: InternalError,
  unavailable: UnavailableError,
};
