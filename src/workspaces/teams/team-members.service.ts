import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import {
  AccessLossHooks,
  assertMayLoosen,
  OFFERS_TOPIC,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { isId } from '../../core/crypto/index.js';
import { Database, Notifications } from '../../core/database/index.js';
import { Conflict, NotFound } from '../../core/errors/index.js';
import { TeamMembersRepository } from './team-members.repository.js';
import type { TeamDto } from './team.dto.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';

/** Who is in which team. */
@Injectable()
export class TeamMembersService {
  constructor(
    private readonly teams: TeamsService,
    private readonly teamRows: TeamsRepository,
    private readonly members: TeamMembersRepository,
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly losses: AccessLossHooks,
    private readonly notifications: Notifications,
  ) {}

  /** Does nothing for a person who is in the team already. */
  add(caller: WorkspaceCaller, teamId: string, userId: string): Promise<TeamDto> {
    return this.database.transaction(async () => {
      const team = await this.hold(caller, teamId);
      const role = isId('user', userId) ? await this.members.holdRole(caller.workspace.id, userId) : null;
      if (role === null) throw new NotFound('member of the workspace');
      if (team.isDefault && role === 'guest') {
        throw new Conflict(`Guests cannot be in the default team (${team.name}). Give them the role member.`);
      }
      if (await this.members.add(teamId, userId)) {
        assertMayLoosen(caller, ['team.members']);
        await this.record(caller, 'team.member.added', team, userId);
        await this.notifications.notify(OFFERS_TOPIC, caller.workspace.id);
      }
      return this.teams.get(caller, teamId);
    });
  }

  remove(caller: WorkspaceCaller, teamId: string, userId: string): Promise<void> {
    return this.database.transaction(async () => {
      const team = await this.hold(caller, teamId);
      if (!team.memberIds.includes(userId)) throw new NotFound('member of the team');
      if (team.isDefault) {
        throw new Conflict(`Everybody but guests is in the default team (${team.name}) and stays in it.`);
      }
      if (!(await this.members.remove(teamId, userId))) throw new NotFound('member of the team');
      await this.record(caller, 'team.member.removed', team, userId);
      await this.losses.report({ members: [{ workspaceId: caller.workspace.id, userId }] });
      await this.notifications.notify(OFFERS_TOPIC, caller.workspace.id);
    });
  }

  private async hold(caller: WorkspaceCaller, teamId: string): Promise<TeamDto> {
    const held = isId('team', teamId) ? await this.teamRows.hold(caller.workspace.id, [teamId]) : [];
    if (held.length === 0) throw new NotFound('team');
    return this.teams.get(caller, teamId);
  }

  private record(
    caller: WorkspaceCaller,
    action: 'team.member.added' | 'team.member.removed',
    { id, name }: TeamDto,
    userId: string,
  ): Promise<void> {
    return this.audit.record(caller.workspace.id, caller, action, { type: 'team', id }, { name, userId });
  }
}
