import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Forbidden, InvalidRequest } from '../../core/errors/index.js';
import { secondsOf } from './bins.js';
import { beginnings, UNIT_MS } from './counted-ends.js';
import {
  MOST_BUCKETS,
  type RunCountsDto,
  type RunStatisticsDto,
  type RunStatisticsQuery,
} from './run-statistics.dto.js';
import { RunStatisticsRepository, type StatisticsRow } from './run-statistics.repository.js';
import type { Unit } from './run-statistic.entity.js';

const USUAL_DAYS: Record<Unit, number> = { hour: 2, day: 30 };
const MOST_VERSIONS = 100;
/** Beyond these, buckets would have years that PostgreSQL does not read. */
const [EARLIEST, LATEST] = [new Date('1971-01-01T00:00:00Z'), new Date('9999-12-01T00:00:00Z')];
/** A week: each hour of each script is a row. */
const MOST_HOURS_OF_ALL = 168;

const NONE: Omit<StatisticsRow, 'at' | 'version'> = {
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  durationP50: null,
  durationP95: null,
  waitingP50: null,
  waitingP95: null,
};

/** How runs ended over time. */
@Injectable()
export class RunStatisticsService {
  constructor(private readonly statistics: RunStatisticsRepository) {}

  async read(caller: WorkspaceCaller, query: RunStatisticsQuery): Promise<RunStatisticsDto> {
    const { by, script = null, version = null, environment = null } = query;
    if (caller.bound && environment !== null && environment !== caller.environment.name)
      throw new Forbidden(`This credential is bound to the environment ${caller.environment.name}.`);
    if (version !== null && script === null)
      throw InvalidRequest.at('version', 'is of a script: name that, too');
    const starts = bucketsOf(query);
    const [from, last] = [starts[0]!, starts.at(-1)!];
    const until = new Date(last.getTime() + UNIT_MS[by]);
    const rows = await this.statistics.read(caller, { unit: by, from, until, script, version, environment });
    const byStart = new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.at.getTime(), row]])));
    const versions = rows.flatMap((row) =>
      row.version === null || script === null ? [] : [{ version: row.version, ...countsOf(row) }],
    );
    return {
      by,
      from: from.toISOString(),
      until: until.toISOString(),
      buckets: starts.map((at) => ({
        at: at.toISOString(),
        ...countsOf(byStart.get(at.getTime()) ?? NONE),
      })),
      totals: countsOf(rows.find((row) => row.at === null && row.version === null) ?? NONE),
      versions: versions.sort((one, other) => other.version - one.version).slice(0, MOST_VERSIONS),
    };
  }
}

/** @throws InvalidRequest where there are none, or too many */
function bucketsOf({ by, since, until, script }: RunStatisticsQuery): Date[] {
  const most = by === 'hour' && script === undefined ? MOST_HOURS_OF_ALL : MOST_BUCKETS;
  const end = until === undefined ? new Date() : new Date(until);
  const start =
    since === undefined ? new Date(end.getTime() - USUAL_DAYS[by] * UNIT_MS.day) : new Date(since);
  for (const [path, at] of Object.entries({ until: end, since: start }))
    if (!(at > EARLIEST && at < LATEST))
      throw InvalidRequest.at(path, 'must be between 1971 and the last month of 9999');
  if (start >= end) throw InvalidRequest.at(until === undefined ? 'since' : 'until', 'must be after `since`');
  const mostMs = (most + 1) * UNIT_MS[by];
  const starts = end.getTime() - start.getTime() > mostMs ? null : beginnings(by, start, end);
  if (starts === null || starts.length > most)
    throw InvalidRequest.at(
      'since',
      `must leave at most ${most} buckets before the end${most < MOST_BUCKETS ? ', or name a script' : ''}`,
    );
  return starts;
}

function countsOf(row: Omit<StatisticsRow, 'at' | 'version'>): RunCountsDto {
  const { succeeded, failed, cancelled } = row;
  return {
    succeeded,
    failed,
    other: cancelled,
    successRate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    durationSeconds: { p50: secondsOf(row.durationP50), p95: secondsOf(row.durationP95) },
    waitingSeconds: { p50: secondsOf(row.waitingP50), p95: secondsOf(row.waitingP95) },
  };
}
