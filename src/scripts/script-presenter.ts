import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import type { ScriptDetailDto, ScriptDto } from './script.dto.js';
import { type ScriptUse, ScriptUsageHooks } from './script-usage-hooks.js';
import type { DetailedScriptRow, ListedScriptRow, ScriptRow } from './scripts.sql.js';
import { presentStats } from './stats/present-stats.js';
import type { ScriptActivityDto } from './stats/script-stats.dto.js';
import { ScriptStatsRepository, type ScriptStatsRow } from './stats/script-stats.repository.js';

const MOST_PEOPLE = 100;

/** Puts together what the API shows of scripts. */
@Injectable()
export class ScriptPresenter {
  constructor(
    private readonly stats: ScriptStatsRepository,
    private readonly uses: ScriptUsageHooks,
  ) {}

  /** A page of scripts; their statistics are read at once. */
  async page(rows: readonly ListedScriptRow[]): Promise<ScriptDto[]> {
    if (rows.length === 0) return [];
    const stats = await this.stats.ofScripts(rows.map(({ id }) => id));
    const byScript = new Map(stats.map((row) => [row.scriptId, row]));
    return rows.map((row) => present(row, byScript.get(row.id)));
  }

  /** The last 30 days of a script. */
  async activity({ id }: Pick<ListedScriptRow, 'id'>): Promise<ScriptActivityDto> {
    return { days: await this.stats.days(id) };
  }

  async detail(row: DetailedScriptRow, caller: WorkspaceCaller): Promise<ScriptDetailDto> {
    const [stats] = await this.stats.ofScripts([row.id]);
    const guest = caller.role === 'guest' ? (caller.person?.id ?? null) : null;
    const people = await this.stats.people(row.id, guest, MOST_PEOPLE);
    const used = await this.used(row, caller, false);
    return { ...present(row, stats), readme: row.readme, usedBy: { people, ...used } };
  }

  /** A script that was made just now has neither a version nor a past to read. */
  created(row: ScriptRow, used: ScriptUse): ScriptDetailDto {
    return {
      ...present({ ...row, inputSchema: null }, undefined),
      readme: null,
      usedBy: { people: [], ...used },
    };
  }

  /** What uses a script that is being made. */
  usesOfNew(script: Pick<ScriptRow, 'id' | 'slug'>, caller: WorkspaceCaller): Promise<ScriptUse> {
    return this.used(script, caller, true);
  }

  private used(
    { id, slug }: Pick<ScriptRow, 'id' | 'slug'>,
    caller: WorkspaceCaller,
    isNew: boolean,
  ): Promise<ScriptUse> {
    return this.uses.of(
      { id, slug, workspaceId: caller.workspace.id, isNew },
      {
        role: caller.role,
        userId: caller.person?.id ?? null,
        scriptChoice: caller.scriptChoice,
        environmentId: caller.bound ? caller.environment.id : null,
      },
    );
  }
}

function present(row: ListedScriptRow, stats: ScriptStatsRow | undefined): ScriptDto {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    ownerUserId: row.ownerUserId,
    publishedVersion: row.publishedVersion,
    lastVersion: row.lastVersion,
    revision: row.revision,
    access: row.access,
    teamIds: row.teamIds,
    approvalPolicy: row.approvalPolicy,
    ask: row.ask,
    inputSchema: row.inputSchema,
    tags: row.tags,
    queue: row.queue,
    retention: row.retention,
    stats: presentStats(stats),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
