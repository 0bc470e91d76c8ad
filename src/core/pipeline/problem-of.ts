import { HttpException } from '@nestjs/common';

import { InvalidInput } from '../../../libs/invalid-input/index.js';
import {
  DATABASE_FULL,
  isDatabaseAway,
  isDatabaseFull,
  isOutOfTime,
  isUnstorableText,
} from '../database/index.js';
import { ERROR_CODES, type ErrorCode, InvalidRequest, ProblemError, Unavailable } from '../errors/index.js';
import { BlobTooLarge, StorageFull, StorageUnavailable } from '../storage/index.js';

/** What the client is told about an error; one that is nobody's business but the operator's becomes `internal_error`. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof InvalidInput) return InvalidRequest.of(error);
  if (isDatabaseFull(error)) return new Unavailable(DATABASE_FULL, 10);
  if (isDatabaseAway(error))
    return new Unavailable('The database cannot be reached just now. Try again shortly.');
  if (isOutOfTime(error))
    return new Unavailable('The database took too long, since much waits for it. Try again shortly.', 10);
  if (isUnstorableText(error))
    return new InvalidRequest('A text in the request has a character that cannot be stored.');
  if (error instanceof StorageFull || error instanceof StorageUnavailable)
    return new Unavailable(error.message, 10);
  if (error instanceof BlobTooLarge) return new ProblemError('payload_too_large', error.message);
  const status = statusOf(error);
  const code = (Object.keys(ERROR_CODES) as ErrorCode[]).find((name) => ERROR_CODES[name].status === status);
  // Only for a client's mistake may the framework's own message be shown.
  if (code && status < 500) return new ProblemError(code, (error as Error).message);
  return status >= 400 && status < 500
    ? new InvalidRequest((error as Error).message)
    : new ProblemError(
        'internal_error',
        'Something failed on our side. The log tells more under this requestId.',
      );
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : 500;
}
