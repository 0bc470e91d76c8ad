import { EgressError } from '../../libs/egress/index.js';
import { ProblemError, Unavailable } from '../core/errors/index.js';

/**
 * Why nothing came from a store, in words that everybody may read who may see the run: without its address, and never with
 * anything of what it responded, which may hold a secret.
 */
export function storeFailure(store: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const egress = egressOf(error);
  if (egress) return new Unavailable(`${store} cannot be reached: ${egress.reason}.`);
  if (error instanceof RangeError)
    return new Unavailable(`${store} responds with more than a secret can be.`);
  if (error instanceof SyntaxError)
    return new Unavailable(`${store} responds with something that is no JSON.`);
  return new Unavailable(`${store} does not respond, or breaks off.`);
}

/** Some libraries wrap the error of a connection. */
function egressOf(error: unknown): EgressError | null {
  if (error instanceof EgressError) return error;
  return error instanceof Error && error.cause instanceof EgressError ? error.cause : null;
}
