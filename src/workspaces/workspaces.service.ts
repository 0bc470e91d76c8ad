import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail, SYSTEM } from '../audit/index.js';
import type { Caller, WorkspaceCaller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { Conflict, NotFound } from '../core/errors/problems.js';
import { Environments } from '../environments/environments.service.js';
import type { WorkspaceDto, WorkspacePatch } from './workspace.dto.js';
import { WorkspacesRepository } from './workspaces.repository.js';

export interface NewWorkspace {
  name: string;
  slug: string;
  /** The user id of its first owner. */
  owner: string;
}

export interface CreatedWorkspace extends WorkspaceDto {
  /** Of `production`, its default environment. */
  environmentId: string;
  /** Of the team that every member but guests belongs to. */
  defaultTeamId: string;
}

@Injectable()
export class Workspaces {
  constructor(
    private readonly workspaces: WorkspacesRepository,
    private readonly environments: Environments,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  /**
   * A workspace with all that each one has: an owner, the team of everyone and the environment `production`.
   *
   * @throws Conflict when the slug is taken
   */
  create({ name, slug, owner }: NewWorkspace, by: Caller | AuditActor = SYSTEM): Promise<CreatedWorkspace> {
    const id = newId('workspace');
    const defaultTeamId = newId('team');
    return this.database.transaction(async () => {
      if (!(await this.workspaces.insert({ id, name, slug }))) {
        throw new Conflict(`The slug ${slug} is taken.`, [{ path: 'slug', message: 'is taken' }]);
      }
      await this.workspaces.insertOwner(newId('membership'), id, owner);
      await this.workspaces.insertDefaultTeam(defaultTeamId, id, 'Everyone', owner);
      const environment = await this.environments.createFirst(id, owner);
      await this.audit.record(id, by, 'workspace.created', { type: 'workspace', id }, { name, slug });
      return { id, name, slug, environmentId: environment.id, defaultTeamId };
    });
  }

  /** For the route: what the caller may see of it is the record alone. */
  async createBy(caller: Caller, input: { name: string; slug: string }): Promise<WorkspaceDto> {
    const { id, name, slug } = await this.create({ ...input, owner: caller.person!.id }, caller);
    return { id, name, slug };
  }

  get({ workspace }: WorkspaceCaller): WorkspaceDto {
    return { id: workspace.id, name: workspace.name, slug: workspace.slug };
  }

  update(caller: WorkspaceCaller, { name }: WorkspacePatch): Promise<WorkspaceDto> {
    const { id, slug } = caller.workspace;
    return this.database.transaction(async () => {
      const previousName = await this.workspaces.lockName(id);
      if (previousName === null) throw new NotFound('workspace');
      if (name === undefined || name === previousName) return { id, name: previousName, slug };
      await this.workspaces.rename(id, name);
      await this.audit.record(
        id,
        caller,
        'workspace.renamed',
        { type: 'workspace', id },
        { name, previousName },
      );
      return { id, name, slug };
    });
  }

  delete(caller: WorkspaceCaller): Promise<void> {
    const { id, name, slug } = caller.workspace;
    return this.database.transaction(async () => {
      if (!(await this.workspaces.delete(id))) throw new NotFound('workspace');
      await this.workspaces.revokeCredentials(id);
      await this.audit.record(id, caller, 'workspace.deleted', { type: 'workspace', id }, { name, slug });
    });
  }
}
