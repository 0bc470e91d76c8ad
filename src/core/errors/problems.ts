import type { InvalidInput } from '../../../libs/invalid-input/index.js';
import { ERROR_CODES, type ErrorCode } from './error-codes.js';

/** One entry of `details`: where in the request, in dotted form, and what is wrong there. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** An error that is sent as it stands. Its message and details reach the client: never put a secret in them. */
export class ProblemError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ErrorDetail[],
    /** Response headers besides the usual ones, such as `retry-after` in seconds. */
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = new.target.name;
    this.status = ERROR_CODES[code].status;
  }
}

/** 400: something in the request is missing, malformed or not allowed. */
export class InvalidRequest extends ProblemError {
  constructor(message: string, details?: ErrorDetail[]) {
    super('invalid_request', message, details);
  }

  /** What a library says is wrong with what it was given. */
  static of({ message, details }: InvalidInput): InvalidRequest {
    return new InvalidRequest(message, details);
  }

  /** Every wrong place in one sentence. */
  static listing(details: ErrorDetail[]): InvalidRequest {
    return new InvalidRequest(details.map(({ path, message }) => `${path}: ${message}`).join('; '), details);
  }

  /** The common case of one wrong place. */
  static at(path: string, message: string): InvalidRequest {
    return new InvalidRequest(`${path}: ${message}`, [{ path, message }]);
  }
}

export class Unauthorized extends ProblemError {
  constructor(
    message = 'This needs a valid credential: send `Authorization: Bearer <token>` with a personal access token or an API key.',
    /** `WWW-Authenticate`: how to get one. */
    challenge = 'Bearer',
  ) {
    super('unauthorized', message, undefined, { 'www-authenticate': challenge });
  }
}

/** 403: the caller is known and may not do this. */
export class Forbidden extends ProblemError {
  constructor(message: string) {
    super('forbidden', message);
  }
}

export class ConfirmationRequired extends ProblemError {
  /** @param minutes within which the person should have made sure that it is them */
  constructor(minutes = 60) {
    const ago = minutes === 60 ? 'an hour' : minutes === 1 ? 'a minute' : `${minutes} minutes`;
    super(
      'confirmation_required',
      `You signed in more than ${ago} ago. Send your password, or whatever your second factor is, to POST /v1/auth/confirm, or sign in again where your company does; then send this request again.`,
    );
  }
}

/** The password was right, and the account has a second factor. */
export class SecondFactorRequired extends ProblemError {
  /** @param cookie the header by which the browser keeps what binds the second step to it */
  constructor(cookie: string) {
    super(
      'second_factor_required',
      'This account has a second factor. Within five minutes and with the cookie of this response, send a code or a passkey to POST /v1/auth/second-factor.',
      undefined,
      { 'set-cookie': cookie },
    );
  }
}

/** The account has none, and needs one to act there. */
export class SecondFactorMissing extends ProblemError {
  constructor(workspace: string) {
    super(
      'second_factor_missing',
      `The workspace "${workspace}" requires a second factor, and this account has none. Set one up in the app, under Your account. The account's tokens work there again from then on.`,
    );
  }
}

/** 403: a limit of the workspace's plan is reached. */
export class QuotaExceeded extends ProblemError {
  constructor(message: string) {
    super('quota_exceeded', message);
  }
}

/** 404: there is none, or the caller may not see it. */
export class NotFound extends ProblemError {
  /** @param what its kind, such as `ticket` */
  constructor(what: string) {
    super('not_found', `There is no such ${what}.`);
  }
}

/** 409: the state of a thing does not allow it, or a name is taken. */
export class Conflict extends ProblemError {
  constructor(message: string, details?: ErrorDetail[]) {
    super('conflict', message, details);
  }
}

export class RateLimited extends ProblemError {
  constructor(retryAfterSeconds: number, message: string) {
    super('rate_limited', message, undefined, { 'retry-after': String(retryAfterSeconds) });
  }
}

/** 503: something that this takes is out of order, or too busy, for now. */
export class Unavailable extends ProblemError {
  constructor(message: string, retryAfterSeconds = 5) {
    super('unavailable', message, undefined, { 'retry-after': String(retryAfterSeconds) });
  }
}
