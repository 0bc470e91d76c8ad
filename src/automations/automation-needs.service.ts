import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Conflict, InvalidRequest, NotFound } from '../core/errors/index.js';
import { EnvironmentsService, type HeldEnvironment } from '../environments/index.js';
import { type RunnableScript, ScriptCatalogService, type VersionFacts, viewerOf } from '../scripts/index.js';
import type { AutomationKind } from './automation.kind.js';
import type { AutomationRow } from './automation-entity.js';
import { archived, assertMayName, assertRunnable } from './automation.rules.js';
import { AutomationNeedsRepository } from './automation-needs.repository.js';
import type { AutomationsRepository } from './automations.repository.js';

/** What a schedule or trigger cannot be without: an environment and a script, both as the caller may name them, and room. */
@Injectable()
export class AutomationNeedsService {
  constructor(
    private readonly repository: AutomationNeedsRepository,
    private readonly environments: EnvironmentsService,
    private readonly catalog: ScriptCatalogService,
    private readonly settings: Settings,
  ) {}

  /** The id of a script that exists for the caller. */
  async scriptId(caller: WorkspaceCaller, slug: string): Promise<string> {
    const script = await this.repository.findScript(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    return script.id;
  }

  /** The environment of that name, which nobody changes until the transaction ends. */
  async environment(caller: WorkspaceCaller, name: string): Promise<HeldEnvironment> {
    assertMayName(caller, name);
    const environment = await this.environments.holdNamed(caller.workspace.id, name);
    if (environment) return environment;
    throw InvalidRequest.at('environment', `there is no environment "${name}" in this workspace`);
  }

  /** A script that can run, which nobody archives until the transaction ends. */
  async runnable(
    caller: WorkspaceCaller,
    kind: AutomationKind,
    slug: string,
  ): Promise<RunnableScript & VersionFacts> {
    const script = await this.catalog.findRunnable({ ...viewerOf(caller), slug, version: null });
    assertRunnable(kind, script);
    if (!(await this.repository.holdScript(script.scriptId))) throw archived(kind, slug);
    return script;
  }

  /** Whoever else asks for it waits until this transaction ends. Taken before any row of the kind is locked. */
  lockWorkspace(workspaceId: string): Promise<void> {
    return this.repository.lockWorkspace(workspaceId);
  }

  /**
   * Whoever makes another one in the workspace waits until this transaction ends.
   *
   * @throws Conflict where the workspace has as many as it may have
   */
  async assertRoom(
    kind: AutomationKind,
    automations: Pick<AutomationsRepository<AutomationRow>, 'countIn'>,
    workspaceId: string,
  ): Promise<void> {
    const most = this.settings.automationsPerWorkspace;
    await this.lockWorkspace(workspaceId);
    if ((await automations.countIn(workspaceId)) < most) return;
    throw new Conflict(`A workspace has at most ${most} ${kind.name}s. Delete one first.`);
  }
}
