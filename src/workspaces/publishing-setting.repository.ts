import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOneOptions, Repository } from 'typeorm';

import { Workspace } from './workspace.entity.js';

/** Whether publishing a script takes a second person, which each workspace sets for itself. null: it is gone. */
@Injectable()
export class PublishingSettingRepository {
  constructor(@InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>) {}

  needsSecondPerson(workspaceId: string): Promise<boolean | null> {
    return this.read(workspaceId);
  }

  /** Waits for publishing in progress, so that none goes by the old setting afterwards. */
  lock(workspaceId: string): Promise<boolean | null> {
    return this.read(workspaceId, { mode: 'for_no_key_update' });
  }

  /** Stays as it is until the transaction ends. */
  hold(workspaceId: string): Promise<boolean | null> {
    return this.read(workspaceId, { mode: 'pessimistic_read' });
  }

  async change(id: string, publishNeedsSecondPerson: boolean): Promise<void> {
    await this.workspaces.update({ id }, { publishNeedsSecondPerson });
  }

  private async read(id: string, lock?: FindOneOptions<Workspace>['lock']): Promise<boolean | null> {
    const select = { id: true, publishNeedsSecondPerson: true };
    const workspace = await this.workspaces.findOne({ select, where: { id }, ...(lock && { lock }) });
    return workspace?.publishNeedsSecondPerson ?? null;
  }
}
