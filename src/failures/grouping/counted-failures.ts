import { newId } from '../../core/crypto/index.js';
import type { ErrorGroup } from '../error-group.entity.js';
import { returnsBy } from '../error.status.js';
import type { ErrorKind } from './error-kind.js';
import type { FailedRun } from './error-sightings.repository.js';

/** An error that nobody has seen before. */
export function newGroup(workspaceId: string, run: FailedRun, kind: ErrorKind): ErrorGroup {
  return {
    id: newId('error'),
    workspaceId,
    environmentId: run.environmentId,
    scriptId: run.scriptId,
    ...kind,
    count: 1,
    firstAt: run.at,
    lastAt: run.at,
    lastEventId: run.eventId,
    lastRunId: run.id,
    lastVersion: run.version,
    status: 'open',
    ignoreUntil: null,
    statusAt: run.at,
    statusByUserId: null,
    createdAt: new Date(),
  };
}

/** The same with one more failure. Of one that comes late, nothing but the count changes. */
export function withFailure(
  before: ErrorGroup,
  run: FailedRun,
  sample: string,
): { after: ErrorGroup; returned: boolean } {
  const returned = returnsBy(before, run.at);
  const after = {
    ...before,
    count: before.count + 1,
    firstAt: run.at < before.firstAt ? run.at : before.firstAt,
    ...(run.eventId > before.lastEventId && {
      sample,
      lastAt: run.at,
      lastEventId: run.eventId,
      lastRunId: run.id,
      lastVersion: run.version,
    }),
    ...(returned && { status: 'open' as const, ignoreUntil: null, statusAt: run.at, statusByUserId: null }),
  };
  return { after, returned };
}
