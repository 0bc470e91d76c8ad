import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import {
  AccessLossHooks,
  assertMayLoosen,
  OFFERS_TOPIC,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { isId, newId } from '../../core/crypto/index.js';
import {
  Database,
  keysetPage,
  Notifications,
  type Page,
  type PageRequest,
  violatedConstraint,
} from '../../core/database/index.js';
import { Conflict, NotFound } from '../../core/errors/index.js';
import type { TeamDto, TeamInput, TeamPatch } from './team.dto.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { TeamDeletionHooks } from './team-deletion-hooks.js';
import { TeamsRepository } from './teams.repository.js';
import type { TeamRow } from './teams.sql.js';

/** Teams, with which scripts are shared. Each workspace has a default team of everybody but guests. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly members: TeamMembersRepository,
    private readonly uses: TeamDeletionHooks,
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly losses: AccessLossHooks,
    private readonly notifications: Notifications,
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
      const team = await this.teams.insert({ id, workspaceId, name, isDefault: false });
      if (!team) throw nameTaken(name);
      await this.audit.record(workspaceId, caller, 'team.created', { type: 'team', id }, { name });
      return present(team);
    });
  }

  /** The team that everybody but guests belongs to. To be called in the transaction that makes the workspace. */
  async createDefault(workspaceId: string, firstMember: string): Promise<string> {
    const id = newId('team');
    await this.teams.insert({ id, workspaceId, name: 'Everyone', isDefault: true });
    await this.members.add(id, firstMember);
    return id;
  }

  update(caller: WorkspaceCaller, id: string, { name }: TeamPatch): Promise<TeamDto> {
    return this.database.transaction(async () => {
      const before = await this.lock(caller, id);
      if (name === undefined || name === before.name) return present(before);
      assertMayLoosen(caller, ['team.name']);
      await this.teams.rename(id, name).catch((error: unknown) => {
        throw violatedConstraint(error) === 'teams_name_key' ? nameTaken(name) : error;
      });
      const details = { name, previousName: before.name };
      await this.audit.record(caller.workspace.id, caller, 'team.renamed', { type: 'team', id }, details);
      return present({ ...before, name });
    });
  }

  /** Also takes it out of the scripts and open invitations that name it. */
  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    const { id: workspaceId } = caller.workspace;
    return this.database.transaction(async () => {
      const { name, isDefault, memberIds } = await this.get(caller, id);
      if (isDefault) throw new Conflict(`The default team (${name}) cannot be deleted.`);
      await this.uses.lock(workspaceId, id);
      if (!(await this.teams.delete(workspaceId, id))) throw new NotFound('team');
      await this.uses.removeTeam(workspaceId, id);
      await this.audit.record(workspaceId, caller, 'team.deleted', { type: 'team', id }, { name });
      await this.losses.report({ members: memberIds.map((userId) => ({ workspaceId, userId })) });
      await this.notifications.notify(OFFERS_TOPIC, workspaceId);
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
