import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { User } from '../../auth/index.js';
import { Database } from '../../core/database/index.js';
import type { ScriptActivity } from './script-activity.entity.js';
import { ScriptPerson } from './script-person.entity.js';
import { LAST_DAYS, LATELY, STATS } from './script-stats.sql.js';

export interface ScriptStatsRow extends Pick<
  ScriptActivity,
  'scriptId' | 'runs' | 'succeeded' | 'failed' | 'lastRunAt'
> {
  people: number;
  /** Only those that there were runs from. */
  interfaces: Record<string, number>;
}

type ScriptDayRow = Pick<ScriptActivity, 'day' | 'runs' | 'succeeded' | 'failed'>;

type ScriptUserRow = Pick<ScriptPerson, 'userId' | 'runs'> & Pick<User, 'name'>;

/** Reads what the runs have counted: a row per script, day and interface, and one per script, day and person. */
@Injectable()
export class ScriptStatsRepository {
  constructor(
    @InjectRepository(ScriptPerson) private readonly persons: Repository<ScriptPerson>,
    private readonly database: Database,
  ) {}

  /** The counts of all these scripts in one statement; a row for each. */
  ofScripts(scriptIds: readonly string[]): Promise<ScriptStatsRow[]> {
    return this.database.query<ScriptStatsRow>(STATS, [scriptIds]);
  }

  /** Today and the 29 days before it, oldest first. */
  days(scriptId: string): Promise<ScriptDayRow[]> {
    return this.persons.manager
      .createQueryBuilder()
      .select(`to_char(d.day, 'YYYY-MM-DD')`, 'day')
      .addSelect('COALESCE(sum(a.runs), 0)::bigint', 'runs')
      .addSelect('COALESCE(sum(a.succeeded), 0)::bigint', 'succeeded')
      .addSelect('COALESCE(sum(a.failed), 0)::bigint', 'failed')
      .from(LAST_DAYS, 'd')
      .leftJoin('ScriptActivity', 'a', 'a.day = d.day AND a.scriptId = :scriptId', { scriptId })
      .groupBy('d.day')
      .orderBy('d.day')
      .getRawMany<ScriptDayRow>();
  }

  /** Who ran a script lately, the most frequent first. `onlyUserId` null: everybody. */
  people(scriptId: string, onlyUserId: string | null, count: number): Promise<ScriptUserRow[]> {
    return this.persons
      .createQueryBuilder('p')
      .innerJoin(User, 'u', 'u.id = p.userId')
      .select('p.userId', 'userId')
      .addSelect('u.name', 'name')
      .addSelect('sum(p.runs)::bigint', 'runs')
      .where({ scriptId, ...(onlyUserId !== null && { userId: onlyUserId }) })
      .andWhere(`p.${LATELY}`)
      .groupBy('p.userId')
      .addGroupBy('u.name')
      .orderBy('runs', 'DESC')
      .addOrderBy('p.userId')
      .limit(count)
      .getRawMany<ScriptUserRow>();
  }
}
