import type { Repository, SelectQueryBuilder } from 'typeorm';

import { scriptIsChosen, scriptVisibleTo, type WorkspaceCaller } from '../core/access/index.js';
import { CLOCKS_APART_MS, firstIdAt } from '../core/crypto/index.js';
import { causeColumnOf } from './run.cause.js';
import type { RunListQuery } from './run.dto.js';
import type { Run } from './run.entity.js';

/** What narrows the list of runs. */
export type RunFilters = Omit<RunListQuery, 'limit' | 'cursor'>;

/** The list names an environment and a script as people do. */
const NAMED_ENVIRONMENT = `(SELECT named.id FROM environments named
  WHERE named.workspace_id = :workspaceId AND named.name = :environment AND named.deleted_at IS NULL)`;
const NAMED_SCRIPT =
  '(SELECT named.id FROM scripts named WHERE named.workspace_id = :workspaceId AND named.slug = :script)';

/** The runs of the caller's workspace that they may see, called `r`. */
export function visibleRuns(runs: Repository<Run>, caller: WorkspaceCaller): SelectQueryBuilder<Run> {
  const { workspace, role, person, scriptChoice } = caller;
  const query = runs
    .createQueryBuilder('r')
    .where('r.workspaceId = :workspaceId', { workspaceId: workspace.id });
  if (caller.bound) query.andWhere('r.environmentId = :bound', { bound: caller.environment.id });
  if (role === 'guest') query.andWhere('r.startedByUserId = :userId', { userId: person!.id });
  if (role === 'member' || scriptChoice !== null) query.innerJoin('Script', 's', 's.id = r.scriptId');
  if (role === 'member') query.andWhere(...scriptVisibleTo('s', { role, userId: person!.id, scriptChoice }));
  else if (scriptChoice !== null) query.andWhere(scriptIsChosen('s', ':scriptChoice'), { scriptChoice });
  return query;
}

/** Those of them that fit everything that is asked for. */
export function matchingRuns(
  runs: Repository<Run>,
  caller: WorkspaceCaller,
  filters: RunFilters,
): SelectQueryBuilder<Run> {
  const query = visibleRuns(runs, caller);
  for (const property of ['status', 'interface', 'scheduleId', 'triggerId', 'hookId'] as const) {
    const value = filters[property];
    if (value !== undefined) query.andWhere(`r.${property} = :${property}`, { [property]: value });
  }
  const { causedBy, startedBy, since, until, environment, script, errorId } = filters;
  if (causedBy !== undefined) query.andWhere(`r.${causeColumnOf(causedBy)} = :causedBy`, { causedBy });
  if (startedBy !== undefined) query.andWhere('r.startedByUserId = :startedBy', { startedBy });
  // Ids are made by our clocks and `started_at` by the database's. The ids let the index begin and end the search.
  if (since !== undefined) {
    const from = new Date(since);
    const firstId = firstIdAt('run', new Date(from.getTime() - CLOCKS_APART_MS));
    query.andWhere('r.id >= :firstId AND r.startedAt >= :from', { firstId, from });
  }
  if (until !== undefined) {
    const to = new Date(until);
    const endId = firstIdAt('run', new Date(to.getTime() + CLOCKS_APART_MS));
    query.andWhere('r.id < :endId AND r.startedAt < :to', { endId, to });
  }
  if (errorId !== undefined)
    query.innerJoin('ErrorRun', 'er', 'er.runId = r.id AND er.errorId = :errorId', { errorId });
  if (environment !== undefined) query.andWhere(`r.environmentId = ${NAMED_ENVIRONMENT}`, { environment });
  if (script !== undefined) query.andWhere(`r.scriptId = ${NAMED_SCRIPT}`, { script });
  return query;
}
