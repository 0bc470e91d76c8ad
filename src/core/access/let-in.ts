import { ProblemError } from '../errors/index.js';
import type { AccessRequest } from './access-request.js';
import { admitted } from './access-rule.js';
import { assertConfirmed, assertSteppedUp } from './confirmation.js';
import type { Identity } from './identity.js';

/**
 * Lets somebody use the route that a request is for, as they are in its workspace at this moment.
 *
 * @throws ProblemError where they may not: workspace and environment (400, 403), scope, role and, where the route asks for
 * it, a recent confirmation (403)
 */
export function letIn(request: AccessRequest, { caller, finding }: Identity): void {
  const entered = admitted(request.accessRule!, caller, finding);
  if (entered instanceof ProblemError) throw entered;
  request.caller = caller;
  if ('workspace' in entered) {
    const run = request.causedBy;
    if (run?.workspaceId === entered.workspace.id) entered.run = { id: run.id };
    request.workspaceCaller = entered;
    request.owner = entered.workspace.id;
  }
  if (request.needsConfirmation) assertConfirmed(caller);
  if (request.needsStepUp) assertSteppedUp({ kind: caller.kind, stepUpMinutes: finding.stepUpMinutes });
}
