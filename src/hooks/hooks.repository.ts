import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import {
  type AutomationRelations,
  AutomationsRepository,
  type ListedAutomation,
} from '../automations/index.js';
import { Database } from '../core/database/index.js';
import { Hook } from './hook.entity.js';

/** Without what it is joined with. */
export type HookRow = Omit<Hook, keyof AutomationRelations>;
export type ListedHook = ListedAutomation<HookRow>;

/** A hook that takes requests, with the version that they would run; null: none is published. */
export type OpenHook = HookRow & { versionId: string | null };

@Injectable()
export class HooksRepository extends AutomationsRepository<HookRow> {
  constructor(
    database: Database,
    @InjectRepository(Hook) private readonly hooks: Repository<Hook>,
  ) {
    super(database, hooks, { enabled: false });
  }

  /** Those of the addresses that are switched on, in workspaces that there are. */
  async open(hashes: readonly Buffer[]): Promise<OpenHook[]> {
    const { entities, raw } = await this.hooks
      .createQueryBuilder('h')
      .innerJoin('h.script', 's')
      .innerJoin('Workspace', 'w', 'w.id = h.workspaceId AND w.deletedAt IS NULL')
      .leftJoin('ScriptVersion', 'v', 'v.scriptId = s.id AND v.number = s.publishedVersion')
      .addSelect('v.id', 'versionId')
      .where('h.enabled AND h.addressHash = ANY(:hashes)', { hashes })
      .getRawAndEntities<{ versionId: string | null }>();
    return entities.map((hook, index) => ({ ...hook, versionId: raw[index]!.versionId }));
  }

  /** Those that are still switched on; nobody changes them until the transaction ends. By id, so that no two wait for each other. */
  async lockEnabled(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.hooks
      .createQueryBuilder('h')
      .select('h.id')
      .where('h.id = ANY(:ids) AND h.enabled', { ids })
      .orderBy('h.id')
      .setLock('for_no_key_update')
      .getMany();
    return new Set(rows.map(({ id }) => id));
  }

  /** To the minute, so that most requests write nothing here. */
  async markReceived(ids: readonly string[]): Promise<void> {
    await this.hooks
      .createQueryBuilder()
      .update()
      .set({ lastReceivedAt: () => 'now()' })
      .where({ id: Any([...ids]) })
      .andWhere(`(last_received_at IS NULL OR last_received_at < now() - interval '1 minute')`)
      .execute();
  }

  /** Whether a refusal is to be told of now: once a minute. */
  async takeRefusalTurn(id: string): Promise<boolean> {
    const { affected } = await this.hooks
      .createQueryBuilder()
      .update()
      .set({ refusalToldAt: () => 'now()' })
      .where({ id })
      .andWhere(`(refusal_told_at IS NULL OR refusal_told_at < now() - interval '1 minute')`)
      .execute();
    return affected! > 0;
  }
}
