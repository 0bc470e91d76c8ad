import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AccessRule } from '../access/access-rule.js';
import type { Caller, WorkspaceCaller } from '../access/caller.js';

/** A request on its way: what the guard and the body reader have found out about it. */
export type GatehouseRequest = FastifyRequest & {
  caller?: Caller;
  workspaceCaller?: WorkspaceCaller;
  /** By which the caller was let in. */
  accessRule?: Exclude<AccessRule, 'public'>;
  rawBody?: Buffer;
};

export type GatehouseReply = FastifyReply;

/** A header that must come at most once; Node joins repeated ones with a comma, which no value here contains. */
export function singleHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
