import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, ArrayContains, type QueryDeepPartialEntity, type Repository } from 'typeorm';

import { OFFERS_TOPIC } from '../core/access/index.js';
import { Database, Notifications, NOW, returnedRow, violatedConstraint } from '../core/database/index.js';
import type { SharedTeam } from './script-access.js';
import { Script } from './script.entity.js';
import type { ScriptStatus } from './script.status.js';
import type { ScriptViewer } from './script-viewer.js';
import {
  type DetailedScriptRow,
  FIND_SCRIPT,
  HAS_GUESTS,
  HAS_USER,
  INSERT_SCRIPT,
  type ListedScriptRow,
  listScripts,
  LOCK_SCRIPT,
  type LockedScriptRow,
  type NewScript,
  type ScriptFilters,
  type ScriptRow,
  viewerParameters,
} from './scripts.sql.js';

export type ScriptChange = Pick<
  Script,
  'name' | 'description' | 'access' | 'teamIds' | 'approvalPolicy' | 'ask' | 'tags' | 'queue' | 'retention'
>;

@Injectable()
export class ScriptsRepository {
  constructor(
    @InjectRepository(Script) private readonly scripts: Repository<Script>,
    private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  /** null: the slug is taken. */
  insert(script: NewScript): Promise<ScriptRow | null> {
    return this.database.one<ScriptRow>(...INSERT_SCRIPT(script));
  }

  find(viewer: ScriptViewer, slug: string): Promise<DetailedScriptRow | null> {
    return this.database.one<DetailedScriptRow>(FIND_SCRIPT, [...viewerParameters(viewer), slug]);
  }

  lock(viewer: ScriptViewer, slug: string): Promise<LockedScriptRow | null> {
    return this.database.one<LockedScriptRow>(LOCK_SCRIPT, [...viewerParameters(viewer), slug]);
  }

  /** Newest first. */
  list(
    viewer: ScriptViewer,
    filters: ScriptFilters,
    after: string | null,
    count: number,
  ): Promise<ListedScriptRow[]> {
    return this.database.queryOnce<ListedScriptRow>(...listScripts(viewer, filters, after, count));
  }

  change(id: string, { ask, ...change }: ScriptChange): Promise<void> {
    // The builder's type takes a JSON Schema for an entity.
    const json = ask as QueryDeepPartialEntity<Script>['ask'];
    return this.update(id, { ...change, ask: json, revision: () => 'revision + 1' });
  }

  setStatus(id: string, status: ScriptStatus, publishedVersion: number | null): Promise<void> {
    return this.update(id, { status, publishedVersion });
  }

  /** false: something uses it. The transaction has failed then. */
  async remove(id: string): Promise<boolean> {
    try {
      await this.scripts.delete({ id });
      return true;
    } catch (error) {
      if (violatedConstraint(error) === null) throw error;
      return false;
    }
  }

  /** Those of `teamIds` that are teams of the workspace, kept from being deleted until the transaction ends. */
  teams(workspaceId: string, teamIds: readonly string[], userId: string | null): Promise<SharedTeam[]> {
    return this.scripts.manager
      .createQueryBuilder('Team', 't')
      .select('t.id', 'id')
      .addSelect(HAS_GUESTS, 'hasGuests')
      .addSelect(HAS_USER, 'hasCaller')
      .where({ workspaceId, id: Any([...teamIds]) })
      .setParameters({ userId })
      .setLock('for_key_share')
      .getRawMany<SharedTeam>();
  }

  /** Those that are shared with the team, locked until the transaction ends. */
  async lockShared(workspaceId: string, teamId: string): Promise<void> {
    await this.scripts
      .createQueryBuilder('s')
      .select('s.id')
      .where({ workspaceId, teamIds: ArrayContains([teamId]) })
      .andWhere(`s.access = 'teams'`)
      .orderBy('s.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  async removeTeam(workspaceId: string, teamId: string): Promise<void> {
    await this.scripts
      .createQueryBuilder()
      .update()
      .set({ teamIds: () => 'array_remove(team_ids, :teamId)' })
      .where({ workspaceId, teamIds: ArrayContains([teamId]) })
      .andWhere(`access = 'teams'`)
      .setParameters({ teamId })
      .execute();
  }

  /** Whoever may run the script may find another one now, or none. */
  private async update(id: string, changed: QueryDeepPartialEntity<Script>): Promise<void> {
    const updating = this.scripts
      .createQueryBuilder()
      .update()
      .set({ ...changed, updatedAt: NOW })
      .where({ id });
    const { workspaceId } = (await returnedRow(updating, 'workspaceId'))!;
    await this.notifications.notify(OFFERS_TOPIC, workspaceId);
  }
}
