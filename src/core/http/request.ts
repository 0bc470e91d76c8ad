import type { Request, Response } from 'express';

import type { AccessRule } from '../access/access-rule.js';
import type { Caller, WorkspaceCaller } from '../access/caller.js';
import type { CountedFor } from '../rate-limit/rate-limiter.js';

/** A request on its way: what the guard and the body reader have found out about it. */
export type GatehouseRequest = Request & {
  /** Made by the server, never taken from the client. */
  id: string;
  ip: string;
  caller?: Caller;
  workspaceCaller?: WorkspaceCaller;
  /** By which the caller was let in. */
  accessRule?: Exclude<AccessRule, 'public'>;
  /** Whom a limit counts this request for, until it has been counted. */
  countedFor?: CountedFor | undefined;
  rawBody?: Buffer;
};

export type GatehouseReply = Response;

/** The template of the route that takes the request, such as `/v1/runs/:runId`; null where there is none. */
export function routeOf(request: GatehouseRequest): string | null {
  return (request.route as { path: string } | undefined)?.path ?? null;
}

/** A header that must come at most once; Node joins repeated ones with a comma, which no value here contains. */
export function singleHeader(request: Request, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
