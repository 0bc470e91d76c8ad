import type { Repository, SelectQueryBuilder } from 'typeorm';

import { scriptIsChosen, scriptVisibleTo, type WorkspaceCaller } from '../core/access/index.js';
import { CLOCKS_APART_MS, firstIdAt, isId } from '../core/crypto/index.js';
import { causeColumnOf } from './run.cause.js';
import { type LabelFilter, labelFilterIn, statusesIn } from './run-filters.form.js';
import type { RunListQuery } from './run-list.dto.js';
import type { Run } from './run.entity.js';
import type { RunStatus } from './run.status.js';
import { RUNS_WITH_WORDS } from './search/run-words.sql.js';
import { RunWords } from './search/run-words.entity.js';
import { searchOf } from './search/search-words.js';

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
  for (const property of ['interface', 'scheduleId', 'triggerId', 'hookId'] as const) {
    const value = filters[property];
    if (value !== undefined) query.andWhere(`r.${property} = :${property}`, { [property]: value });
  }
  if (filters.plan !== undefined) query.andWhere(filters.plan === 'true' ? 'r.plan' : 'NOT r.plan');
  const { causedBy, startedBy, since, until, environment, script, status, minSeconds, errorId } = filters;
  if (status !== undefined) narrowToStatuses(query, statusesIn(status));
  for (const [index, text] of (filters.label ?? []).entries())
    narrowToLabel(query, labelFilterIn(text), index);
  if (filters.q !== undefined) narrowToWords(query, filters.q);
  if (minSeconds !== undefined) query.andWhere('r.durationMs >= :leastMs', { leastMs: minSeconds * 1000 });
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

type Query = SelectQueryBuilder<Run>;

/** One is a range of an index. */
function narrowToStatuses(query: Query, statuses: readonly RunStatus[]): void {
  if (statuses.length === 1) query.andWhere('r.status = :status', { status: statuses[0] });
  else query.andWhere('r.status = ANY(:statuses)', { statuses });
}

/** The index has only those with labels. */
function narrowToLabel(query: Query, { key, value }: LabelFilter, index: number): void {
  if (index === 0) query.andWhere(`r.labels <> '{}'`);
  const name = `label${index}`;
  if (value === null) query.andWhere(`r.labels ? :${name}`, { [name]: key });
  else query.andWhere(`r.labels @> :${name}::jsonb`, { [name]: JSON.stringify({ [key]: value }) });
}

/** The id of a run finds it also before its words are read. */
function narrowToWords(query: Query, text: string): void {
  const words = searchOf(text)!;
  const id = text.trim().toLowerCase();
  if (isId('run', id)) {
    query.andWhere(`r.id IN (VALUES (:runId) UNION ALL ${RUNS_WITH_WORDS})`, { runId: id, words });
  } else query.innerJoin(RunWords, 'w', 'w.runId = r.id AND w.words @@ :words::tsquery', { words });
}
