import type { ServerResponse } from 'node:http';

import type { ProblemError } from '../errors/index.js';

export function sendProblem(
  response: ServerResponse,
  problem: ProblemError,
  requestId: string,
  baseUrl: string,
): void {
  const body = JSON.stringify(envelope(problem, requestId, baseUrl));
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

/** The body of every error. */
export function envelope(problem: ProblemError, requestId: string, baseUrl: string): object {
  const { code, message, details } = problem;
  return {
    error: { code, message, requestId, docs: `${baseUrl}/docs/errors#${code}`, ...(details && { details }) },
  };
}
