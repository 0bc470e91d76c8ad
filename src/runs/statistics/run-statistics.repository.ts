import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Database } from '../../core/database/index.js';
import { deleteFirst, type Expired, Expires } from '../../core/work/index.js';
import { sumOf } from './counted-ends.js';
import { RunStatistic, type Unit } from './run-statistic.entity.js';
import { STATISTICS, STATISTICS_BY_VERSION } from './run-statistics.sql.js';

const DAY_MS = 86_400_000;
/** What a list of values may have: a statement takes 65,535 parameters. */
const MOST_ROWS = 500;

export interface StatisticsFilter {
  unit: Unit;
  from: Date;
  until: Date;
  script: string | null;
  version: number | null;
  environment: string | null;
}

/** Of a bucket, of a version, or of all together. Quantiles are bins. */
export interface StatisticsRow {
  at: Date | null;
  version: number | null;
  succeeded: number;
  failed: number;
  cancelled: number;
  durationP50: number | null;
  durationP95: number | null;
  waitingP50: number | null;
  waitingP95: number | null;
}

@Injectable()
export class RunStatisticsRepository {
  constructor(
    @InjectRepository(RunStatistic) private readonly statistics: Repository<RunStatistic>,
    private readonly database: Database,
  ) {}

  async read(caller: WorkspaceCaller, filter: StatisticsFilter): Promise<StatisticsRow[]> {
    const { workspace, bound, environment, role, person, scriptChoice } = caller;
    const statement = filter.script === null ? STATISTICS : STATISTICS_BY_VERSION;
    return this.database.query<StatisticsRow>(
      ...statement({
        ...filter,
        from: filter.from.toISOString(),
        until: filter.until.toISOString(),
        workspaceId: workspace.id,
        bound: bound ? environment.id : null,
        role,
        userId: person?.id ?? null,
        scriptChoice,
      }),
    );
  }

  /** One process at a time counts a workspace's. False: another one does. */
  takeTurn(workspaceId: string): Promise<boolean> {
    return this.database.tryLock(`run statistics of ${workspaceId}`);
  }

  /** To be called by whoever has the turn: what is there is read, and written with what is added. */
  async add(statistics: readonly RunStatistic[]): Promise<void> {
    for (let from = 0; from < statistics.length; from += MOST_ROWS) {
      await this.addSome(statistics.slice(from, from + MOST_ROWS));
    }
  }

  private async addSome(statistics: readonly RunStatistic[]): Promise<void> {
    const keyOf = (row: RunStatistic): string => JSON.stringify(keyIn(row));
    const before = await this.statistics.findBy(statistics.map(keyIn));
    const known = new Map(before.map((row) => [keyOf(row), row]));
    const rows = statistics.map((row) => {
      const one = known.get(keyOf(row));
      return one ? sumOf(one, row) : row;
    });
    await this.statistics
      .createQueryBuilder()
      .insert()
      .values(rows)
      .orUpdate(
        ['succeeded', 'failed', 'cancelled', 'durations', 'waits'],
        ['workspace_id', 'unit', 'at', 'script_id', 'environment_id', 'version'],
      )
      .updateEntity(false)
      .execute();
  }

  @Expires({ after: 100 * DAY_MS })
  deleteOldHours(expired: Expired): Promise<number> {
    return this.deleteOld('hour', expired);
  }

  @Expires({ after: 800 * DAY_MS })
  deleteOldDays(expired: Expired): Promise<number> {
    return this.deleteOld('day', expired);
  }

  private deleteOld(unit: Unit, { age, most }: Expired): Promise<number> {
    const old = this.statistics
      .createQueryBuilder('t')
      .where(`t.unit = :unit AND t.at < now() - :age * interval '1 millisecond'`, { unit, age })
      .orderBy('t.at');
    return deleteFirst(this.statistics, old, most);
  }
}

const keyIn = ({ workspaceId, unit, at, scriptId, environmentId, version }: RunStatistic) => ({
  workspaceId,
  unit,
  at,
  scriptId,
  environmentId,
  version,
});
