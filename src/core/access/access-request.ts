import type { GatehouseRequest } from '../http/index.js';
import type { AccessRule } from './access-rule.js';
import type { Caller, WorkspaceCaller } from './caller.js';
import type { Identity } from './identity.js';

/** A request with what the guards have found out about it. */
export type AccessRequest = GatehouseRequest & {
  identity?: Identity;
  caller?: Caller;
  workspaceCaller?: WorkspaceCaller;
  /** By which the caller was let in. */
  accessRule?: Exclude<AccessRule, 'public'>;
  /** Whether the route takes a password that was given within the last hour. */
  needsConfirmation?: boolean;
  /** Whether the route takes one given within the workspace's own time. */
  needsStepUp?: boolean;
  /** Whether some of the body was still to come when the guards let the request in. */
  bodyIsDue?: boolean;
};
