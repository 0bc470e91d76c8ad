import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type ScriptUse, ScriptUsageHooks, type UsedScript, type UseViewer } from '../scripts/index.js';
import { mayFollow } from './may-follow.js';
import { TriggersRepository } from './triggers.repository.js';

/** Shows on a script which triggers run it, and which other scripts follow its runs. */
@Injectable()
export class ScriptTriggers implements OnModuleInit {
  constructor(
    private readonly uses: ScriptUsageHooks,
    private readonly triggers: TriggersRepository,
  ) {}

  onModuleInit(): void {
    this.uses.register((script, viewer) => this.of(script, viewer));
  }

  /** Guests see no triggers. */
  private async of(script: UsedScript, viewer: UseViewer): Promise<Partial<ScriptUse>> {
    if (viewer.role === 'guest') return {};
    if (script.isNew && !(await this.triggers.anyOnRuns(script.workspaceId))) return {};
    const followers = await this.triggers.followersOf(script, viewer);
    const triggers = script.isNew ? [] : await this.usesOf(script.id, viewer.environmentId);
    return {
      triggers: triggers.map(({ id, name, eventType, enabled }) => ({ id, name, eventType, enabled })),
      followedBy: followers
        .filter(({ filter, followed }) => mayFollow(filter, followed))
        .map(({ id, name, eventType, slug, scriptName }) => ({
          script: { slug, name: scriptName },
          trigger: { id, name, eventType },
        })),
    };
  }

  private usesOf(scriptId: string, environmentId: string | null) {
    return this.triggers.usesOf(scriptId, environmentId, 'id', 'name', 'eventType', 'enabled');
  }
}
