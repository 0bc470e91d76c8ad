import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type ScriptHookDto, ScriptUsageHooks, type UsedScript, type UseViewer } from '../scripts/index.js';
import { HooksRepository } from './hooks.repository.js';

/** Shows on a script at which addresses requests start it. */
@Injectable()
export class ScriptHooks implements OnModuleInit {
  constructor(
    private readonly uses: ScriptUsageHooks,
    private readonly hooks: HooksRepository,
  ) {}

  onModuleInit(): void {
    this.uses.register(async (script, viewer) => ({ hooks: await this.of(script, viewer) }));
  }

  /** Guests see no hooks. */
  private async of(script: UsedScript, { role, environmentId }: UseViewer): Promise<ScriptHookDto[]> {
    if (script.isNew || role === 'guest') return [];
    const hooks = await this.hooks.usesOf(script.id, environmentId, 'id', 'name', 'verify', 'enabled');
    return hooks.map(({ id, name, verify, enabled }) => ({ id, name, scheme: verify.scheme, enabled }));
  }
}
