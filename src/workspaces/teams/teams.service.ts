import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import { AccessLosses } from '../../core/access/access-losses.js';
import type { WorkspaceCaller } from '../../core/access/caller.js';
import { isId, newId } from '../../core/crypto/ids.js';
import { violatedConstraint } from '../../core/database/database-errors.js';
import { Database } from '../../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../../core/database/page.js';
import { Conflict, NotFound } from '../../core/errors/problems.js';
import type { TeamDto, TeamInput, TeamPatch } from './team.dto.js';
import { type TeamRow, TeamsRepository } from './teams.repository.js';

/** Teams: with whom scripts are shared. One of each workspace, the default one, has everybody in it but guests. */
@Injectable()
export class Teams {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly losses: AccessLosses,
  ) {}

  list(workspaceId: string, request: PageRequest): Promise<Page<TeamDto>> {
    const fetch = (after: string | null, count: number) => this.teams.list(workspaceId, after, count);
    return keysetPage(request, { list: 'teams', filters: { workspaceId } }, fetch, present);
  }

  async get({ workspace }: WorkspaceCaller, id: string): Promise<TeamDto> {
    const row = isId('team', id) ? await this.teams.find(workspace.id, id) : null;
    if (!row) throw new NotFound('team');
    return present(row);
  }

  create(caller: WorkspaceCaller, { name }: TeamInput): Promise<TeamDto> {
    const { id: workspaceId } = caller.workspace;
    const id = newId('team');
    return this.database.transaction(async () => {
      if (!(await this.teams.insert(id, workspaceId, name))) throw nameTaken(name);
      await this.audit.record(workspaceId, caller, 'team.created', { type: 'team', id }, { name });
      return this.get(caller, id);
    });
  }

  update(caller: WorkspaceCaller, id: string, { name }: TeamPatch): Promise<TeamDto> {
    return this.database.transaction(async () => {
      const before = await this.lock(caller, id);
      if (name === undefined || name === before.name) return present(before);
      await this.teams.rename(id, name).catch((error: unknown) => {
        throw violatedConstraint(error) === 'teams_name_key' ? nameTaken(name) : error;
      });
      const details = { name, previousName: before.name };
      await this.audit.record(caller.workspace.id, caller, 'team.renamed', { type: 'team', id }, details);
      return present({ ...before, name });
    });
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    const { id: workspaceId } = caller.workspace;
    return this.database.transaction(async () => {
      const { name, isDefault, memberIds } = await this.get(caller, id);
      if (isDefault) throw new Conflict(`The default team (${name}) cannot be deleted.`);
      await this.teams.lockUses(workspaceId, id);
      if (!(await this.teams.delete(workspaceId, id))) throw new NotFound('team');
      await this.audit.record(workspaceId, caller, 'team.deleted', { type: 'team', id }, { name });
      await this.losses.report({ members: memberIds.map((userId) => ({ workspaceId, userId })) });
    });
  }

  private async lock({ workspace }: WorkspaceCaller, id: string): Promise<TeamRow> {
    const row = isId('team', id) ? await this.teams.lock(workspace.id, id) : null;
    if (!row) throw new NotFound('team');
    return row;
  }
}

function nameTaken(name: string): Conflict {
  return new Conflict(`This workspace has a team "${name}" already.`, [
    { path: 'name', message: 'is taken' },
  ]);
}

function present({ id, name, isDefault, memberIds, createdAt }: TeamRow): TeamDto {
  return { id, name, isDefault, memberIds, createdAt: createdAt.toISOString() };
}
