import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';

import { scriptVisibleTo, type WorkspaceCaller } from '../core/access/index.js';
import { NOW } from '../core/database/index.js';
import { deleteFirst, type Expired, Expires } from '../core/work/index.js';
import { PlanLimits } from '../usage/index.js';
import type { ErrorListQuery } from './error.dto.js';
import { ErrorGroup } from './error-group.entity.js';
import type { ErrorStatus } from './error.status.js';

/** With the names of where it belongs. */
export type ErrorRow = ErrorGroup & { scriptSlug: string; environment: string };

type ErrorFilters = Omit<ErrorListQuery, 'limit' | 'cursor'>;

const IS_OVER = `g.status = 'ignored' AND g.ignoreUntil <= now()`;
const HAS_STATUS: Record<ErrorStatus, string> = {
  open: `(g.status = 'open' OR (${IS_OVER}))`,
  resolved: `g.status = 'resolved'`,
  ignored: `(g.status = 'ignored' AND NOT COALESCE(${IS_OVER}, false))`,
};

/** Errors, as people see and settle them. */
@Injectable()
export class ErrorsRepository {
  constructor(
    @InjectRepository(ErrorGroup) private readonly groups: Repository<ErrorGroup>,
    private readonly plans: PlanLimits,
  ) {}

  /** Those first that were seen last. */
  async list(
    caller: WorkspaceCaller,
    { script, status, environment }: ErrorFilters,
    after: string | null,
    count: number,
  ): Promise<ErrorRow[]> {
    const query = this.visible(caller).orderBy('g.lastEventId', 'DESC').limit(count);
    if (after !== null) query.andWhere('g.lastEventId < :after', { after });
    if (script !== undefined) query.andWhere('s.slug = :script', { script });
    if (status !== undefined) query.andWhere(HAS_STATUS[status]);
    if (environment !== undefined)
      query.andWhere('e.name = :environment AND e.deletedAt IS NULL', { environment });
    return rowsOf(query);
  }

  async find(caller: WorkspaceCaller, id: string): Promise<ErrorRow | null> {
    const [row] = await rowsOf(this.visible(caller).andWhere('g.id = :id', { id }));
    return row ?? null;
  }

  /** Until the transaction ends nobody else changes it. */
  lock(id: string): Promise<ErrorGroup | null> {
    return this.groups.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async settle(
    id: string,
    change: Pick<ErrorGroup, 'status' | 'ignoreUntil' | 'statusByUserId'>,
  ): Promise<void> {
    await this.groups.update({ id }, { ...change, statusAt: NOW });
  }

  /** An error is kept as long as runs are, from its newest failure on. */
  @Expires()
  async deleteOld({ most }: Expired): Promise<number> {
    let count = 0;
    const kept = this.plans.daysKept('runs');
    for (const [plan, days] of Object.entries(kept)) {
      const isOfPlan = plan === 'default' ? `w.plan = :plan OR w.plan <> ALL(:plans)` : 'w.plan = :plan';
      const old = this.groups
        .createQueryBuilder('g')
        .where(`g.lastAt < now() - :days * interval '1 day'`)
        .andWhere(`g.workspaceId IN (SELECT w.id FROM workspaces w WHERE ${isOfPlan})`)
        .setParameters({ days, plan, plans: Object.keys(kept) })
        .orderBy('g.lastAt');
      count += await deleteFirst(this.groups, old, most - count);
      if (count === most) return count;
    }
    return count;
  }

  private visible({
    workspace,
    bound,
    environment,
    role,
    person,
    scriptChoice,
  }: WorkspaceCaller): SelectQueryBuilder<ErrorGroup> {
    const query = this.groups
      .createQueryBuilder('g')
      .innerJoin('Script', 's', 's.id = g.scriptId')
      .innerJoin('Environment', 'e', 'e.id = g.environmentId')
      .addSelect('s.slug', 'script_slug')
      .addSelect('e.name', 'environment')
      .where('g.workspaceId = :workspaceId', { workspaceId: workspace.id })
      .andWhere(...scriptVisibleTo('s', { role, userId: person?.id ?? null, scriptChoice }));
    if (bound) query.andWhere('g.environmentId = :bound', { bound: environment.id });
    return query;
  }
}

async function rowsOf(query: SelectQueryBuilder<ErrorGroup>): Promise<ErrorRow[]> {
  const { entities, raw } = await query.getRawAndEntities<{ script_slug: string; environment: string }>();
  return entities.map((group, index) => {
    const { script_slug: scriptSlug, environment } = raw[index]!;
    return { ...group, scriptSlug, environment };
  });
}
