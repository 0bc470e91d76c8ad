import { Injectable } from '@nestjs/common';

import type { VisibilityViewer } from '../core/access/index.js';
import type { ScriptFollowerDto, ScriptHookDto, ScriptScheduleDto, ScriptTriggerDto } from './script.dto.js';

/** What uses a script besides people. */
export interface ScriptUse {
  schedules: ScriptScheduleDto[];
  triggers: ScriptTriggerDto[];
  hooks: ScriptHookDto[];
  followedBy: ScriptFollowerDto[];
}

export interface UsedScript {
  id: string;
  slug: string;
  workspaceId: string;
  /** Made just now: nothing can name its id yet. */
  isNew: boolean;
}

/** Who asks. What they may not see must be left out. */
export interface UseViewer extends VisibilityViewer {
  /** null unless the viewer sees one environment only. */
  environmentId: string | null;
}

type ScriptUseSource = (script: UsedScript, viewer: UseViewer) => Promise<Partial<ScriptUse>>;

/**
 * An extension point: domains that use scripts say so here, and `usedBy` of a script shows it.
 *
 * @example
 * onModuleInit(): void {
 *   this.uses.register(async (script, viewer) => ({ schedules: await this.schedules.of(script.id, viewer) }));
 * }
 */
@Injectable()
export class ScriptUsageHooks {
  private readonly sources: ScriptUseSource[] = [];

  register(source: ScriptUseSource): void {
    this.sources.push(source);
  }

  async of(script: UsedScript, viewer: UseViewer): Promise<ScriptUse> {
    const all: ScriptUse = { schedules: [], triggers: [], hooks: [], followedBy: [] };
    // One after the other: within a transaction they share a connection.
    for (const source of this.sources) {
      const { schedules = [], triggers = [], hooks = [], followedBy = [] } = await source(script, viewer);
      all.schedules.push(...schedules);
      all.triggers.push(...triggers);
      all.hooks.push(...hooks);
      all.followedBy.push(...followedBy);
    }
    return all;
  }
}
