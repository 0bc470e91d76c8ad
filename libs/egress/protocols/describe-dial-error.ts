import { EgressError } from '../errors.js';

/** Why a host could not be reached: a clause without the host, for the log. */
export function describeDialError(error: unknown): string {
  return error instanceof EgressError ? error.reason : 'the connection could not be made';
}
