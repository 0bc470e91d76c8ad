import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type TeamUse, TeamDeletionHooks } from '../teams/team-deletion-hooks.js';
import { InvitationsRepository } from './invitations.repository.js';

/** The teams that people join who accept an invitation. */
@Injectable()
export class InvitationTeamRemoval implements TeamUse, OnModuleInit {
  constructor(
    private readonly uses: TeamDeletionHooks,
    private readonly invitations: InvitationsRepository,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  lock(workspaceId: string, teamId: string): Promise<void> {
    return this.invitations.lockNaming(workspaceId, teamId);
  }

  removeTeam(workspaceId: string, teamId: string): Promise<void> {
    return this.invitations.removeTeam(workspaceId, teamId);
  }
}
