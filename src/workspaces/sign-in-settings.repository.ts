import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOneOptions, Repository } from 'typeorm';

import { Workspace } from './workspace.entity.js';

export type SignInSettings = Pick<Workspace, 'secondFactorRequired' | 'stepUpMinutes'>;

/** What a workspace wants of how its people sign in. null: it is gone. */
@Injectable()
export class SignInSettingsRepository {
  constructor(@InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>) {}

  find(workspaceId: string): Promise<SignInSettings | null> {
    return this.read(workspaceId);
  }

  lock(workspaceId: string): Promise<SignInSettings | null> {
    return this.read(workspaceId, { mode: 'for_no_key_update' });
  }

  async change(id: string, settings: SignInSettings): Promise<void> {
    await this.workspaces.update({ id }, settings);
  }

  private read(id: string, lock?: FindOneOptions<Workspace>['lock']): Promise<SignInSettings | null> {
    const select = { id: true, secondFactorRequired: true, stepUpMinutes: true };
    return this.workspaces.findOne({ select, where: { id }, ...(lock && { lock }) });
  }
}
