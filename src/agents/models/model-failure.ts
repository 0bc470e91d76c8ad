import { ProblemError, Unavailable } from '../../core/errors/index.js';

/** How a language model failed: what the caller is told, and what only the operator may read. */
interface ModelFailure {
  problem: ProblemError;
  /** For the log. Never with what the endpoint said, which could hold the key or what a person wrote. */
  reason: string;
}

/** No part for so long, from a model that had begun or not. */
export class ModelSilent extends Error {
  constructor() {
    super('nothing came for too long');
  }
}

export function modelFailureOf(error: unknown): ModelFailure {
  if (isSilence(error)) return failure('stopped answering', 'nothing came for too long');
  const status = responseOf(error).statusCode ?? null;
  if (status === 401 || status === 403) {
    return failure('refused the key of this service', `it responded ${status}: look at GATEHOUSE_MODEL_KEY`);
  }
  if (status === 429) {
    const problem = new Unavailable(
      "The model's endpoint has too much to do. Try again later.",
      retryAfter(error),
    );
    return { problem, reason: 'it responded 429' };
  }
  if (status !== null && status >= 400) return failure('refused the request', `it responded ${status}`);
  if (status !== null) return failure('broke off, or sent what is no answer', 'its response was no good');
  return failure('could not be reached, or broke off', nameOf(error));
}

function failure(what: string, reason: string): ModelFailure {
  return {
    problem: new Unavailable(`The model's endpoint ${what}. Runs that were started go on.`, 30),
    reason,
  };
}

function retryAfter(error: unknown): number {
  const seconds = Number(responseOf(error).responseHeaders?.['retry-after']);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 3600) : 30;
}

/** What an `APICallError` of the AI SDK holds; it is not asked for its class, so that the SDK need not be loaded for it. */
function responseOf(error: unknown): { statusCode?: number; responseHeaders?: Record<string, string> } {
  return typeof error === 'object' && error !== null ? error : {};
}

function isSilence(error: unknown): boolean {
  if (error instanceof ModelSilent) return true;
  return error instanceof Error && error.cause !== undefined && isSilence(error.cause);
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = (error as { code?: unknown }).code;
  const cause = error.cause instanceof Error ? `, because of ${nameOf(error.cause)}` : '';
  return `${error.name}${typeof code === 'string' ? ` (${code})` : ''}${cause}`;
}
