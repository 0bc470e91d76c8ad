import { Injectable } from '@nestjs/common';

import { EnvironmentsService } from '../environments/index.js';
import { MembersService } from './members/members.service.js';
import { TeamsService } from './teams/teams.service.js';

/** What each workspace begins with: an owner, the default team and the environment `production`. */
@Injectable()
export class WorkspaceContentsService {
  constructor(
    private readonly members: MembersService,
    private readonly teams: TeamsService,
    private readonly environments: EnvironmentsService,
  ) {}

  async createFirst(
    workspaceId: string,
    owner: string,
  ): Promise<{ environmentId: string; defaultTeamId: string }> {
    await this.members.addFirstOwner(workspaceId, owner);
    const defaultTeamId = await this.teams.createDefault(workspaceId, owner);
    const environment = await this.environments.createFirst(workspaceId, owner);
    return { environmentId: environment.id, defaultTeamId };
  }
}
