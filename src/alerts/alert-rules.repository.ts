import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, In, Not, type Repository } from 'typeorm';

import { Database, isPast, newestFirst, NOW } from '../core/database/index.js';
import { AlertRule } from './alert-rule.entity.js';

/** With the names of what it is about. */
export type AlertRuleRow = AlertRule & { scriptSlug: string | null; scriptName: string | null };

export type NewAlertRule = Omit<AlertRule, 'createdAt' | 'lastSuccessAt' | 'nextMessageAt' | 'updatedAt'>;

/** What decides which events a rule hears of. */
export type ListeningRule = Pick<
  AlertRule,
  'id' | 'workspaceId' | 'scriptId' | 'on' | 'slow' | 'notSucceededFor'
>;

interface Named {
  id: string;
  slug: string;
  name: string;
}

@Injectable()
export class AlertRulesRepository {
  constructor(
    @InjectRepository(AlertRule) private readonly rules: Repository<AlertRule>,
    private readonly database: Database,
  ) {}

  /** Whoever makes a rule takes turns with others who do. Returns how many there are. */
  async countForOneMore(workspaceId: string): Promise<number> {
    await this.database.lock(`alert rules of ${workspaceId}`);
    return this.rules.countBy({ workspaceId });
  }

  async insert(rule: NewAlertRule): Promise<void> {
    await this.rules.createQueryBuilder().insert().values(rule).updateEntity(false).execute();
  }

  /** Newest first. */
  async list(workspaceId: string, after: string | null, count: number): Promise<AlertRuleRow[]> {
    const query = this.rules.createQueryBuilder('a').where({ workspaceId });
    return this.named(await newestFirst(query, after, count).getMany());
  }

  async find(workspaceId: string, id: string): Promise<AlertRuleRow | null> {
    const rule = await this.rules.findOneBy({ workspaceId, id });
    return rule && (await this.named([rule]))[0]!;
  }

  /** Until the transaction ends nobody else changes it. */
  lock(workspaceId: string, id: string): Promise<AlertRule | null> {
    return this.rules.findOne({ where: { workspaceId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** The same for whoever works beside requests. null: it is gone, or somebody else is at it. */
  take(id: string): Promise<AlertRule | null> {
    const lock = { mode: 'pessimistic_write', onLocked: 'skip_locked' } as const;
    return this.rules.findOne({ where: { id }, lock });
  }

  async update(id: string, change: Partial<Omit<AlertRule, 'id'>>): Promise<void> {
    await this.rules.update({ id }, { ...change, updatedAt: NOW });
  }

  /** What comes of its work, not of people. */
  async note(id: string, change: Partial<Omit<AlertRule, 'id'>>): Promise<void> {
    await this.rules.update({ id }, change);
  }

  async delete(id: string): Promise<void> {
    await this.rules.delete({ id });
  }

  /** All that hear of anything in these workspaces. */
  listening(workspaceIds: readonly string[]): Promise<ListeningRule[]> {
    return this.rules.find({
      select: { id: true, workspaceId: true, scriptId: true, on: true, slow: true, notSucceededFor: true },
      where: { workspaceId: In([...workspaceIds]), enabled: true },
    });
  }

  /** Those that have waited too long for a success, the latest first. */
  async overdue(most: number, except: readonly string[]): Promise<string[]> {
    const rules = await this.rules.find({
      select: { id: true },
      where: { deadlineAt: isPast(), id: Not(Any([...except])) },
      order: { deadlineAt: 'ASC' },
      take: most,
    });
    return rules.map(({ id }) => id);
  }

  /** A script of the workspace that is not archived. */
  async script(workspaceId: string, slug: string): Promise<Named | null> {
    const row = await this.rules.manager
      .createQueryBuilder('Script', 's')
      .select(['s.id AS id', 's.slug AS slug', 's.name AS name'])
      .where({ workspaceId, slug })
      .getRawOne<Named>();
    return row ?? null;
  }

  async scripts(ids: readonly string[]): Promise<Map<string, Named>> {
    if (ids.length === 0) return new Map();
    const rows = await this.rules.manager
      .createQueryBuilder('Script', 's')
      .select(['s.id AS id', 's.slug AS slug', 's.name AS name'])
      .where({ id: In([...ids]) })
      .getRawMany<Named>();
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** null: it is deleted. */
  async workspace(id: string): Promise<Named | null> {
    const row = await this.rules.manager
      .createQueryBuilder('Workspace', 'w')
      .select(['w.id AS id', 'w.slug AS slug', 'w.name AS name'])
      .where({ id })
      .andWhere('w.deletedAt IS NULL')
      .getRawOne<Named>();
    return row ?? null;
  }

  async schedule(workspaceId: string, id: string): Promise<{ scriptId: string } | null> {
    const row = await this.rules.manager
      .createQueryBuilder('Schedule', 's')
      .select('s.scriptId', 'scriptId')
      .where({ workspaceId, id })
      .getRawOne<{ scriptId: string }>();
    return row ?? null;
  }

  /** The addresses of members, or of those of them that are named. */
  async addresses(workspaceId: string, named: readonly string[]): Promise<string[]> {
    const query = this.rules.manager
      .createQueryBuilder('Membership', 'm')
      .innerJoin('m.user', 'u')
      .select('u.email', 'email')
      .where({ workspaceId })
      .andWhere('u.disabledAt IS NULL')
      .orderBy('u.email');
    if (named.length > 0) query.andWhere('u.email IN (:...named)', { named: [...named] });
    else query.andWhere(`m.role IN ('owner', 'admin')`);
    return (await query.getRawMany<{ email: string }>()).map(({ email }) => email);
  }

  private async named(rules: AlertRule[]): Promise<AlertRuleRow[]> {
    const scripts = await this.scripts(rules.flatMap(({ scriptId }) => scriptId ?? []));
    return rules.map((rule) => {
      const script = rule.scriptId === null ? undefined : scripts.get(rule.scriptId);
      return { ...rule, scriptSlug: script?.slug ?? null, scriptName: script?.name ?? null };
    });
  }
}
