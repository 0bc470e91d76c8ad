import { Injectable } from '@nestjs/common';

/** One kind of thing that names teams. Its methods are called in the transaction in which a team is deleted. */
export interface TeamUse {
  /** Locks those that name the team, before the team is locked: the same order as when one is given a team. */
  lock(workspaceId: string, teamId: string): Promise<void>;
  /** Takes the team out of them. */
  removeTeam(workspaceId: string, teamId: string): Promise<void>;
}

/**
 * An extension point: has a team that is deleted taken out of everything that names it.
 *
 * @example
 * onModuleInit(): void {
 *   this.teamUses.register(this);
 * }
 */
@Injectable()
export class TeamDeletionHooks {
  private readonly uses: TeamUse[] = [];

  register(use: TeamUse): void {
    this.uses.push(use);
  }

  async lock(workspaceId: string, teamId: string): Promise<void> {
    for (const use of this.uses) await use.lock(workspaceId, teamId);
  }

  async removeTeam(workspaceId: string, teamId: string): Promise<void> {
    for (const use of this.uses) await use.removeTeam(workspaceId, teamId);
  }
}
