import { Injectable } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { QuotaExceeded } from '../../core/errors/index.js';
import { MembersRepository } from './members.repository.js';

/** How many workspaces a person owns: each has limits of its own, which are worth nothing to one who has any number of them. */
@Injectable()
export class OwnershipService {
  constructor(
    private readonly members: MembersRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * To be called in the transaction that makes the person an owner; another such waits for its end.
   *
   * @throws QuotaExceeded where the person owns as many as one may
   */
  async assertMayOwnOneMore(userId: string, whom: 'you' | 'this person'): Promise<void> {
    const most = this.settings.workspacesPerPerson;
    await this.members.lockPerson(userId);
    if ((await this.members.countOwned(userId)) < most) return;
    throw new QuotaExceeded(
      `A person may own ${most} ${most === 1 ? 'workspace' : 'workspaces'} here, and ${whom} cannot own another one. GATEHOUSE_WORKSPACES_PER_PERSON says how many, which the operator sets.`,
    );
  }
}
