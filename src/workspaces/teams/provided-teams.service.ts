import { Injectable, Logger } from '@nestjs/common';

import { AuditTrail, SYSTEM } from '../../audit/index.js';
import { AccessLossHooks, OFFERS_TOPIC } from '../../core/access/index.js';
import { Notifications } from '../../core/database/index.js';
import { type NamedTeam, TeamMembersRepository } from './team-members.repository.js';

/** Puts a member into teams, and takes them out, as a provider says at which they have signed in. */
@Injectable()
export class ProvidedTeamsService {
  private readonly logger = new Logger(ProvidedTeamsService.name);

  constructor(
    private readonly members: TeamMembersRepository,
    private readonly audit: AuditTrail,
    private readonly losses: AccessLossHooks,
    private readonly notifications: Notifications,
  ) {}

  /**
   * To be called in a transaction that holds the workspace's lock. Teams that there are not, and the default one, are
   * passed over, of which the operator is told.
   *
   * @param wanted by the team's name, whether the person is to be in it
   */
  async apply(
    workspaceId: string,
    userId: string,
    way: string,
    wanted: Readonly<Record<string, boolean>>,
  ): Promise<void> {
    const teams = await this.members.named(workspaceId, Object.keys(wanted), userId);
    this.tellOfMissing(way, wanted, teams);
    const changed = teams.filter(({ name, includes }) => includes !== wanted[name]);
    for (const team of changed) await this.change(workspaceId, userId, way, team);
    if (changed.length > 0) await this.notifications.notify(OFFERS_TOPIC, workspaceId);
    if (changed.some(({ includes }) => includes)) {
      await this.losses.report({ members: [{ workspaceId, userId }] });
    }
  }

  private tellOfMissing(way: string, wanted: Readonly<Record<string, boolean>>, teams: NamedTeam[]): void {
    for (const [name, includes] of Object.entries(wanted)) {
      if (!includes || teams.some((team) => team.name === name)) continue;
      this.logger.warn(
        `Somebody of the way to sign in "${way}" is to be in the team "${name}", which the workspace has not: an admin makes it under Settings → Teams.`,
      );
    }
  }

  private async change(
    workspaceId: string,
    userId: string,
    way: string,
    { id, name, includes }: NamedTeam,
  ): Promise<void> {
    await (includes ? this.members.remove(id, userId) : this.members.add(id, userId));
    const action = includes ? 'team.member.removed' : 'team.member.added';
    await this.audit.record(workspaceId, SYSTEM, action, { type: 'team', id }, { name, userId, way });
  }
}
