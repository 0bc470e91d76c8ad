import type { Request, Response } from 'express';

import type { CausingRun } from './causing-run.js';
import type { Span } from '../tracing/index.js';

/** A request as this room knows it. Rooms above add what they find out, such as `AccessRequest`. */
export type GatehouseRequest = Request & {
  /** Made by the server, never taken from the client. */
  id: string;
  ip: string;
  /** Whom the work for this request counts for: a workspace or a credential. Without one, the address does. */
  owner?: string;
  rawBody?: Buffer;
  /** In the trace that it is handled in, where there is one. */
  span?: Span;
  /** The run whose script sent it, where the gate has vouched for that. */
  causedBy?: CausingRun;
};

export type GatehouseResponse = Response;

/** The template of the route that takes the request, such as `/v1/runs/:runId`; null where there is none. */
export function routeOf(request: GatehouseRequest): string | null {
  return (request.route as { path: string } | undefined)?.path ?? null;
}

/** A header that must come at most once; Node joins repeated ones with a comma, which no value here contains. */
export function singleHeader(request: Request, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
