import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import { AgentGrantsService } from '../auth/index.js';
import type { Caller, WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { Conflict, NotFound } from '../core/errors/index.js';
import { ApiKeysService } from './api-keys.service.js';
import { OwnershipService } from './members/ownership.service.js';
import { WorkspaceContentsService } from './workspace-contents.service.js';
import type { WorkspaceDto, WorkspacePatch } from './workspace.dto.js';
import { WorkspacesRepository } from './workspaces.repository.js';

interface NewWorkspace {
  name: string;
  slug: string;
  /** The user id of its first owner. */
  owner: string;
}

interface CreatedWorkspace extends WorkspaceDto {
  /** Of `production`, its default environment. */
  environmentId: string;
  /** Of the team that every member but guests belongs to. */
  defaultTeamId: string;
}

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesRepository,
    private readonly contents: WorkspaceContentsService,
    private readonly ownership: OwnershipService,
    private readonly keys: ApiKeysService,
    private readonly grants: AgentGrantsService,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  /**
   * Makes a workspace with what each one begins with: an owner, the default team and the environment `production`.
   *
   * @throws Conflict when the slug is taken; QuotaExceeded where the owner owns as many as one may
   */
  create({ name, slug, owner }: NewWorkspace, by: Caller | AuditActor): Promise<CreatedWorkspace> {
    const id = newId('workspace');
    return this.database.transaction(async () => {
      await this.ownership.assertMayOwnOneMore(owner, 'you');
      if (!(await this.workspaces.insert({ id, name, slug, ownerUserId: owner }))) {
        throw new Conflict(`The slug ${slug} is taken.`, [{ path: 'slug', message: 'is taken' }]);
      }
      const first = await this.contents.createFirst(id, owner);
      await this.audit.record(id, by, 'workspace.created', { type: 'workspace', id }, { name, slug });
      return { id, name, slug, ...first };
    });
  }

  /** The workspace alone, without what was made along with it. */
  async createBy(caller: Caller, input: { name: string; slug: string }): Promise<WorkspaceDto> {
    const { id, name, slug } = await this.create({ ...input, owner: caller.person!.id }, caller);
    return { id, name, slug };
  }

  get({ workspace }: WorkspaceCaller): WorkspaceDto {
    return { id: workspace.id, name: workspace.name, slug: workspace.slug };
  }

  async update(caller: WorkspaceCaller, { name }: WorkspacePatch): Promise<WorkspaceDto> {
    if (name === undefined) return this.get(caller);
    const { id, slug } = caller.workspace;
    return this.database.transaction(async () => {
      const previousName = await this.workspaces.rename(id, name);
      if (previousName === null) throw new NotFound('workspace');
      if (name !== previousName) {
        const target = { type: 'workspace', id };
        await this.audit.record(id, caller, 'workspace.renamed', target, { name, previousName });
      }
      return { id, name, slug };
    });
  }

  /** Revokes what was made for this workspace alone; a person's tokens work on in others. */
  delete({ id, name, slug }: WorkspaceDto, by: Caller | AuditActor): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.workspaces.delete(id))) throw new NotFound('workspace');
      await this.keys.revokeAll(id);
      await this.grants.revokeAllIn(id);
      await this.audit.record(id, by, 'workspace.deleted', { type: 'workspace', id }, { name, slug });
    });
  }

  async find(slug: string): Promise<WorkspaceDto> {
    const found = await this.workspaces.findBySlug(slug);
    if (!found) throw new NotFound('workspace');
    return found;
  }

  /**
   * Brings the workspace of that slug back that was deleted last, without the keys and connected apps that it had.
   *
   * @throws NotFound where there is none; Conflict where another one has the slug by now
   */
  restore(slug: string, by: AuditActor): Promise<WorkspaceDto> {
    return this.database.transaction(async () => {
      if (await this.workspaces.findBySlug(slug)) throw new Conflict(`The slug ${slug} is taken.`);
      const restored = await this.workspaces.restore(slug);
      if (!restored) throw new NotFound('workspace');
      const target = { type: 'workspace', id: restored.id };
      await this.audit.record(restored.id, by, 'workspace.restored', target, { name: restored.name, slug });
      return restored;
    });
  }
}
