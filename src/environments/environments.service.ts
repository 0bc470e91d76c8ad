import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import { assertMayLoosen, isWeaker, OFFERS_TOPIC, type WorkspaceCaller } from '../core/access/index.js';
import { isId, newId } from '../core/crypto/index.js';
import {
  Database,
  keysetPage,
  Notifications,
  type Page,
  type PageRequest,
  violatedConstraint,
} from '../core/database/index.js';
import { Conflict, NotFound } from '../core/errors/index.js';
import { parseRunsOn } from '../core/http/index.js';
import { changedFields, patched } from '../core/json/index.js';
import { Outbox } from '../core/outbox/index.js';
import { ENVIRONMENT_FIELDS, type EnvironmentField, loosened } from './environment.changes.js';
import type {
  EnvironmentDetailDto,
  EnvironmentDto,
  EnvironmentInput,
  EnvironmentPatch,
} from './environment.dto.js';
import { EnvironmentDeletionHooks } from './environment-deletion-hooks.js';
import { whatHolds } from './environment.uses.js';
import type { Environment } from './environment.entity.js';
import { EnvironmentsRepository, type HeldEnvironment } from './environments.repository.js';

/** The places in which scripts run, each with its own secrets and rules. */
@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly environments: EnvironmentsRepository,
    private readonly deletions: EnvironmentDeletionHooks,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly notifications: Notifications,
  ) {}

  /** The environment that a new workspace begins with. To be called in the transaction that makes the workspace. */
  async createFirst(workspaceId: string, createdByUserId: string): Promise<{ id: string; name: string }> {
    const id = newId('environment');
    const settings = {
      name: 'production',
      approvalPolicy: 'none',
      agentsAllowed: true,
      isDefault: true,
    } as const;
    await this.environments.insert({ id, workspaceId, createdByUserId, runsOn: [], ...settings });
    return { id, name: settings.name };
  }

  /** Keeps an environment from being deleted until the surrounding transaction ends. False: it is not there. */
  hold(workspaceId: string, environmentId: string): Promise<boolean> {
    return this.environments.hold(workspaceId, environmentId);
  }

  /** Keeps everybody from changing the environment of that name until the surrounding transaction ends. */
  holdNamed(workspaceId: string, name: string): Promise<HeldEnvironment | null> {
    return this.environments.holdNamed(workspaceId, name);
  }

  /** The names of the environments of each of these workspaces, in order. */
  async namesIn(workspaceIds: readonly string[]): Promise<Map<string, string[]>> {
    const names = new Map<string, string[]>();
    for (const { workspaceId, name } of await this.environments.listIn(workspaceIds)) {
      names.set(workspaceId, [...(names.get(workspaceId) ?? []), name]);
    }
    return names;
  }

  async idOf(workspaceId: string, name: string): Promise<string | null> {
    return (await this.environments.findByName(workspaceId, name))?.id ?? null;
  }

  list(
    { workspace, environment, bound }: WorkspaceCaller,
    request: PageRequest,
  ): Promise<Page<EnvironmentDto>> {
    const only = bound ? environment.id : null;
    const fetch = (after: string | null, count: number) =>
      this.environments.list(workspace.id, only, after, count);
    const filters = { workspaceId: workspace.id, only };
    return keysetPage(request, { list: 'environments', filters }, fetch, present);
  }

  async get(caller: WorkspaceCaller, idOrName: string): Promise<EnvironmentDetailDto> {
    const row = await this.find(caller, idOrName);
    const { secretValues, schedules, triggers, hooks } = await this.environments.usesOf(
      caller.workspace.id,
      row.id,
    );
    return { ...present(row), usage: { secretValues, schedules, triggers, hooks } };
  }

  create(caller: WorkspaceCaller, input: EnvironmentInput): Promise<EnvironmentDto> {
    const runsOn = parseRunsOn(input.runsOn ?? []);
    return this.database.transaction(async () => {
      const id = newId('environment');
      const made = await this.environments.insert({
        id,
        workspaceId: caller.workspace.id,
        name: input.name,
        approvalPolicy: input.approvalPolicy ?? 'none',
        agentsAllowed: input.agentsAllowed ?? true,
        runsOn,
        isDefault: false,
        createdByUserId: caller.person?.id ?? null,
      });
      if (!made) throw nameTaken(input.name);
      const row = (await this.environments.findById(caller.workspace.id, id))!;
      const formerRule = await this.environments.formerRule(caller.workspace.id, row.name);
      if (formerRule && isWeaker(row, formerRule)) assertMayLoosen(caller, ['environment.former_name']);
      await this.record(caller, 'environment.created', row);
      return present(row);
    });
  }

  update(
    caller: WorkspaceCaller,
    idOrName: string,
    { runsOn, ...others }: EnvironmentPatch,
  ): Promise<EnvironmentDto> {
    const patch = { ...others, ...(runsOn !== undefined && { runsOn: parseRunsOn(runsOn) }) };
    return this.database.transaction(async () => {
      await this.environments.lockWorkspace(caller.workspace.id);
      const before = await this.find(caller, idOrName);
      const after = patched(ENVIRONMENT_FIELDS, before, patch);
      assertMayLoosen(caller, loosened(before, after));
      const changed = changedFields(ENVIRONMENT_FIELDS, before, after);
      if (changed.length === 0) return present(before);
      if (changed.includes('isDefault')) await this.takeDefault(caller);
      if (changed.includes('name')) await this.environments.rememberRule(before);
      await this.environments.update(before.id, after).catch((error: unknown) => {
        throw violatedConstraint(error) === 'environments_name_key' ? nameTaken(after.name) : error;
      });
      const row = (await this.environments.findById(caller.workspace.id, before.id))!;
      await this.tellUpdated(caller, row, changed);
      // What an agent is told of a script depends on the policy.
      await this.notifications.notify(OFFERS_TOPIC, caller.workspace.id);
      await this.record(caller, 'environment.updated', row, { changed, previousName: before.name });
      return present(row);
    });
  }

  /** With its secret values. @throws Conflict for the default one, and while anything else is in it */
  delete(caller: WorkspaceCaller, idOrName: string): Promise<void> {
    return this.database.transaction(async () => {
      await this.environments.lockWorkspace(caller.workspace.id);
      const found = await this.find(caller, idOrName);
      const { id, name, isDefault } = found;
      if (isDefault) {
        throw new Conflict(`The environment ${name} is the default one. Make another one the default first.`);
      }
      await this.environments.lock(id);
      const holders = whatHolds(await this.environments.usesOf(caller.workspace.id, id));
      if (holders !== null) throw new Conflict(`The environment ${name} is in use: it has ${holders}.`);
      await this.deletions.tell(id);
      await this.environments.delete(id);
      await this.environments.rememberRule(found);
      await this.record(caller, 'environment.deleted', { id, name });
    });
  }

  /** An id or a name; no name has the form of an id. A bound API key sees its own environment only. */
  private async find(
    { workspace, environment, bound }: WorkspaceCaller,
    idOrName: string,
  ): Promise<Environment> {
    const row = isId('environment', idOrName)
      ? await this.environments.findById(workspace.id, idOrName)
      : await this.environments.findByName(workspace.id, idOrName);
    if (!row || (bound && row.id !== environment.id)) throw new NotFound('environment');
    return row;
  }

  private async takeDefault(caller: WorkspaceCaller): Promise<void> {
    const previous = await this.environments.takeDefault(caller.workspace.id);
    if (previous) await this.tellUpdated(caller, previous, ['isDefault']);
  }

  private tellUpdated(
    { workspace }: WorkspaceCaller,
    row: Environment,
    changed: EnvironmentField[],
  ): Promise<void> {
    const data = { name: row.name, changed };
    // An event of the whole workspace: its rules matter to those who work in other environments as well.
    return this.outbox.add({
      workspaceId: workspace.id,
      environmentId: null,
      type: 'environment.updated',
      data,
    });
  }

  private record(
    caller: WorkspaceCaller,
    action: 'environment.created' | 'environment.updated' | 'environment.deleted',
    { id, name }: { id: string; name: string },
    details: Record<string, unknown> = {},
  ): Promise<void> {
    return this.audit.record(
      caller.workspace.id,
      caller,
      action,
      { type: 'environment', id },
      { name, ...details },
    );
  }
}

function nameTaken(name: string): Conflict {
  return new Conflict(`This workspace has an environment ${name} already.`, [
    { path: 'name', message: 'is taken' },
  ]);
}

function present(row: Environment): EnvironmentDto {
  return {
    id: row.id,
    name: row.name,
    approvalPolicy: row.approvalPolicy,
    agentsAllowed: row.agentsAllowed,
    runsOn: row.runsOn,
    isDefault: row.isDefault,
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
