import { type ApprovalRequest, type UserMe, approvalsGet } from '@gatehouse/client/operations';

import { DEFAULT_ENVIRONMENT, type Place } from '../../api/place.js';
import { Problem, isProblem } from '../../api/problem.js';
import { workspacesByUse } from '../../app/places.js';
import { runInputOf } from './approval.js';

export interface FoundRequest {
  request: ApprovalRequest;
  /** Where it belongs to, with the environment of its run. */
  place: Place;
}

/**
 * A mailed address names no workspace: the person's own are tried, the one that they were in last first.
 * @throws Problem where none of them has the request, or they may not see it there
 */
export async function findRequest(id: string, user: UserMe): Promise<FoundRequest> {
  let refusal: unknown = new Problem({
    status: 404,
    code: 'not_found',
    message: 'There is no such request.',
  });
  for (const workspace of workspacesByUse(user)) {
    try {
      const { data } = await approvalsGet({ path: { id }, headers: { 'x-workspace': workspace } });
      return {
        request: data,
        place: { workspace, environment: runInputOf(data)?.environment ?? DEFAULT_ENVIRONMENT },
      };
    } catch (error) {
      if (!isProblem(error, 'forbidden') && !isProblem(error, 'not_found')) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
